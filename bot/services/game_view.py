"""All that a game's message shows, read in one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import games, outbox, players, rooms, standings, timers
from bot.ledger.encoding import to_moment
from bot.ratings.registry import make_system

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.standings import Record
    from bot.model import EventKind, GameId, GameRecord, PlayerId, RatingChange, Room


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as its message shows it.

    Attributes:
        game: The game.
        room: Its room.
        shown_quantum: The step of a rating shown.
        event_kind: What the room's system rates together, None where each game stands alone.
        confirms_at: When the claim confirms itself, None for never.
        changes: What the game did to ratings, participants first.
        names: Of everybody whom it changed.
        ranks: The rank now of each participant who is ranked.
        ranked: How many players are ranked.
        state: Rises with every change of the game; 0 while the message is up to date.
        made_room: Whether this game made the guild's first room.
    """

    game: GameRecord
    room: Room
    shown_quantum: Decimal
    event_kind: EventKind | None
    confirms_at: datetime | None
    changes: tuple[RatingChange, ...]
    names: dict[PlayerId, str]
    ranks: dict[PlayerId, int]
    ranked: int
    state: int
    made_room: bool = False


async def load_game(tx: Transaction, game: GameId) -> tuple[GameRecord, Room]:
    """Return a game and its room.

    Raises:
        RequestRefused: There is no such game.
    """
    record = await games.get(tx, game)
    if record is None:
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    return record, await rooms.get(tx, record.room)


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
    changes = await standings.changes_of_game(tx, game, system.quantum) if record.counts else ()
    concerned = await players.of_ids(tx, {stored.change.player for stored in changes})
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
        event_kind=system.event_kind,
        confirms_at=await timers.of_game(tx, game, timers.TimerKind.CLAIM),
        changes=tuple(stored.change for stored in changes),
        names={player: each.name for player, each in concerned.items()},
        ranks=ranks,
        ranked=await standings.ranked_count(tx, where) if changes else 0,
        state=behind.state if behind else 0,
        made_room=made_room,
    )


async def view_game(ledger: Ledger, game: GameId, *, now: datetime) -> GameView:
    """Return what a game's message shows.

    Raises:
        RequestRefused: There is no such game.
    """
    async with ledger.reading() as tx:
        return await view_in(tx, game, now)
