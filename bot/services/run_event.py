"""`/tournament` and `/season`: opening, closing, calling off and opening again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, events, games, rooms, steps
from bot.model import EventKind, Status
from bot.services.acting import take_up
from bot.services.event_view import (
    EventView,
    event_room,
    last_closed,
    running_tournament,
    view_closed,
    view_running,
    work_out,
)
from bot.services.replay_room import replay_room
from bot.services.settling import kept_step

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.events import EventRecord
    from bot.model import EventId, Room
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class OpenTournament:
    """Opening a tournament."""

    act: Act
    name: str


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """Closing, calling off or opening an event again, as somebody was shown that it would go.

    Attributes:
        act: Who does it, and where.
        kind: A tournament or a season.
        seal: That of the view which was shown.
        name: What a season that is closed is called from now on; tournaments have a name already.
    """

    act: Act
    kind: EventKind
    seal: int
    name: str = ""


async def open_tournament(ledger: Ledger, command: OpenTournament, *, now: datetime) -> EventView:
    """Open a tournament: the room's games from now on are rated at its closing.

    Raises:
        RequestRefused: Not for this person, the room has no tournaments, one runs already, or
            the name is taken.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, system = await event_room(tx, act, EventKind.TOURNAMENT)
        _check_referee(act, room)
        running = await events.running(tx, room.id)
        if running is not None:
            raise RequestRefused(Refusal.EVENT_RUNNING, running.name)
        name = await _free_name(tx, room, command.name)
        moment = await rooms.next_fact_at(tx, room.id, now)
        await events.add(tx, room.id, EventKind.TOURNAMENT, name, opened_at=moment)
        await _note(tx, act, room, "open-tournament", name, now)
        return await view_running(tx, room, system)


async def preview_closing(ledger: Ledger, act: Act, kind: EventKind, name: str) -> EventView:
    """Return what closing the event that runs would do now.

    Raises:
        RequestRefused: As `close_event` does, but for games that wait: the view lists them.
    """
    async with ledger.reading() as tx:
        room, system = await event_room(tx, act, kind)
        _check_referee(act, room)
        if kind is EventKind.SEASON:
            name = await _free_name(tx, room, name)
        view = await view_running(tx, room, system)
        if not view.games:
            raise RequestRefused(Refusal.EVENT_EMPTY, kind)
        return replace(view, name=name or view.name)


async def close_event(ledger: Ledger, command: ChangeEvent, *, now: datetime) -> EventView:
    """Close the event that runs: rate its games together, all in one transaction.

    Raises:
        RequestRefused: Not for this person; nothing runs or nothing was played; games wait for a
            decision; the name is taken; or something changed since the person was shown it.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, system = await event_room(tx, act, command.kind)
        _check_referee(act, room)
        if command.kind is EventKind.TOURNAMENT:
            await running_tournament(tx, room)
        waiting = await games.unsettled(tx, room.id, (Status.REPORTED, Status.DISPUTED))
        if waiting:
            raise RequestRefused(Refusal.GAMES_WAIT, *(game.number for game in waiting))
        _check_seal(await rooms.last_fact_at(tx, room.id), command)
        closing = await work_out(tx, room, system)
        if not closing.games:
            raise RequestRefused(Refusal.EVENT_EMPTY, command.kind)
        event, moment = await _closed(tx, room, command, now)
        source = steps.Source(None, event.id, moment)
        step = closing.step
        await steps.keep(tx, room.id, [kept_step(None, source, step)], system.shown_quantum)
        await _note(tx, act, room, f"close-{command.kind}", event.name, now)
        return await view_closed(tx, event)


async def preview_cancelling(ledger: Ledger, act: Act) -> EventView:
    """Return the tournament that would be called off.

    Raises:
        RequestRefused: Not for this person, or none runs.
    """
    async with ledger.reading() as tx:
        room, system = await event_room(tx, act, EventKind.TOURNAMENT)
        _check_referee(act, room)
        return await view_running(tx, room, system)


async def cancel_tournament(ledger: Ledger, command: ChangeEvent, *, now: datetime) -> EventRecord:
    """Call the tournament that runs off: its games are rated one by one, as any others.

    Raises:
        RequestRefused: Not for this person, none runs, or something changed since it was shown.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, _ = await event_room(tx, act, EventKind.TOURNAMENT)
        _check_referee(act, room)
        event = await running_tournament(tx, room)
        _check_seal(await rooms.last_fact_at(tx, room.id), command)
        await events.cancel(tx, event.id, await rooms.next_fact_at(tx, room.id, now))
        await replay_room(tx, room.id)
        await _note(tx, act, room, "cancel-tournament", event.name, now)
        return event


