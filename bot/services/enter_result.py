"""What referees enter: another result for a game, the result of a dispute, games not reported.

Each is proposed first, which shows what it does and keeps nothing else; carrying the proposal out
does just that, once, if nothing was rated since.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.errors import IllegalMove, ParlourError, Refusal, RequestRefused, TableUnreadable
from bot.ledger import audit, games, outbox, proposals, rooms, timers
from bot.ledger.encoding import from_moment, to_moment
from bot.ledger.filing import set_last_fact
from bot.ledger.players import of_ids
from bot.lifecycle import Move, after
from bot.model import Status, UserId
from bot.progress import Progress
from bot.services.acting import Person, find_room, take_up
from bot.services.game_view import load_game
from bot.services.naming import aborter_of_text, results_of_text
from bot.services.rerating import rate_again
from bot.services.stating import check_ratable
from bot.time_text import read_time

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.ledger.proposals import Proposal
    from bot.model import GameId, GameRecord, Participant, PlayerId, ProposalId, Room
    from bot.services.acting import Act
    from bot.services.rerating import Rerating


class Entering(StrEnum):
    """What a referee enters."""

    EDIT = "edit"
    SETTLE = "settle"
    ADD = "add"
    PASTE = "paste"


@dataclass(frozen=True, slots=True)
class Result:
    """A game as a referee writes it down.

    Attributes:
        standing: How it ended, or stood when it was aborted, as `read_named_standings` takes it.
        aborted_by: Who aborted it, empty for nobody.
        played_at: When it ended, as `read_time` takes it; empty for now.
    """

    standing: str
    aborted_by: str = ""
    played_at: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a referee wants entered.

    Attributes:
        entering: Of which kind.
        results: One, or those of a table.
        people: Whom the results mention.
        number: The game's number in the guild, None for new games.
        lines: The line of each result in the table, counted from 1.
    """

    entering: Entering
    results: tuple[Result, ...]
    people: tuple[Person, ...]
    number: int | None = None
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryView:
    """What an entry does.

    Attributes:
        entry: What is entered.
        room: Where.
        before: The game before it, None for new games.
        games: The games as they stand with it.
        later: How many later facts of the room are worked out again.
        rerating: What that does.
        proposal: What carries it out; None when it is done.
    """

    entry: Entry
    room: Room
    before: GameRecord | None
    games: tuple[GameRecord, ...]
    later: int
    rerating: Rerating
    proposal: ProposalId | None


class _NotKept(Exception):
    """Takes an entry back that was only for a look."""


async def propose_entry(ledger: Ledger, act: Act, entry: Entry, *, now: datetime) -> EntryView:
    """Return what an entry would do now, by doing it and taking it back, and keep the proposal.

    Raises:
        RequestRefused: Not for this person, or the entry makes no sense.
        StandingsUnreadable: A result is no standing.
        TableUnreadable: Lines of a table are at fault.
        UnratableGame: The room's system cannot rate a result.
    """
    view: EntryView | None = None
    seal = 0
    try:
        async with ledger.transaction(act.guild) as tx:
            room, game = await _place(tx, act, entry)
            seal = await rooms.last_fact_at(tx, room.id)
            view = await _enter(_Case(tx, act, room, entry, now, None), game)
            raise _NotKept  # noqa: TRY301 - the transaction takes it back
    except _NotKept:
        assert view is not None
    async with ledger.transaction(act.guild) as tx:
        proposal = await proposals.add(
            tx, act.guild, view.room.id, act.person.user, asdict(entry), seal=seal, now=now
        )
    return _with_proposal(view, proposal)


