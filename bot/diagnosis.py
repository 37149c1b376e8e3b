"""Looking at a server as Discord shows it: what the bot may do where, and what is gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.client import Parlour
    from bot.model import ChannelId
    from bot.services.diagnose import LedgerHealth, PostedGame

NEEDED = ("view_channel", "send_messages", "send_messages_in_threads", "read_message_history")
"""The permissions that the invitation asks for."""


@dataclass(frozen=True, slots=True)
class DiscordHealth:
    """What Discord says of a server.

    Attributes:
        gone_channels: Those that belong to a room and are no more, by the room's name.
        missing: The permissions that the bot lacks in a channel, by the channel.
        gone_messages: The numbers of games whose message is no more.
        unregistered: Commands that people are not offered.
    """

    gone_channels: tuple[tuple[str, ChannelId], ...]
    missing: tuple[tuple[ChannelId, tuple[str, ...]], ...]
    gone_messages: tuple[int, ...]
    unregistered: tuple[str, ...]


async def look_at(client: Parlour, guild: discord.Guild, health: LedgerHealth) -> DiscordHealth:
    """Return what Discord says of the rooms of a server."""
    gone: list[tuple[str, ChannelId]] = []
    missing: list[tuple[ChannelId, tuple[str, ...]]] = []
    gone_messages: list[int] = []
    for each in health.rooms:
        for number in each.channels:
            channel = guild.get_channel(number)
            if channel is None:
                gone.append((each.room.name, number))
            elif lacking := _lacking(channel.permissions_for(guild.me)):
                missing.append((number, lacking))
        gone_messages.extend(await _gone(client, each.posted))
    return DiscordHealth(
        tuple(gone), tuple(missing), tuple(gone_messages), await _unregistered(client)
    )


def _lacking(permissions: discord.Permissions) -> tuple[str, ...]:
    return tuple(name for name in NEEDED if not getattr(permissions, name))


async def _gone(client: Parlour, posted: Sequence[PostedGame]) -> list[int]:
    gone: list[int] = []
    for each in posted:
        channel = client.get_partial_messageable(each.channel)
        try:
            await channel.fetch_message(each.message)
        except (discord.NotFound, discord.Forbidden):
            gone.append(each.number)
    return gone


async def _unregistered(client: Parlour) -> tuple[str, ...]:
    assert client.application_id is not None
    known = {each["name"] for each in await client.http.get_global_commands(client.application_id)}
    return tuple(sorted({each.name for each in client.tree.get_commands()} - known))
