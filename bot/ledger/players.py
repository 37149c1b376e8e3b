"""Players: members of a guild, and guests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.model import GuildId, Player, PlayerId, UserId

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bot.ledger.connection import Transaction

_AT_ONCE = 1000


async def remember(tx: Transaction, guild: GuildId, user: UserId, name: str) -> Player:
    """Return the player who is a Discord user, with the name seen now."""
    rows = await tx.fetch(
        """
        INSERT INTO players (guild_id, user_id, name) VALUES (?1, ?2, ?3)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET name = excluded.name, merged_into = NULL
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


async def named(tx: Transaction, guild: GuildId, name: str) -> tuple[Player, ...]:
    """Return a guild's players of a name, however it is capitalised: members and guests."""
    # SQLite folds the case of ASCII alone.
    rows = await tx.fetch(
        """
        SELECT id, user_id, name FROM players
        WHERE guild_id = ?1 AND merged_into IS NULL ORDER BY id
        """,
        guild,
    )
    key = _key(name)
    return tuple(player_of(row) for row in rows if _key(row[2]) == key)


async def guests(tx: Transaction, guild: GuildId) -> tuple[str, ...]:
    """Return the names of a guild's guests, in their order."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT name FROM players
        WHERE guild_id = ?1 AND user_id IS NULL AND merged_into IS NULL ORDER BY name
        """,
        guild,
    )
    return tuple(row[0] for row in rows)


async def add_guest(tx: Transaction, guild: GuildId, name: str) -> Player:
    """Add somebody who is not on Discord, as far as is known."""
    rows = await tx.fetch(
        """
        INSERT INTO players (guild_id, user_id, name) VALUES (?1, NULL, ?2)
        RETURNING id, user_id, name
        """,
        guild,
        name,
    )
    return player_of(rows[0])


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


async def of_ids(tx: Transaction, players: Collection[PlayerId]) -> dict[PlayerId, Player]:
    """Return players by their ids."""
    wanted = sorted(players)
    found: dict[PlayerId, Player] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        places = ", ".join(f"?{place + 1}" for place in range(len(some)))
        rows = await tx.fetch(
            f"SELECT id, user_id, name FROM players WHERE id IN ({places})", *some
        )
        found.update((PlayerId(row[0]), player_of(row)) for row in rows)
    return found


def player_of(row: Sequence[Any]) -> Player:
    """Return the player in a row of id, user and name."""
    return Player(PlayerId(row[0]), None if row[1] is None else UserId(row[1]), row[2])
