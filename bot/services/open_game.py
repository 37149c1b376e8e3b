"""`/play` and `/score`: a game under way, its standing, and keeping it open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, NotAllowed, Refusal, RequestRefused
from bot.ledger import audit, claims, games, outbox, players, rooms, timers
from bot.model import Answer, ClaimKind, Status
from bot.ratings.registry import make_system
from bot.services.acting import SHOWN_BY_CALLER, find_or_make_room, find_room, take_up
from bot.services.game_view import GameView, load_game, view_in
from bot.services.stating import (
    agree,
    check_playable,
    check_ratable,
    remember_participants,
    results_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameId, GameRecord, Player, Room
    from bot.services.acting import Act, Person
    from bot.services.stating import Statement

_UNSETTLED = (Status.OPEN, Status.REPORTED, Status.DISPUTED)


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Opening a game.

    Attributes:
        act: Who opens it and takes part, and where.
        others: Whom it is played with.
    """

    act: Act
    others: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class RecordStanding:
    """Recording how an open game stands.

    Attributes:
        act: Who records, and where.
        game: Which game.
        statement: How it stands.
    """

    act: Act
    game: GameId
    statement: Statement


@dataclass(frozen=True, slots=True)
class TouchGame:
    """A press on a button of an open game.

    Attributes:
        act: Who presses.
        game: Which game.
        version: Of the newest standing that the person saw, 0 before the first.
    """

    act: Act
    game: GameId
    version: int


async def open_game(ledger: Ledger, command: OpenGame, *, now: datetime) -> GameView:
    """Open a game.

    Raises:
        RequestRefused: With these people nobody can play, or no room is meant.
        UnratableGame: The room's system does not rate games of so many.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room, made_room = await find_or_make_room(tx, act, now)
        await rooms.used(tx, room.id, now)
        participants = await remember_participants(tx, act, command.others)
        check_playable(room, participants)
        game = await add_open_game(tx, act, room, participants, now)
        return await view_in(tx, game.id, now, made_room=made_room)


async def add_open_game(
    tx: Transaction, act: Act, room: Room, participants: Sequence[Player], now: datetime
) -> GameRecord:
    """Add a game that is open, with the time after which it is idle."""
    which = await games.add(tx, room, participants, act.channel, status=Status.OPEN, now=now)
    game, _ = await load_game(tx, which)
    await wait_for_touch(tx, room, game, now)
    await outbox.add(tx, act.guild, which, now + SHOWN_BY_CALLER)
    entry = audit.Entry(act.guild, "open-game", act.person.user, room.id, which)
    await audit.note(tx, entry, now)
    return game


async def record_standing(ledger: Ledger, command: RecordStanding, *, now: datetime) -> GameView:
    """Record how an open game stands; what somebody else recorded alike is agreed to instead.

    Raises:
        RequestRefused: There is no such game here, or the statement makes no sense.
        NotAllowed: The person does not take part.
        IllegalMove: The game is not open.
        UnratableGame: The room's system could not rate such a standing.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        author = own_part(game, act, "score")
        results = results_of(game.players, author, command.statement)
        check_ratable(room, results)
        newest = game.standing
        if newest is not None and newest.author != author.id and agree(newest.results, results):
            await claims.answer(tx, game.id, newest.version, author.id, Answer.CONFIRM, now)
        else:
            await claims.add(tx, game.id, ClaimKind.STANDING, author.id, results, now)
        return await _touched(tx, act, room, game, "score", now)


