"""What the bot answered to something that a person did."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sandbox.errors import items_of
from bot.sandbox.interactions import DEFER, DEFER_UPDATE, Interaction
from bot.sandbox.messages import Message

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.server import Sandbox

_INPUTS = {3, 4, 5, 6, 7, 8}
_TEXT_INPUT = 4
_SETTLED_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form.

    Attributes:
        label: What stands above it.
        custom_id: What the bot calls it.
        value: What is filled in beforehand.
        required: Whether it may not stay empty.
        data: All that Discord knows about it.
    """

    label: str
    custom_id: str
    value: str
    required: bool
    data: JsonObject


@dataclass(frozen=True, slots=True)
class Modal:
    """A form that the bot opened."""

    interaction: Interaction
    data: JsonObject

    @property
    def title(self) -> str:
        """What stands above it."""
        return self.data["title"]

    @property
    def custom_id(self) -> str:
        """What the bot calls it."""
        return self.data["custom_id"]

    @property
    def fields(self) -> list[Field]:
        """Its fields, in their order."""
        found: list[Field] = []
        for row in self.data["components"]:
            inner = [*items_of(row, "components")]
            if row.get("component"):
                inner.append(row["component"])
            found.extend(
                Field(
                    each.get("label") or row.get("label") or "",
                    each["custom_id"],
                    each.get("value") or "",
                    each.get("required", True),
                    each,
                )
                for each in inner
                if each["type"] in _INPUTS
            )
        return found


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot answered to something that a member did."""

    sandbox: Sandbox
    interaction: Interaction

    @property
    def failed(self) -> bool:
        """Whether there was no answer in time."""
        return self.interaction.response_type is None

    @property
    def message(self) -> Message | None:
        """The message that was made, or changed, or to be changed; None for a form."""
        original = self.interaction.original
        return Message(self.sandbox, original) if original is not None else None

    @property
    def text(self) -> str:
        """All text of the message and of the follow-ups."""
        shown = [*([self.message] if self.message else []), *self.followups]
        return "\n".join(message.text for message in shown if message.text)

    @property
    def ephemeral(self) -> bool:
        """Whether only the person sees the answer."""
        return self.message is not None and self.message.ephemeral

    @property
    def is_ephemeral(self) -> bool:
        """Whether anything of the answer is seen by the person alone."""
        shown = [*([self.message] if self.message else []), *self.followups]
        return any(message.ephemeral for message in shown)

    @property
    def deferred(self) -> bool:
        """Whether the first answer was that there will be one, be it there by now or not."""
        return self.interaction.response_type in {DEFER, DEFER_UPDATE}

    @property
    def modal(self) -> Modal | None:
        """The form that was opened, if any."""
        data = self.interaction.modal
        return Modal(self.interaction, data) if data is not None else None

    @property
    def followups(self) -> list[Message]:
        """The messages after the first."""
        return [Message(self.sandbox, each) for each in self.interaction.followups]

    async def settled(self) -> None:
        """Wait until there is more than a promise of an answer.

        Raises:
            TimeoutError: There was nothing more in ten seconds.
        """
        async with asyncio.timeout(_SETTLED_SECONDS):
            await self.interaction.settled.wait()
