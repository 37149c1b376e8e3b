"""Events: tournaments and seasons, each a stretch of a room's facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.model import EventId, EventKind, RoomId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.ledger.connection import Transaction


@dataclass(frozen=True, slots=True)
class EventRecord:
    """A tournament or a season.

    Attributes:
        id: Which event.
        room: Where.
        kind: A tournament or a season.
        name: As people call it.
        opened_at: The moment after which games belong to it; for a season, the closing of the one
            before, None for the first.
        closed_at: The moment up to which games belong to it, None while it runs.
        is_cancelled: Whether it was called off; its games then stand alone.
    """

    id: EventId
    room: RoomId
    kind: EventKind
    name: str
    opened_at: int | None
    closed_at: int | None
    is_cancelled: bool

    @property
    def is_running(self) -> bool:
        """Whether it was neither closed nor called off."""
        return self.closed_at is None and not self.is_cancelled


_COLUMNS = "id, room_id, kind, name, opened_at, closed_at, cancelled_at"


async def add(
    tx: Transaction,
    room: RoomId,
    kind: EventKind,
    name: str,
    *,
    opened_at: int | None,
    closed_at: int | None = None,
) -> EventId:
    """Add an event."""
    rows = await tx.fetch(
        """
        INSERT INTO events (room_id, kind, name, opened_at, closed_at)
        VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id
        """,
        room,
        kind,
        name,
        opened_at,
        closed_at,
    )
    return EventId(rows[0][0])


async def close(tx: Transaction, event: EventId, moment: int) -> bool:
    """Close a running event; False where it does not run."""
    changed = await tx.execute(
        """
        UPDATE events SET closed_at = ?2
        WHERE id = ?1 AND closed_at IS NULL AND cancelled_at IS NULL
        """,
        event,
        moment,
    )
    return changed == 1


async def cancel(tx: Transaction, event: EventId, moment: int) -> bool:
    """Call a running event off; False where it does not run."""
    changed = await tx.execute(
        """
        UPDATE events SET cancelled_at = ?2
        WHERE id = ?1 AND closed_at IS NULL AND cancelled_at IS NULL
        """,
        event,
        moment,
    )
    return changed == 1


async def reopen(tx: Transaction, event: EventId) -> bool:
    """Let a closed tournament run again; False where it is not closed."""
    changed = await tx.execute(
        "UPDATE events SET closed_at = NULL WHERE id = ?1 AND closed_at IS NOT NULL", event
    )
    return changed == 1


async def take_back(tx: Transaction, event: EventId, moment: int) -> bool:
    """Take the closing of a season back, so that its games run on; False where it is not closed."""
    changed = await tx.execute(
        """
        UPDATE events SET closed_at = NULL, cancelled_at = ?2
        WHERE id = ?1 AND closed_at IS NOT NULL
        """,
        event,
        moment,
    )
    return changed == 1


async def get(tx: Transaction, event: EventId) -> EventRecord | None:
    """Return an event, None where there is none."""
    rows = await tx.fetch(f"SELECT {_COLUMNS} FROM events WHERE id = ?1", event)
    return _event(rows[0]) if rows else None


async def running(tx: Transaction, room: RoomId) -> EventRecord | None:
    """Return the tournament that runs in a room, if any."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM events
        WHERE room_id = ?1 AND closed_at IS NULL AND cancelled_at IS NULL
        """,
        room,
    )
    return _event(rows[0]) if rows else None


async def closed(tx: Transaction, room: RoomId, kind: EventKind | None) -> tuple[EventRecord, ...]:
    """Return a room's closed events of a kind in the order of their closing."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM events
        WHERE room_id = ?1 AND kind = ?2 AND closed_at IS NOT NULL ORDER BY closed_at
        """,
        room,
        kind,
    )
    return tuple(_event(row) for row in rows)


async def named(tx: Transaction, room: RoomId, name: str) -> EventRecord | None:
    """Return a room's event by its name, the newest of several."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM events
        WHERE room_id = ?1 AND cancelled_at IS NULL ORDER BY id DESC
        """,
        room,
    )
    wanted = name.casefold()
    return next((_event(row) for row in rows if row[3].casefold() == wanted), None)


def _event(row: Sequence[Any]) -> EventRecord:
    return EventRecord(
        id=EventId(row[0]),
        room=RoomId(row[1]),
        kind=EventKind(row[2]),
        name=row[3],
        opened_at=row[4],
        closed_at=row[5],
        is_cancelled=row[6] is not None,
    )
