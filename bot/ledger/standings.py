"""Standings and the changes that made them: what follows from the facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from bot.ledger.encoding import (
    from_millionths,
    from_moment,
    reasons_from_json,
    to_memory,
    to_millionths,
)
from bot.ledger.players import player_of
from bot.model import (
    Cause,
    EventId,
    GameId,
    PlayerId,
    RatingChange,
    RoomId,
    Standing,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import Player


@dataclass(frozen=True, slots=True)
class Record:
    """What a room's table knows of a player.

    Attributes:
        player: Who.
        rating: In the system's quantum, None without one.
        games: How many games that count.
        wins: How many of them were won: alone in first place, and not aborted.
        draws: How many were drawn: first together with others.
        losses: How many were lost.
        peak: The highest rating after any change.
        peak_at: When it was reached first.
        last_game_at: When the last game that counts became final.
    """

    player: Player
    rating: Decimal | None
    games: int
    wins: int
    draws: int
    losses: int
    peak: Decimal | None
    peak_at: datetime | None
    last_game_at: datetime


@dataclass(frozen=True, slots=True)
class StoredChange:
    """A change as it was kept: which, of which game or event, and when.

    Only the closing of an event keeps its reasons. The id rises in the order of the facts, and is
    another after a replay.
    """

    id: int = field(compare=False)
    game: GameId | None
    event: EventId | None
    made_at: datetime
    change: RatingChange


async def of_players(
    tx: Transaction, room: RoomId, players: Collection[PlayerId], quantum: Decimal
) -> dict[PlayerId, Standing]:
    """Return the standings of those of the players who have one."""
    found: dict[PlayerId, Standing] = {}
    for player in sorted(players):
        rows = await tx.fetch(
            "SELECT rating, games, memory FROM standings WHERE room_id = ?1 AND player_id = ?2",
            room,
            player,
        )
        for row in rows:
            found[player] = Standing(from_millionths(row[0], quantum), row[1], to_memory(row[2]))
    return found


async def of_room(tx: Transaction, room: RoomId, quantum: Decimal) -> dict[PlayerId, Standing]:
    """Return every standing of a room."""
    rows = await tx.fetch(
        "SELECT player_id, rating, games, memory FROM standings WHERE room_id = ?1", room
    )
    return {
        PlayerId(row[0]): Standing(from_millionths(row[1], quantum), row[2], to_memory(row[3]))
        for row in rows
    }


async def before_change(
    tx: Transaction,
    room: RoomId,
    players: Collection[PlayerId],
    change: int,
    quantum: Decimal,
) -> dict[PlayerId, Standing]:
    """Return the standings, before one of the room's changes, of those who had one then."""
    found: dict[PlayerId, Standing] = {}
    for player in sorted(players):
        rows = await tx.fetch(
            """
            SELECT after, games, memory FROM rating_changes
            WHERE room_id = ?1 AND player_id = ?2 AND id < ?3 ORDER BY id DESC LIMIT 1
            """,
            room,
            player,
            change,
        )
        for row in rows:
            found[player] = Standing(from_millionths(row[0], quantum), row[1], to_memory(row[2]))
    return found


_CHANGE_COLUMNS = """game_id, event_id, made_at, player_id, cause, before, after, contribution,
    reasons, id"""


async def changes_of_game(
    tx: Transaction, game: GameId, quantum: Decimal
) -> tuple[StoredChange, ...]:
    """Return what a game did to ratings, in the order in which it was worked out."""
    rows = await tx.fetch(
        f"SELECT {_CHANGE_COLUMNS} FROM rating_changes WHERE game_id = ?1 ORDER BY id", game
    )
    return tuple(_stored_change(row, quantum) for row in rows)


async def changes_of_event(
    tx: Transaction, event: EventId, quantum: Decimal
) -> tuple[StoredChange, ...]:
    """Return what the closing of an event did to ratings."""
    rows = await tx.fetch(
        f"SELECT {_CHANGE_COLUMNS} FROM rating_changes WHERE event_id = ?1 ORDER BY id", event
    )
    return tuple(_stored_change(row, quantum) for row in rows)


async def changes_of_room(
    tx: Transaction, room: RoomId, quantum: Decimal
) -> tuple[StoredChange, ...]:
    """Return every change of a room in its order."""
    rows = await tx.fetch(
        f"SELECT {_CHANGE_COLUMNS} FROM rating_changes WHERE room_id = ?1 ORDER BY id", room
    )
    return tuple(_stored_change(row, quantum) for row in rows)


async def change_count(tx: Transaction, room: RoomId, player: PlayerId) -> int:
    """Return how many changes a player has in a room."""
    rows = await tx.fetch(
        "SELECT count(*) FROM rating_changes WHERE room_id = ?1 AND player_id = ?2", room, player
    )
    return int(rows[0][0])


async def last_changes(
    tx: Transaction,
    room: RoomId,
    player: PlayerId,
    quantum: Decimal,
    count: int,
    *,
    offset: int = 0,
) -> tuple[StoredChange, ...]:
    """Return a player's last changes, the newest first, after leaving some out."""
    rows = await tx.fetch(
        f"""
        SELECT {_CHANGE_COLUMNS} FROM rating_changes
        WHERE room_id = ?1 AND player_id = ?2 ORDER BY id DESC LIMIT ?3 OFFSET ?4
        """,
        room,
        player,
        count,
        offset,
    )
    return tuple(_stored_change(row, quantum) for row in rows)


@dataclass(frozen=True, slots=True)
class SeasonSoFar:
    """What a player's games of a season come to before its closing.

    Attributes:
        average: Of the performances known, to one decimal; None without any.
        games: How many games count.
        unknown: How many of them have no performance yet, somebody having no grade.
    """

    average: Decimal | None
    games: int
    unknown: int


