"""Why a game changed ratings as it did, worked out again from what was known before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ledger import standings
from bot.model import Game
from bot.ratings.replay import players_concerned, rate_game, rates_every_game_in_event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.ledger.connection import Transaction
    from bot.ledger.standings import StoredChange
    from bot.model import GameRecord, RatingChange
    from bot.ratings.system import RatingSystem


async def explained_changes(
    tx: Transaction, system: RatingSystem, game: GameRecord
) -> tuple[RatingChange, ...]:
    """Return what a game did to ratings, participants first, with the reasons.

    Args:
        tx: The transaction.
        system: The room's.
        game: A game of the room.
    """
    stored = await standings.changes_of_game(tx, game.id, system.quantum)
    if not stored:
        return ()
    played = Game(game.id, game.results, game.aborted_by)
    before = stored[0].id
    seats = [each.player for each in played.participants]
    known = await standings.before_change(tx, game.room, seats, before, system.quantum)
    others = players_concerned(system, played, known) - set(seats)
    known.update(await standings.before_change(tx, game.room, others, before, system.quantum))
    step = rate_game(system, played, known, in_event=_was_in_event(system, stored))
    changes = tuple(each.change for each in stored)
    # Whoever changed the database by hand gets the numbers that stand there, without reasons.
    if [_numbers(each) for each in step.changes] != [_numbers(each) for each in changes]:
        return changes
    return step.changes


def _was_in_event(system: RatingSystem, stored: Sequence[StoredChange]) -> bool:
    return rates_every_game_in_event(system) or any(
        each.change.contribution is not None for each in stored
    )


def _numbers(change: RatingChange) -> tuple[object, ...]:
    return change.player, change.cause, change.before, change.after, change.contribution
