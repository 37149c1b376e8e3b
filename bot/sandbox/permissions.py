"""Who may do what in a channel, by Discord's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject

BITS = {
    "administrator": 1 << 3,
    "manage_channels": 1 << 4,
    "manage_guild": 1 << 5,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "manage_roles": 1 << 28,
    "use_application_commands": 1 << 31,
    "send_messages_in_threads": 1 << 38,
}
ALL = (1 << 53) - 1
EVERYONE = (
    BITS["view_channel"]
    | BITS["send_messages"]
    | BITS["embed_links"]
    | BITS["attach_files"]
    | BITS["read_message_history"]
    | BITS["use_application_commands"]
    | BITS["send_messages_in_threads"]
)


def bits(*names: str) -> int:
    """Return the permissions of these names together."""
    return sum({BITS[name] for name in names})


def permissions_in(guild: JsonObject, channel: JsonObject, member: JsonObject) -> int:
    """Return a member's permissions in a channel.

    Args:
        guild: With its roles and owner.
        channel: A channel that is no thread, with its overwrites.
        member: With its roles.
    """
    if member["user"]["id"] == guild["owner_id"]:
        return ALL
    roles = {role["id"]: int(role["permissions"]) for role in guild["roles"]}
    granted = roles[guild["id"]]
    for role in member["roles"]:
        granted |= roles.get(role, 0)
    if granted & BITS["administrator"]:
        return ALL
    overwrites = {each["id"]: each for each in channel["permission_overwrites"]}
    everyone = overwrites.get(guild["id"])
    if everyone:
        granted = granted & ~int(everyone["deny"]) | int(everyone["allow"])
    denied = allowed = 0
    for role in member["roles"]:
        if role in overwrites:
            denied |= int(overwrites[role]["deny"])
            allowed |= int(overwrites[role]["allow"])
    granted = granted & ~denied | allowed
    own = overwrites.get(member["user"]["id"])
    if own:
        granted = granted & ~int(own["deny"]) | int(own["allow"])
    return granted
