"""A tournament or a season as people look at it: while it runs, before its closing, and after."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import events, games, players, rooms, standings
from bot.ledger.encoding import from_moment
from bot.model import EventKind, Outcome, Status
from bot.ratings.registry import make_system
from bot.ratings.replay import close_event, is_ratable
from bot.services.acting import find_room
from bot.services.settling import outcomes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.events import EventRecord
    from bot.model import EventId, Game, GameRecord, Player, PlayerId, RatingChange, Room
    from bot.ratings.replay import Step
    from bot.ratings.system import RatingSystem
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class EventLine:
    """One player in an event.

    Attributes:
        rank: By points in a tournament, by the new grade in a season; shared by equals.
        player: Who.
        change: What the closing did, or would do now.
        games: How many games of the event count for the player, aborted ones too.
        wins: How many of them were won.
        draws: How many were drawn.
        losses: How many were lost.
    """

    rank: int
    player: Player
    change: RatingChange
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class EventView:
    """A tournament or a season with all who played in it.

    Attributes:
        room: Where.
        kind: A tournament or a season.
        name: As people call it; empty for the season that runs.
        event: Which event, None for the season that runs.
        closed_at: When it was closed, None while it runs.
        games: How many games count in it.
        lines: The players, the first ranked first.
        waiting: The room's games whose result somebody must still decide.
        in_play: The room's games that are still being played.
        seal: Changes with every fact of the room, so that nobody closes what was not shown.
    """

    room: Room
    kind: EventKind
    name: str
    event: EventId | None
    closed_at: datetime | None
    games: int
    lines: tuple[EventLine, ...]
    waiting: tuple[GameRecord, ...]
    in_play: tuple[GameRecord, ...]
    seal: int


@dataclass(frozen=True, slots=True)
class Closing:
    """What closing the running event of a room does: its games and what they come to."""

    games: tuple[Game, ...]
    step: Step


async def event_room(tx: Transaction, act: Act, kind: EventKind) -> tuple[Room, RatingSystem]:
    """Return the room that is meant and its system.

    Raises:
        RequestRefused: No room is meant, or its system has no such events.
    """
    room = await find_room(tx, act)
    system = make_system(room.system, room.settings)
    if system.event_kind is not kind:
        raise RequestRefused(Refusal.NO_EVENTS, f"{kind}s", room.name, room.system)
    return room, system


async def running_tournament(tx: Transaction, room: Room) -> EventRecord:
    """Return the tournament that runs in a room.

    Raises:
        RequestRefused: None does.
    """
    event = await events.running(tx, room.id)
    if event is None:
        raise RequestRefused(Refusal.NO_EVENT_RUNNING, room.name)
    return event


async def last_closed(tx: Transaction, room: Room, kind: EventKind) -> EventRecord:
    """Return the event of a room that was closed last.

    Raises:
        RequestRefused: None was.
    """
    closed = await events.closed(tx, room.id, kind)
    if not closed:
        raise RequestRefused(Refusal.NO_EVENT_CLOSED, kind, room.name)
    return closed[-1]


async def work_out(tx: Transaction, room: Room, system: RatingSystem) -> Closing:
    """Work out what closing a room's running event would do now, off the event loop."""
    closed = await events.closed(tx, room.id, system.event_kind)
    running = await events.running(tx, room.id)
    if running is not None:
        assert running.opened_at is not None, running
        since = running.opened_at
    else:
        since = closed[-1].closed_at or -1 if closed else -1
    counted = await games.counted(tx, room.id, after=since)
    its_games = tuple(game for _, game in counted if is_ratable(system, game))
    concerned = {each.player for game in its_games for each in game.participants}
    before = await standings.of_players(tx, room.id, concerned, system.quantum)
    ordinal = len(closed)
    step = await asyncio.to_thread(close_event, system, its_games, before, ordinal=ordinal)
    return Closing(its_games, step)


async def view_running(tx: Transaction, room: Room, system: RatingSystem) -> EventView:
    """Return the event that runs in a room, as if it were closed now.

    Raises:
        RequestRefused: The room has tournaments, and none runs.
    """
    is_tournament = system.event_kind is EventKind.TOURNAMENT
    event = await running_tournament(tx, room) if is_tournament else None
    closing = await work_out(tx, room, system)
    unsettled = await games.unsettled(tx, room.id, (Status.OPEN, Status.REPORTED, Status.DISPUTED))
    assert system.event_kind is not None
    return EventView(
        room=room,
        kind=system.event_kind,
        name=event.name if event else "",
        event=event.id if event else None,
        closed_at=None,
        games=len(closing.games),
        lines=await _lines(tx, system.event_kind, closing.games, closing.step.changes),
        waiting=tuple(game for game in unsettled if game.status is not Status.OPEN),
        in_play=tuple(game for game in unsettled if game.status is Status.OPEN),
        seal=await rooms.last_fact_at(tx, room.id),
    )


