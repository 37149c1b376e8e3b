"""A games file becomes the games of a room: all of it, or nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TextIO

from bot.errors import Refusal, RequestRefused
from bot.games_file import GamesFile, check_filed_game
from bot.ledger import audit, events, filing, rooms
from bot.ledger import players as known_players
from bot.ledger.encoding import to_moment
from bot.model import ChannelId, EventKind, PlayerId
from bot.pgn_file import PgnFile, is_pgn
from bot.ratings.registry import make_system
from bot.services.acting import Person
from bot.services.replay_room import replay_room

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bot.games_file import FiledGame
    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GuildId, Room, UserId
    from bot.progress import Progress
    from bot.ratings.system import RatingSystem

_NO_CHANNEL = ChannelId(0)


@dataclass(frozen=True, slots=True)
class ImportGames:
    """Games for a room that has none.

    Attributes:
        guild: Where the room is or shall be.
        room: The room's name; one that is not there yet is made.
        system: The key of the room's rating system.
        settings: Those of the system that differ from the usual.
        file: A games file or PGN, open as `GamesFile` wants it, from the beginning.
        members: The members of the server whom names in the file stand for.
        user: Who imports; None for the owner of the database.
    """

    guild: GuildId
    room: str
    system: str
    settings: Mapping[str, str]
    file: TextIO
    members: Mapping[str, Person] = field(default_factory=dict[str, Person])
    user: UserId | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought.

    Attributes:
        room: Into which room.
        games: How many games.
        guests: Those in the file whom nobody in the guild is called like.
    """

    room: Room
    games: int
    guests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would bring.

    Attributes:
        room: The room's name.
        system: The key of its rating system.
        settings: Those of the system that differ from the usual.
        is_new: Whether the room would be made.
        games: How many games.
        without_action: How many of them were aborted before anything happened, and rate nobody.
        unfinished: How many games of the file have no result and are left out.
        first: When the first was played, None where the file does not say.
        last: When the last was played.
        members: How many names stand for somebody whom the bot knows or who is named.
        guests: The other names.
    """

    room: str
    system: str
    settings: Mapping[str, str]
    is_new: bool
    games: int
    without_action: int
    unfinished: int
    first: datetime | None
    last: datetime | None
    members: int
    guests: tuple[str, ...]


class _Order:
    """Gives facts their moments: those of the file where it says, and always one after another."""

    def __init__(self, first: int) -> None:
        self.last = first

    def next(self, time: datetime | None = None) -> int:
        self.last = max(self.last + 1, to_moment(time) if time else 0)
        return self.last


async def preview_import(ledger: Ledger, command: ImportGames) -> ImportPreview:
    """Return what an import would bring, and keep nothing.

    Raises:
        As `import_games` does.
    """
    filed, names, unfinished = await asyncio.to_thread(_read, command)
    async with ledger.reading() as tx:
        room = await rooms.named(tx, command.guild, command.room)
        if room is not None:
            await _check_fits(tx, room, command)
        known = await filing.players_by_name(tx, command.guild)
    _check_named(command, names)
    guests = [
        name for name in names if name not in command.members and len(known.get(name, ())) != 1
    ]
    times = [each.played_at for each in filed if each.played_at is not None]
    return ImportPreview(
        room=command.room if room is None else room.name,
        system=command.system,
        settings=command.settings,
        is_new=room is None,
        games=len(filed),
        without_action=sum(not each.has_action for each in filed),
        unfinished=unfinished,
        first=min(times, default=None),
        last=max(times, default=None),
        members=len(names) - len(guests),
        guests=tuple(guests),
    )


async def import_games(
    ledger: Ledger, command: ImportGames, *, now: datetime, progress: Progress | None = None
) -> Imported:
    """Bring the games of a file into a room without games, and rate them.

    Who is called exactly like one player of the guild is that player, unless the command says who
    it is; the others become guests.

    Raises:
        GamesFileError: The file is at fault, or a game in it that the system cannot rate.
        RequestRefused: The room has games already, or another system; or the command names somebody
            who is not in the file.
        UnknownSystem: There is no such system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    system = make_system(command.system, command.settings)
    filed, names, _ = await asyncio.to_thread(_read, command)
    _check_named(command, names)
    async with ledger.transaction(command.guild) as tx:
        await rooms.add_guild(tx, command.guild)
        room = await _empty_room(tx, command, now)
        players, guests = await _players(tx, room, names, command.members)
        # Games without a time come before now, in the order of the file.
        order = _Order(to_moment(now) - 3 * len(filed) - 3 if _lacks_times(filed) else 0)
        games = await _ordered(tx, room, system, filed, players, order)
        await filing.add_games(tx, room, games, _NO_CHANNEL)
        await filing.set_last_fact(tx, room.id, order.last)
        await replay_room(tx, room.id, progress)
        details = {"games": len(games), "guests": len(guests)}
        await audit.note(
            tx, audit.Entry(command.guild, "import", command.user, room.id, details=details), now
        )
    return Imported(room, len(games), guests)


