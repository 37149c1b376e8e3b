"""Players: members of a guild, and guests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.model import GuildId, Player, PlayerId, UserId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.ledger.connection import Transaction


async def remember(tx: Transaction, guild: GuildId, user: UserId, name: str) -> Player:
    """Return the player who is a Discord user, with the name seen now."""
    rows = await tx.fetch(
        """
        INSERT INTO players (guild_id, user_id, name) VALUES (?1, ?2, ?3)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET name = excluded.name
        RETURNING id, user_id, name
        """,
        guild,
        user,
        name,
    )
    return player_of(rows[0])


async def of_user(tx: Transaction, guild: GuildId, user: UserId) -> Player | None:
    """Return the player who is a Discord user, None where that user never played."""
    rows = await tx.fetch(
        "SELECT id, user_id, name FROM players WHERE guild_id = ?1 AND user_id = ?2", guild, user
    )
    return player_of(rows[0]) if rows else None


def player_of(row: Sequence[Any]) -> Player:
    """Return the player in a row of id, user and name."""
    return Player(PlayerId(row[0]), None if row[1] is None else UserId(row[1]), row[2])
