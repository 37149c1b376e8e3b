"""`/abort`: what it would do, doing it, and agreeing that a game does not count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, NotAllowed, Refusal, RequestRefused
from bot.ledger import audit, claims, games, outbox, players, rooms, timers
from bot.lifecycle import Move, after, is_confirmed
from bot.model import (
    Answer,
    ClaimKind,
    Confirmation,
    GameId,
    GameRecord,
    Player,
    PlayerId,
    Status,
)
from bot.ratings.registry import make_system
from bot.services.acting import SHOWN_BY_CALLER, find_or_make_room, find_room, take_up
from bot.services.game_view import FINEST_CHANGE, GameView, load_game, view_in
from bot.services.open_game import add_open_game, own_part, wait_for_touch
from bot.services.report_game import let_wait
from bot.services.settling import rate_now, settle
from bot.services.stating import (
    check_people,
    check_playable,
    check_ratable,
    remember_participants,
    results_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import EventKind, Participant, RatingChange, Room, UserId
    from bot.services.acting import Act, Person
    from bot.services.open_game import TouchGame
    from bot.services.stating import Statement


@dataclass(frozen=True, slots=True)
class AbortGame:
    """Aborting an open game, as its author was shown that it would go.

    Attributes:
        act: Who aborts, and where.
        game: Which game.
        version: Of the newest standing that the person was shown, 0 before the first.
        statement: How it stands, where the person says something newer; None for as recorded.
    """

    act: Act
    game: GameId
    version: int
    statement: Statement | None = None


@dataclass(frozen=True, slots=True)
class AbortUnopened:
    """Aborting a game that was never opened here: it counts as opened and aborted in one step.

    Attributes:
        act: Who aborts, and where.
        others: Whom the game was played with.
        statement: How it stood, None for a game without action.
    """

    act: Act
    others: tuple[Person, ...]
    statement: Statement | None = None


@dataclass(frozen=True, slots=True)
class AbortPreview:
    """What aborting a game would do.

    Attributes:
        game: The game; one that was never opened has the number 0.
        aborter: Who would abort it.
        results: The standing at that moment, empty without action.
        is_stated: Whether the aborter states it now.
        changes: What it would do to each participant, none without action.
        asked: Who would be asked to accept the standing, nobody where it is sealed at once.
        needs_referee: Whether a referee would have to confirm it.
        event_kind: What the room's system rates together.
        shown_quantum: The step of a rating shown.
        change_quantum: The step of a change shown.
    """

    game: GameRecord
    aborter: Player
    results: tuple[Participant, ...]
    is_stated: bool
    changes: tuple[RatingChange, ...]
    asked: tuple[Player, ...]
    needs_referee: bool
    event_kind: EventKind | None
    shown_quantum: Decimal
    change_quantum: Decimal


@dataclass(frozen=True, slots=True)
class _Plan:
    """How an abort goes: on which standing, and who must accept it first."""

    results: tuple[Participant, ...]
    is_stated: bool
    asked: tuple[Player, ...]
    needs_referee: bool

    @property
    def is_sealed_at_once(self) -> bool:
        return not self.asked and not self.needs_referee


async def preview_abort(
    ledger: Ledger, act: Act, game: GameId, statement: Statement | None
) -> AbortPreview:
    """Return what aborting an open game would do, and keep nothing.

    Raises:
        RequestRefused: There is no such game here, or the statement makes no sense.
        NotAllowed: The person does not take part.
        IllegalMove: The game is not open.
        UnratableGame: The room's system could not rate such a standing.
    """
    async with ledger.reading() as tx:
        record, room = await load_game(tx, game, act.guild)
        return await _preview(tx, room, record, own_part(record, act, Move.ABORT), statement)


async def seats(ledger: Ledger, act: Act, game: GameId) -> tuple[UserId, ...]:
    """Return the users who play a game, in the order of their seats.

    Raises:
        RequestRefused: There is no such game here.
    """
    async with ledger.reading() as tx:
        record, _ = await load_game(tx, game, act.guild)
    return tuple(player.user for player in record.players if player.user is not None)


async def preview_abort_unopened(ledger: Ledger, command: AbortUnopened) -> AbortPreview:
    """Return what opening and aborting a game in one step would do, and keep nothing.

    Raises:
        RequestRefused: With these people nobody can play, no room is meant, or the statement
            makes no sense.
        UnratableGame: The room's system does not rate such a game.
    """
    act = command.act
    check_people(act, command.others)
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        participants = tuple(
            [
                await players.of_user(tx, act.guild, person.user)
                # Nobody has a negative id, so nobody's standing is taken for a newcomer's.
                or Player(PlayerId(-seat), person.user, person.name)
                for seat, person in enumerate((act.person, *command.others), start=1)
            ]
        )
        check_playable(room, participants)
        game = _unopened(act, room, participants)
        return await _preview(tx, room, game, participants[0], command.statement)


async def abort_game(ledger: Ledger, command: AbortGame, *, now: datetime) -> GameView:
    """Abort an open game by the rule of no gain, no loss.

    Without action it ends at once and rates nobody. On a standing that enough of the others stand
    behind it is rated at once. Otherwise they are asked to accept the standing first.

    Raises:
        RequestRefused: The game changed since it was shown, or the statement makes no sense.
        NotAllowed: The person does not take part.
        IllegalMove: The game is not open.
        UnratableGame: The room's system could not rate such a standing.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        player = own_part(game, act, Move.ABORT)
        if game.version != command.version:
            raise RequestRefused(Refusal.GAME_CHANGED, game.number)
        await _abort(tx, room, game, player, command.statement, now=now)
        return await _done(tx, act, room, game.id, "abort", now)


