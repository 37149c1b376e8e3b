"""Messages as people see them: their text, buttons, menus and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sandbox.errors import items_of, object_of
from bot.sandbox.world import EPHEMERAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.sandbox.errors import JsonObject
    from bot.sandbox.people import Channel, Member
    from bot.sandbox.server import Sandbox

BUTTON = 2
SELECTS = {3: "strings", 5: "users", 6: "roles", 7: "mentionables", 8: "channels"}
"""The kinds of menus, by what is chosen from."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a message.

    Attributes:
        label: The words on it, with an emoji in front where there is one.
        custom_id: What the bot is told when it is pressed; empty for a link.
        style: 1 to 4 for the colours, 5 for a link.
        disabled: Whether it is greyed out.
        url: Where a link leads, else None.
    """

    label: str
    custom_id: str
    style: int
    disabled: bool
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message."""

    filename: str
    description: str | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is now."""

    sandbox: Sandbox
    data: JsonObject

    @property
    def id(self) -> int:
        """Its id."""
        return int(self.data["id"])

    @property
    def channel(self) -> Channel:
        """Where it stands."""
        return self.sandbox.channel(int(self.data["channel_id"]))

    @property
    def author(self) -> Member:
        """Who wrote it."""
        guild_id = self.sandbox.world.channel(self.data["channel_id"]).get("guild_id", "0")
        return self.sandbox.member(int(guild_id), int(self.data["author"]["id"]))

    @property
    def content(self) -> str:
        """Its text outside of embeds and components."""
        return self.data["content"]

    @property
    def embeds(self) -> list[JsonObject]:
        """Its embeds."""
        return self.data["embeds"]

    @property
    def components(self) -> list[JsonObject]:
        """Its components, rows at the top."""
        return self.data["components"]

    @property
    def text(self) -> str:
        """All its text, a line for each part: content, embeds and text in components."""
        parts = [self.content]
        for embed in self.embeds:
            parts.append(object_of(embed, "author").get("name", ""))
            parts.extend((embed.get("title") or "", embed.get("description") or ""))
            fields = items_of(embed, "fields")
            parts.extend(f"{field['name']}: {field['value']}" for field in fields)
            parts.append(object_of(embed, "footer").get("text", ""))
        parts.extend(each.get("content", "") for each in flat(self.components))
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons, in their order."""
        return [_button(each) for each in flat(self.components) if each["type"] == BUTTON]

    @property
    def selects(self) -> list[JsonObject]:
        """Its menus, in their order."""
        return [each for each in flat(self.components) if each["type"] in SELECTS]

    @property
    def pings(self) -> list[int]:
        """The members whom it notified when it was posted."""
        return [int(user) for user in self.sandbox.world.pings.get(self.data["id"], [])]

    @property
    def ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return bool(self.data["flags"] & EPHEMERAL)

    @property
    def edited(self) -> bool:
        """Whether it was changed."""
        return self.data["edited_timestamp"] is not None

    @property
    def nonce(self) -> str | int | None:
        """What the bot marked it with, so that it is posted once."""
        return self.data.get("nonce")

    @property
    def attachments(self) -> list[Attachment]:
        """Its files."""
        files = self.sandbox.world.files
        return [
            Attachment(
                each["filename"],
                each.get("description"),
                files[each["url"].removeprefix(f"{self.sandbox.world.cdn}/")].data,
            )
            for each in self.data["attachments"]
        ]

    async def delete(self) -> None:
        """Delete it, as a moderator would."""
        world = self.sandbox.world
        event = world.delete_message(self.data["channel_id"], self.data["id"])
        await self.sandbox.emit("MESSAGE_DELETE", event)


def flat(components: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield components and all that is in them, in the order of reading."""
    for component in components:
        yield component
        yield from flat(items_of(component, "components"))
        yield from flat(
            [component[key] for key in ("accessory", "component") if component.get(key)]
        )


def _button(component: JsonObject) -> Button:
    emoji = object_of(component, "emoji").get("name")
    return Button(
        " ".join(part for part in (emoji, component.get("label")) if part),
        component.get("custom_id") or "",
        component["style"],
        bool(component.get("disabled")),
        component.get("url"),
    )
