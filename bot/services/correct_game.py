"""Correcting a settled game: voiding and restoring it, after a look at what that does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, cast

from bot.errors import IllegalMove, Refusal, RequestRefused
from bot.ledger import audit, games, outbox, players, rooms
from bot.ledger.encoding import to_moment
from bot.lifecycle import Move, after
from bot.model import Game
from bot.progress import Progress
from bot.ratings.registry import make_system
from bot.ratings.replay import check_game
from bot.services.acting import take_up
from bot.services.game_view import GameView, load_game, view_in
from bot.services.rerating import rate_again

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameId, GameRecord, PlayerId, Room
    from bot.services.acting import Act
    from bot.services.rerating import Rerating


class Correction(StrEnum):
    """What a referee can do about a settled game."""

    VOID = "void"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class CorrectGame:
    """A correction as somebody was shown it.

    Attributes:
        act: Who does it, and where.
        game: Which game.
        correction: What is done.
        seal: That of the view which was shown.
        reason: Why, in the person's words.
    """

    act: Act
    game: GameId
    correction: Correction
    seal: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction with all that it does.

    Attributes:
        game: The game before it.
        room: Where.
        correction: What is done.
        later: How many later facts of the room are worked out again.
        rerating: What that does.
        seal: Changes with every fact of the room, so that nobody does what was not shown.
    """

    game: GameRecord
    room: Room
    correction: Correction
    later: int
    rerating: Rerating
    seal: int


class Before(NamedTuple):
    """One participant of a result that was edited since.

    Attributes:
        name: Who.
        placing: 1 is best; equal placings are a tie.
        score: As it was written, None without scores.
        aborted: Whether the game was aborted by that player.
    """

    name: str
    placing: int
    score: str | None
    aborted: bool


@dataclass(frozen=True, slots=True)
class GameHistory:
    """A game as it stands, and what was done about it.

    Attributes:
        view: The game.
        acts: What was done, the oldest first.
        before: For each edit, by its place among the acts, the result before it.
    """

    view: GameView
    acts: tuple[audit.Noted, ...]
    before: Mapping[int, tuple[Before, ...]]


async def view_history(ledger: Ledger, act: Act, number: int, *, now: datetime) -> GameHistory:
    """Return a game of the guild with its history.

    Raises:
        RequestRefused: There is no such game.
    """
    async with ledger.reading() as tx:
        game = await _numbered(tx, act, number)
        acts = await audit.of_game(tx, game.id)
        return GameHistory(await view_in(tx, game.id, now), acts, await _edited(tx, acts))


async def _edited(tx: Transaction, acts: Sequence[audit.Noted]) -> dict[int, tuple[Before, ...]]:
    written = {
        place: cast("list[tuple[PlayerId, int, str | None, bool]]", each.details["before"])
        for place, each in enumerate(acts)
        if "before" in each.details
    }
    known = await players.of_ids(tx, {each[0] for result in written.values() for each in result})
    return {
        place: tuple(Before(known[each[0]].name, *each[1:]) for each in result)
        for place, result in written.items()
    }


class _NotKept(Exception):
    """Takes a correction back that was only for a look."""


async def preview_correction(
    ledger: Ledger, act: Act, number: int, correction: Correction, *, now: datetime
) -> CorrectionView:
    """Return what a correction would do now, by doing it and taking it back.

    Raises:
        RequestRefused: Not for this person, or there is no such game.
        IllegalMove: The game does not stand so that it could be corrected.
        UnratableGame: The room's system cannot rate it.
    """
    view = None
    try:
        async with ledger.transaction(act.guild) as tx:
            game = await _numbered(tx, act, number)
            view = await _correct(tx, act, game, correction, now, None)
            raise _NotKept  # noqa: TRY301 - the transaction takes it back
    except _NotKept:
        assert view is not None
        return view


async def correct_game(
    ledger: Ledger, command: CorrectGame, *, now: datetime, progress: Progress | None = None
) -> CorrectionView:
    """Void or restore a game, and rate everything after it again.

    Raises:
        RequestRefused: Not for this person, something was rated since, or there is no reason.
        IllegalMove: The game does not stand so that it could be corrected.
        UnratableGame: The room's system cannot rate it.
    """
    act = command.act
    reason = " ".join(command.reason.split())
    if not reason:
        raise RequestRefused(Refusal.REASON_EMPTY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        if await rooms.last_fact_at(tx, room.id) != command.seal:
            raise RequestRefused(Refusal.ROOM_CHANGED)
        progress = progress or Progress()
        view = await _correct(tx, act, game, command.correction, now, progress)
        entry = audit.Entry(
            act.guild,
            f"{command.correction}-game",
            act.person.user,
            room.id,
            game.id,
            details={"later": view.later, "moved": len(view.rerating.effects)},
            reason=reason,
        )
        await audit.note(tx, entry, now)
        if game.channel:
            # An imported game has no message anywhere.
            await outbox.add(tx, act.guild, game.id, now)
        return view


async def _numbered(tx: Transaction, act: Act, number: int) -> GameRecord:
    game = await games.numbered(tx, act.guild, number)
    if game is None:
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    return game


async def _correct(
    tx: Transaction,
    act: Act,
    game: GameRecord,
    correction: Correction,
    now: datetime,
    progress: Progress | None,
) -> CorrectionView:
    room = await rooms.get(tx, game.room)
    if not act.is_referee(room):
        raise RequestRefused(Refusal.REFEREES_ONLY)
    if game.player_of(act.person.user) is not None:
        raise RequestRefused(Refusal.OWN_GAME, game.number)
    system = make_system(room.system, room.settings)
    move = _move(game, correction)
    seal = await rooms.last_fact_at(tx, room.id)
    since = None if game.final_at is None else to_moment(game.final_at)
    counts_again = correction is Correction.RESTORE and since is not None
    if counts_again:
        check_game(system, Game(game.id, game.results, game.aborted_by))

    async def change() -> None:
        # What is void must not count, not even between two statements.
        await games.set_counting(tx, game.id, counts=False)
        await games.move(tx, game, after(game.status, move), move=move, now=now)
        await games.set_counting(tx, game.id, counts=counts_again)

    rerating = await rate_again(tx, room, since, change, now=now, progress=progress)
    later = rerating.later - counts_again
    return CorrectionView(game, room, correction, later, rerating, seal)


def _move(game: GameRecord, correction: Correction) -> Move:
    if correction is Correction.VOID:
        move = Move.VOID
    else:
        move = Move.RESTORE_RESULT if game.aborted_by is None else Move.RESTORE_ABORT
    try:
        after(game.status, move)
    except IllegalMove as error:
        raise IllegalMove(game.status, move, game) from error
    if move is Move.RESTORE_RESULT and game.final_at is None:
        raise RequestRefused(Refusal.NOTHING_TO_RESTORE, game.number)
    return move
