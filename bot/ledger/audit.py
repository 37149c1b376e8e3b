"""Who did what when, and each act once. Nothing here is ever deleted but interactions long past."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ledger.encoding import from_moment, to_json, to_moment
from bot.model import UserId

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import GameId, GuildId, InteractionId, RoomId

_REMEMBERED_FOR = timedelta(days=2)
"""Longer than Discord can deliver an interaction again, by far: its token lives 15 minutes."""


async def take(tx: Transaction, interaction: InteractionId, now: datetime) -> bool:
    """Take an interaction up, once; False where it was taken up before."""
    changed = await tx.execute(
        "INSERT INTO interactions (id, taken_at) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING",
        interaction,
        to_moment(now),
    )
    return changed == 1


async def forget_interactions(tx: Transaction, now: datetime) -> None:
    """Forget interactions that cannot come again."""
    await tx.execute(
        "DELETE FROM interactions WHERE taken_at < ?1", to_moment(now - _REMEMBERED_FOR)
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One act.

    Attributes:
        guild: Where.
        act: What was done, a word or two with hyphens.
        user: Who did it; None where the bot itself did.
        room: In which room, if in one.
        game: To which game, if to one.
        details: Plain data about it.
        reason: Why, in the person's words.
    """

    guild: GuildId
    act: str
    user: UserId | None
    room: RoomId | None = None
    game: GameId | None = None
    details: Mapping[str, object] = field(default_factory=dict[str, object])
    reason: str | None = None


async def note(tx: Transaction, entry: Entry, now: datetime) -> None:
    """Note for ever who did what."""
    await tx.execute(
        """
        INSERT INTO audit (guild_id, room_id, game_id, user_id, act, details, reason, done_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """,
        entry.guild,
        entry.room,
        entry.game,
        entry.user,
        entry.act,
        to_json(dict(entry.details)),
        entry.reason,
        to_moment(now),
    )


@dataclass(frozen=True, slots=True)
class Noted:
    """One act as it was noted: what, by whom (None: the bot itself), why and when."""

    act: str
    user: UserId | None
    reason: str | None
    done_at: datetime


async def of_game(tx: Transaction, game: GameId) -> tuple[Noted, ...]:
    """Return what was done about a game, the oldest first."""
    rows = await tx.fetch(
        "SELECT act, user_id, reason, done_at FROM audit WHERE game_id = ?1 ORDER BY id", game
    )
    return tuple(
        Noted(row[0], None if row[1] is None else UserId(row[1]), row[2], from_moment(row[3]))
        for row in rows
    )
