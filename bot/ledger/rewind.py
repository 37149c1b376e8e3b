"""Taking a room's standings back to a moment, so that what comes after can be worked out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.ledger.encoding import from_millionths, to_millionths
from bot.model import Cause, Outcome, PlayerId

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from bot.ledger.connection import Transaction
    from bot.model import RoomId
    from bot.ratings.system import RatingSystem


async def rewind(
    tx: Transaction,
    room: RoomId,
    system: RatingSystem,
    since: int,
    outcomes: Mapping[PlayerId, Counter[Outcome]],
) -> None:
    """Drop every change of a room since a moment, and leave the standings as they were before.

    Args:
        tx: The transaction.
        room: Which room.
        system: The room's.
        since: The moment of the first fact that is worked out again.
        outcomes: How the games since then ended for each player, as they are counted in the
            standings.
    """
    rows = await tx.fetch(
        "SELECT DISTINCT player_id FROM rating_changes WHERE room_id = ?1 AND made_at >= ?2",
        room,
        since,
    )
    await tx.execute("DELETE FROM rating_changes WHERE room_id = ?1 AND made_at >= ?2", room, since)
    for (player,) in rows:
        await _rewind_player(tx, room, system, PlayerId(player), outcomes)


async def _rewind_player(
    tx: Transaction,
    room: RoomId,
    system: RatingSystem,
    player: PlayerId,
    outcomes: Mapping[PlayerId, Counter[Outcome]],
) -> None:
    changes = await tx.fetch(
        """
        SELECT made_at, cause, after FROM rating_changes
        WHERE room_id = ?1 AND player_id = ?2 ORDER BY id
        """,
        room,
        player,
    )
    if not changes:
        await tx.execute(
            "DELETE FROM standings WHERE room_id = ?1 AND player_id = ?2", room, player
        )
        return
    last = await tx.fetch(
        """
        SELECT after, games, memory FROM rating_changes
        WHERE room_id = ?1 AND player_id = ?2 ORDER BY id DESC LIMIT 1
        """,
        room,
        player,
    )
    millionths, games, memory = last[0]
    rating = from_millionths(millionths, system.quantum)
    shown = None if rating is None else rating.quantize(system.shown_quantum)
    peak, peak_at = _peak(changes)
    later = outcomes.get(player)
    await tx.execute(
        """
        UPDATE standings SET rating = ?3, shown = ?4, games = ?5, memory = ?6, wins = wins - ?7,
            draws = draws - ?8, losses = losses - ?9, peak = ?10, peak_at = ?11, last_game_at = ?12
        WHERE room_id = ?1 AND player_id = ?2
        """,
        room,
        player,
        millionths,
        to_millionths(shown),
        games,
        memory,
        later[Outcome.WIN] if later else 0,
        later[Outcome.DRAW] if later else 0,
        later[Outcome.LOSS] if later else 0,
        peak,
        peak_at,
        max((row[0] for row in changes if row[1] == Cause.GAME), default=0),
    )


def _peak(changes: Sequence[Sequence[Any]]) -> tuple[int | None, int | None]:
    """Return the highest rating after any fact, and the first moment of it."""
    # A fact that changed a rating twice counts with what it left behind.
    after = {row[0]: row[2] for row in changes}
    rated = [(rating, -moment) for moment, rating in after.items() if rating is not None]
    if not rated:
        return None, None
    rating, moment = max(rated)
    return rating, -moment
