"""`/room archive` and `/room restore`: a room out of use keeps all it has, and can come back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, events, games, rooms
from bot.model import Status
from bot.services.acting import find_room, take_up
from bot.services.set_up_room import check_name_free

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import Room
    from bot.services.acting import Act


async def archive_room(ledger: Ledger, act: Act, *, now: datetime) -> Room:
    """Put the room that is meant away: it takes no games and shows on no list in use.

    Raises:
        RequestRefused: Not for this person, no room is meant, games are open or wait for a
            decision there, or a tournament runs.
    """
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room = await find_room(tx, act)
        await check_at_rest(tx, room, (Status.OPEN, Status.REPORTED, Status.DISPUTED))
        await rooms.set_archived(tx, room.id, now)
        await audit.note(tx, audit.Entry(act.guild, "archive-room", act.person.user, room.id), now)
        return replace(room, is_archived=True)


async def restore_room(
    ledger: Ledger, act: Act, name: str, new_name: str | None, *, now: datetime
) -> Room:
    """Bring an archived room back into use, with those of its channels that are still free.

    Args:
        ledger: The ledger.
        act: Who does it.
        name: What the room is called; of several, the last archived is meant.
        new_name: What it is called from now on, None for the same.
        now: When.

    Raises:
        RequestRefused: Not for this person, there is no such room, or its name is taken.
    """
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        archived = await rooms.archived(tx, act.guild)
        key = rooms.name_key(name)
        room = next((each for each in archived if rooms.name_key(each.name) == key), None)
        if room is None:
            raise RequestRefused(Refusal.NO_SUCH_ARCHIVED_ROOM, name)
        room = replace(room, name=new_name or room.name, is_archived=False)
        await check_name_free(tx, act.guild, room.name)
        await rooms.update(tx, room)
        await rooms.set_archived(tx, room.id, None)
        await rooms.used(tx, room.id, now)
        await audit.note(tx, audit.Entry(act.guild, "restore-room", act.person.user, room.id), now)
        return room


async def check_at_rest(tx: Transaction, room: Room, statuses: tuple[Status, ...]) -> None:
    """Refuse what must not be done to a room while games stand so, or a tournament runs.

    Raises:
        RequestRefused: Some do, or one runs.
    """
    waiting = await games.unsettled(tx, room.id, statuses)
    if waiting:
        raise RequestRefused(Refusal.GAMES_WAIT, *(game.number for game in waiting))
    running = await events.running(tx, room.id)
    if running is not None:
        raise RequestRefused(Refusal.EVENT_RUNNING, running.name)
