"""Timers: what must happen to a game at a time, whether the bot is up then or later."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.ledger.encoding import from_moment, to_moment
from bot.model import GameId, GuildId

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Transaction


class TimerKind(StrEnum):
    """What happens when a timer is due."""

    CLAIM = "claim"
    IDLE_GAME = "idle-game"


@dataclass(frozen=True, slots=True)
class Timer:
    """Something due.

    Attributes:
        id: Which timer.
        guild: Whose.
        kind: What happens.
        game: To which game.
        version: Of which version of its claim; another one makes the timer void.
        due_at: When.
        attempts: How often it failed.
    """

    id: int
    guild: GuildId
    kind: TimerKind
    game: GameId
    version: int
    due_at: datetime
    attempts: int


async def start(
    tx: Transaction, guild: GuildId, kind: TimerKind, game: GameId, version: int, due_at: datetime
) -> None:
    """Set a game's timer of a kind, in place of the one before."""
    await tx.execute(
        """
        INSERT INTO timers (guild_id, kind, game_id, version, due_at) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (kind, game_id) DO UPDATE SET version = excluded.version,
            due_at = excluded.due_at, attempts = 0, problem = NULL
        """,
        guild,
        kind,
        game,
        version,
        to_moment(due_at),
    )


async def stop(tx: Transaction, game: GameId) -> None:
    """Stop all timers of a game."""
    await tx.execute("DELETE FROM timers WHERE game_id = ?1", game)


async def finish(tx: Transaction, timer: Timer) -> bool:
    """Take a timer off; False where somebody else did, or set it anew."""
    changed = await tx.execute(
        "DELETE FROM timers WHERE id = ?1 AND version = ?2 AND due_at = ?3",
        timer.id,
        timer.version,
        to_moment(timer.due_at),
    )
    return changed == 1


async def postpone(tx: Transaction, timer: Timer, due_at: datetime, problem: str) -> None:
    """Try a timer again later, with what went wrong."""
    await tx.execute(
        "UPDATE timers SET due_at = ?2, attempts = attempts + 1, problem = ?3 WHERE id = ?1",
        timer.id,
        to_moment(due_at),
        problem,
    )


async def due(tx: Transaction, now: datetime, limit: int) -> tuple[Timer, ...]:
    """Return what is due, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT id, guild_id, kind, game_id, version, due_at, attempts FROM timers
        WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?2
        """,
        to_moment(now),
        limit,
    )
    return tuple(
        Timer(
            id=row[0],
            guild=GuildId(row[1]),
            kind=TimerKind(row[2]),
            game=GameId(row[3]),
            version=row[4],
            due_at=from_moment(row[5]),
            attempts=row[6],
        )
        for row in rows
    )


async def late(tx: Transaction, since: datetime) -> int:
    """Return how many timers were due before a moment and are not worked off."""
    rows = await tx.fetch("SELECT count(*) FROM timers WHERE due_at < ?1", to_moment(since))
    return int(rows[0][0])


async def next_due(tx: Transaction) -> datetime | None:
    """Return when the next timer is due, None without any."""
    rows = await tx.fetch("SELECT min(due_at) FROM timers")
    return None if rows[0][0] is None else from_moment(rows[0][0])


async def of_game(tx: Transaction, game: GameId, kind: TimerKind) -> datetime | None:
    """Return when a game's timer of a kind is due, None without one."""
    rows = await tx.fetch("SELECT due_at FROM timers WHERE game_id = ?1 AND kind = ?2", game, kind)
    return from_moment(rows[0][0]) if rows else None
