"""All that a game's message shows, read in one moment."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, games, outbox, players, rooms, standings, timers
from bot.ledger.encoding import to_moment
from bot.model import ClaimKind, Game, Status
from bot.ratings.registry import make_system
from bot.ratings.replay import is_ratable
from bot.services.explain_game import explained_changes
from bot.services.settling import rate_now

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.standings import Record
    from bot.model import (
        EventKind,
        GameId,
        GameRecord,
        GuildId,
        MessageId,
        PlayerId,
        RatingChange,
        Room,
    )


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as its message shows it.

    Attributes:
        game: The game.
        room: Its room.
        shown_quantum: The step of a rating shown.
        change_quantum: The step of a change shown, finer where ratings are kept finer.
        event_kind: What the room's system rates together, None where each game stands alone.
        confirms_at: When the claim confirms itself, None for never.
        idle_until: When an open game that nobody touches is closed, None for never.
        expected: What an abort that waits for an answer would do, one change a participant.
        changes: What the game did to ratings, participants first.
        names: Of everybody whom it changed.
        ranks: The rank now of each participant who is ranked.
        ranked: How many players are ranked.
        aborted_of_last: How many of the aborter's last 30 games were aborted by it, where that is
            more than a third and the room's referees want to know.
        state: Rises with every change of the game; 0 while the message is up to date.
        anew: Whether the newest state needs a new message, so that people are notified.
        made_room: Whether this game made the guild's first room.
        correction: The last time that a referee corrected it.
        is_unratable: Whether it counts, but the room's system cannot rate it: the rules changed.
    """

    game: GameRecord
    room: Room
    shown_quantum: Decimal
    change_quantum: Decimal
    event_kind: EventKind | None
    confirms_at: datetime | None
    idle_until: datetime | None
    expected: tuple[RatingChange, ...]
    changes: tuple[RatingChange, ...]
    names: dict[PlayerId, str]
    ranks: dict[PlayerId, int]
    ranked: int
    aborted_of_last: int | None
    state: int
    anew: bool
    made_room: bool = False
    correction: audit.Noted | None = None
    is_unratable: bool = False


LAST_GAMES = 30
"""Of how many games a player may abort a third without notice."""

CORRECTIONS = (
    "void-game",
    "restore-game",
    "edit-game",
    "settle-game",
    "annul-game",
    "add-game",
    "paste-game",
)
"""The acts by which referees correct games, as they are noted."""

FINEST_CHANGE = Decimal("0.01")
"""Finer changes are kept and counted, and nobody wants to read them."""


async def load_game(
    tx: Transaction, game: GameId, guild: GuildId | None = None
) -> tuple[GameRecord, Room]:
    """Return a game and its room.

    Args:
        tx: The transaction.
        game: Which game.
        guild: Where it must have been played, where that is not known.

    Raises:
        RequestRefused: There is no such game, or its room is archived.
    """
    record = await games.get(tx, game)
    if record is None or guild not in {None, record.guild}:
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    room = await rooms.get(tx, record.room)
    if room.is_archived and guild is not None:
        raise RequestRefused(Refusal.ROOM_ARCHIVED, room.name)
    return record, room


def ranked_where(room: Room, now: datetime) -> standings.RankedWhere:
    """Return who is ranked in a room now."""
    since = to_moment(now - room.hide_idle_after) if room.hide_idle_after else 0
    return standings.RankedWhere(room.id, room.minimum_games, since)


async def rank(
    tx: Transaction, where: standings.RankedWhere, record: Record, shown_quantum: Decimal
) -> int | None:
    """Return a player's rank, None for somebody who is not ranked."""
    is_idle = to_moment(record.last_game_at) < where.since
    if record.rating is None or record.games < where.minimum_games or is_idle:
        return None
    return await standings.rank_of(tx, where, shown_rating(record.rating, shown_quantum))


def shown_rating(rating: Decimal, shown_quantum: Decimal) -> Decimal:
    """Return a rating as people see it."""
    return rating.quantize(shown_quantum)