async def view_closed(tx: Transaction, event: EventRecord) -> EventView:
    """Return an event as it was closed."""
    room = await rooms.get(tx, event.room)
    system = make_system(room.system, room.settings)
    its_games = tuple(
        game
        for _, game in await games.counted(
            tx, room.id, after=event.opened_at or -1, until=event.closed_at
        )
    )
    stored = await standings.changes_of_event(tx, event.id, system.quantum)
    changes = [each.change for each in stored]
    return EventView(
        room=room,
        kind=event.kind,
        name=event.name,
        event=event.id,
        closed_at=None if event.closed_at is None else from_moment(event.closed_at),
        games=len(its_games),
        lines=await _lines(tx, event.kind, its_games, changes),
        waiting=(),
        in_play=(),
        seal=await rooms.last_fact_at(tx, room.id),
    )


async def view_tournament(ledger: Ledger, act: Act, name: str | None) -> EventView:
    """Return a room's running tournament, or the newest of a name.

    Raises:
        RequestRefused: No room is meant, it has no tournaments, or none like that.
    """
    async with ledger.reading() as tx:
        room, system = await event_room(tx, act, EventKind.TOURNAMENT)
        if name is None:
            return await view_running(tx, room, system)
        return await _view_named(tx, room, system, name)


async def view_grades(ledger: Ledger, act: Act, name: str | None) -> EventView:
    """Return the grading list of a room's last closed season, or the newest of a name.

    Raises:
        RequestRefused: No room is meant, it has no seasons, or none like that was closed.
    """
    async with ledger.reading() as tx:
        room, system = await event_room(tx, act, EventKind.SEASON)
        if name is None:
            return await view_closed(tx, await last_closed(tx, room, EventKind.SEASON))
        return await _view_named(tx, room, system, name)


async def view_event(ledger: Ledger, event: EventId) -> EventView:
    """Return an event as it is now, or as it was closed.

    Raises:
        RequestRefused: It was called off.
    """
    async with ledger.reading() as tx:
        record = await events.get(tx, event)
        if record is None or record.is_cancelled:
            raise RequestRefused(Refusal.NO_SUCH_EVENT, "")
        if not record.is_running:
            return await view_closed(tx, record)
        room = await rooms.get(tx, record.room)
        return await view_running(tx, room, make_system(room.system, room.settings))


async def _view_named(tx: Transaction, room: Room, system: RatingSystem, name: str) -> EventView:
    record = await events.named(tx, room.id, name)
    if record is None:
        raise RequestRefused(Refusal.NO_SUCH_EVENT, name)
    return await (view_running(tx, room, system) if record.is_running else view_closed(tx, record))


async def _lines(
    tx: Transaction, kind: EventKind, its_games: Sequence[Game], changes: Iterable[RatingChange]
) -> tuple[EventLine, ...]:
    tallies: defaultdict[PlayerId, list[Outcome | None]] = defaultdict(list)
    for game in its_games:
        outcomes = outcomes_of(game) if game.aborted_by is None else {}
        for each in game.participants:
            tallies[each.player].append(outcomes.get(each.player))
    known = await players.of_ids(tx, tallies)
    ordered = sorted(
        changes,
        key=lambda change: (
            -_measure(kind, change),
            known[change.player].name.casefold(),
            change.player,
        ),
    )
    lines: list[EventLine] = []
    for place, change in enumerate(ordered, start=1):
        is_tie = bool(lines) and _measure(kind, lines[-1].change) == _measure(kind, change)
        tally = tallies[change.player]
        lines.append(
            EventLine(
                rank=lines[-1].rank if is_tie else place,
                player=known[change.player],
                change=change,
                games=len(tally),
                wins=tally.count(Outcome.WIN),
                draws=tally.count(Outcome.DRAW),
                losses=tally.count(Outcome.LOSS),
            )
        )
    return tuple(lines)


def _measure(kind: EventKind, change: RatingChange) -> Decimal:
    """Return by what the players of an event are ranked."""
    value = change.delta if kind is EventKind.TOURNAMENT else change.after
    assert value is not None, change
    return value
