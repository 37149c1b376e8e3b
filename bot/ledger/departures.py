"""Servers that the bot left: kept for a while, then deleted; and what is held for whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ledger.encoding import from_moment, to_moment
from bot.model import GuildId

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from bot.ledger.connection import Transaction

KEPT_FOR = timedelta(days=30)
"""How long the data of a server stays after the bot was removed from it."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is held for a server.

    Attributes:
        guild: Which server.
        rooms: How many rooms, the archived too.
        games: How many games.
        members: How many players who are on Discord.
        guests: How many who are not, or were forgotten.
        until: When it is deleted; None while the bot is there.
    """

    guild: GuildId
    rooms: int
    games: int
    members: int
    guests: int
    until: datetime | None


async def left(tx: Transaction, guild: GuildId, now: datetime) -> bool:
    """Note that the bot is no more in a guild; False where that is known or nothing is held."""
    changed = await tx.execute(
        "UPDATE guilds SET left_at = ?2 WHERE id = ?1 AND left_at IS NULL", guild, to_moment(now)
    )
    return changed == 1


async def returned(tx: Transaction, guild: GuildId) -> bool:
    """Note that the bot is in a guild again; False where it was never away."""
    changed = await tx.execute(
        "UPDATE guilds SET left_at = NULL WHERE id = ?1 AND left_at IS NOT NULL", guild
    )
    return changed == 1


async def missed(tx: Transaction, present: Collection[GuildId]) -> tuple[GuildId, ...]:
    """Return the guilds that are held as if the bot were there, and are not among those present."""
    rows = await tx.fetch("SELECT id FROM guilds WHERE left_at IS NULL")
    return tuple(GuildId(row[0]) for row in rows if row[0] not in present)


async def over(tx: Transaction, now: datetime) -> tuple[GuildId, ...]:
    """Return the guilds whose time is over."""
    rows = await tx.fetch("SELECT id FROM guilds WHERE left_at <= ?1", to_moment(now - KEPT_FOR))
    return tuple(GuildId(row[0]) for row in rows)


async def next_over(tx: Transaction) -> datetime | None:
    """Return when the next guild's time is over, None for none."""
    rows = await tx.fetch("SELECT min(left_at) FROM guilds")
    return None if rows[0][0] is None else from_moment(rows[0][0]) + KEPT_FOR


async def delete_guild(tx: Transaction, guild: GuildId) -> None:
    """Delete all that is held for a guild."""
    rooms = "(SELECT id FROM rooms WHERE guild_id = ?1)"
    games = "(SELECT id FROM games WHERE guild_id = ?1)"
    for table, condition in (
        ("outbox", "guild_id = ?1"),
        ("timers", "guild_id = ?1"),
        ("proposals", "guild_id = ?1"),
        ("audit", "guild_id = ?1"),
        ("answers", f"game_id IN {games}"),
        ("claimed_results", f"game_id IN {games}"),
        ("claims", f"game_id IN {games}"),
        ("rating_changes", f"room_id IN {rooms}"),
        ("standings", f"room_id IN {rooms}"),
        ("participants", f"game_id IN {games}"),
        ("games", "guild_id = ?1"),
        ("events", f"room_id IN {rooms}"),
        ("room_channels", f"room_id IN {rooms}"),
        ("rooms", "guild_id = ?1"),
    ):
        await tx.execute(f"DELETE FROM {table} WHERE {condition}", guild)
    await tx.execute("UPDATE players SET merged_into = NULL WHERE guild_id = ?1", guild)
    await tx.execute("DELETE FROM players WHERE guild_id = ?1", guild)
    await tx.execute("DELETE FROM guilds WHERE id = ?1", guild)


async def held(tx: Transaction) -> tuple[Held, ...]:
    """Return what is held for each guild."""
    rows = await tx.fetch(
        """
        SELECT id, left_at,
            (SELECT count(*) FROM rooms WHERE guild_id = guilds.id),
            (SELECT count(*) FROM games WHERE guild_id = guilds.id),
            (SELECT count(*) FROM players
                WHERE guild_id = guilds.id AND user_id IS NOT NULL),
            (SELECT count(*) FROM players WHERE guild_id = guilds.id AND user_id IS NULL)
        FROM guilds ORDER BY id
        """
    )
    return tuple(
        Held(
            guild=GuildId(row[0]),
            rooms=row[2],
            games=row[3],
            members=row[4],
            guests=row[5],
            until=None if row[1] is None else from_moment(row[1]) + KEPT_FOR,
        )
        for row in rows
    )
