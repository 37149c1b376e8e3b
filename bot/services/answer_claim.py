"""The buttons under a claim: confirming, disputing, withdrawing, giving in, settling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, NotAllowed, Refusal, RequestRefused
from bot.ledger import audit, claims, games, outbox, timers
from bot.lifecycle import Move, after, is_confirmed
from bot.model import Answer, ClaimKind, Confirmation, Status
from bot.services.acting import SHOWN_BY_CALLER, take_up
from bot.services.game_view import GameView, load_game, many_aborted, view_in
from bot.services.open_game import wait_for_touch
from bot.services.settling import settle

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import Claim, GameId, GameRecord, Player, Room
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A press on a button of a game's message.

    Attributes:
        act: Who presses.
        game: Which game.
        version: The version of the claim that the button belongs to.
    """

    act: Act
    game: GameId
    version: int


@dataclass(frozen=True, slots=True)
class _Case:
    """A press with all that decides it, read in the transaction that will write."""

    act: Act
    room: Room
    game: GameRecord
    claim: Claim
    player: Player | None
    now: datetime

    @property
    def is_referee(self) -> bool:
        """Whether a referee presses, in a game of others."""
        return self.player is None and self.act.is_referee(self.room)


async def confirm_claim(ledger: Ledger, command: AnswerClaim, *, now: datetime) -> GameView:
    """Say that a claim is right: the game is rated once enough have said so.

    In a dispute it settles the game: the other side gives in, or a referee decides.

    Raises:
        RequestRefused: The claim was replaced, or answered before by the same person.
        IllegalMove: The game is settled.
        NotAllowed: It is for somebody else to say.
    """
    async with ledger.transaction(command.act.guild) as tx:
        case = await _case(tx, command, now)
        game, room, claim = case.game, case.room, case.claim
        if game.status not in {Status.REPORTED, Status.DISPUTED}:
            raise IllegalMove(game.status, Move.CONFIRM_RESULT, game)
        if not case.is_referee:
            player = _other_than_author(case)
            if not await claims.answer(tx, game.id, claim.version, player.id, Answer.CONFIRM, now):
                raise RequestRefused(Refusal.ALREADY_ANSWERED)
            if not _suffices(case, player):
                return await _done(tx, case, "confirm")
        aborter = claim.author if claim.kind is ClaimKind.ABORT else None
        await settle(tx, room, game, claim.results, aborted_by=aborter, now=now)
        settled, _ = await load_game(tx, game.id)
        is_news = await many_aborted(tx, room, settled) is not None
        return await _done(tx, case, "confirm", anew=is_news)


async def dispute_claim(
    ledger: Ledger, command: AnswerClaim, answer: Answer, *, now: datetime
) -> GameView:
    """Say that a claim is wrong, or that there was no such game: nothing is rated.

    Raises:
        RequestRefused: The claim was replaced.
        IllegalMove: The game is settled or disputed already.
        NotAllowed: It is for somebody else to say.
    """
    async with ledger.transaction(command.act.guild) as tx:
        case = await _case(tx, command, now)
        game = case.game
        status = _after(game, Move.DISPUTE)
        player = _other_than_author(case)
        if not await claims.answer(tx, game.id, case.claim.version, player.id, answer, now):
            raise RequestRefused(Refusal.ALREADY_ANSWERED)
        await games.move(tx, game, status, move=Move.DISPUTE, now=now)
        await timers.stop(tx, game.id)
        return await _done(tx, case, "dispute")


async def withdraw_claim(ledger: Ledger, command: AnswerClaim, *, now: datetime) -> GameView:
    """Take one's own claim back.

    Raises:
        RequestRefused: The claim was replaced.
        IllegalMove: The game is settled.
        NotAllowed: It is somebody else's claim.
    """
    async with ledger.transaction(command.act.guild) as tx:
        case = await _case(tx, command, now)
        game = case.game
        is_open_again = game.was_opened and game.status is Status.REPORTED
        move = Move.RETRACT if is_open_again else Move.WITHDRAW
        status = _after(game, move)
        author = game.player(case.claim.author)
        if case.player is None or case.player.id != author.id:
            raise NotAllowed(game, (author,), referees=False)
        await games.move(tx, game, status, move=move, now=now)
        await timers.stop(tx, game.id)
        if status is Status.OPEN:
            await wait_for_touch(tx, case.room, game, now)
        return await _done(tx, case, "withdraw")


async def annul_game(ledger: Ledger, command: AnswerClaim, *, now: datetime) -> GameView:
    """Decide as a referee that a disputed game does not count.

    Raises:
        IllegalMove: The game is not disputed.
        NotAllowed: The person is no referee, or took part.
    """
    async with ledger.transaction(command.act.guild) as tx:
        case = await _case(tx, command, now)
        status = _after(case.game, Move.ANNUL)
        if not case.is_referee:
            raise NotAllowed(case.game, (), referees=True)
        await games.move(tx, case.game, status, move=Move.ANNUL, now=now)
        return await _done(tx, case, "annul")


async def _case(tx: Transaction, command: AnswerClaim, now: datetime) -> _Case:
    await take_up(tx, command.act, now)
    game, room = await load_game(tx, command.game, command.act.guild)
    if game.status is Status.REPORTED and command.version != game.version:
        raise RequestRefused(Refusal.CLAIM_REPLACED, game.number)
    if not any(claim.version == command.version for claim in game.claims):
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    return _Case(
        command.act,
        room,
        game,
        game.claim_of(command.version),
        game.player_of(command.act.person.user),
        now,
    )


def _after(game: GameRecord, move: Move) -> Status:
    try:
        return after(game.status, move)
    except IllegalMove as error:
        raise IllegalMove(game.status, move, game) from error


def _other_than_author(case: _Case) -> Player:
    """Return the participant who answers.

    Raises:
        NotAllowed: It is the claim's author, or no participant.
    """
    if case.player is None or case.player.id == case.claim.author:
        awaited = tuple(
            player
            for player in case.game.players
            if player.id != case.claim.author and player.id not in case.claim.answers
        )
        raise NotAllowed(
            case.game, awaited, referees=case.room.confirmation is Confirmation.REFEREE
        )
    return case.player


def _suffices(case: _Case, player: Player) -> bool:
    """Tell whether a claim is confirmed, and nobody says otherwise, with the answer just given."""
    if case.room.confirmation is Confirmation.REFEREE and case.game.status is Status.REPORTED:
        return False
    answers = {**case.claim.answers, player.id: Answer.CONFIRM}
    if {Answer.WRONG, Answer.NOT_PLAYED} & set(answers.values()):
        return False
    confirmed_by = {each for each, answer in answers.items() if answer is Answer.CONFIRM}
    return is_confirmed(case.room.many_confirmation, len(case.game.players), confirmed_by)


async def _done(tx: Transaction, case: _Case, act: str, *, anew: bool = False) -> GameView:
    game, guild = case.game, case.act.guild
    # An edited message notifies nobody.
    await outbox.add(tx, guild, game.id, case.now + SHOWN_BY_CALLER, anew=anew)
    details = {"version": case.claim.version}
    entry = audit.Entry(guild, act, case.act.person.user, case.room.id, game.id, details=details)
    await audit.note(tx, entry, case.now)
    return await view_in(tx, game.id, case.now)
