"""Correcting a settled game: voiding and restoring it, after a look at what that does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, Refusal, RequestRefused
from bot.ledger import audit, games, outbox, players, rooms, standings
from bot.ledger.encoding import to_moment
from bot.lifecycle import Move, after
from bot.model import Game
from bot.ratings.registry import make_system
from bot.ratings.replay import check_game
from bot.services.acting import take_up
from bot.services.game_view import GameView, load_game, view_in
from bot.services.replay_room import replay_since, rewind_room

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameId, GameRecord, Player, Room
    from bot.services.acting import Act


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
class Effect:
    """What a correction does to a player's rating now; None is no rating."""

    player: Player
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction with all that it does.

    Attributes:
        game: The game before it.
        room: Where.
        correction: What is done.
        later: How many later facts of the room are worked out again.
        effects: Whose rating moves, the largest move first.
        shown_quantum: The step of a rating shown.
        seal: Changes with every fact of the room, so that nobody does what was not shown.
    """

    game: GameRecord
    room: Room
    correction: Correction
    later: int
    effects: tuple[Effect, ...]
    shown_quantum: Decimal
    seal: int


@dataclass(frozen=True, slots=True)
class GameHistory:
    """A game as it stands, and what was done about it, the oldest first."""

    view: GameView
    acts: tuple[audit.Noted, ...]


async def view_history(ledger: Ledger, act: Act, number: int, *, now: datetime) -> GameHistory:
    """Return a game of the guild with its history.

    Raises:
        RequestRefused: There is no such game.
    """
    async with ledger.reading() as tx:
        game = await _numbered(tx, act, number)
        return GameHistory(await view_in(tx, game.id, now), await audit.of_game(tx, game.id))


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
            view = await _correct(tx, act, game, correction, now)
            raise _NotKept  # noqa: TRY301 - the transaction takes it back
    except _NotKept:
        assert view is not None
        return view


async def correct_game(ledger: Ledger, command: CorrectGame, *, now: datetime) -> CorrectionView:
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
        view = await _correct(tx, act, game, command.correction, now)
        entry = audit.Entry(
            act.guild,
            f"{command.correction}-game",
            act.person.user,
            room.id,
            game.id,
            details={"later": view.later, "moved": len(view.effects)},
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
    tx: Transaction, act: Act, game: GameRecord, correction: Correction, now: datetime
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
    before = await standings.of_room(tx, room.id, system.quantum)
    if since is not None:
        if correction is Correction.RESTORE:
            check_game(system, Game(game.id, game.results, game.aborted_by))
        await rewind_room(tx, room, since)
        await games.set_counting(tx, game.id, counts=False)
    await games.move(tx, game, after(game.status, move), move=move, now=now)
    later = 0
    if since is not None:
        await games.set_counting(tx, game.id, counts=correction is Correction.RESTORE)
        worked_out = await replay_since(tx, room, since)
        later = worked_out - (correction is Correction.RESTORE)
    # So that nobody presses a button that shows the room as it was before.
    await rooms.next_fact_at(tx, room.id, now)
    ratings_after = await standings.of_room(tx, room.id, system.quantum)
    moved = {
        player: (
            before[player].rating if player in before else None,
            ratings_after[player].rating if player in ratings_after else None,
        )
        for player in before.keys() | ratings_after.keys()
    }
    moved = {player: pair for player, pair in moved.items() if pair[0] != pair[1]}
    known = await players.of_ids(tx, moved)
    effects = [Effect(known[player], *pair) for player, pair in moved.items()]
    effects.sort(key=lambda each: (-_size(each), each.player.id))
    return CorrectionView(game, room, correction, later, tuple(effects), system.shown_quantum, seal)


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


def _size(effect: Effect) -> Decimal | int:
    """Return how far a rating moves; one that appears or goes comes first."""
    if effect.before is None or effect.after is None:
        return 1_000_000
    return abs(effect.after - effect.before)
