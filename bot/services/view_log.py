"""`/room log`: who did what when in a room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit
from bot.services.acting import find_room

if TYPE_CHECKING:
    from bot.ledger.audit import Noted
    from bot.ledger.connection import Ledger
    from bot.model import Room
    from bot.services.acting import Act

PAGE_SIZE = 12
"""How many acts a page of the log has."""


@dataclass(frozen=True, slots=True)
class Log:
    """A page of a room's log.

    Attributes:
        room: Which room.
        page: Counted from 1.
        pages: How many pages there are, 1 or more.
        acts: Those on this page, the newest first.
    """

    room: Room
    page: int
    pages: int
    acts: tuple[Noted, ...]


async def view_log(ledger: Ledger, act: Act, page: int) -> Log:
    """Return a page of the log of the room that is meant, the last one where there is no such page.

    Raises:
        RequestRefused: Not for this person, or no room is meant.
    """
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        if not act.is_referee(room):
            raise RequestRefused(Refusal.REFEREES_ONLY)
        _, count = await audit.of_room(tx, act.guild, room.id, offset=0, limit=0)
        pages = max(1, -(-count // PAGE_SIZE))
        page = min(max(1, page), pages)
        offset = (page - 1) * PAGE_SIZE
        acts, _ = await audit.of_room(tx, act.guild, room.id, offset=offset, limit=PAGE_SIZE)
        return Log(room, page, pages, acts)
