"""`/room edit system:` and `settings:`: a room's games rated by other rules, after a look."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, filing, players, rooms, standings
from bot.model import Game, Status
from bot.ratings.registry import make_system
from bot.ratings.replay import EventOpened, is_ratable
from bot.services.acting import find_room, take_up
from bot.services.archive_room import check_at_rest
from bot.services.game_view import ranked_where, shown_rating
from bot.services.replay_room import facts_of, replay_room
from bot.services.set_up_room import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameId, PlayerId, Room, RoomId
    from bot.progress import Progress
    from bot.ratings.replay import Fact
    from bot.ratings.system import RatingSystem
    from bot.services.acting import Act

USUAL = "usual"
"""What is typed for the settings to have a system's usual ones."""

_TOP = 10


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Other rules for a room, as somebody was shown what they do.

    Attributes:
        act: Who changes them.
        room: Which room.
        system: The key of the new rating system.
        settings: Those of the system that differ from the usual, as typed.
        seal: That of the view which was shown.
    """

    act: Act
    room: RoomId
    system: str
    settings: str
    seal: int


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a leaderboard: the rank, who, and the rating as shown."""

    rank: int
    name: str
    rating: Decimal


@dataclass(frozen=True, slots=True)
class RulesPreview:
    """A room by its present rules beside the one that other rules give.

    Attributes:
        room: As it is.
        system: The key of the other rating system.
        settings: The other settings.
        now: The first of the present leaderboard.
        then: The first of the leaderboard by the other rules.
        games: How many games the room has.
        unratable: The numbers of those that the other system cannot rate.
        seal: Changes with every fact of the room, so that nobody does what was not shown.
    """

    room: Room
    system: str
    settings: Mapping[str, str]
    now: tuple[Place, ...]
    then: tuple[Place, ...]
    games: int
    unratable: tuple[int, ...]
    seal: int


async def preview_rules(
    ledger: Ledger, act: Act, system: str | None, settings: str | None, *, now: datetime
) -> RulesPreview:
    """Return what other rules would make of all games ever played in the room that is meant.

    Args:
        ledger: The ledger.
        act: Who asks, and where.
        system: The key of the other system, None for the present one.
        settings: As typed; None for the present ones, or a new system's usual ones.
        now: When.

    Raises:
        RequestRefused: Not for this person, no room is meant, or the room is not at rest.
        UnknownSystem: There is no such system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    _check_manager(act)
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        chosen = _settings(room, system, settings)
        other = make_system(system or room.system, chosen)
        if other.key == room.system and chosen == dict(room.settings):
            raise RequestRefused(Refusal.SAME_RULES, room.name)
        await _check_at_rest(tx, room)
        facts = await facts_of(tx, room, other, 0)
        then, unratable = await asyncio.to_thread(_rated, other, facts, room, now)
        numbers = await filing.numbers(tx, room.id)
        return RulesPreview(
            room=room,
            system=other.key,
            settings=chosen,
            now=await _present(tx, room, now),
            then=await _named(tx, then),
            games=sum(isinstance(fact, Game) for _, fact in facts),
            unratable=tuple(numbers[game] for game in unratable),
            seal=await rooms.last_fact_at(tx, room.id),
        )


async def change_rules(
    ledger: Ledger, command: ChangeRules, *, now: datetime, progress: Progress | None = None
) -> Room:
    """Give a room other rules, and rate all its games by them.

    Games that the new system cannot rate stay as they are, unrated; the way back is the same
    command.

    Raises:
        RequestRefused: Not for this person, the room is not at rest, or something was rated since.
        UnknownSystem: There is no such system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    act = command.act
    _check_manager(act)
    settings = read_settings(command.settings)
    make_system(command.system, settings)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room = await find_room(tx, replace(act, room=command.room))
        await _check_at_rest(tx, room)
        if await rooms.last_fact_at(tx, room.id) != command.seal:
            raise RequestRefused(Refusal.ROOM_CHANGED)
        changed = replace(room, system=command.system, settings=settings)
        await rooms.update(tx, changed)
        await replay_room(tx, room.id, progress)
        await rooms.next_fact_at(tx, room.id, now)
        details = {"from": _described(room), "to": _described(changed)}
        entry = audit.Entry(act.guild, "change-rules", act.person.user, room.id, details=details)
        await audit.note(tx, entry, now)
        return changed


def _check_manager(act: Act) -> None:
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)


async def _check_at_rest(tx: Transaction, room: Room) -> None:
    await check_at_rest(tx, room, (Status.REPORTED, Status.DISPUTED))


def _settings(room: Room, system: str | None, settings: str | None) -> dict[str, str]:
    if settings is None:
        stays = system is None or system == room.system
        return dict(room.settings) if stays else {}
    return {} if settings.strip().casefold() == USUAL else read_settings(settings)


def _described(room: Room) -> str:
    return " ".join((room.system, *(f"{name}={each}" for name, each in room.settings.items())))


def _rated(
    system: RatingSystem, facts: Sequence[tuple[int, Fact]], room: Room, now: datetime
) -> tuple[list[tuple[int, PlayerId, Decimal]], list[GameId]]:
    """Return rank, player and rating of the first by a system, and the games it cannot rate."""
    tally = system.tally()
    unratable: list[GameId] = []
    last_played: dict[PlayerId, int] = {}
    for moment, fact in facts:
        if isinstance(fact, Game):
            if is_ratable(system, fact):
                tally.rate(fact)
                last_played.update((each.player, moment) for each in fact.participants)
            else:
                unratable.append(fact.id)
        elif isinstance(fact, EventOpened):
            tally.open_event()
        else:
            tally.close_event()
    since = ranked_where(room, now).since
    shown = [
        (shown_rating(standing.rating, system.shown_quantum), player)
        for player, standing in tally.standings().items()
        if standing.rating is not None
        and standing.games >= room.minimum_games
        and last_played.get(player, 0) >= since
    ]
    shown.sort(key=lambda each: (-each[0], each[1]))
    return [
        (1 + sum(rating > own for rating, _ in shown[:_TOP]), player, own)
        for own, player in shown[:_TOP]
    ], unratable


async def _present(tx: Transaction, room: Room, now: datetime) -> tuple[Place, ...]:
    system = make_system(room.system, room.settings)
    where = ranked_where(room, now)
    found = await standings.ranked_page(tx, where, system.quantum, offset=0, limit=_TOP)
    shown = [
        (shown_rating(each.rating, system.shown_quantum), each.player.name)
        for each in found
        if each.rating is not None
    ]
    return tuple(
        Place(1 + sum(rating > own for rating, _ in shown), name, own) for own, name in shown
    )


async def _named(
    tx: Transaction, places: Sequence[tuple[int, PlayerId, Decimal]]
) -> tuple[Place, ...]:
    known = await players.of_ids(tx, [player for _, player, _ in places])
    return tuple(Place(rank, known[player].name, rating) for rank, player, rating in places)
