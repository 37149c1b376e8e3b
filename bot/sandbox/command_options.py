"""Turning what a person typed into a command's data, refusing what Discord's program refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import SandboxError, items_of
from bot.sandbox.permissions import BITS
from bot.sandbox.world import Upload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.sandbox.errors import JsonObject
    from bot.sandbox.world import World

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMANDS = {1, 2}
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = 3, 4, 5, 6, 7, 8, 9, 10
ATTACHMENT = 11
_NUMBERS = {INTEGER, NUMBER}


def find_command(
    commands: Sequence[JsonObject], path: str, kind: int = CHAT_INPUT
) -> tuple[JsonObject, list[JsonObject]]:
    """Return a registered command and the chain of its subcommands.

    Raises:
        SandboxError: There is no such command.
    """
    names = path.split() if kind == CHAT_INPUT else [path]
    command = next(
        (each for each in commands if each["name"] == names[0] and each["type"] == kind), None
    )
    if command is None:
        slash = "/" if kind == CHAT_INPUT else ""
        raise SandboxError(f"{slash}{names[0]} is not registered")
    chain: list[JsonObject] = []
    node = command
    for name in names[1:]:
        found = next((each for each in items_of(node, "options") if each["name"] == name), None)
        if found is None:
            raise SandboxError(f"/{path} is not registered")
        chain.append(found)
        node = found
    return command, chain


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that one member is offered in one channel.

    Attributes:
        offered: All that the bot has registered for the guild.
        world: Where members, roles and channels are found.
        guild_id: The guild.
        granted: The member's permissions in the channel.
    """

    offered: Sequence[JsonObject]
    world: World
    guild_id: str
    granted: int

    def slash(
        self, path: str, values: Mapping[str, object], focused: str | None = None
    ) -> JsonObject:
        """Return the data of a typed command; of a half typed one where an option has the focus.

        Raises:
            SandboxError: There is no such command, or it has no such options or values.
        """
        command, chain = self._find(path, CHAT_INPUT)
        known: list[JsonObject] = items_of(chain[-1] if chain else command, "options")
        if any(option["type"] in SUBCOMMANDS for option in known):
            raise SandboxError(f"/{path} needs a subcommand")
        strange = set(values) - {option["name"] for option in known}
        if strange:
            raise SandboxError(f"/{path} has no option {', '.join(sorted(strange))}")
        resolved: JsonObject = {}
        options: list[JsonObject] = []
        for option in known:
            given = self._given(option, values, focused)
            if given is not None and option["type"] == ATTACHMENT:
                upload = values[option["name"]]
                assert isinstance(upload, Upload), option
                file = self.world.keep_file(upload, "commands")
                given["value"] = file["id"]
                resolved.setdefault("attachments", {})[file["id"]] = file
                options.append(given)
            elif given is not None:
                options.append(given)
                resolve(resolved, self.world, self.guild_id, option["type"], given["value"])
        for node in reversed(chain):
            options = [{"name": node["name"], "type": node["type"], "options": options}]
        return {**_named(command), "options": options, "resolved": resolved}

    def on_user(self, name: str, user_id: str) -> JsonObject:
        """Return the data of a command of a member's menu.

        Raises:
            SandboxError: There is no such command.
        """
        command, _ = self._find(name, USER_MENU)
        resolved: JsonObject = {}
        resolve(resolved, self.world, self.guild_id, USER, user_id)
        return {**_named(command), "target_id": user_id, "resolved": resolved}

    def on_message(self, name: str, message: JsonObject) -> JsonObject:
        """Return the data of a command of a message's menu.

        Raises:
            SandboxError: There is no such command.
        """
        command, _ = self._find(name, MESSAGE_MENU)
        resolved: JsonObject = {"messages": {message["id"]: message}}
        return {**_named(command), "target_id": message["id"], "resolved": resolved}

    def _find(self, path: str, kind: int) -> tuple[JsonObject, list[JsonObject]]:
        command, chain = find_command(self.offered, path, kind)
        needed = command.get("default_member_permissions")
        # No permission at all is how a command is kept for administrators.
        required = None if needed is None else int(needed) or BITS["administrator"]
        if required is not None and self.granted & required != required:
            raise SandboxError(f"{path} is not offered: permissions are missing")
        return command, chain

    def _given(
        self, option: JsonObject, values: Mapping[str, object], focused: str | None
    ) -> JsonObject | None:
        name = option["name"]
        given: JsonObject = {"name": name, "type": option["type"]}
        if name == focused:
            if not option.get("autocomplete"):
                raise SandboxError(f"{name} proposes nothing")
            return {**given, "value": str(values.get(name, "")), "focused": True}
        if name not in values:
            if option.get("required") and focused is None:
                raise SandboxError(f"{name} is required")
            return None
        return {**given, "value": _checked(option, values[name])}


def _named(command: JsonObject) -> JsonObject:
    data: JsonObject = {key: command[key] for key in ("id", "name", "type")}
    if command.get("guild_id"):
        data["guild_id"] = command["guild_id"]
    return data


def _checked(option: JsonObject, value: Any) -> object:  # noqa: ANN401 - of each option's type
    kind, name = option["type"], option["name"]
    if kind == ATTACHMENT and not isinstance(value, Upload):
        raise SandboxError(f"{name} is a file")
    if kind in {USER, CHANNEL, ROLE, MENTIONABLE}:
        return _checked_entity(option, value)
    if kind in _NUMBERS:
        _check_number(option, value)
    elif kind == BOOLEAN and not isinstance(value, bool):
        raise SandboxError(f"{name} is yes or no")
    elif kind == STRING:
        _check_length(option, str(value))
    choices = option.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        raise SandboxError(f"{name} is one of {[choice['name'] for choice in choices]}")
    return value


def _checked_entity(option: JsonObject, value: object) -> str:
    number = getattr(value, "id", None)
    if number is None:
        raise SandboxError(f"{option['name']} takes somebody or something of the guild: {value!r}")
    return str(number)


def _check_number(option: JsonObject, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SandboxError(f"{option['name']} is a number")
    if option["type"] == INTEGER and not isinstance(value, int):
        raise SandboxError(f"{option['name']} is a whole number")
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None and value < low) or (high is not None and value > high):
        raise SandboxError(f"{option['name']} is from {low} to {high}")


def _check_length(option: JsonObject, value: str) -> None:
    low, high = option.get("min_length") or 0, option.get("max_length") or 6000
    if not low <= len(value) <= high:
        raise SandboxError(f"{option['name']} has {low} to {high} characters")


def resolve(
    resolved: JsonObject,
    world: World,
    guild_id: str,
    kind: int,
    value: Any,  # noqa: ANN401 - JSON
) -> None:
    """Add what an id stands for to the resolved data of an interaction."""
    if kind in {USER, MENTIONABLE} and value in world.users:
        resolved.setdefault("users", {})[value] = world.users[value]
        for member in world.guild(guild_id)["members"]:
            if member["user"]["id"] == value:
                shown = {key: each for key, each in member.items() if key != "user"}
                resolved.setdefault("members", {})[value] = {**shown, "permissions": "0"}
    elif kind == CHANNEL:
        channel = {**world.channel(value), "permissions": "0"}
        resolved.setdefault("channels", {})[value] = channel
    elif kind in {ROLE, MENTIONABLE}:
        roles = world.guild(guild_id)["roles"]
        resolved.setdefault("roles", {})[value] = next(
            each for each in roles if each["id"] == value
        )
