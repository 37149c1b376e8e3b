"""Rating a room again from a moment on, and what that does to its players."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bot.ledger import players, rooms, standings
from bot.ratings.registry import make_system
from bot.services.replay_room import foresee_since, replay_since, rewind_room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Transaction
    from bot.model import Player, PlayerId, Room, Standing
    from bot.progress import Progress


_Pair: TypeAlias = "tuple[Decimal | None, Decimal | None]"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction does to a player's rating now; None is no rating."""

    player: Player
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class Rerating:
    """What a correction does to a room.

    Attributes:
        later: How many facts are worked out again, those that the correction puts in among them.
        effects: Whose rating moves, the largest move first.
        shown_quantum: The step of a rating shown.
    """

    later: int
    effects: tuple[Effect, ...]
    shown_quantum: Decimal


async def rate_again(
    tx: Transaction,
    room: Room,
    since: int | None,
    change: Callable[[], Awaitable[None]],
    *,
    now: datetime,
    progress: Progress | None,
) -> Rerating:
    """Change a room's facts, and work out again all that comes after.

    The room's seal changes, so that nobody presses a button that shows the room as it was.

    Args:
        tx: A transaction of the room's guild.
        room: Which room.
        since: The moment of the first fact that changes, None where none does.
        change: Changes the facts.
        now: When.
        progress: Counts what is worked out again; None for a look, which the caller must take back:
            then the standings are left as they were before the moment.
    """
    system = make_system(room.system, room.settings)
    before = await standings.of_room(tx, room.id, system.quantum)
    later = 0
    if since is None:
        await change()
    else:
        await rewind_room(tx, room, since)
        await change()
        if progress is None:
            later, after = await foresee_since(tx, room, since)
            return Rerating(later, await _effects(tx, before, after), system.shown_quantum)
        later = await replay_since(tx, room, since, progress)
    await rooms.next_fact_at(tx, room.id, now)
    after = await standings.of_room(tx, room.id, system.quantum)
    return Rerating(later, await _effects(tx, before, after), system.shown_quantum)


async def _effects(
    tx: Transaction, before: Mapping[PlayerId, Standing], after: Mapping[PlayerId, Standing]
) -> tuple[Effect, ...]:
    moved = await asyncio.to_thread(_moved, before, after)
    known = await players.of_ids(tx, moved)
    return await asyncio.to_thread(_sorted, known, moved)


def _moved(
    before: Mapping[PlayerId, Standing], after: Mapping[PlayerId, Standing]
) -> dict[PlayerId, _Pair]:
    pairs = {
        player: (
            before[player].rating if player in before else None,
            after[player].rating if player in after else None,
        )
        for player in before.keys() | after.keys()
    }
    return {player: pair for player, pair in pairs.items() if pair[0] != pair[1]}


def _sorted(
    known: Mapping[PlayerId, Player], moved: Mapping[PlayerId, _Pair]
) -> tuple[Effect, ...]:
    effects = [Effect(known[player], *pair) for player, pair in moved.items()]
    effects.sort(key=lambda each: (-_size(each), each.player.id))
    return tuple(effects)


def _size(effect: Effect) -> Decimal | int:
    """Return how far a rating moves; one that appears or goes comes first."""
    if effect.before is None or effect.after is None:
        return 1_000_000
    return abs(effect.after - effect.before)
