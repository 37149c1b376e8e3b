"""Making a game's result count: the one place where a game changes ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bot.ledger import events, games, rooms, standings, steps, timers
from bot.lifecycle import Move, after
from bot.model import Game, Outcome
from bot.ratings.registry import make_system
from bot.ratings.replay import (
    check_game,
    players_concerned,
    rate_game,
    rates_every_game_in_event,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import GameRecord, Participant, PlayerId, Room
    from bot.ratings.replay import Step
    from bot.ratings.system import RatingSystem


class Rated(NamedTuple):
    """What a game does to ratings as they are now.

    Attributes:
        system: The room's.
        game: The game as it would count, its participants in the order of their seats.
        step: What it does.
    """

    system: RatingSystem
    game: Game
    step: Step


async def rate_now(
    tx: Transaction,
    room: Room,
    game: GameRecord,
    results: Sequence[Participant],
    *,
    aborted_by: PlayerId | None = None,
) -> Rated:
    """Work out what a game would do if it counted now, and keep nothing.

    Args:
        tx: A transaction of the room's guild.
        room: The game's room.
        game: The game as it was read in this transaction.
        results: One entry a participant.
        aborted_by: Who aborted it; then the results are the standing at that moment.

    Raises:
        UnratableGame: The room's system cannot rate it.
    """
    system = make_system(room.system, room.settings)
    # In the order of their seats, as a replay reads them.
    seats = [player.id for player in game.players]
    ordered = sorted(results, key=lambda result: seats.index(result.player))
    counted = Game(game.id, tuple(ordered), aborted_by)
    check_game(system, counted)
    in_event = rates_every_game_in_event(system) or (
        system.event_kind is not None and await events.running(tx, room.id) is not None
    )
    before = await standings.of_players(tx, room.id, seats, system.quantum)
    others = players_concerned(system, counted, before) - set(seats)
    before.update(await standings.of_players(tx, room.id, others, system.quantum))
    return Rated(system, counted, rate_game(system, counted, before, in_event=in_event))


async def settle(
    tx: Transaction,
    room: Room,
    game: GameRecord,
    results: Sequence[Participant],
    *,
    aborted_by: PlayerId | None = None,
    now: datetime,
) -> None:
    """Let a game count with these results, and rate it.

    Args:
        tx: A transaction of the room's guild.
        room: The game's room.
        game: The game as it was read in this transaction.
        results: One entry a participant.
        aborted_by: Who aborted it; then the results are the standing at that moment.
        now: When.

    Raises:
        IllegalMove: The game cannot be settled where it stands.
        UnratableGame: The room's system cannot rate it.
    """
    move = Move.CONFIRM_RESULT if aborted_by is None else Move.CONFIRM_ABORT
    status = after(game.status, move)
    system, counted, step = await rate_now(tx, room, game, results, aborted_by=aborted_by)
    await games.move(tx, game, status, move=move, now=now)
    moment = await rooms.next_fact_at(tx, room.id, now)
    await games.settle(tx, game.id, results, aborted_by=aborted_by, final_at=moment)
    await timers.stop(tx, game.id)
    source = steps.Source(counted.id, None, moment)
    await steps.keep(tx, room.id, [kept_step(counted, source, step)], system.shown_quantum)


def kept_step(game: Game | None, source: steps.Source, step: Step) -> steps.KeptStep:
    """Return what a step did, ready to be kept.

    Args:
        game: The game that was rated, None after the closing of an event.
        source: Which game or event that was.
        step: What it did.
    """
    if game is None:
        return steps.KeptStep(source, step.changes, step.standings, (), {})
    participants = [each.player for each in game.participants]
    outcomes = outcomes_of(game) if game.aborted_by is None else {}
    return steps.KeptStep(source, step.changes, step.standings, participants, outcomes)


def outcomes_of(game: Game) -> dict[PlayerId, Outcome]:
    """Return how a game ended for each: a win alone in first place, a draw there with others."""
    best = min(each.placing for each in game.participants)
    leaders = sum(each.placing == best for each in game.participants)
    first = Outcome.WIN if leaders == 1 else Outcome.DRAW
    return {
        each.player: first if each.placing == best else Outcome.LOSS for each in game.participants
    }
