"""`/report` and `/multi`: saying how a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, NotAllowed, Refusal, RequestRefused
from bot.ledger import audit, claims, games, outbox, rooms, timers
from bot.lifecycle import Move, after, is_confirmed
from bot.model import Answer, ClaimKind, Confirmation, Status
from bot.services.acting import SHOWN_BY_CALLER, find_or_make_room, take_up
from bot.services.game_view import GameView, load_game, view_in
from bot.services.settling import settle
from bot.services.stating import (
    agree,
    check_ratable,
    fuller,
    remember_participants,
    results_of,
)

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameId, GameRecord, Participant, Player, Room, UserId
    from bot.services.acting import Act, Person
    from bot.services.stating import Statement


@dataclass(frozen=True, slots=True)
class ReportGame:
    """A report of a game between the person who reports and others.

    Attributes:
        act: Who reports, and where.
        others: Whom the game was played with.
        statement: How it ended.
        is_another: Whether it is another game than those that wait or are open already.
    """

    act: Act
    others: tuple[Person, ...]
    statement: Statement
    is_another: bool = False


@dataclass(frozen=True, slots=True)
class ReportOpenGame:
    """A report of a game that was opened before.

    Attributes:
        act: Who reports, and where.
        game: Which game.
        statement: How it ended.
        opponent: Whom the person names as the other player, if anybody.
    """

    act: Act
    game: GameId
    statement: Statement
    opponent: UserId | None = None


@dataclass(frozen=True, slots=True)
class _Report:
    """A report with all that decides it, read in the transaction that will write."""

    act: Act
    room: Room
    author: Player
    results: tuple[Participant, ...]
    now: datetime


async def report_game(ledger: Ledger, command: ReportGame, *, now: datetime) -> GameView:
    """Keep a report, and rate the game where nothing more is needed.

    Reported alike by enough of the players, it is one game and confirmed; reported differently,
    it is one game and disputed; reported again by the same person, the newer report replaces the
    older.

    Raises:
        RequestRefused: The report makes no sense, or several games wait that it could mean.
        UnratableGame: The room's system cannot rate such a game.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, made_room = await find_or_make_room(tx, act, now)
        await rooms.used(tx, room.id, now)
        participants = await remember_participants(tx, act, command.others)
        author = participants[0]
        results = results_of(participants, author, command.statement)
        check_ratable(room, results)
        report = _Report(act, room, author, results, now)
        known = None
        if not command.is_another:
            known = await _known_game(tx, report)
        if known is None:
            game = await games.add(
                tx, room, participants, act.channel, status=Status.REPORTED, now=now
            )
            known, _ = await load_game(tx, game)
        return await _keep(tx, report, known, made_room=made_room)


async def report_open_game(ledger: Ledger, command: ReportOpenGame, *, now: datetime) -> GameView:
    """Keep a report of a game that was opened before.

    Raises:
        RequestRefused: There is no such game here, or the report makes no sense.
        NotAllowed: The person does not take part.
        IllegalMove: The game is settled, or an abort waits for an answer.
        UnratableGame: The room's system cannot rate such a game.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        author = game.player_of(act.person.user)
        if author is None:
            raise NotAllowed(game, game.players, referees=False)
        waits_for_abort = game.claim is not None and game.claim.kind is ClaimKind.ABORT
        if game.status is not Status.OPEN and (
            game.status is not Status.REPORTED or waits_for_abort
        ):
            raise IllegalMove(game.status, Move.REPORT, game)
        if command.opponent is not None and game.player_of(command.opponent) is None:
            names = ", ".join(player.name for player in game.players)
            raise RequestRefused(Refusal.OTHER_PLAYERS, names)
        results = results_of(game.players, author, command.statement)
        check_ratable(room, results)
        return await _keep(tx, _Report(act, room, author, results, now), game)


async def _keep(
    tx: Transaction, report: _Report, game: GameRecord, *, made_room: bool = False
) -> GameView:
    act, now = report.act, report.now
    await outbox.add(tx, act.guild, game.id, now + SHOWN_BY_CALLER)
    if _is_said_by_another(game, report):
        await _confirm(tx, game, report)
    else:
        await _claim(tx, game, report)
    entry = audit.Entry(act.guild, "report", act.person.user, report.room.id, game.id)
    await audit.note(tx, entry, now)
    return await view_in(tx, game.id, now, made_room=made_room)


async def _known_game(tx: Transaction, report: _Report) -> GameRecord | None:
    """Return the game between the same people that a report means, None for a new one.

    Raises:
        RequestRefused: It could mean several, or one that is still open.
    """
    known = await games.between(
        tx,
        report.room.id,
        [result.player for result in report.results],
        (Status.OPEN, Status.REPORTED),
    )
    waiting = [
        game
        for game in known
        if game.status is Status.REPORTED and game.claim and game.claim.kind is ClaimKind.RESULT
    ]
    alike = [game for game in waiting if _is_said_by_another(game, report)]
    if alike:
        return alike[0]
    still_open = [game for game in known if game.status is Status.OPEN]
    if still_open:
        raise RequestRefused(Refusal.OPEN_BETWEEN, *(game.number for game in still_open))
    if len(waiting) > 1:
        raise RequestRefused(Refusal.SEVERAL_WAIT, *(game.number for game in waiting))
    return waiting[0] if waiting else None


def _is_said_by_another(game: GameRecord, report: _Report) -> bool:
    claim = game.claim
    return (
        game.status is Status.REPORTED
        and claim is not None
        and claim.author != report.author.id
        and agree(claim.results, report.results)
    )


async def _confirm(tx: Transaction, game: GameRecord, report: _Report) -> None:
    """Take a report that says what another's says as a confirmation of that one."""
    claim, room = game.claim, report.room
    assert claim is not None, game
    await claims.answer(tx, game.id, claim.version, report.author.id, Answer.CONFIRM, report.now)
    confirmed_by = {
        player for player, answer in claim.answers.items() if answer is Answer.CONFIRM
    } | {report.author.id}
    if room.confirmation is not Confirmation.REFEREE and is_confirmed(
        room.many_confirmation, len(game.players), confirmed_by
    ):
        results = fuller(claim.results, report.results)
        await settle(tx, room, game, results, now=report.now)


async def _claim(tx: Transaction, before: GameRecord, report: _Report) -> None:
    """Add a claim, and let it wait, dispute the one before or count at once."""
    room, author, now = report.room, report.author, report.now
    version = await claims.add(tx, before.id, ClaimKind.RESULT, author.id, report.results, now)
    game, _ = await load_game(tx, before.id)
    waited = before.claim if before.status is Status.REPORTED else None
    if waited is not None and waited.author != author.id:
        await games.move(tx, game, after(game.status, Move.DISPUTE), move=Move.DISPUTE, now=now)
        await timers.stop(tx, game.id)
        return
    if before.status is Status.OPEN:
        await games.move(tx, game, after(game.status, Move.REPORT), move=Move.REPORT, now=now)
        await timers.stop(tx, game.id)
        game, _ = await load_game(tx, before.id)
    await let_wait(tx, room, game, version, now)
    if room.confirmation is Confirmation.NOBODY:
        await settle(tx, room, game, report.results, now=now)


async def let_wait(
    tx: Transaction, room: Room, game: GameRecord, version: int, now: datetime
) -> None:
    """Let a claim confirm itself after the room's time, where the others confirm claims."""
    if room.confirmation is Confirmation.OPPONENT and room.confirm_after:
        due_at = now + room.confirm_after
        await timers.start(tx, room.guild, timers.TimerKind.CLAIM, game.id, version, due_at)
