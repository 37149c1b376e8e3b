"""A room's games as a games file, and its standings as a table: all it takes to check a rating."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.games_file import BY, COLUMNS, NO_ACTION
from bot.ledger import events, filing, games, rooms, standings
from bot.ledger.encoding import from_moment, to_moment
from bot.ratings.registry import make_system
from bot.services.acting import find_room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.events import EventRecord
    from bot.model import Game, PlayerId, Room, RoomId
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class RoomExport:
    """A room in text.

    Attributes:
        room: Which room.
        games: The games file.
        standings: A CSV table of player, rating and games, the highest rating first.
        count: How many games the file has.
    """

    room: Room
    games: str
    standings: str
    count: int


async def export_room(ledger: Ledger, which: RoomId) -> RoomExport:
    """Return a room in text, in one moment.

    A tournament that runs is written as if it were closed; the games of a season that runs have no
    event, as in every games file.
    """
    async with ledger.reading() as tx:
        room = await rooms.get(tx, which)
        names = _distinct(await filing.player_names(tx, which))
        games_text, count = await _games(tx, room, names)
        return RoomExport(room, games_text, await _standings(tx, room, names), count)


async def export_meant_room(ledger: Ledger, act: Act) -> RoomExport:
    """Return the room that is meant in text.

    Raises:
        RequestRefused: Not for this person, or no room is meant.
    """
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
    return await export_room(ledger, room.id)


async def _games(tx: Transaction, room: Room, names: Mapping[PlayerId, str]) -> tuple[str, int]:
    numbers = await filing.numbers(tx, room.id)
    kind = make_system(room.system, room.settings).event_kind
    known: list[EventRecord] = []
    if kind is not None:
        running = await events.running(tx, room.id)
        known = [*await events.closed(tx, room.id, kind), *([running] if running else [])]
    event_names = _event_names(known)
    entries: list[tuple[int, list[list[object]]]] = [
        (
            moment,
            _counted_rows(
                game, numbers[game.id], moment, _event_at(known, event_names, moment), names
            ),
        )
        for moment, game in await games.counted(tx, room.id)
    ]
    for number, time, players in await filing.ended_without_action(tx, room.id):
        moment = to_moment(time)
        event = _event_at(known, event_names, moment)
        entries.append((moment, list(_empty_rows(number, time, event, players, names))))
    entries.sort(key=lambda entry: entry[0])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for _, rows in entries:
        writer.writerows(rows)
    return text.getvalue(), len(entries)


def _counted_rows(
    game: Game, number: int, moment: int, event: str, names: Mapping[PlayerId, str]
) -> list[list[object]]:
    return [
        [
            number,
            _time(from_moment(moment)),
            event,
            names[each.player],
            each.placing,
            "" if each.score is None else f"{each.score:f}",
            BY if each.player == game.aborted_by else "",
        ]
        for each in game.participants
    ]


def _empty_rows(
    number: int,
    time: datetime,
    event: str,
    players: Sequence[PlayerId],
    names: Mapping[PlayerId, str],
) -> Iterator[list[object]]:
    for player in players:
        yield [number, _time(time), event, names[player], "", "", NO_ACTION]


async def _standings(tx: Transaction, room: Room, names: Mapping[PlayerId, str]) -> str:
    quantum = make_system(room.system, room.settings).quantum
    known = await standings.of_room(tx, room.id, quantum)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["player", "rating", "games"])
    ordered = sorted(
        known.items(),
        key=lambda each: (each[1].rating is None, -(each[1].rating or 0), names[each[0]]),
    )
    for player, standing in ordered:
        rating = "" if standing.rating is None else f"{standing.rating:f}"
        writer.writerow([names[player], rating, standing.games])
    return text.getvalue()


def _event_names(known: Iterable[EventRecord]) -> dict[int, str]:
    """Return the name of each event, those that share one told apart."""
    found: dict[int, str] = {}
    for event in known:
        name = " ".join(event.name.split())
        found[event.id] = name if name not in found.values() else f"{name} ({event.id})"
    return found


def _event_at(known: Sequence[EventRecord], names: Mapping[int, str], moment: int) -> str:
    """Return the name of the event that a moment belongs to, empty for none."""
    for event in known:
        begins = -1 if event.opened_at is None else event.opened_at
        if begins < moment and (event.closed_at is None or moment <= event.closed_at):
            return names[event.id]
    return ""


def _distinct(names: Mapping[PlayerId, str]) -> dict[PlayerId, str]:
    """Return each player's name on one line, those who share one told apart by number."""
    found: dict[PlayerId, str] = {}
    taken: set[str] = set()
    for player, name in names.items():
        tidy = " ".join(name.split()) or "?"
        unique = tidy if tidy not in taken else f"{tidy} ({player})"
        taken.add(unique)
        found[player] = unique
    return found


def _time(time: datetime) -> str:
    return time.isoformat().replace("+00:00", "Z")
