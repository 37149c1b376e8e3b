"""Finding a room from outside Discord: by its number, or by its name in a guild or anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import rooms

if TYPE_CHECKING:
    from bot.ledger.connection import Ledger
    from bot.model import GuildId, Room


async def find_room_anywhere(ledger: Ledger, text: str, guild: GuildId | None) -> Room:
    """Return the room that a text names.

    Args:
        ledger: The ledger.
        text: A room's name, however it is capitalised, or its number. A room in use comes before
            archived ones of its name.
        guild: Where to look, None for everywhere.

    Raises:
        RequestRefused: There is none, or several are called so.
    """
    async with ledger.reading() as tx:
        known = [room for room in await rooms.everywhere(tx) if guild in {None, room.guild}]
    key = rooms.name_key(text)
    named = [room for room in known if rooms.name_key(room.name) == key]
    found = [room for room in named if not room.is_archived] or named
    found = found or [room for room in known if str(room.id) == text.strip()]
    if not found:
        raise RequestRefused(Refusal.NO_SUCH_ROOM, text)
    if len(found) > 1:
        raise RequestRefused(Refusal.SEVERAL_SUCH_ROOMS, text)
    return found[0]