async def view_in(
    tx: Transaction, game: GameId, now: datetime, *, made_room: bool = False
) -> GameView:
    """Return what a game's message shows, inside a transaction."""
    record, room = await load_game(tx, game)
    system = make_system(room.system, room.settings)
    behind = await outbox.of_game(tx, game)
    played = Game(game, record.results, record.aborted_by)
    changes = await explained_changes(tx, system, record) if record.counts else ()
    expected = await _expected(tx, room, record)
    concerned = await players.of_ids(
        tx,
        {change.player for change in (*changes, *expected)},
    )
    where = ranked_where(room, now)
    ranks: dict[PlayerId, int] = {}
    if changes:
        for player in record.players:
            known = await standings.record(tx, room.id, player.id, system.quantum)
            place = await rank(tx, where, known, system.shown_quantum) if known else None
            if place is not None:
                ranks[player.id] = place
    return GameView(
        game=record,
        room=room,
        shown_quantum=system.shown_quantum,
        change_quantum=max(system.quantum, FINEST_CHANGE),
        event_kind=system.event_kind,
        confirms_at=await timers.of_game(tx, game, timers.TimerKind.CLAIM),
        idle_until=await timers.of_game(tx, game, timers.TimerKind.IDLE_GAME),
        expected=expected,
        changes=changes,
        names={player: each.name for player, each in concerned.items()},
        ranks=ranks,
        ranked=await standings.ranked_count(tx, where) if changes else 0,
        aborted_of_last=await many_aborted(tx, room, record),
        state=behind.state if behind else 0,
        anew=behind is not None and behind.anew,
        made_room=made_room,
        correction=await _correction(tx, record),
        is_unratable=record.counts and bool(record.results) and not is_ratable(system, played),
    )


async def _correction(tx: Transaction, game: GameRecord) -> audit.Noted | None:
    """Return who corrected a game last, None where nobody did."""
    if not game.status.is_settled:
        return None
    noted = await audit.of_game(tx, game.id)
    return next((each for each in reversed(noted) if each.act in CORRECTIONS), None)


async def _expected(tx: Transaction, room: Room, game: GameRecord) -> tuple[RatingChange, ...]:
    claim = game.claim
    if game.status is not Status.REPORTED or claim is None or claim.kind is not ClaimKind.ABORT:
        return ()
    rated = await rate_now(tx, room, game, claim.results, aborted_by=claim.author)
    return rated.step.changes[: len(game.players)]


async def many_aborted(tx: Transaction, room: Room, game: GameRecord) -> int | None:
    """Return how many of its last games the aborter of a game aborted, where it is news.

    That is more than a third of the last 30, in a room whose referees want to know; else None.
    """
    aborter = game.aborted_by
    if not room.abort_notice or game.status is not Status.ABORTED or aborter is None:
        return None
    aborted = await games.abort_share(tx, room.id, aborter, until=game.id, last=LAST_GAMES)
    return aborted if aborted > LAST_GAMES / 3 else None


async def view_numbered_game(
    ledger: Ledger, guild: GuildId, number: int, *, now: datetime
) -> GameView:
    """Return what the message of a guild's game shows.

    Raises:
        RequestRefused: There is no such game.
    """
    async with ledger.reading() as tx:
        return await _view_of(tx, await games.numbered(tx, guild, number), now)


async def view_game_of_message(
    ledger: Ledger, guild: GuildId, message: MessageId, *, now: datetime
) -> GameView:
    """Return what shows of the game that a message is about.

    Raises:
        RequestRefused: It is about none.
    """
    async with ledger.reading() as tx:
        return await _view_of(tx, await games.of_message(tx, guild, message), now)


async def _view_of(tx: Transaction, game: GameRecord | None, now: datetime) -> GameView:
    if game is None:
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    return await view_in(tx, game.id, now)


async def view_game(ledger: Ledger, game: GameId, *, now: datetime) -> GameView:
    """Return what a game's message shows.

    Raises:
        RequestRefused: There is no such game.
    """
    async with ledger.reading() as tx:
        return await view_in(tx, game, now)
