"""`/report`: saying how a game of two ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, games, outbox, players, rooms, timers
from bot.lifecycle import Move, after
from bot.model import (
    Answer,
    ClaimKind,
    Confirmation,
    Game,
    GameId,
    Outcome,
    Participant,
    Status,
)
from bot.ratings.registry import make_system
from bot.ratings.replay import check_game
from bot.services.acting import find_or_make_room, take_up
from bot.services.game_view import GameView, load_game, view_in
from bot.services.settling import settle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameRecord, Player, Room
    from bot.services.acting import Act, Person

SHOWN_BY_CALLER = timedelta(seconds=10)
"""How long whoever changes a game has to show it before the outbox sees to it."""


@dataclass(frozen=True, slots=True)
class ReportGame:
    """A report of a game of two.

    Attributes:
        act: Who reports, and where.
        opponent: Whom the game was played against.
        outcome: How it ended for the reporter.
        score: The reporter's, where the game has scores.
        opponent_score: The opponent's.
        is_another: Whether it is another game than the one that waits already.
    """

    act: Act
    opponent: Person
    outcome: Outcome
    score: Decimal | None = None
    opponent_score: Decimal | None = None
    is_another: bool = False


async def report_game(ledger: Ledger, command: ReportGame, *, now: datetime) -> GameView:
    """Keep a report, and rate the game where nothing more is needed.

    Reported by both alike, it is one game and confirmed; reported by both differently, it is one
    game and disputed; reported again by the same person, the newer report replaces the older.

    Raises:
        RequestRefused: The report makes no sense, or several games wait that it could mean.
        UnratableGame: The room's system cannot rate such a game.
    """
    act = command.act
    _check_sense(command)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, made_room = await find_or_make_room(tx, act, now)
        await rooms.used(tx, room.id, now)
        reporter = await players.remember(tx, act.guild, act.person.user, act.person.name)
        opponent = await players.remember(
            tx, act.guild, command.opponent.user, command.opponent.name
        )
        results = _results(command, reporter, opponent)
        check_game(make_system(room.system, room.settings), Game(GameId(0), results))
        waiting = await games.waiting_between(tx, room.id, (reporter.id, opponent.id))
        waiting = tuple(
            game for game in waiting if game.claim and game.claim.kind is ClaimKind.RESULT
        )
        known = None if command.is_another else _same_game(waiting, reporter, results)
        if known is None:
            game = await games.add(
                tx, room, (reporter, opponent), act.channel, status=Status.REPORTED, now=now
            )
        else:
            game = known.id
        await outbox.add(tx, act.guild, game, now + SHOWN_BY_CALLER)
        if known and _is_confirmed_by(known, reporter, results):
            await _confirm(tx, room, known, reporter, results, now=now)
        else:
            await _claim(tx, room, game, reporter, results, now=now)
        await audit.note(tx, audit.Entry(act.guild, "report", act.person.user, room.id, game), now)
        return await view_in(tx, game, now, made_room=made_room)


def _check_sense(command: ReportGame) -> None:
    if command.opponent.user == command.act.person.user:
        raise RequestRefused(Refusal.OWN_OPPONENT)
    if command.opponent.is_bot:
        raise RequestRefused(Refusal.BOT_OPPONENT, command.opponent.name)
    own, other = command.score, command.opponent_score
    if (own is None) != (other is None):
        raise RequestRefused(Refusal.ONE_SCORE_MISSING)
    if own is not None and other is not None and _outcome(own, other) is not command.outcome:
        raise RequestRefused(Refusal.SCORES_CONTRADICT, command.outcome, own, other)


def _outcome(own: Decimal, other: Decimal) -> Outcome:
    if own == other:
        return Outcome.DRAW
    return Outcome.WIN if own > other else Outcome.LOSS


def _results(
    command: ReportGame, reporter: Player, opponent: Player
) -> tuple[Participant, Participant]:
    placings = {Outcome.WIN: (1, 2), Outcome.DRAW: (1, 1), Outcome.LOSS: (2, 1)}
    own, other = placings[command.outcome]
    return (
        Participant(reporter.id, own, command.score),
        Participant(opponent.id, other, command.opponent_score),
    )


def _same_game(
    waiting: Sequence[GameRecord], reporter: Player, results: Sequence[Participant]
) -> GameRecord | None:
    """Return which of the games that wait between two players a report means, if any.

    Raises:
        RequestRefused: It could mean several.
    """
    alike = [
        game
        for game in waiting
        if game.claim and game.claim.author != reporter.id and agree(game.claim.results, results)
    ]
    if alike:
        return alike[0]
    if len(waiting) > 1:
        raise RequestRefused(Refusal.SEVERAL_WAIT, *(game.number for game in waiting))
    return waiting[0] if waiting else None


def agree(first: Sequence[Participant], second: Sequence[Participant]) -> bool:
    """Tell whether two claims say the same: the same placings, and scores where both have them."""
    other = {result.player: result for result in second}
    return all(
        result.placing == other[result.player].placing
        and (
            result.score is None
            or other[result.player].score is None
            or result.score == other[result.player].score
        )
        for result in first
    )


def _is_confirmed_by(game: GameRecord, reporter: Player, results: Sequence[Participant]) -> bool:
    claim = game.claim
    return claim is not None and claim.author != reporter.id and agree(claim.results, results)


async def _confirm(
    tx: Transaction,
    room: Room,
    game: GameRecord,
    reporter: Player,
    results: Sequence[Participant],
    *,
    now: datetime,
) -> None:
    """Take a report that says what the opponent's says as a confirmation of that one."""
    claim = game.claim
    assert claim is not None, game
    await games.add_answer(tx, game.id, claim.version, reporter.id, Answer.CONFIRM, now)
    if room.confirmation is not Confirmation.REFEREE:
        await settle(tx, room, game, _fuller(claim.results, results), now=now)


async def _claim(
    tx: Transaction,
    room: Room,
    game: GameId,
    reporter: Player,
    results: Sequence[Participant],
    *,
    now: datetime,
) -> None:
    """Add a claim, and let it wait, dispute the one before or count at once."""
    before, _ = await load_game(tx, game)
    version = await games.add_claim(tx, game, ClaimKind.RESULT, reporter.id, results, now)
    record, _ = await load_game(tx, game)
    if before.claim is not None and before.claim.author != reporter.id:
        await games.move(tx, record, after(record.status, Move.DISPUTE), move=Move.DISPUTE, now=now)
        await timers.stop(tx, game)
    elif room.confirmation is Confirmation.NOBODY:
        await settle(tx, room, record, results, now=now)
    elif room.confirmation is Confirmation.OPPONENT and room.confirm_after:
        await timers.start(
            tx, room.guild, timers.TimerKind.CLAIM, game, version, now + room.confirm_after
        )


def _fuller(first: Sequence[Participant], second: Sequence[Participant]) -> Sequence[Participant]:
    """Return of two claims that agree the one that has scores."""
    return second if any(result.score is None for result in first) else first
