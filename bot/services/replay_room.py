"""Working a room's standings out again from its facts, to check them or to rebuild them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.ledger import events, games, rooms, standings
from bot.model import Game
from bot.ratings.registry import make_system
from bot.ratings.replay import EventClosed, EventOpened, Fact, replay
from bot.services.settling import updates_of

if TYPE_CHECKING:
    from bot.ledger.connection import Transaction
    from bot.model import Room, RoomId
    from bot.ratings.replay import Step
    from bot.ratings.system import RatingSystem


async def replay_room(tx: Transaction, room_id: RoomId) -> None:
    """Drop a room's standings and changes and work them out again, off the event loop."""
    room = await rooms.get(tx, room_id)
    system = make_system(room.system, room.settings)
    facts = await _facts(tx, room, system)
    steps = await asyncio.to_thread(
        lambda: [step for _, step in replay(system, (fact for _, fact in facts))]
    )
    await standings.clear(tx, room_id)
    for (moment, fact), step in zip(facts, steps, strict=True):
        await _keep(tx, room, system, moment, fact, step)


async def _keep(
    tx: Transaction, room: Room, system: RatingSystem, moment: int, fact: Fact, step: Step
) -> None:
    if not step.standings:
        return
    game = fact if isinstance(fact, Game) else None
    event = None if isinstance(fact, Game) else fact.event
    source = standings.Source(game.id if game else None, event, moment)
    await standings.keep_changes(tx, room.id, source, step.changes, step.standings)
    await standings.keep(tx, room.id, updates_of(system, game, step), moment)


async def _facts(tx: Transaction, room: Room, system: RatingSystem) -> list[tuple[int, Fact]]:
    facts: list[tuple[int, Fact]] = [*await games.counted(tx, room.id)]
    if system.event_kind is not None:
        known = [*await events.closed(tx, room.id, system.event_kind)]
        running = await events.running(tx, room.id)
        for event in [*known, *([running] if running else [])]:
            if event.opened_at is not None:
                facts.append((event.opened_at, EventOpened(event.id)))
            if event.closed_at is not None:
                facts.append((event.closed_at, EventClosed(event.id)))
    return sorted(facts, key=lambda fact: fact[0])
