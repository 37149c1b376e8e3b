"""`/history` and `/headtohead`: a player's changes one after another, and two players' games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import games, players, rooms, standings
from bot.model import EventKind, Outcome, PlayerId
from bot.ratings.registry import make_system
from bot.services.acting import find_room
from bot.services.view_standings import history_entry

if TYPE_CHECKING:
    from decimal import Decimal

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameId, GameRecord, Player, Room, RoomId
    from bot.ratings.system import RatingSystem
    from bot.services.acting import Act, Person
    from bot.services.view_standings import HistoryEntry

PAGE_SIZE = 10
"""How many changes a page of a history has."""

_LAST_GAMES = 5


@dataclass(frozen=True, slots=True)
class History:
    """A page of a player's changes in a room.

    Attributes:
        room: Which room.
        player: Whose.
        page: Counted from 1.
        pages: How many pages there are, 1 or more.
        count: How many changes there are.
        entries: Those on this page, the newest first.
        shown_quantum: The step of a rating shown.
        has_seasons: Whether the room's ratings move at the close of a season alone.
    """

    room: Room
    player: Player
    page: int
    pages: int
    count: int
    entries: tuple[HistoryEntry, ...]
    shown_quantum: Decimal
    has_seasons: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players in a room.

    Attributes:
        room: Which room.
        players: The two.
        then: What each was rated before their first game, None without a rating.
        now: What each is rated now.
        wins: How many games the first came out of before the second.
        draws: In how many they were level.
        losses: How many the second came out of before the first.
        aborted: How many more games were aborted.
        games: Their last games, the newest first.
        shown_quantum: The step of a rating shown.
    """

    room: Room
    players: tuple[Player, Player]
    then: tuple[Decimal | None, Decimal | None]
    now: tuple[Decimal | None, Decimal | None]
    wins: int
    draws: int
    losses: int
    aborted: int
    games: tuple[GameRecord, ...]
    shown_quantum: Decimal


async def view_changes(ledger: Ledger, act: Act, person: Person, page: int) -> History:
    """Return a page of a person's changes in the room that is meant.

    Raises:
        RequestRefused: No room is meant, or the person has no rated game there.
    """
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        player = await players.of_user(tx, act.guild, person.user)
        if player is None:
            raise RequestRefused(Refusal.NO_GAMES_YET, person.name, room.name)
        return await _history(tx, room, player, page)


async def turn_page(ledger: Ledger, room: RoomId, player: PlayerId, page: int) -> History:
    """Return another page of a player's changes, the nearest one where there is no such page.

    Raises:
        RequestRefused: The player has no rated game there any more.
    """
    async with ledger.reading() as tx:
        known = await players.of_ids(tx, [player])
        return await _history(tx, await rooms.get(tx, room), known[player], page)


async def _history(tx: Transaction, room: Room, player: Player, page: int) -> History:
    system = make_system(room.system, room.settings)
    count = await standings.change_count(tx, room.id, player.id)
    if not count:
        raise RequestRefused(Refusal.NO_GAMES_YET, player.name, room.name)
    pages = max(1, -(-count // PAGE_SIZE))
    page = min(max(1, page), pages)
    changes = await standings.last_changes(
        tx, room.id, player.id, system.quantum, PAGE_SIZE, offset=(page - 1) * PAGE_SIZE
    )
    return History(
        room=room,
        player=player,
        page=page,
        pages=pages,
        count=count,
        entries=tuple([await history_entry(tx, system, each) for each in changes]),
        shown_quantum=system.shown_quantum,
        has_seasons=system.event_kind is EventKind.SEASON,
    )


async def view_meeting(ledger: Ledger, act: Act, first: Person, second: Person) -> Meeting:
    """Return how two people did against each other in the room that is meant.

    Raises:
        RequestRefused: No room is meant, it is one person, or they have no rated game together.
    """
    if first.user == second.user:
        raise RequestRefused(Refusal.SAME_PLAYER, first.name)
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        system = make_system(room.system, room.settings)
        one, other = [await players.of_user(tx, act.guild, each.user) for each in (first, second)]
        met = await games.meetings(tx, room.id, one.id, other.id) if one and other else ()
        if one is None or other is None or not met:
            raise RequestRefused(Refusal.NEVER_MET, first.name, second.name, room.name)
        pair = (one.id, other.id)
        outcomes = [each.outcome for each in met]
        last = [await games.get(tx, each.game) for each in reversed(met[-_LAST_GAMES:])]
        known = await standings.of_players(tx, room.id, pair, system.quantum)
        return Meeting(
            room=room,
            players=(one, other),
            then=await _before(tx, system, met[0].game, pair),
            now=(known[one.id].rating, known[other.id].rating),
            wins=outcomes.count(Outcome.WIN),
            draws=outcomes.count(Outcome.DRAW),
            losses=outcomes.count(Outcome.LOSS),
            aborted=outcomes.count(None),
            games=tuple(game for game in last if game is not None),
            shown_quantum=system.shown_quantum,
        )


async def _before(
    tx: Transaction, system: RatingSystem, game: GameId, pair: tuple[PlayerId, PlayerId]
) -> tuple[Decimal | None, Decimal | None]:
    stored = await standings.changes_of_game(tx, game, system.quantum)
    # A game may change a rating twice; before the first change it was what it was.
    before = {each.change.player: each.change.before for each in reversed(stored)}
    return before.get(pair[0]), before.get(pair[1])
