"""Rows that wait for something that can never come: what a check finds beside wrong standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ledger.connection import Transaction

_ORPHANS = (
    (
        "timers of games that are settled",
        "timers",
        """
        game_id IN (SELECT id FROM games WHERE
            (timers.kind = 'claim' AND status <> 'reported')
            OR (timers.kind = 'idle-game' AND status <> 'open'))
        """,
    ),
    (
        "messages for servers that the bot left",
        "outbox",
        "guild_id IN (SELECT id FROM guilds WHERE left_at IS NOT NULL)",
    ),
    (
        "messages of games that were never posted anywhere",
        "outbox",
        "game_id IN (SELECT id FROM games WHERE channel_id = 0)",
    ),
    (
        "channels of rooms that are no more",
        "room_channels",
        "room_id NOT IN (SELECT id FROM rooms)",
    ),
)


async def orphans(tx: Transaction) -> dict[str, int]:
    """Return how many there are of each kind that there is, in words."""
    found: dict[str, int] = {}
    for words, table, condition in _ORPHANS:
        rows = await tx.fetch(f"SELECT count(*) FROM {table} WHERE {condition}")
        if rows[0][0]:
            found[words] = int(rows[0][0])
    return found


async def drop_orphans(tx: Transaction) -> None:
    """Delete them all."""
    for _, table, condition in _ORPHANS:
        await tx.execute(f"DELETE FROM {table} WHERE {condition}")