async def agree_standing(ledger: Ledger, command: TouchGame, *, now: datetime) -> GameView:
    """Agree to the newest standing of an open game that somebody else recorded.

    Raises:
        RequestRefused: It changed since it was shown, or the person has agreed already.
        NotAllowed: The person does not take part, or recorded it.
        IllegalMove: The game is not open.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        player = own_part(game, act, "agree")
        standing = game.standing
        if standing is None or standing.version != command.version:
            raise RequestRefused(Refusal.GAME_CHANGED, game.number)
        if standing.author == player.id:
            others = tuple(each for each in game.players if each.id != player.id)
            raise NotAllowed(game, others, referees=False)
        if not await claims.answer(tx, game.id, standing.version, player.id, Answer.CONFIRM, now):
            raise RequestRefused(Refusal.ALREADY_ANSWERED)
        return await _touched(tx, act, room, game, "agree", now)


async def keep_open(ledger: Ledger, command: TouchGame, *, now: datetime) -> GameView:
    """Say that a game is still played, after the bot asked.

    Raises:
        RequestRefused: Nobody asked, or somebody has said so already.
        NotAllowed: The person does not take part.
        IllegalMove: The game is not open.
    """
    act = command.act
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        game, room = await load_game(tx, command.game, act.guild)
        own_part(game, act, "keep-open")
        if game.asked_at is None:
            raise RequestRefused(Refusal.NOT_IDLE, game.number)
        return await _touched(tx, act, room, game, "keep-open", now)


async def games_of(
    ledger: Ledger, act: Act, *, only_open: bool = False
) -> tuple[Room, tuple[GameRecord, ...]]:
    """Return the room that is meant and the person's games in it that are not settled.

    Args:
        ledger: The ledger.
        act: Who asks, and where.
        only_open: Whether only the open ones are wanted.

    Raises:
        RequestRefused: No room is meant.
    """
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        player = await players.of_user(tx, act.guild, act.person.user)
        if player is None:
            return room, ()
        statuses = (Status.OPEN,) if only_open else _UNSETTLED
        return room, await games.of_player(tx, room.id, player.id, statuses)


async def find_open_games(
    ledger: Ledger, act: Act, number: int | None = None
) -> tuple[GameRecord, ...]:
    """Return the open games that a person may mean: the one of that number, or all in the room.

    Raises:
        RequestRefused: There is none.
        NotAllowed: The person does not take part in the one that is named.
        IllegalMove: The one that is named is not open.
    """
    if number is None:
        _, found = await games_of(ledger, act, only_open=True)
        if not found:
            raise RequestRefused(Refusal.NO_OPEN_GAME)
        return found
    async with ledger.reading() as tx:
        game = await games.numbered(tx, act.guild, number)
    if game is None:
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    own_part(game, act, "find")
    return (game,)


async def find_open_game(ledger: Ledger, act: Act, number: int | None = None) -> GameRecord:
    """Return the open game that a person means, the only one where none is named.

    Raises:
        RequestRefused: There is none, or there are several.
        NotAllowed: The person does not take part in the one that is named.
        IllegalMove: The one that is named is not open.
    """
    only, *others = await find_open_games(ledger, act, number)
    if others:
        raise RequestRefused(Refusal.SEVERAL_OPEN, *(game.number for game in (only, *others)))
    return only


async def form_of_game(ledger: Ledger, act: Act, game: GameId) -> tuple[GameRecord, bool]:
    """Return an open game of a person, and whether its room needs scores.

    Raises:
        RequestRefused: There is no such game here.
        NotAllowed: The person does not take part.
        IllegalMove: The game is not open.
    """
    async with ledger.reading() as tx:
        record, room = await load_game(tx, game, act.guild)
    own_part(record, act, "form")
    return record, make_system(room.system, room.settings).needs_scores


def own_part(game: GameRecord, act: Act, move: str) -> Player:
    """Return the participant who acts in an open game.

    Raises:
        NotAllowed: The person does not take part.
        IllegalMove: The game is not open.
    """
    player = game.player_of(act.person.user)
    if player is None:
        raise NotAllowed(game, game.players, referees=False)
    if game.status is not Status.OPEN:
        raise IllegalMove(game.status, move, game)
    return player


async def wait_for_touch(tx: Transaction, room: Room, game: GameRecord, now: datetime) -> None:
    """Note that a game was touched, and wait the room's time until it is idle."""
    await games.touch(tx, game.id, now)
    if room.close_idle_after:
        due_at = now + room.close_idle_after
        kind = timers.TimerKind.IDLE_GAME
        await timers.start(tx, room.guild, kind, game.id, game.version, due_at)


async def _touched(
    tx: Transaction, act: Act, room: Room, game: GameRecord, what: str, now: datetime
) -> GameView:
    await wait_for_touch(tx, room, game, now)
    await rooms.used(tx, room.id, now)
    await outbox.add(tx, act.guild, game.id, now + SHOWN_BY_CALLER)
    entry = audit.Entry(act.guild, what, act.person.user, room.id, game.id)
    await audit.note(tx, entry, now)
    return await view_in(tx, game.id, now)
