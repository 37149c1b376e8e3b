"""When certain things were done last, such as a backup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ledger.encoding import from_moment, to_moment

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Transaction

BACKUP = "backup"


async def mark(tx: Transaction, name: str, now: datetime) -> None:
    """Note that something was done now."""
    await tx.execute(
        """
        INSERT INTO marks (name, made_at) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET made_at = excluded.made_at
        """,
        name,
        to_moment(now),
    )


async def marked_at(tx: Transaction, name: str) -> datetime | None:
    """Return when something was done last, None for never."""
    rows = await tx.fetch("SELECT made_at FROM marks WHERE name = ?1", name)
    return from_moment(rows[0][0]) if rows else None