async def preview_reopening(ledger: Ledger, act: Act, kind: EventKind) -> EventView:
    """Return the event that was closed last, which would be opened again.

    Raises:
        RequestRefused: Not for this person, none was closed, or another one runs.
    """
    async with ledger.reading() as tx:
        room, _ = await event_room(tx, act, kind)
        return await view_closed(tx, await _reopenable(tx, act, room, kind))


async def reopen_event(ledger: Ledger, command: ChangeEvent, *, now: datetime) -> EventView:
    """Open the event that was closed last again, and rate the games since once more.

    Raises:
        RequestRefused: Not for this person, none was closed, another one runs, or something
            changed since it was shown.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, system = await event_room(tx, act, command.kind)
        event = await _reopenable(tx, act, room, command.kind)
        _check_seal(await rooms.last_fact_at(tx, room.id), command)
        moment = await rooms.next_fact_at(tx, room.id, now)
        if command.kind is EventKind.TOURNAMENT:
            await events.reopen(tx, event.id)
        else:
            await events.take_back(tx, event.id, moment)
        await replay_room(tx, room.id)
        await _note(tx, act, room, f"reopen-{command.kind}", event.name, now)
        return await view_running(tx, room, system)


def _check_referee(act: Act, room: Room) -> None:
    if not act.is_referee(room):
        raise RequestRefused(Refusal.REFEREES_ONLY)


def _check_seal(seal: int, command: ChangeEvent) -> None:
    if seal != command.seal:
        raise RequestRefused(Refusal.EVENT_CHANGED)


async def _free_name(tx: Transaction, room: Room, name: str) -> str:
    """Return a name for an event on one line.

    Raises:
        RequestRefused: There is nothing to read in it, or another event has it.
    """
    tidy = " ".join(name.split())
    if not tidy:
        raise RequestRefused(Refusal.NAME_EMPTY)
    if await events.named(tx, room.id, tidy) is not None:
        raise RequestRefused(Refusal.EVENT_NAME_TAKEN, tidy)
    return tidy


async def _closed(
    tx: Transaction, room: Room, command: ChangeEvent, now: datetime
) -> tuple[EventRecord, int]:
    """Close the tournament that runs, or the season under its new name."""
    if command.kind is EventKind.TOURNAMENT:
        which = (await running_tournament(tx, room)).id
        moment = await rooms.next_fact_at(tx, room.id, now)
        await events.close(tx, which, moment)
    else:
        name = await _free_name(tx, room, command.name)
        before = await events.closed(tx, room.id, command.kind)
        moment = await rooms.next_fact_at(tx, room.id, now)
        which = await events.add(
            tx,
            room.id,
            command.kind,
            name,
            opened_at=before[-1].closed_at if before else None,
            closed_at=moment,
        )
    return await _get(tx, which), moment


async def _get(tx: Transaction, which: EventId) -> EventRecord:
    event = await events.get(tx, which)
    assert event is not None, which
    return event


async def _reopenable(tx: Transaction, act: Act, room: Room, kind: EventKind) -> EventRecord:
    _check_referee(act, room)
    running = await events.running(tx, room.id)
    if running is not None:
        raise RequestRefused(Refusal.EVENT_RUNNING, running.name)
    return await last_closed(tx, room, kind)


async def _note(tx: Transaction, act: Act, room: Room, what: str, name: str, now: datetime) -> None:
    entry = audit.Entry(act.guild, what, act.person.user, room.id, details={"name": name})
    await audit.note(tx, entry, now)
