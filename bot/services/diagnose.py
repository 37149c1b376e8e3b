"""`/doctor`: what the ledger knows of a server's health."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import games, marks, outbox, rooms, timers

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import ChannelId, MessageId, Room
    from bot.services.acting import Act

_LATE = timedelta(minutes=5)
_LAST_MESSAGES = 3


@dataclass(frozen=True, slots=True)
class PostedGame:
    """Where the message of a game should be."""

    number: int
    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class RoomHealth:
    """A room, the channels that belong to it, and the last messages of its games."""

    room: Room
    channels: tuple[ChannelId, ...]
    posted: tuple[PostedGame, ...]


@dataclass(frozen=True, slots=True)
class LedgerHealth:
    """What the ledger knows of a server.

    Attributes:
        rooms: Those in use.
        faults: What the database itself finds wrong with its file.
        late_timers: How many timers, everywhere, should have been worked off long ago.
        late_messages: How many of the server's game messages are behind for long.
        backup_at: When the database was backed up last, None for never.
    """

    rooms: tuple[RoomHealth, ...]
    faults: tuple[str, ...]
    late_timers: int
    late_messages: int
    backup_at: datetime | None


async def diagnose(ledger: Ledger, act: Act, *, now: datetime) -> LedgerHealth:
    """Return what the ledger knows of the health of a server.

    Raises:
        RequestRefused: Not for this person.
    """
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.reading() as tx:
        known = tuple([await _room(tx, room) for room in await rooms.of_guild(tx, act.guild)])
        late_timers = await timers.late(tx, now - _LATE)
        late_messages = await outbox.late(tx, act.guild, now - _LATE)
        backup_at = await marks.marked_at(tx, marks.BACKUP)
    faults = tuple(await ledger.faults())
    return LedgerHealth(known, faults, late_timers, late_messages, backup_at)


async def _room(tx: Transaction, room: Room) -> RoomHealth:
    posted = [PostedGame(*each) for each in await games.last_messages(tx, room.id, _LAST_MESSAGES)]
    return RoomHealth(room, await rooms.channels(tx, room.id), tuple(posted))