async def carry_out(
    ledger: Ledger,
    act: Act,
    which: ProposalId,
    reason: str,
    *,
    now: datetime,
    progress: Progress | None = None,
) -> EntryView:
    """Enter what was proposed, as it was shown.

    Raises:
        RequestRefused: It was done already, it was shown to somebody else, something was rated
            since, or there is no reason.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise RequestRefused(Refusal.REASON_EMPTY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        proposal = await proposals.take(tx, which)
        if proposal is None or proposal.guild != act.guild or proposal.room is None:
            raise RequestRefused(Refusal.PROPOSAL_GONE)
        if proposal.user != act.person.user:
            raise RequestRefused(Refusal.PROPOSAL_OF_OTHER)
        entry = _entry_of(proposal)
        room = await rooms.get(tx, proposal.room)
        if await rooms.last_fact_at(tx, room.id) != proposal.seal:
            raise RequestRefused(Refusal.ROOM_CHANGED)
        game = None
        if entry.number is not None:
            game, _ = await _numbered(tx, act, entry.number)
        case = _Case(tx, act, room, entry, now, progress or Progress())
        view = await _enter(case, game)
        for each in view.games:
            details: dict[str, object] = {"later": view.later, "moved": len(view.rerating.effects)}
            if view.before is not None and view.before.counts:
                details["before"] = _written(view.before)
            what = f"{entry.entering}-game"
            user, which_room = act.person.user, room.id
            noted = audit.Entry(act.guild, what, user, which_room, each.id, details, reason)
            await audit.note(tx, noted, now)
            if each.channel:
                is_new = each.message is None
                await outbox.add(tx, act.guild, each.id, now, anew=is_new)
        return view


def _with_proposal(view: EntryView, proposal: ProposalId) -> EntryView:
    return EntryView(
        view.entry, view.room, view.before, view.games, view.later, view.rerating, proposal
    )


def _entry_of(proposal: Proposal) -> Entry:
    content = proposal.content
    return Entry(
        Entering(content["entering"]),
        tuple(Result(**each) for each in content["results"]),
        tuple(
            Person(UserId(each["user"]), each["name"], each["is_bot"]) for each in content["people"]
        ),
        content["number"],
        tuple(content["lines"]),
    )


def _written(game: GameRecord) -> list[list[object]]:
    """Return a game's result as plain data: player, placing, score, and whether it aborted."""
    return [
        [
            each.player,
            each.placing,
            None if each.score is None else str(each.score),
            each.player == game.aborted_by,
        ]
        for each in game.results
    ]


async def _place(tx: Transaction, act: Act, entry: Entry) -> tuple[Room, GameRecord | None]:
    if entry.number is None:
        return await find_room(tx, act), None
    game, room = await _numbered(tx, act, entry.number)
    return room, game


async def _numbered(tx: Transaction, act: Act, number: int) -> tuple[GameRecord, Room]:
    game = await games.numbered(tx, act.guild, number)
    if game is None:
        raise RequestRefused(Refusal.NO_SUCH_GAME)
    return await load_game(tx, game.id, act.guild)


@dataclass(frozen=True, slots=True)
class _Case:
    """What is entered where; without progress it is a look, which is taken back."""

    tx: Transaction
    act: Act
    room: Room
    entry: Entry
    now: datetime
    progress: Progress | None

    async def rate_again(self, since: int, change: Callable[[], Awaitable[None]]) -> Rerating:
        return await rate_again(
            self.tx, self.room, since, change, now=self.now, progress=self.progress
        )


async def _enter(case: _Case, game: GameRecord | None) -> EntryView:
    entry = case.entry
    if not case.act.is_referee(case.room):
        raise RequestRefused(Refusal.REFEREES_ONLY)
    match entry.entering:
        case Entering.EDIT:
            assert game is not None, entry
            return await _edit(case, game)
        case Entering.SETTLE:
            assert game is not None, entry
            return await _settle(case, game)
        case Entering.ADD | Entering.PASTE:
            return await _add(case)


async def _edit(case: _Case, game: GameRecord) -> EntryView:
    tx, room, entry = case.tx, case.room, case.entry
    if not game.counts or game.final_at is None:
        raise RequestRefused(Refusal.NOT_SETTLED, game.number)
    results, aborter = await _read(case, entry.results[0])
    if game.player_of(case.act.person.user) is not None:
        raise RequestRefused(Refusal.OWN_GAME, game.number)
    if set(results) == set(game.results) and aborter == game.aborted_by:
        raise RequestRefused(Refusal.NOTHING_CHANGES, game.number)
    move = Move.EDIT_RESULT if aborter is None else Move.EDIT_ABORT

    async def change() -> None:
        await games.move(tx, game, _after(game, move), move=move, now=case.now)
        await games.replace_result(tx, game.id, results, aborted_by=aborter)

    rerating = await case.rate_again(to_moment(game.final_at), change)
    edited, _ = await load_game(tx, game.id)
    return EntryView(entry, room, game, (edited,), rerating.later - 1, rerating, None)


