"""Turning what a person typed into a command's data, refusing what Discord's program refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import SandboxError, items_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.sandbox.errors import JsonObject
    from bot.sandbox.world import World

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = 3, 4, 5, 6, 7, 8, 9, 10
_NUMBERS = {INTEGER, NUMBER}


def find_command(commands: Sequence[JsonObject], path: str) -> tuple[JsonObject, list[JsonObject]]:
    """Return a registered command and the chain of its subcommands.

    Raises:
        SandboxError: There is no such command.
    """
    names = path.split()
    command = next((each for each in commands if each["name"] == names[0]), None)
    if command is None:
        raise SandboxError(f"/{names[0]} is not registered")
    chain: list[JsonObject] = []
    node = command
    for name in names[1:]:
        found = next((each for each in node["options"] if each["name"] == name), None)
        if found is None:
            raise SandboxError(f"/{path} is not registered")
        chain.append(found)
        node = found
    return command, chain


def command_data(
    commands: Sequence[JsonObject],
    world: World,
    guild_id: str,
    path: str,
    values: Mapping[str, object],
    focused: str | None = None,
) -> JsonObject:
    """Return a command's data as the gateway tells them.

    Raises:
        SandboxError: There is no such command, or it has no such options or values.
    """
    command, chain = find_command(commands, path)
    known: list[JsonObject] = items_of(chain[-1] if chain else command, "options")
    strange = set(values) - {option["name"] for option in known}
    if strange:
        raise SandboxError(f"/{path} has no option {', '.join(sorted(strange))}")
    resolved: JsonObject = {}
    options: list[JsonObject] = []
    for option in known:
        name = option["name"]
        if name not in values:
            if option.get("required") and focused is None:
                raise SandboxError(f"{name} is required")
            continue
        value = _checked(option, values[name]) if name != focused else str(values[name])
        given: JsonObject = {"name": name, "type": option["type"], "value": value}
        if name == focused:
            given["focused"] = True
        _resolve(resolved, world, guild_id, option["type"], value)
        options.append(given)
    for node in reversed(chain):
        options = [{"name": node["name"], "type": node["type"], "options": options}]
    data: JsonObject = {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "options": options,
    }
    if resolved:
        data["resolved"] = resolved
    return data


def _checked(option: JsonObject, value: Any) -> object:  # noqa: ANN401 - of each option's type
    kind, name = option["type"], option["name"]
    if kind in {USER, CHANNEL, ROLE, MENTIONABLE}:
        return str(value.id)
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


def _resolve(
    resolved: JsonObject,
    world: World,
    guild_id: str,
    kind: int,
    value: Any,  # noqa: ANN401 - JSON
) -> None:
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


def filled(component: JsonObject, fields: Mapping[str, str]) -> JsonObject:
    """Return a component of a form with what a person filled in."""
    if "component" in component:
        return {**component, "component": filled(component["component"], fields)}
    if "components" in component:
        inner = [filled(each, fields) for each in component["components"]]
        return {**component, "components": inner}
    value = fields.get(component.get("custom_id", ""), component.get("value") or "")
    return {"type": component["type"], "custom_id": component.get("custom_id"), "value": value}
