"""Looking at a server's rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.ledger import rooms
from bot.services.acting import find_room

if TYPE_CHECKING:
    from bot.ledger.connection import Ledger, Transaction
    from bot.model import ChannelId, GuildId, Room
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class RoomOverview:
    """A room and how much there is in it.

    Attributes:
        room: Which room.
        channels: Those that belong to it.
        games: How many games count in it.
        players: How many players have a standing in it.
    """

    room: Room
    channels: tuple[ChannelId, ...]
    games: int
    players: int


async def view_room(ledger: Ledger, act: Act) -> RoomOverview:
    """Return the room that is meant.

    Raises:
        RequestRefused: No room is meant.
    """
    async with ledger.reading() as tx:
        return await _overview(tx, await find_room(tx, act))


async def list_rooms(ledger: Ledger, guild: GuildId) -> tuple[RoomOverview, ...]:
    """Return a guild's rooms: those in use, the last used first, then the archived."""
    async with ledger.reading() as tx:
        found = (*await rooms.of_guild(tx, guild), *await rooms.archived(tx, guild))
        return tuple([await _overview(tx, room) for room in found])


async def room_names(ledger: Ledger, guild: GuildId, *, are_archived: bool) -> tuple[str, ...]:
    """Return the names of a guild's rooms, in use or archived, the last used first."""
    async with ledger.reading() as tx:
        found = await (rooms.archived(tx, guild) if are_archived else rooms.of_guild(tx, guild))
        return tuple(dict.fromkeys(room.name for room in found))


async def _overview(tx: Transaction, room: Room) -> RoomOverview:
    games, players = await rooms.size(tx, room.id)
    return RoomOverview(room, await rooms.channels(tx, room.id), games, players)
