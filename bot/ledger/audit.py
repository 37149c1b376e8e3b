"""Who did what when, and each act once. Nothing here is ever deleted but interactions long past."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot.ledger.encoding import details_from_json, from_moment, to_json, to_moment
from bot.model import UserId

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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


_NOTED = """
    SELECT audit.act, audit.user_id, audit.reason, audit.done_at, games.number, audit.details
    FROM audit LEFT JOIN games ON games.id = audit.game_id
"""


@dataclass(frozen=True, slots=True)
class Noted:
    """One act as it was noted.

    Attributes:
        act: What was done.
        user: By whom; None where the bot itself did it.
        reason: Why, where a reason was given.
        done_at: When.
        game: The number of the game it was done to, if to one.
        details: Plain data about it.
    """

    act: str
    user: UserId | None
    reason: str | None
    done_at: datetime
    game: int | None
    details: Mapping[str, object]


async def of_game(tx: Transaction, game: GameId) -> tuple[Noted, ...]:
    """Return what was done about a game, the oldest first."""
    rows = await tx.fetch(f"{_NOTED} WHERE audit.game_id = ?1 ORDER BY audit.id", game)
    return tuple(_noted(row) for row in rows)


async def of_room(
    tx: Transaction, guild: GuildId, room: RoomId, *, offset: int, limit: int
) -> tuple[tuple[Noted, ...], int]:
    """Return a part of what was done in a room, the newest first, and how much there is."""
    rows = await tx.fetch(
        "SELECT COUNT(*) FROM audit WHERE guild_id = ?1 AND room_id = ?2", guild, room
    )
    count = int(rows[0][0])
    rows = await tx.fetch(
        f"""{_NOTED} WHERE audit.guild_id = ?1 AND audit.room_id = ?2
        ORDER BY audit.id DESC LIMIT ?3 OFFSET ?4""",
        guild,
        room,
        limit,
        offset,
    )
    return tuple(_noted(row) for row in rows), count


def _noted(row: Sequence[Any]) -> Noted:
    user = None if row[1] is None else UserId(row[1])
    return Noted(row[0], user, row[2], from_moment(row[3]), row[4], details_from_json(row[5]))