async def season_so_far(
    tx: Transaction, room: RoomId, player: PlayerId, *, since: int
) -> SeasonSoFar:
    """Return what a player's games after a moment come to."""
    rows = await tx.fetch(
        """
        SELECT sum(contribution), count(contribution), count(*) FROM rating_changes
        WHERE room_id = ?1 AND player_id = ?2 AND cause = 'game' AND made_at > ?3
        """,
        room,
        player,
        since,
    )
    total, known, games = rows[0]
    average = None
    if known:
        millionths = from_millionths(int(total), Decimal("0.000001"))
        assert millionths is not None
        average = (millionths / known).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return SeasonSoFar(average, games, games - known)


def _stored_change(row: Sequence[Any], quantum: Decimal) -> StoredChange:
    return StoredChange(
        id=row[9],
        game=None if row[0] is None else GameId(row[0]),
        event=None if row[1] is None else EventId(row[1]),
        made_at=from_moment(row[2]),
        change=RatingChange(
            player=PlayerId(row[3]),
            cause=Cause(row[4]),
            before=from_millionths(row[5], quantum),
            after=from_millionths(row[6], quantum),
            contribution=from_millionths(row[7], quantum),
            reasons=reasons_from_json(row[8]),
        ),
    )


_RECORD_COLUMNS = """players.id, players.user_id, players.name, standings.rating, standings.games,
    standings.wins, standings.draws, standings.losses, standings.peak, standings.peak_at,
    standings.last_game_at"""


async def record(
    tx: Transaction, room: RoomId, player: PlayerId, quantum: Decimal
) -> Record | None:
    """Return what a room knows of a player, None where nothing."""
    rows = await tx.fetch(
        f"""
        SELECT {_RECORD_COLUMNS} FROM standings JOIN players ON players.id = standings.player_id
        WHERE standings.room_id = ?1 AND standings.player_id = ?2
        """,
        room,
        player,
    )
    return _record(rows[0], quantum) if rows else None


_IS_RANKED = "room_id = ?1 AND shown IS NOT NULL AND games >= ?2 AND last_game_at >= ?3"


@dataclass(frozen=True, slots=True)
class RankedWhere:
    """Who is ranked in a room: those with enough games, and not idle too long.

    Attributes:
        room: Which room.
        minimum_games: How many games it takes.
        since: The moment since when somebody must have played, 0 for ever.
    """

    room: RoomId
    minimum_games: int
    since: int


async def ranked_count(tx: Transaction, where: RankedWhere) -> int:
    """Return how many players are ranked."""
    rows = await tx.fetch(
        f"SELECT count(*) FROM standings WHERE {_IS_RANKED}",
        where.room,
        where.minimum_games,
        where.since,
    )
    return int(rows[0][0])


async def rank_of(tx: Transaction, where: RankedWhere, shown: Decimal) -> int:
    """Return the rank of a rating as shown: one more than how many are ranked above it."""
    rows = await tx.fetch(
        f"SELECT count(*) FROM standings WHERE {_IS_RANKED} AND shown > ?4",
        where.room,
        where.minimum_games,
        where.since,
        to_millionths(shown),
    )
    return int(rows[0][0]) + 1


async def ranked_page(
    tx: Transaction, where: RankedWhere, quantum: Decimal, *, offset: int, limit: int
) -> tuple[Record, ...]:
    """Return a stretch of the ranked players, the best first; of a tie, the first to play."""
    rows = await tx.fetch(
        f"""
        SELECT {_RECORD_COLUMNS}
        FROM (
            SELECT player_id AS ranked_id FROM standings WHERE {_IS_RANKED}
            ORDER BY shown DESC, player_id LIMIT ?4 OFFSET ?5
        ) AS page
        JOIN standings ON standings.room_id = ?1 AND standings.player_id = page.ranked_id
        JOIN players ON players.id = standings.player_id
        ORDER BY standings.shown DESC, standings.player_id
        """,
        where.room,
        where.minimum_games,
        where.since,
        limit,
        offset,
    )
    return tuple(_record(row, quantum) for row in rows)


@dataclass(frozen=True, slots=True)
class HiddenCounts:
    """How many players of a room are not ranked, by the first reason that applies."""

    unrated: int
    too_few_games: int
    idle: int


async def hidden_counts(tx: Transaction, where: RankedWhere, ranked: int) -> HiddenCounts:
    """Return how many players are not ranked, and why.

    Args:
        tx: The transaction.
        where: Who is ranked.
        ranked: How many are. Three counts that an index answers take a third of the time of one
            look at every player.
    """
    rows = await tx.fetch(
        """
        SELECT
            (SELECT count(*) FROM standings WHERE room_id = ?1),
            (SELECT count(*) FROM standings WHERE room_id = ?1 AND shown IS NULL)
        """,
        where.room,
    )
    everybody, unrated = (int(count) for count in rows[0])
    too_few_games = 0
    if where.minimum_games:
        rows = await tx.fetch(
            """
            SELECT count(*) FROM standings
            WHERE room_id = ?1 AND shown IS NOT NULL AND games < ?2
            """,
            where.room,
            where.minimum_games,
        )
        too_few_games = int(rows[0][0])
    return HiddenCounts(unrated, too_few_games, everybody - ranked - unrated - too_few_games)


def _record(row: Sequence[Any], quantum: Decimal) -> Record:
    return Record(
        player=player_of(row),
        rating=from_millionths(row[3], quantum),
        games=row[4],
        wins=row[5],
        draws=row[6],
        losses=row[7],
        peak=from_millionths(row[8], quantum),
        peak_at=None if row[9] is None else from_moment(row[9]),
        last_game_at=from_moment(row[10]),
    )
