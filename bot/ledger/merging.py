"""Handing the games of one player over to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.model import PlayerId, RoomId

if TYPE_CHECKING:
    from bot.ledger.connection import Transaction


async def common_games(tx: Transaction, first: PlayerId, second: PlayerId) -> tuple[int, ...]:
    """Return the numbers of the games in which both take part."""
    rows = await tx.fetch(
        """
        SELECT games.number FROM games
        JOIN participants AS one ON one.game_id = games.id AND one.player_id = ?1
        JOIN participants AS other ON other.game_id = games.id AND other.player_id = ?2
        ORDER BY games.id
        """,
        first,
        second,
    )
    return tuple(int(row[0]) for row in rows)


async def played_in(tx: Transaction, player: PlayerId) -> dict[RoomId, int | None]:
    """Return each room where a player has games, with the moment of the first that counts."""
    rows = await tx.fetch(
        """
        SELECT games.room_id, min(CASE WHEN games.counts = 1 THEN games.final_at END)
        FROM participants JOIN games ON games.id = participants.game_id
        WHERE participants.player_id = ?1 GROUP BY games.room_id ORDER BY games.room_id
        """,
        player,
    )
    return {RoomId(row[0]): row[1] for row in rows}


async def game_count(tx: Transaction, player: PlayerId) -> int:
    """Return in how many games a player takes part."""
    rows = await tx.fetch("SELECT count(*) FROM participants WHERE player_id = ?1", player)
    return int(rows[0][0])


async def hand_over(tx: Transaction, room: RoomId, source: PlayerId, target: PlayerId) -> None:
    """Make a player's games in a room another's, with all that was said in them."""
    of_room = "(SELECT id FROM games WHERE room_id = ?3)"
    for table, column in (
        ("participants", "player_id"),
        ("claims", "author_id"),
        ("claimed_results", "player_id"),
        ("answers", "player_id"),
    ):
        await tx.execute(
            f"UPDATE {table} SET {column} = ?2 WHERE {column} = ?1 AND game_id IN {of_room}",
            source,
            target,
            room,
        )
    await tx.execute(
        "UPDATE games SET aborted_by = ?2 WHERE aborted_by = ?1 AND room_id = ?3",
        source,
        target,
        room,
    )


async def mark_merged(tx: Transaction, source: PlayerId, target: PlayerId) -> None:
    """Note that a player is another; it is found by its name no more."""
    await tx.execute("UPDATE players SET merged_into = ?2 WHERE id = ?1", source, target)
