"""What tests and the terminal hold in their hands: guilds, channels, members, messages, answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sandbox import command_options
from bot.sandbox.errors import SandboxError, items_of
from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT, Interaction
from bot.sandbox.permissions import bits
from bot.sandbox.world import EPHEMERAL, KINDS, LOADING

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.server import Sandbox

_BUTTON = 2


@dataclass(frozen=True, slots=True)
class Role:
    """A role of a guild."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a message."""

    label: str
    custom_id: str
    style: int
    disabled: bool


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message."""

    filename: str
    description: str | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Guild:
    """A guild that the bot has joined."""

    sandbox: Sandbox
    id: int

    @property
    def bot_role(self) -> Role:
        """The role that the bot's permissions come from."""
        role = next(
            each
            for each in self.sandbox.world.guild(str(self.id))["roles"]
            if each["name"] == "Parlour"
        )
        return Role(int(role["id"]), role["name"])

    def add_channel(self, name: str, kind: str = "text") -> Channel:
        """Add a channel: `text`, `announcement` or `forum`. The bot hears of it at its start."""
        channel = self.sandbox.world.add_channel(str(self.id), name, KINDS[kind])
        self.sandbox.emit_later("CHANNEL_CREATE", channel)
        return Channel(self.sandbox, int(channel["id"]))

    def add_role(self, name: str, permissions: int = 0) -> Role:
        """Add a role."""
        role = self.sandbox.world.add_role(str(self.id), name, permissions)
        self.sandbox.emit_later("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": role})
        return Role(int(role["id"]), name)

    def add_member(
        self,
        name: str,
        *,
        roles: list[Role] | None = None,
        bot: bool = False,
        administrator: bool = False,
    ) -> Member:
        """Let somebody join."""
        world = self.sandbox.world
        user = world.add_user(name, is_bot=bot)
        given = [str(role.id) for role in roles or []]
        if administrator:
            given.append(str(self.add_role("Administrators", bits("administrator")).id))
        world.add_member(str(self.id), user, given)
        return Member(self.sandbox, self.id, int(user["id"]))


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel or a thread."""

    sandbox: Sandbox
    id: int

    @property
    def name(self) -> str:
        """What it is called."""
        return self.sandbox.world.channel(str(self.id))["name"]

    @property
    def messages(self) -> list[Message]:
        """What everybody sees, the oldest first."""
        known = self.sandbox.world.messages[str(self.id)].values()
        return [Message(self.sandbox, each) for each in known if not each["flags"] & EPHEMERAL]

    def seen_by(self, member: Member) -> list[Message]:
        """Return what one member sees, the oldest first."""
        world = self.sandbox.world
        return [
            Message(self.sandbox, each)
            for each in world.messages[str(self.id)].values()
            if world.viewers.get(each["id"], str(member.id)) == str(member.id)
        ]

    def add_thread(self, name: str) -> Channel:
        """Add a public thread, or a post to a forum."""
        thread = self.sandbox.world.add_thread(str(self.id), name)
        self.sandbox.emit_later("THREAD_CREATE", thread)
        return Channel(self.sandbox, int(thread["id"]))

    def deny(self, whom: Role | Member, *permissions: str) -> None:
        """Take permissions away here from a role or a member."""
        channel = self.sandbox.world.channel(str(self.id))
        channel["permission_overwrites"].append(
            {
                "id": str(whom.id),
                "type": 0 if isinstance(whom, Role) else 1,
                "allow": "0",
                "deny": str(bits(*permissions)),
            }
        )
        self.sandbox.emit_later("CHANNEL_UPDATE", channel)


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
    def content(self) -> str:
        """Its text."""
        return self.data["content"]

    @property
    def embeds(self) -> list[JsonObject]:
        """Its embeds."""
        return self.data["embeds"]

    @property
    def text(self) -> str:
        """All its text: content, embeds and text in components."""
        parts = [self.content]
        for embed in self.embeds:
            parts.extend(filter(None, (embed.get("title"), embed.get("description"))))
            fields = items_of(embed, "fields")
            parts.extend(f"{field['name']}: {field['value']}" for field in fields)
        parts.extend(
            each["content"] for each in _flat(self.data["components"]) if "content" in each
        )
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons, in their order."""
        return [
            Button(
                each.get("label") or "",
                each.get("custom_id") or "",
                each["style"],
                bool(each.get("disabled")),
            )
            for each in _flat(self.data["components"])
            if each["type"] == _BUTTON
        ]

    @property
    def pings(self) -> list[int]:
        """The members whom it notified when it was posted."""
        return [int(user) for user in self.sandbox.world.pings.get(self.data["id"], [])]

    @property
    def is_ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return bool(self.data["flags"] & EPHEMERAL)

    @property
    def is_edited(self) -> bool:
        """Whether it was changed."""
        return self.data["edited_timestamp"] is not None

    @property
    def attachments(self) -> list[Attachment]:
        """Its files."""
        files = self.sandbox.world.files
        return [
            Attachment(
                each["filename"],
                each["description"],
                files[each["url"].removeprefix(f"{self.sandbox.world.cdn}/")].data,
            )
            for each in self.data["attachments"]
        ]

    async def delete(self) -> None:
        """Delete it, as a moderator would."""
        world = self.sandbox.world
        channel = self.data["channel_id"]
        del world.messages[channel][self.data["id"]]
        event = {
            "id": self.data["id"],
            "channel_id": channel,
            "guild_id": world.channel(channel)["guild_id"],
        }
        await self.sandbox.emit("MESSAGE_DELETE", event)


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
        """The message that was made or changed, if any."""
        original = self.interaction.original
        return Message(self.sandbox, original) if original is not None else None

    @property
    def text(self) -> str:
        """All text of the answer; of follow-ups where the message itself was not changed."""
        texts = [self.message.text] if self.message is not None else []
        texts.extend(each.text for each in self.followups)
        return "\n".join(texts)

    @property
    def is_ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        shown = [*([self.message] if self.message else []), *self.followups]
        return any(each.is_ephemeral for each in shown)

    @property
    def is_deferred(self) -> bool:
        """Whether the bot has only said that it thinks."""
        original = self.interaction.original
        return original is not None and bool(original["flags"] & LOADING)

    @property
    def modal(self) -> JsonObject | None:
        """The form that was opened, if any."""
        return self.interaction.modal

    @property
    def followups(self) -> list[Message]:
        """The messages after the first."""
        return [Message(self.sandbox, each) for each in self.interaction.followups]

    async def settled(self) -> None:
        """Wait until there is more than a promise of an answer."""
        await self.interaction.settled.wait()


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a guild."""

    sandbox: Sandbox
    guild_id: int
    id: int

    @property
    def name(self) -> str:
        """The name shown."""
        return self.sandbox.world.users[str(self.id)]["global_name"]

    @property
    def mention(self) -> str:
        """What stands for the member in a text."""
        return f"<@{self.id}>"

    async def slash(self, channel: Channel, command: str, /, **options: object) -> Answer:
        """Run a command, `tournament open` being a subcommand, and await its first answer.

        Raises:
            SandboxError: There is no such command, or it has no such options or values.
        """
        data = command_options.command_data(
            self.sandbox.commands, self.sandbox.world, str(self.guild_id), command, options
        )
        return await self._act(COMMAND, channel.id, data, None)

    async def autocomplete(
        self, channel: Channel, command: str, /, focused: str, **options: object
    ) -> list[tuple[str, str]]:
        """Type in an option and return the names and values that are proposed."""
        data = command_options.command_data(
            self.sandbox.commands, self.sandbox.world, str(self.guild_id), command, options, focused
        )
        answer = await self._act(AUTOCOMPLETE, channel.id, data, None)
        return [(each["name"], each["value"]) for each in answer.interaction.choices]

    async def press(
        self, message: Message, label: str | None = None, *, custom_id: str | None = None
    ) -> Answer:
        """Press a button, by a part of its label or by its custom id.

        Raises:
            SandboxError: There is no such button, or it is disabled.
        """
        for button in message.buttons:
            is_meant = button.custom_id == custom_id if label is None else label in button.label
            if is_meant and button.disabled:
                raise SandboxError(f"{button.label} is disabled")
            if is_meant:
                data: JsonObject = {"component_type": _BUTTON, "custom_id": button.custom_id}
                channel = int(message.data["channel_id"])
                return await self._act(COMPONENT, channel, data, message.data)
        raise SandboxError(f"no button {label or custom_id} among {message.buttons}")

    async def submit(self, answer: Answer, fields: dict[str, str]) -> Answer:
        """Fill a form in, its fields by their custom ids, and send it."""
        assert answer.modal is not None
        data: JsonObject = {
            "custom_id": answer.modal["custom_id"],
            "components": [
                command_options.filled(component, fields)
                for component in answer.modal["components"]
            ],
        }
        channel = int(answer.interaction.channel_id)
        return await self._act(MODAL_SUBMIT, channel, data, answer.interaction.source)

    async def _act(
        self, kind: int, channel_id: int, data: JsonObject, message: JsonObject | None
    ) -> Answer:
        interaction = self.sandbox.interactions.open(
            kind, str(self.id), str(channel_id), data, "en-US", message
        )
        await self.sandbox.gateway.emit_once("INTERACTION_CREATE", interaction.payload)
        try:
            async with asyncio.timeout(self.sandbox.response_deadline):
                await interaction.answered.wait()
        except TimeoutError:
            self.sandbox.changed()
        return Answer(self.sandbox, interaction)


def _flat(components: list[JsonObject]) -> list[JsonObject]:
    found: list[JsonObject] = []
    for component in components:
        found.append(component)
        found.extend(_flat(items_of(component, "components")))
        found.extend(_flat([component[key] for key in ("accessory",) if component.get(key)]))
    return found
