"""What tests and the terminal hold in their hands: guilds, channels, roles and members."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sandbox import acts, command_options
from bot.sandbox.answers import Answer
from bot.sandbox.errors import SandboxError
from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from bot.sandbox.messages import BUTTON, Message
from bot.sandbox.permissions import bits
from bot.sandbox.world import EPHEMERAL, KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.sandbox.answers import Modal
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.server import Sandbox

_REACTION_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Role:
    """A role of a guild."""

    id: int
    name: str

    @property
    def mention(self) -> str:
        """What stands for the role in a text."""
        return f"<@&{self.id}>"


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

    def remove_bot(self) -> None:
        """Remove the bot from the guild."""
        del self.sandbox.world.guilds[str(self.id)]
        self.sandbox.emit_later("GUILD_DELETE", {"id": str(self.id)})

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
        locale: str = "en-US",
    ) -> Member:
        """Let somebody join."""
        world = self.sandbox.world
        user = world.add_user(name, is_bot=bot)
        world.locales[user["id"]] = locale
        given = [str(role.id) for role in roles or []]
        if administrator:
            given.append(str(self.add_role("Administrators", bits("administrator")).id))
        member = world.add_member(str(self.id), user, given)
        self.sandbox.emit_later("GUILD_MEMBER_ADD", {**member, "guild_id": str(self.id)})
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
    def mention(self) -> str:
        """What stands for the channel in a text."""
        return f"<#{self.id}>"

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

    def remove(self) -> None:
        """Delete the channel."""
        channel = self.sandbox.world.remove_channel(str(self.id))
        self.sandbox.emit_later("CHANNEL_DELETE", channel)

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
    def locale(self) -> str:
        """The language of the member's program."""
        return self.sandbox.world.locales.get(str(self.id), "en-US")

    @property
    def roles(self) -> list[int]:
        """The ids of the member's roles."""
        member = self.sandbox.world.member(str(self.guild_id), str(self.id))
        return [int(role) for role in member["roles"]]

    @property
    def mention(self) -> str:
        """What stands for the member in a text."""
        return f"<@{self.id}>"

    async def slash(self, channel: Channel, command: str, /, **options: object) -> Answer:
        """Run a command, `tournament open` being a subcommand, and await its first answer.

        Raises:
            SandboxError: There is no such command for the member here, or no such option or value.
        """
        data = self._command(channel).slash(command, options)
        return await self._act(COMMAND, channel.id, data)

    async def autocomplete(
        self, channel: Channel, command: str, /, focused: str, **options: object
    ) -> list[tuple[str, str]]:
        """Type in an option and return the names and values that are proposed.

        Raises:
            SandboxError: There is no such command, or the option proposes nothing.
        """
        data = self._command(channel).slash(command, options, focused)
        answer = await self._act(AUTOCOMPLETE, channel.id, data)
        return [(each["name"], each["value"]) for each in answer.interaction.choices]

    async def context_menu(self, channel: Channel, name: str, target: Member | Message) -> Answer:
        """Choose a command from the menu of a member or a message.

        Raises:
            SandboxError: There is no such command for the member here.
        """
        commands = self._command(channel)
        if isinstance(target, Message):
            data = commands.on_message(name, target.data)
        else:
            data = commands.on_user(name, str(target.id))
        return await self._act(COMMAND, channel.id, data)

    async def press(
        self, message: Message, label: str | None = None, *, custom_id: str | None = None
    ) -> Answer:
        """Press a button, by a part of its label or by its custom id.

        Raises:
            SandboxError: There is no such button, it is disabled, or it is a link.
        """
        self._check_sees(message)
        found = acts.find_button(message.buttons, label, custom_id)
        data: JsonObject = {"component_type": BUTTON, "custom_id": found.custom_id}
        return await self._act(COMPONENT, message.channel.id, data, message.data)

    async def choose(
        self,
        message: Message,
        values: Sequence[str | Member | Role | Channel],
        custom_id: str | None = None,
    ) -> Answer:
        """Choose from a menu under a message: the first one, or the one with a custom id.

        Raises:
            SandboxError: There is no such menu, it is disabled, or has no such values.
        """
        self._check_sees(message)
        plain = [each if isinstance(each, str) else str(each.id) for each in values]
        world, guild_id = self.sandbox.world, str(self.guild_id)
        data = acts.choice(world, guild_id, message.selects, plain, custom_id)
        return await self._act(COMPONENT, message.channel.id, data, message.data)

    async def submit(self, modal: Modal | None, values: Mapping[str, str | list[str]]) -> Answer:
        """Fill a form in, its fields by their custom ids or labels, and send it.

        Raises:
            SandboxError: There is no form, or it does not take these values.
        """
        if modal is None:
            raise SandboxError("there is no form")
        opener = modal.interaction
        data = acts.filled_form(modal, values)
        return await self._act(MODAL_SUBMIT, int(opener.channel_id), data, opener.source)

    def _command(self, channel: Channel) -> command_options.Commands:
        sandbox = self.sandbox
        granted = sandbox.world.permissions(str(channel.id), str(self.id))
        needed = bits("view_channel", "use_application_commands")
        if granted & needed != needed:
            raise SandboxError(f"{self.name} cannot use commands in #{channel.name}")
        offered = sandbox.commands_in(self.guild_id)
        return command_options.Commands(offered, sandbox.world, str(self.guild_id), granted)

    def _check_sees(self, message: Message) -> None:
        if message.id not in [each.id for each in message.channel.seen_by(self)]:
            raise SandboxError(f"{self.name} does not see this message")

    async def _act(
        self, kind: int, channel_id: int, data: JsonObject, message: JsonObject | None = None
    ) -> Answer:
        # Nobody is so fast that the bot has not yet heard that its last request was done.
        await asyncio.sleep(_REACTION_SECONDS)
        interaction = self.sandbox.interactions.open(
            kind, str(self.id), str(channel_id), data, self.locale, message
        )
        await self.sandbox.sessions.emit_once("INTERACTION_CREATE", interaction.payload)
        try:
            async with asyncio.timeout(self.sandbox.response_deadline):
                await interaction.answered.wait()
        except TimeoutError:
            self.sandbox.unanswered.append(data)
            self.sandbox.changed()
        return Answer(self.sandbox, interaction)