async def abort_unopened(ledger: Ledger, command: AbortUnopened, *, now: datetime) -> GameView:
    """Open a game and abort it, in one step.

    Raises:
        RequestRefused: With these people nobody can play, no room is meant, or the statement
            makes no sense.
        UnratableGame: The room's system does not rate such a game.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, _ = await find_or_make_room(tx, act, now)
        participants = await remember_participants(tx, act, command.others)
        check_playable(room, participants)
        game = await add_open_game(tx, act, room, participants, now)
        await _abort(tx, room, game, participants[0], command.statement, now=now)
        return await _done(tx, act, room, game.id, "abort", now)


async def agree_uncounted(ledger: Ledger, command: TouchGame, *, now: datetime) -> GameView:
    """Say that a game should not count: when all who play say so, it ends unrated.

    Raises:
        RequestRefused: The game changed since it was shown, or the person has said so already.
        NotAllowed: The person does not take part.
        IllegalMove: The game is settled.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        player = game.player_of(act.person.user)
        if player is None:
            raise NotAllowed(game, game.players, referees=False)
        if game.status.is_settled:
            raise IllegalMove(game.status, Move.AGREE_UNRATED, game)
        if game.version != command.version:
            raise RequestRefused(Refusal.GAME_CHANGED, game.number)
        if not await claims.answer(tx, game.id, game.version, player.id, Answer.UNCOUNTED, now):
            raise RequestRefused(Refusal.ALREADY_ANSWERED)
        if all(each.id in {*game.uncounted_by, player.id} for each in game.players):
            move = Move.AGREE_UNRATED
            await games.move(tx, game, after(game.status, move), move=move, now=now)
            await timers.stop(tx, game.id)
        elif game.status is Status.OPEN:
            await wait_for_touch(tx, room, game, now)
        return await _done(tx, act, room, game.id, "uncounted", now)


async def _preview(
    tx: Transaction, room: Room, game: GameRecord, aborter: Player, statement: Statement | None
) -> AbortPreview:
    plan = _plan(room, game, aborter, statement)
    system = make_system(room.system, room.settings)
    changes: tuple[RatingChange, ...] = ()
    if plan.results:
        rated = await rate_now(tx, room, game, plan.results, aborted_by=aborter.id)
        changes = rated.step.changes[: len(game.players)]
    return AbortPreview(
        game=game,
        aborter=aborter,
        results=plan.results,
        is_stated=plan.is_stated,
        changes=changes,
        asked=plan.asked,
        needs_referee=plan.needs_referee,
        event_kind=system.event_kind,
        shown_quantum=system.shown_quantum,
        change_quantum=max(system.quantum, FINEST_CHANGE),
    )


def _plan(room: Room, game: GameRecord, aborter: Player, statement: Statement | None) -> _Plan:
    recorded = game.standing
    stated = None if statement is None else results_of(game.players, aborter, statement)
    if stated is not None and recorded is not None and stated == recorded.results:
        stated = None
    results = stated if stated is not None else recorded.results if recorded is not None else ()
    if not results:
        return _Plan((), is_stated=False, asked=(), needs_referee=False)
    check_ratable(room, results)
    needs_referee = room.confirmation is Confirmation.REFEREE
    behind: set[PlayerId] = set()
    if stated is None and recorded is not None:
        behind = {
            recorded.author,
            *(player for player, answer in recorded.answers.items() if answer is Answer.CONFIRM),
        } - {aborter.id}
    suffices = room.confirmation is Confirmation.NOBODY or is_confirmed(
        room.many_confirmation, len(game.players), behind
    )
    asked: tuple[Player, ...] = ()
    if not suffices:
        asked = tuple(player for player in game.players if player.id not in {aborter.id, *behind})
    return _Plan(results, stated is not None, asked, needs_referee)


async def _abort(
    tx: Transaction,
    room: Room,
    game: GameRecord,
    aborter: Player,
    statement: Statement | None,
    *,
    now: datetime,
) -> None:
    plan = _plan(room, game, aborter, statement)
    await rooms.used(tx, room.id, now)
    await timers.stop(tx, game.id)
    if not plan.results:
        await games.move(tx, game, after(game.status, Move.ABORT), move=Move.ABORT, now=now)
        await games.abort_without_action(tx, game.id, aborter.id)
        return
    version = await claims.add(tx, game.id, ClaimKind.ABORT, aborter.id, plan.results, now)
    claimed, _ = await load_game(tx, game.id)
    move = Move.PROPOSE_ABORT
    await games.move(tx, claimed, after(claimed.status, move), move=move, now=now)
    waiting, _ = await load_game(tx, game.id)
    if plan.is_sealed_at_once:
        await settle(tx, room, waiting, plan.results, aborted_by=aborter.id, now=now)
    else:
        await let_wait(tx, room, waiting, version, now)


def _unopened(act: Act, room: Room, participants: Sequence[Player]) -> GameRecord:
    """Return the record that a game would have if it were opened now."""
    return GameRecord(
        id=GameId(0),
        guild=act.guild,
        number=0,
        room=room.id,
        status=Status.OPEN,
        version=0,
        players=tuple(participants),
        results=(),
        aborted_by=None,
        counts=False,
        was_opened=True,
        created_at=datetime.fromtimestamp(0, UTC),
        final_at=None,
        channel=act.channel,
        message=None,
        claims=(),
        uncounted_by=frozenset(),
        asked_at=None,
    )


async def _done(
    tx: Transaction, act: Act, room: Room, game: GameId, what: str, now: datetime
) -> GameView:
    await outbox.add(tx, act.guild, game, now + SHOWN_BY_CALLER)
    await audit.note(tx, audit.Entry(act.guild, what, act.person.user, room.id, game), now)
    return await view_in(tx, game, now)
