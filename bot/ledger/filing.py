"""Whole rooms at once: what an export needs and what an import brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bot.ledger.encoding import from_moment, to_millionths
from bot.model import GameId, PlayerId, Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import ChannelId, Game, GuildId, Room, RoomId

_AT_ONCE = 5_000


class ImportedGame(NamedTuple):
    """A game of a file, ready to be kept.

    Attributes:
        game: Its players and results; its id is its place in the file.
        moment: Its place among the room's facts, in microseconds since 1970.
        has_action: Whether it counts.
    """

    game: Game
    moment: int
    has_action: bool


async def ended_without_action(
    tx: Transaction, room: RoomId
) -> tuple[tuple[int, datetime, tuple[PlayerId, ...]], ...]:
    """Return the number, the time and the players of each game that was aborted without action."""
    rows = await tx.fetch(
        """
        SELECT games.number, games.touched_at, participants.player_id
        FROM games JOIN participants ON participants.game_id = games.id
        WHERE games.room_id = ?1 AND games.status = 'aborted' AND games.counts = 0
        ORDER BY games.number, participants.seat
        """,
        room,
    )
    players: dict[int, list[PlayerId]] = {}
    times: dict[int, datetime] = {}
    for number, moment, player in rows:
        players.setdefault(number, []).append(PlayerId(player))
        times[number] = from_moment(moment)
    return tuple((number, times[number], tuple(each)) for number, each in players.items())


async def numbers(tx: Transaction, room: RoomId) -> dict[GameId, int]:
    """Return the number that people see of each game of a room."""
    rows = await tx.fetch("SELECT id, number FROM games WHERE room_id = ?1", room)
    return {GameId(row[0]): row[1] for row in rows}


async def player_names(tx: Transaction, room: RoomId) -> dict[PlayerId, str]:
    """Return the name of everybody who takes part in a game of a room."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT players.id, players.name FROM players
        JOIN participants ON participants.player_id = players.id
        JOIN games ON games.id = participants.game_id
        WHERE games.room_id = ?1 ORDER BY players.id
        """,
        room,
    )
    return {PlayerId(row[0]): row[1] for row in rows}


async def players_by_name(tx: Transaction, guild: GuildId) -> dict[str, tuple[PlayerId, ...]]:
    """Return the players of a guild by their names, which several may share."""
    rows = await tx.fetch(
        "SELECT id, name FROM players WHERE guild_id = ?1 AND merged_into IS NULL ORDER BY id",
        guild,
    )
    found: dict[str, tuple[PlayerId, ...]] = {}
    for number, name in rows:
        found[name] = (*found.get(name, ()), PlayerId(number))
    return found


async def is_empty(tx: Transaction, room: RoomId) -> bool:
    """Tell whether a room has no game."""
    rows = await tx.fetch("SELECT 1 FROM games WHERE room_id = ?1 LIMIT 1", room)
    return not rows


async def add_games(
    tx: Transaction, room: Room, games: Sequence[ImportedGame], channel: ChannelId
) -> None:
    """Keep games that ended elsewhere, with the guild's next numbers.

    Args:
        tx: The transaction.
        room: Where they count.
        games: In the order in which they count, their players known in the guild.
        channel: Where their messages would be.
    """
    rows = await tx.fetch("SELECT coalesce(max(id), 0) FROM games")
    first_id = int(rows[0][0]) + 1
    rows = await tx.fetch(
        "UPDATE guilds SET next_game = next_game + ?2 WHERE id = ?1 RETURNING next_game - ?2",
        room.guild,
        len(games),
    )
    first_number = int(rows[0][0])
    for start in range(0, len(games), _AT_ONCE):
        some = list(enumerate(games[start : start + _AT_ONCE], start=start))
        await tx.execute_many(
            """
            INSERT INTO games (id, guild_id, number, room_id, status, created_at, touched_at,
                played_at, final_at, counts, aborted_by, channel_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?7, ?8, ?9, ?10)
            """,
            [
                (
                    first_id + place,
                    room.guild,
                    first_number + place,
                    room.id,
                    Status.RATED if _is_regular(each) else Status.ABORTED,
                    each.moment,
                    each.moment if each.has_action else None,
                    int(each.has_action),
                    each.game.aborted_by,
                    channel,
                )
                for place, each in some
            ],
        )
        await tx.execute_many(
            """
            INSERT INTO participants (game_id, player_id, seat, placing, score)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                (
                    first_id + place,
                    result.player,
                    seat,
                    result.placing if each.has_action else None,
                    to_millionths(result.score) if each.has_action else None,
                )
                for place, each in some
                for seat, result in enumerate(each.game.participants)
            ],
        )


async def set_last_fact(tx: Transaction, room: RoomId, moment: int) -> None:
    """Let the room's next fact come after a moment."""
    await tx.execute(
        "UPDATE rooms SET last_fact_at = CASE WHEN last_fact_at > ?2 THEN last_fact_at ELSE ?2 END "
        "WHERE id = ?1",
        room,
        moment,
    )


def _is_regular(each: ImportedGame) -> bool:
    return each.has_action and each.game.aborted_by is None
