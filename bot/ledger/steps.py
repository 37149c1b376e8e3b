"""Keeping what games and events did to ratings: one row a change, one standing a player."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.ledger.encoding import reasons_to_json, to_json, to_millionths
from bot.model import EventId, GameId, Outcome, PlayerId, RatingChange, RoomId, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from decimal import Decimal

    from bot.ledger.connection import Transaction

_NOTHING = "[]"


class Source(NamedTuple):
    """What changed ratings: a game or an event, and its moment."""

    game: GameId | None
    event: EventId | None
    moment: int


class KeptStep(NamedTuple):
    """What one game or event did, ready to be kept.

    Attributes:
        source: Which game or event.
        changes: What it did to each rating.
        standings: The standing afterwards of everybody whom it touched.
        participants: Who took part in a game just counted; nobody in an event's closing.
        outcomes: How the game ended for each; empty for an event and for an aborted game.
    """

    source: Source
    changes: Sequence[RatingChange]
    standings: Mapping[PlayerId, Standing]
    participants: Collection[PlayerId]
    outcomes: Mapping[PlayerId, Outcome]


async def keep(
    tx: Transaction, room: RoomId, steps: Sequence[KeptStep], shown_quantum: Decimal
) -> None:
    """Keep what games and events did, in their order.

    Args:
        tx: The transaction.
        room: Which room.
        steps: What they did.
        shown_quantum: The step of a rating shown.
    """
    totals = Totals(shown_quantum)
    await keep_changes(tx, room, steps)
    totals.add(steps)
    await totals.keep(tx, room)


async def keep_changes(tx: Transaction, room: RoomId, steps: Sequence[KeptStep]) -> None:
    """Keep the changes of steps, in their order.

    The reasons for what a game did are not kept: they are worked out again where somebody asks.
    """
    # A generator: the rows are made where they are written, off the event loop.
    await tx.execute_many(
        """
        INSERT INTO rating_changes (room_id, game_id, event_id, player_id, cause, before, after,
            delta, contribution, reasons, games, memory, made_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """,
        (_change_row(room, step, change) for step in steps for change in step.changes),
    )


def _change_row(room: RoomId, step: KeptStep, change: RatingChange) -> tuple[object, ...]:
    standing = step.standings[change.player]
    before, after = to_millionths(change.before), to_millionths(change.after)
    return (
        room,
        step.source.game,
        step.source.event,
        change.player,
        change.cause,
        before,
        after,
        None if before is None or after is None else after - before,
        to_millionths(change.contribution),
        _NOTHING if step.source.game is not None else reasons_to_json(change.reasons),
        standing.games,
        to_json(standing.memory) if standing.memory else _NOTHING,
        step.source.moment,
    )


@dataclass(slots=True)
class _Total:
    """What some steps come to for one player."""

    standing: Standing
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    peak: Decimal | None = None
    peak_at: int | None = None
    last_game_at: int = 0


class Totals:
    """What many steps come to for each player, to be kept in one row each."""

    def __init__(self, shown_quantum: Decimal) -> None:
        """Begin with nothing.

        Args:
            shown_quantum: The step of a rating shown.
        """
        self._shown_quantum = shown_quantum
        self._totals: dict[PlayerId, _Total] = {}

    def add(self, steps: Sequence[KeptStep]) -> None:
        """Add steps, in their order."""
        totals = self._totals
        for step in steps:
            moment = step.source.moment
            for player, standing in step.standings.items():
                total = totals.get(player)
                if total is None:
                    total = totals[player] = _Total(standing)
                total.standing = standing
                rating = standing.rating
                if rating is not None and (total.peak is None or rating > total.peak):
                    total.peak, total.peak_at = rating, moment
                if player in step.participants:
                    total.last_game_at = moment
                outcome = step.outcomes.get(player)
                if outcome is not None:
                    total.outcomes[outcome] += 1

    async def keep(self, tx: Transaction, room: RoomId) -> None:
        """Keep the standings after the steps, counted on from those that are kept already."""
        await tx.execute_many(
            """
            INSERT INTO standings (room_id, player_id, rating, shown, games, memory,
                wins, draws, losses, peak, peak_at, last_game_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (room_id, player_id) DO UPDATE SET
                rating = excluded.rating,
                shown = excluded.shown,
                games = excluded.games,
                memory = excluded.memory,
                wins = standings.wins + excluded.wins,
                draws = standings.draws + excluded.draws,
                losses = standings.losses + excluded.losses,
                peak_at = CASE WHEN standings.peak IS NULL OR excluded.peak > standings.peak
                    THEN excluded.peak_at ELSE standings.peak_at END,
                peak = CASE WHEN standings.peak IS NULL OR excluded.peak > standings.peak
                    THEN excluded.peak ELSE standings.peak END,
                last_game_at = CASE WHEN excluded.last_game_at > standings.last_game_at
                    THEN excluded.last_game_at ELSE standings.last_game_at END
            """,
            self._rows(room),
        )

    def _rows(self, room: RoomId) -> Iterator[tuple[object, ...]]:
        for player, total in self._totals.items():
            rating = total.standing.rating
            shown = None if rating is None else rating.quantize(self._shown_quantum)
            yield (
                room,
                player,
                to_millionths(rating),
                to_millionths(shown),
                total.standing.games,
                to_json(total.standing.memory),
                total.outcomes[Outcome.WIN],
                total.outcomes[Outcome.DRAW],
                total.outcomes[Outcome.LOSS],
                to_millionths(total.peak),
                total.peak_at,
                total.last_game_at,
            )


async def snapshot(tx: Transaction, room: RoomId) -> tuple[tuple[Any, ...], ...]:
    """Return all that follows from a room's facts, to be compared with another time."""
    changes = await tx.fetch(
        """
        SELECT game_id, event_id, player_id, cause, before, after, delta, contribution,
            CASE WHEN game_id IS NULL THEN reasons END, games, memory, made_at
        FROM rating_changes WHERE room_id = ?1 ORDER BY made_at, id
        """,
        room,
    )
    kept = await tx.fetch(
        """
        SELECT player_id, rating, shown, games, wins, draws, losses, peak, peak_at, last_game_at,
            memory
        FROM standings WHERE room_id = ?1 ORDER BY player_id
        """,
        room,
    )
    return tuple(tuple(row) for row in (*changes, *kept))


async def clear(tx: Transaction, room: RoomId) -> None:
    """Drop every standing and change of a room, to be worked out again."""
    await tx.execute("DELETE FROM rating_changes WHERE room_id = ?1", room)
    await tx.execute("DELETE FROM standings WHERE room_id = ?1", room)