class _Content(NamedTuple):
    """What a file holds: its games, who plays in them, and how many have no result."""

    games: list[FiledGame]
    names: list[str]
    unfinished: int


def _read(command: ImportGames) -> _Content:
    """Return the games of the file, each of which the system can rate."""
    system = make_system(command.system, command.settings)
    file = PgnFile(command.file) if is_pgn(command.file) else GamesFile(command.file)
    games = list(file.games())
    for each in games:
        check_filed_game(system, each)
    if isinstance(file, GamesFile):
        return _Content(games, file.names, 0)
    # Programs write PGN in any order.
    known = [(each.played_at, each) for each in games if each.played_at is not None]
    if len(known) == len(games):
        games = [each for _, each in sorted(known, key=lambda pair: pair[0])]
    return _Content(games, file.names, file.unfinished)


def _check_named(command: ImportGames, names: Sequence[str]) -> None:
    strange = sorted(set(command.members) - set(names))
    if strange:
        raise RequestRefused(Refusal.NOT_IN_FILE, strange[0])
    for person in command.members.values():
        if person.is_bot:
            raise RequestRefused(Refusal.BOT_OPPONENT, person.name)


def _lacks_times(filed: Sequence[FiledGame]) -> bool:
    return any(each.played_at is None for each in filed)


async def _empty_room(tx: Transaction, command: ImportGames, now: datetime) -> Room:
    room = await rooms.named(tx, command.guild, command.room)
    if room is None:
        room = await rooms.add(tx, command.guild, command.room, command.system, now)
        room = replace(room, settings=dict(command.settings))
        await rooms.update(tx, room)
        return room
    await _check_fits(tx, room, command)
    return room


async def _check_fits(tx: Transaction, room: Room, command: ImportGames) -> None:
    if not await filing.is_empty(tx, room.id):
        raise RequestRefused(Refusal.ROOM_NOT_EMPTY, room.name)
    if (room.system, dict(room.settings)) != (command.system, dict(command.settings)):
        raise RequestRefused(Refusal.OTHER_SYSTEM, room.name, room.system)


async def _players(
    tx: Transaction, room: Room, names: Sequence[str], members: Mapping[str, Person]
) -> tuple[list[PlayerId], tuple[str, ...]]:
    known = await filing.players_by_name(tx, room.guild)
    for name, person in members.items():
        member = await known_players.remember(tx, room.guild, person.user, person.name)
        known[name] = (member.id,)
    players: list[PlayerId] = []
    guests: list[str] = []
    for name in names:
        match known.get(name, ()):
            case (only,):
                players.append(only)
            case _:
                players.append((await known_players.add_guest(tx, room.guild, name)).id)
                guests.append(name)
    return players, tuple(guests)


async def _ordered(
    tx: Transaction,
    room: Room,
    system: RatingSystem,
    filed: Sequence[FiledGame],
    players: Sequence[PlayerId],
    order: _Order,
) -> list[filing.ImportedGame]:
    """Give each game its moment, and keep where events begin and end."""
    kind = system.event_kind
    games: list[filing.ImportedGame] = []
    played = await asyncio.to_thread(lambda: [_with_players(each, players) for each in filed])
    opened_at: int | None = None
    for place, each in enumerate(filed):
        before = filed[place - 1].event if place else None
        if kind is EventKind.TOURNAMENT and each.event and each.event != before:
            opened_at = order.next()
        games.append(
            filing.ImportedGame(played[place], order.next(each.played_at), each.has_action)
        )
        after = filed[place + 1].event if place + 1 < len(filed) else None
        # The last season without a name is the one that runs.
        is_last = after is None and not each.event
        if kind is None or after == each.event or is_last:
            continue
        if kind is EventKind.TOURNAMENT and not each.event:
            continue
        name = each.event or f"Season until #{each.name}"
        closed_at = order.next()
        await events.add(tx, room.id, kind, name, opened_at=opened_at, closed_at=closed_at)
        opened_at = closed_at
    return games


def _with_players(filed: FiledGame, players: Sequence[PlayerId]) -> filing.Game:
    game = filed.game
    return game._replace(
        participants=tuple(
            each._replace(player=players[each.player]) for each in game.participants
        ),
        aborted_by=None if game.aborted_by is None else players[game.aborted_by],
    )