async def _settle(case: _Case, game: GameRecord) -> EntryView:
    tx, room, entry = case.tx, case.room, case.entry
    if game.status not in {Status.REPORTED, Status.DISPUTED}:
        raise RequestRefused(Refusal.NOT_WAITING, game.number)
    if game.player_of(case.act.person.user) is not None:
        raise RequestRefused(Refusal.OWN_GAME, game.number)
    results, aborter = await _read(case, entry.results[0])
    if {each.player for each in results} != {each.id for each in game.players}:
        names = ", ".join(player.name for player in game.players)
        raise RequestRefused(Refusal.OTHER_PLAYERS, names)
    move = Move.CONFIRM_RESULT if aborter is None else Move.CONFIRM_ABORT
    moment = await rooms.next_fact_at(tx, room.id, case.now)

    async def change() -> None:
        await games.move(tx, game, _after(game, move), move=move, now=case.now)
        await games.settle(tx, game.id, results, aborted_by=aborter, final_at=moment)
        await timers.stop(tx, game.id)

    rerating = await case.rate_again(moment, change)
    settled, _ = await load_game(tx, game.id)
    return EntryView(entry, room, game, (settled,), 0, rerating, None)


async def _add(case: _Case) -> EntryView:
    tx, room, entry = case.tx, case.room, case.entry
    read = await _read_all(case)
    if not read:
        raise RequestRefused(Refusal.TABLE_EMPTY)
    present = await rooms.next_fact_at(tx, room.id, case.now)
    # Those of one time come in the order in which they are written.
    ordered = sorted(
        ((to_moment(each.time) if each.time else present, each) for each in read),
        key=lambda pair: pair[0],
    )
    added: list[GameId] = []

    async def change() -> None:
        last = 0
        for wanted, each in ordered:
            last = await games.free_moment(tx, room.id, max(wanted, last + 1))
            added.append(await _add_one(case, each, last))
        await set_last_fact(tx, room.id, last)

    rerating = await case.rate_again(ordered[0][0], change)
    found = tuple([(await load_game(tx, game))[0] for game in added])
    return EntryView(entry, room, None, found, rerating.later - len(found), rerating, None)


@dataclass(frozen=True, slots=True)
class _Read:
    """A result that was understood."""

    results: tuple[Participant, ...]
    aborter: PlayerId | None
    time: datetime | None


async def _read_all(case: _Case) -> list[_Read]:
    entry = case.entry
    read: list[_Read] = []
    problems: list[tuple[int, ParlourError]] = []
    for place, result in enumerate(entry.results):
        try:
            read.append(await _read_new(case, result))
        except ParlourError as error:
            if entry.entering is Entering.ADD:
                raise
            problems.append((entry.lines[place], error))
    if problems:
        raise TableUnreadable(problems)
    return read


async def _read_new(case: _Case, result: Result) -> _Read:
    act = case.act
    time = read_time(result.played_at, now=case.now) if result.played_at else None
    results, aborter = await _read(case, result)
    own = await of_ids(case.tx, {each.player for each in results})
    is_own = any(player.user == act.person.user for player in own.values())
    # Whoever keeps a club's table plays in the club; a single game has other referees.
    if is_own and not (case.entry.entering is Entering.PASTE and act.manages_guild):
        raise RequestRefused(Refusal.OWN_RESULT)
    return _Read(results, aborter, time)


async def _read(case: _Case, result: Result) -> tuple[tuple[Participant, ...], PlayerId | None]:
    tx, guild, people = case.tx, case.act.guild, case.entry.people
    results = await results_of_text(tx, guild, result.standing, people)
    check_ratable(case.room, results)
    aborter = await aborter_of_text(tx, guild, result.aborted_by, people, results)
    return results, aborter


async def _add_one(case: _Case, read: _Read, moment: int) -> GameId:
    tx, channel = case.tx, case.act.channel
    known = await of_ids(tx, {each.player for each in read.results})
    seats = [known[each.player] for each in read.results]
    status = Status.RATED if read.aborter is None else Status.ABORTED
    time = from_moment(moment)
    game = await games.add(tx, case.room, seats, channel, status=status, now=time)
    await games.settle(tx, game, read.results, aborted_by=read.aborter, final_at=moment)
    return game


def _after(game: GameRecord, move: Move) -> Status:
    try:
        return after(game.status, move)
    except IllegalMove as error:
        raise IllegalMove(game.status, move, game) from error
