"""`/leaderboard` and `/rating`: looking at a room's standings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import events, games, players, rooms, standings
from bot.model import EventKind
from bot.ratings.registry import make_system
from bot.services.acting import find_room
from bot.services.explain_game import explained_changes
from bot.services.game_view import rank, ranked_where, shown_rating

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.events import EventRecord
    from bot.ledger.standings import (
        HiddenCounts,
        RankedWhere,
        Record,
        SeasonSoFar,
        StoredChange,
    )
    from bot.model import GameRecord, Room, RoomId
    from bot.ratings.system import RatingSystem
    from bot.services.acting import Act, Person

PAGE_SIZE = 20
_LAST_CHANGES = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One player on a leaderboard.

    Attributes:
        rank: Shared by equals.
        shown: The rating as people see it.
        record: What the room knows of the player.
        season: The season so far, None where the system has none.
    """

    rank: int
    shown: Decimal
    record: Record
    season: SeasonSoFar | None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a room's leaderboard.

    Attributes:
        room: Which room.
        page: Counted from 1.
        pages: How many pages there are, 1 or more.
        ranked: How many players are ranked.
        lines: Those on this page, the best first.
        hidden: How many are not ranked, and why.
    """

    room: Room
    page: int
    pages: int
    ranked: int
    lines: tuple[Line, ...]
    hidden: HiddenCounts


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What changed a player's rating: a game, its recalculation, or the closing of an event.

    Attributes:
        stored: The change.
        game: The game that caused it, None for a closing.
        event: The event that was closed, None for a game.
    """

    stored: StoredChange
    game: GameRecord | None
    event: EventRecord | None


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's standing in a room.

    Attributes:
        room: Which room.
        record: The player's.
        shown_quantum: The step of a rating shown.
        rank: Among the ranked, None for somebody who is not.
        ranked: How many are ranked.
        aborted: How many games the player aborted.
        season: The season so far, None where the system has none.
        history: The last changes, the newest first.
    """

    room: Room
    record: Record
    shown_quantum: Decimal
    rank: int | None
    ranked: int
    aborted: int
    season: SeasonSoFar | None
    history: tuple[HistoryEntry, ...]


async def view_leaderboard(
    ledger: Ledger, place: Act | RoomId, page: int, *, now: datetime
) -> Leaderboard:
    """Return a page of a room's leaderboard, the nearest one where there is no such page.

    Args:
        ledger: The ledger.
        place: Where somebody asks, or which room.
        page: Counted from 1.
        now: When.

    Raises:
        RequestRefused: No room is meant.
    """
    async with ledger.reading() as tx:
        room = await (rooms.get(tx, place) if isinstance(place, int) else find_room(tx, place))
        system = make_system(room.system, room.settings)
        where = ranked_where(room, now)
        ranked = await standings.ranked_count(tx, where)
        pages = max(1, -(-ranked // PAGE_SIZE))
        page = min(max(1, page), pages)
        offset = (page - 1) * PAGE_SIZE
        records = await standings.ranked_page(
            tx, where, system.quantum, offset=offset, limit=PAGE_SIZE
        )
        return Leaderboard(
            room=room,
            page=page,
            pages=pages,
            ranked=ranked,
            lines=await _ranked(tx, room, system, where, records, offset),
            hidden=await standings.hidden_counts(tx, where, ranked),
        )


async def _ranked(
    tx: Transaction,
    room: Room,
    system: RatingSystem,
    where: RankedWhere,
    records: Sequence[Record],
    offset: int,
) -> tuple[Line, ...]:
    lines: list[Line] = []
    for index, record in enumerate(records):
        assert record.rating is not None, record
        shown = shown_rating(record.rating, system.shown_quantum)
        if lines and lines[-1].shown == shown:
            place = lines[-1].rank
        elif index:
            place = offset + index + 1
        else:
            # The tie may have begun on an earlier page.
            place = await standings.rank_of(tx, where, shown)
        season = await _season_so_far(tx, room, system, record)
        lines.append(Line(place, shown, record, season))
    return tuple(lines)


async def view_rating(ledger: Ledger, act: Act, person: Person, *, now: datetime) -> Profile:
    """Return a player's standing in the room that is meant.

    Raises:
        RequestRefused: No room is meant, or the player has no game there.
    """
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        system = make_system(room.system, room.settings)
        player = await players.of_user(tx, act.guild, person.user)
        record = await standings.record(tx, room.id, player.id, system.quantum) if player else None
        if record is None:
            raise RequestRefused(Refusal.NO_GAMES_YET, person.name, room.name)
        where = ranked_where(room, now)
        changes = await standings.last_changes(
            tx, room.id, record.player.id, system.quantum, _LAST_CHANGES
        )
        return Profile(
            room=room,
            record=record,
            shown_quantum=system.shown_quantum,
            rank=await rank(tx, where, record, system.shown_quantum),
            ranked=await standings.ranked_count(tx, where),
            aborted=await games.aborted_count(tx, room.id, record.player.id),
            season=await _season_so_far(tx, room, system, record),
            history=tuple([await history_entry(tx, system, stored) for stored in changes]),
        )


async def history_entry(
    tx: Transaction, system: RatingSystem, stored: StoredChange
) -> HistoryEntry:
    """Return a change with the game or the event that caused it."""
    game = await games.get(tx, stored.game) if stored.game is not None else None
    if game is not None and game.aborted_by is not None:
        # What the rule for aborts took stands among the reasons alone.
        own = stored.change
        stored = replace(
            stored,
            change=next(
                each
                for each in await explained_changes(tx, system, game)
                if (each.player, each.cause) == (own.player, own.cause)
            ),
        )
    event = await events.get(tx, stored.event) if stored.event is not None else None
    return HistoryEntry(stored, game, event)


async def _season_so_far(
    tx: Transaction, room: Room, system: RatingSystem, record: Record
) -> SeasonSoFar | None:
    if system.event_kind is not EventKind.SEASON:
        return None
    closed = await events.closed(tx, room.id, EventKind.SEASON)
    since = closed[-1].closed_at if closed else None
    return await standings.season_so_far(tx, room.id, record.player.id, since=since or -1)
