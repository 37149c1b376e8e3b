"""`/room compare`: which rating system would have predicted a room's games best."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ratings.comparison import predict
from bot.ratings.registry import make_system, system_keys
from bot.services.acting import find_room
from bot.services.replay_room import facts_of

if TYPE_CHECKING:
    from bot.ledger.connection import Ledger
    from bot.model import Room
    from bot.ratings.comparison import Prediction
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class Comparison:
    """How well each system predicts a room's games.

    Attributes:
        room: Which room.
        predictions: By the key of each system, the best first; without an error in any order.
    """

    room: Room
    predictions: tuple[tuple[str, Prediction], ...]


async def compare_systems(ledger: Ledger, act: Act) -> Comparison:
    """Return how well each system predicts the games of the room that is meant.

    The room's own system has the room's settings, the others have their usual ones.

    Raises:
        RequestRefused: Not for this person, or no room is meant.
    """
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        systems = [
            make_system(key, room.settings if key == room.system else {}) for key in system_keys()
        ]
        facts = {each.key: await facts_of(tx, room, each, 0) for each in systems}
    found: list[tuple[str, Prediction]] = []
    for system in systems:
        own = [fact for _, fact in facts[system.key]]
        found.append((system.key, await asyncio.to_thread(predict, system, own)))
    found.sort(key=lambda each: 1.0 if each[1].error is None else each[1].error)
    return Comparison(room, tuple(found))
