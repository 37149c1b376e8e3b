"""Working a room's standings out again from its facts, to check them or to rebuild them."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter, defaultdict
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from bot.ledger import events, games, rooms, standings, steps
from bot.ledger.rewind import rewind
from bot.model import Game
from bot.progress import Progress
from bot.ratings.registry import make_system
from bot.ratings.replay import (
    Beginning,
    EventClosed,
    EventOpened,
    Fact,
    is_ratable,
    rates_every_game_in_event,
    replay,
)
from bot.services.settling import kept_step, outcomes_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from bot.ledger.connection import Transaction
    from bot.ledger.events import EventRecord
    from bot.model import Outcome, PlayerId, Room, RoomId, Standing
    from bot.ratings.system import RatingSystem

_AT_ONCE = 1000
"""How many facts are worked out and kept between two looks at what others want."""


@contextmanager
def _collection_paused() -> Generator[None]:
    """Leave the garbage collector out of it for a while.

    A hundred thousand games refer to nothing that refers back to them, and each look through all
    of them would stop everybody for 300 ms. Whatever is made meanwhile should be gone at the end.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


async def replay_room(tx: Transaction, room_id: RoomId, progress: Progress | None = None) -> None:
    """Drop a room's standings and changes and work them out again, off the event loop."""
    room = await rooms.get(tx, room_id)
    await steps.clear(tx, room_id)
    await replay_since(tx, room, 0, progress)


async def rewind_room(tx: Transaction, room: Room, since: int) -> None:
    """Leave a room's standings as they were before a moment; its facts may change then.

    `replay_since` must follow in the same transaction.
    """
    system = make_system(room.system, room.settings)
    with _collection_paused():
        outcomes = await _outcomes_since(tx, room, system, since)
    await rewind(tx, room.id, system, since, outcomes)


async def _outcomes_since(
    tx: Transaction, room: Room, system: RatingSystem, since: int
) -> dict[PlayerId, Counter[Outcome]]:
    later = await games.counted(tx, room.id, after=since - 1)
    return await asyncio.to_thread(_outcomes, system, [game for _, game in later])


def _outcomes(system: RatingSystem, played: Iterable[Game]) -> dict[PlayerId, Counter[Outcome]]:
    found: defaultdict[PlayerId, Counter[Outcome]] = defaultdict(Counter)
    for game in played:
        if game.aborted_by is None and is_ratable(system, game):
            for player, outcome in outcomes_of(game).items():
                found[player][outcome] += 1
    return found


async def replay_since(
    tx: Transaction, room: Room, since: int, progress: Progress | None = None
) -> int:
    """Work the facts since a moment out again after a rewind, and return how many there are."""
    system = make_system(room.system, room.settings)
    with _collection_paused():
        return await _work_out(tx, room, system, since, progress or Progress())


async def _work_out(
    tx: Transaction, room: Room, system: RatingSystem, since: int, progress: Progress
) -> int:
    beginning = await _beginning(tx, room, system, since)
    facts = await _rated_facts(tx, room, system, since)
    progress.total = len(facts)
    replayed = _replayed(system, facts, beginning)
    totals = steps.Totals(system.shown_quantum)
    while some := await asyncio.to_thread(list, islice(replayed, _AT_ONCE)):
        await steps.keep_changes(tx, room.id, some)
        await asyncio.to_thread(totals.add, some)
        progress.done += len(some)
    await totals.keep(tx, room.id)
    return len(facts)


async def foresee_since(
    tx: Transaction, room: Room, since: int
) -> tuple[int, dict[PlayerId, Standing]]:
    """Work the facts since a moment out after a rewind, and keep nothing.

    Returns:
        How many facts there are, and the standing of everybody after them.
    """
    system = make_system(room.system, room.settings)
    with _collection_paused():
        return await _foresee(tx, room, system, since)


async def _foresee(
    tx: Transaction, room: Room, system: RatingSystem, since: int
) -> tuple[int, dict[PlayerId, Standing]]:
    beginning = await _beginning(tx, room, system, since)
    facts = await _rated_facts(tx, room, system, since)
    after = await asyncio.to_thread(_foreseen, system, [fact for _, fact in facts], beginning)
    return len(facts), after


def _foreseen(
    system: RatingSystem, facts: Sequence[Fact], beginning: Beginning
) -> dict[PlayerId, Standing]:
    after = dict(beginning.standings)
    for _, step in replay(system, facts, beginning=beginning, explain=False):
        after.update(step.standings)
    return after


def _replayed(
    system: RatingSystem, facts: Sequence[tuple[int, Fact]], beginning: Beginning
) -> Iterator[steps.KeptStep]:
    each_step = replay(system, (fact for _, fact in facts), beginning=beginning, explain=False)
    for (moment, fact), (_, step) in zip(facts, each_step, strict=True):
        game = fact if isinstance(fact, Game) else None
        event = None if isinstance(fact, Game) else fact.event
        source = steps.Source(game.id if game else None, event, moment)
        yield kept_step(game, source, step)


async def _beginning(tx: Transaction, room: Room, system: RatingSystem, since: int) -> Beginning:
    """Return what the facts before a moment came to, the standings being those of that moment."""
    known = await standings.of_room(tx, room.id, system.quantum)
    in_event = rates_every_game_in_event(system)
    if system.event_kind is None:
        return Beginning(known, (), in_event, 0)
    closed = await events.closed(tx, room.id, system.event_kind)
    before = [event for event in closed if event.closed_at is not None and event.closed_at < since]
    begins = (before[-1].closed_at or 0) if before else -1
    if not in_event:
        running = await events.running(tx, room.id)
        candidates = [*closed, *([running] if running else [])]
        around = [event for event in candidates if _runs_at(event, since)]
        in_event = bool(around)
        begins = (around[0].opened_at or 0) if around else since
    waiting: tuple[Game, ...] = ()
    if in_event:
        found = await games.counted(tx, room.id, after=begins, until=since - 1)
        waiting = tuple(game for _, game in found if is_ratable(system, game))
    return Beginning(known, waiting, in_event, len(before))


def _runs_at(event: EventRecord, since: int) -> bool:
    is_open = event.opened_at is not None and event.opened_at < since
    return is_open and (event.closed_at is None or event.closed_at >= since)


async def _rated_facts(
    tx: Transaction, room: Room, system: RatingSystem, since: int
) -> list[tuple[int, Fact]]:
    facts = await facts_of(tx, room, system, since)
    return await asyncio.to_thread(_rated, system, facts)


def _rated(system: RatingSystem, facts: Iterable[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Return the facts without the games that the system cannot rate."""
    return [
        (moment, fact)
        for moment, fact in facts
        if not isinstance(fact, Game) or is_ratable(system, fact)
    ]


async def facts_of(
    tx: Transaction, room: Room, system: RatingSystem, since: int
) -> list[tuple[int, Fact]]:
    """Return a room's facts since a moment in their order: games, and a system's kind of events."""
    facts: list[tuple[int, Fact]] = [*await games.counted(tx, room.id, after=since - 1)]
    if system.event_kind is not None:
        known = [*await events.closed(tx, room.id, system.event_kind)]
        running = await events.running(tx, room.id)
        for event in [*known, *([running] if running else [])]:
            if event.opened_at is not None and event.opened_at >= since:
                facts.append((event.opened_at, EventOpened(event.id)))
            if event.closed_at is not None and event.closed_at >= since:
                facts.append((event.closed_at, EventClosed(event.id)))
    return sorted(facts, key=lambda fact: fact[0])
