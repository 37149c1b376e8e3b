"""The outbox: game messages that must show a newer state, until they do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot.ledger.encoding import from_moment, to_moment
from bot.model import GameId, GuildId

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import PlayerId


_BETWEEN_MANY = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A game's message that is behind.

    Attributes:
        id: Which row; the nonce of a new message is made from it.
        guild: Where.
        game: Which game.
        state: Rises with every change of the game: a message that shows an older one is behind.
        anew: Whether a new message must show it, so that people are notified.
        attempts: How often it could not be shown.
    """

    id: int
    guild: GuildId
    game: GameId
    state: int
    anew: bool
    attempts: int


async def add(
    tx: Transaction, guild: GuildId, game: GameId, due_at: datetime, *, anew: bool = False
) -> None:
    """Note that a game's message is behind; whoever shows the state takes it off again.

    Args:
        tx: The transaction.
        guild: Where.
        game: Which game.
        due_at: When the outbox shall see to it, if nobody else did before.
        anew: Whether it must be shown in a new message, so that people are notified.
    """
    await tx.execute(
        """
        INSERT INTO outbox (guild_id, game_id, due_at, anew) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (game_id) DO UPDATE SET state = outbox.state + 1, due_at = excluded.due_at,
            anew = outbox.anew | excluded.anew, attempts = 0, problem = NULL
        """,
        guild,
        game,
        to_moment(due_at),
        int(anew),
    )


async def show_games_again(
    tx: Transaction, guild: GuildId, player: PlayerId, now: datetime
) -> None:
    """Note that all messages of a player's games are behind: who plays in them is called otherwise.

    The newest come first, one after another, so that hundreds of them do not keep others waiting.
    """
    rows = await tx.fetch(
        """
        SELECT games.id FROM participants JOIN games ON games.id = participants.game_id
        WHERE participants.player_id = ?1 AND games.message_id IS NOT NULL
        ORDER BY games.id DESC
        """,
        player,
    )
    for place, row in enumerate(rows):
        await add(tx, guild, GameId(row[0]), now + place * _BETWEEN_MANY)


async def of_game(tx: Transaction, game: GameId) -> Outgoing | None:
    """Return what is behind of a game, None where its message is up to date."""
    rows = await tx.fetch(
        "SELECT id, guild_id, game_id, state, anew, attempts FROM outbox WHERE game_id = ?1", game
    )
    return _outgoing(rows[0]) if rows else None


async def late(tx: Transaction, guild: GuildId, since: datetime) -> int:
    """Return how many of a guild's messages were due before a moment and are still behind."""
    rows = await tx.fetch(
        """
        SELECT count(*) FROM outbox
        WHERE guild_id = ?1 AND (due_at < ?2 OR attempts > 0)
        """,
        guild,
        to_moment(since),
    )
    return int(rows[0][0])


async def shown(tx: Transaction, game: GameId, state: int) -> bool:
    """Take a game off, if nothing newer happened than the state that was shown."""
    changed = await tx.execute("DELETE FROM outbox WHERE game_id = ?1 AND state = ?2", game, state)
    return changed == 1


async def drop(tx: Transaction, game: GameId) -> None:
    """Give up a game's message: its channel or message is gone."""
    await tx.execute("DELETE FROM outbox WHERE game_id = ?1", game)


async def postpone(tx: Transaction, outgoing: Outgoing, due_at: datetime, problem: str) -> None:
    """Try again later, with what went wrong."""
    await tx.execute(
        "UPDATE outbox SET due_at = ?2, attempts = attempts + 1, problem = ?3 WHERE id = ?1",
        outgoing.id,
        to_moment(due_at),
        problem,
    )


async def due(tx: Transaction, now: datetime, limit: int) -> tuple[Outgoing, ...]:
    """Return what is due, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT id, guild_id, game_id, state, anew, attempts FROM outbox
        WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?2
        """,
        to_moment(now),
        limit,
    )
    return tuple(_outgoing(row) for row in rows)


async def next_due(tx: Transaction) -> datetime | None:
    """Return when the outbox must be looked at next, None while it is empty."""
    rows = await tx.fetch("SELECT min(due_at) FROM outbox")
    return None if rows[0][0] is None else from_moment(rows[0][0])


def _outgoing(row: Sequence[Any]) -> Outgoing:
    return Outgoing(
        id=row[0],
        guild=GuildId(row[1]),
        game=GameId(row[2]),
        state=row[3],
        anew=bool(row[4]),
        attempts=row[5],
    )
