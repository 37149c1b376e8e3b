"""`/disputes`: what waits for a referee, and the decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, Refusal, RequestRefused
from bot.ledger import audit, games, outbox, rooms
from bot.lifecycle import Move, after
from bot.model import ClaimKind, Status
from bot.services.acting import find_room, take_up
from bot.services.game_view import GameView, load_game, view_in
from bot.services.settling import settle

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import Claim, GameId, GameRecord, Room
    from bot.services.acting import Act

PAGE_SIZE = 5
"""How many disputes are shown at once: a message has five rows of buttons."""


@dataclass(frozen=True, slots=True)
class Disputes:
    """The open disputes of some rooms.

    Attributes:
        games: The oldest first, at most `PAGE_SIZE`.
        count: How many there are.
    """

    games: tuple[GameRecord, ...]
    count: int


@dataclass(frozen=True, slots=True)
class DecideDispute:
    """A referee's decision.

    Attributes:
        act: Who decides.
        game: Which game.
        version: The version of the claim that is right, None where the game shall not count.
        newest: The version of the game's newest claim when the person was shown it.
        reason: Why, in the person's words.
    """

    act: Act
    game: GameId
    version: int | None
    newest: int
    reason: str


async def list_disputes(ledger: Ledger, act: Act) -> Disputes:
    """Return the open disputes that wait for a referee, of the room that is named or of them all.

    Raises:
        RequestRefused: The person is referee in none of the rooms, or there is no such room.
    """
    async with ledger.reading() as tx:
        known = [await find_room(tx, act)] if act.room else await rooms.of_guild(tx, act.guild)
        judged = [room for room in known if act.is_referee(room)]
        if not judged:
            raise RequestRefused(Refusal.REFEREES_ONLY)
        found: list[GameRecord] = []
        for room in judged:
            found.extend(await games.unsettled(tx, room.id, (Status.DISPUTED,)))
        found.sort(key=lambda game: game.created_at)
        return Disputes(tuple(found[:PAGE_SIZE]), len(found))


def versions_of(game: GameRecord) -> tuple[Claim, ...]:
    """Return what each who claimed a result says last, the first who spoke first."""
    last = {claim.author: claim for claim in game.claims if claim.kind is not ClaimKind.STANDING}
    return tuple(last.values())


async def decide_dispute(ledger: Ledger, command: DecideDispute, *, now: datetime) -> GameView:
    """Settle a dispute by one of the claims, or let the game not count.

    Raises:
        RequestRefused: Not for this person, something was claimed since, or there is no reason.
        IllegalMove: The game is not disputed any more.
    """
    act = command.act
    reason = " ".join(command.reason.split())
    if not reason:
        raise RequestRefused(Refusal.REASON_EMPTY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        if not act.is_referee(room):
            raise RequestRefused(Refusal.REFEREES_ONLY)
        if game.player_of(act.person.user) is not None:
            raise RequestRefused(Refusal.OWN_GAME, game.number)
        if game.status is not Status.DISPUTED:
            raise IllegalMove(game.status, Move.ANNUL, game)
        if game.version != command.newest:
            raise RequestRefused(Refusal.GAME_CHANGED, game.number)
        what = await _decide(tx, room, game, command.version, now)
        entry = audit.Entry(act.guild, what, act.person.user, room.id, game.id, reason=reason)
        await audit.note(tx, entry, now)
        await outbox.add(tx, act.guild, game.id, now)
        return await view_in(tx, game.id, now)


async def _decide(
    tx: Transaction, room: Room, game: GameRecord, version: int | None, now: datetime
) -> str:
    if version is None:
        await games.move(tx, game, after(game.status, Move.ANNUL), move=Move.ANNUL, now=now)
        return "annul-game"
    claim = game.claim_of(version)
    aborter = claim.author if claim.kind is ClaimKind.ABORT else None
    await settle(tx, room, game, claim.results, aborted_by=aborter, now=now)
    return "settle-game"
