"""Whatever up to six people do in whatever order: the promises that every room keeps."""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ParlourError
from bot.ledger import events, games, rooms, standings
from bot.ledger.connection import open_ledger
from bot.model import Answer, Cause, Confirmation, EventKind, GameId, GuildId, Status
from bot.ratings.registry import make_system, system_keys
from bot.services.abort_game import (
    AbortGame,
    AbortUnopened,
    abort_game,
    abort_unopened,
    agree_uncounted,
)
from bot.services.acting import find_room
from bot.services.answer_claim import (
    AnswerClaim,
    annul_game,
    confirm_claim,
    dispute_claim,
    withdraw_claim,
)
from bot.services.change_rules import ChangeRules, change_rules, preview_rules
from bot.services.check_ledger import check_ledger
from bot.services.correct_game import (
    CorrectGame,
    Correction,
    correct_game,
    preview_correction,
)
from bot.services.enter_result import Entering, Entry, Result, carry_out, propose_entry
from bot.services.explain_game import explained_changes
from bot.services.export_room import export_room
from bot.services.import_games import ImportGames, import_games
from bot.services.open_game import (
    OpenGame,
    RecordStanding,
    TouchGame,
    agree_standing,
    keep_open,
    open_game,
    record_standing,
)
from bot.services.replay_room import replay_room
from bot.services.report_game import (
    ReportGame,
    ReportOpenGame,
    report_game,
    report_open_game,
)
from bot.services.run_event import (
    ChangeEvent,
    OpenTournament,
    cancel_tournament,
    close_event,
    open_tournament,
    reopen_event,
)
from bot.services.set_up_room import CreateRoom, EditRoom, create_room, edit_room
from bot.services.view_standings import view_leaderboard
from bot.services.work_off_timers import work_off_timers
from bot.standings_text import by_scores
from tests.conftest import START, People

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from bot.ledger.connection import Ledger
    from bot.ledger.standings import Record, StoredChange
    from bot.model import GameRecord, RatingChange
    from bot.services.acting import Act
    from bot.standings_text import Stated

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo")
KINDS = {"simplified-elo": EventKind.TOURNAMENT, "ecf": EventKind.SEASON}

people_at_a_table = st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True)
scores_at_a_table = st.lists(st.integers(-20, 400), min_size=4, max_size=4)
game_numbers = st.integers(1, 3)
versions = st.one_of(st.none(), st.none(), st.integers(0, 4))


@dataclass(frozen=True)
class Table:
    """Something done by the first of some people about a game between all of them."""

    act: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    another: bool


@dataclass(frozen=True)
class Press:
    """Something done about a game that there may be; no version is the newest.

    It is done by whoever sits there, or by somebody else where there is no such seat.
    """

    act: str
    seat: int
    game: int
    version: int | None
    scores: tuple[int, ...]
    manager: bool


@dataclass(frozen=True)
class Event:
    """Something done by the owner about an event."""

    act: str


@dataclass(frozen=True)
class Entered:
    """A result that a referee enters: of a game, hours ago, or of one that was reported."""

    names: tuple[str, ...]
    scores: tuple[int, ...]
    hours: int | None
    game: int | None
    is_abort: bool


@dataclass(frozen=True)
class Rules:
    """Other rules for the room, and its own again."""

    system: str


@dataclass(frozen=True)
class Wait:
    """Hours that pass."""

    hours: int


TABLES = ("report", "report", "play", "play", "abort-unopened", "abort-unopened-without-action")
PRESSES = (
    "confirm",
    "wrong",
    "not-played",
    "withdraw",
    "annul",
    "score",
    "agree",
    "keep-open",
    "uncounted",
    "abort",
    "abort-as-recorded",
    "report-open",
    "void",
    "void",
    "restore",
)
steps = st.one_of(
    st.builds(
        Table,
        st.sampled_from(TABLES),
        people_at_a_table.map(tuple),
        scores_at_a_table.map(tuple),
        st.booleans(),
    ),
    st.builds(
        Press,
        st.sampled_from(PRESSES),
        st.integers(0, 3),
        game_numbers,
        versions,
        scores_at_a_table.map(tuple),
        st.booleans(),
    ),
    st.builds(
        Entered,
        people_at_a_table.map(tuple),
        scores_at_a_table.map(tuple),
        st.one_of(st.none(), st.integers(0, 200)),
        st.one_of(st.none(), game_numbers),
        st.booleans(),
    ),
    st.builds(Rules, st.sampled_from(system_keys())),
    st.builds(Wait, st.sampled_from([1, 30, 24 * 15])),
    st.builds(Event, st.sampled_from(["open", "close", "cancel", "reopen"])),
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(system_keys()),
    st.sampled_from(Confirmation),
    st.lists(steps, min_size=8, max_size=30),
)
def test_every_room_keeps_its_promises(
    system: str,
    confirmation: Confirmation,
    sequence: list[Table | Press | Entered | Rules | Event | Wait],
) -> None:
    asyncio.run(_keeps_its_promises(system, confirmation, sequence))


async def _keeps_its_promises(
    system: str,
    confirmation: Confirmation,
    sequence: list[Table | Press | Entered | Rules | Event | Wait],
) -> None:
    with TemporaryDirectory() as folder:
        ledger = await open_ledger(f"sqlite:///{Path(folder, 'ledger.db')}")
        try:
            people = People()
            command = CreateRoom(people.act("Max", manager=True), "Ladder", system, None)
            await create_room(ledger, command, now=START)
            edit = EditRoom(people.act("Max", manager=True), confirmation=confirmation)
            await edit_room(ledger, edit, now=START)
            now = START
            for step in sequence:
                if isinstance(step, Wait):
                    now += timedelta(hours=step.hours)
                try:
                    await do(ledger, people, step, now)
                except ParlourError:
                    continue
            await no_abort_pays(ledger)
            await standings_equal_a_replay(ledger)
            await an_import_of_its_export_rates_alike(ledger)
        finally:
            await ledger.close()


async def do(
    ledger: Ledger,
    people: People,
    step: Table | Press | Entered | Rules | Event | Wait,
    now: datetime,
) -> None:
    match step:
        case Table():
            await at_a_table(ledger, people, step, now)
        case Press():
            await press(ledger, people, step, now)
        case Entered():
            await enter(ledger, people, step, now)
        case Rules():
            await there_and_back(ledger, people, step.system, now)
        case Event():
            await run_event(ledger, people, step.act, now)
        case Wait():
            await work_off_timers(ledger, now=now)


async def at_a_table(ledger: Ledger, people: People, step: Table, now: datetime) -> None:
    act = people.act(step.names[0])
    others = tuple(people.person(name) for name in step.names[1:])
    statement = said(people, step.names, step.scores)
    match step.act:
        case "report":
            command = ReportGame(act, others, statement, step.another)
            await report_game(ledger, command, now=now)
        case "play":
            await open_game(ledger, OpenGame(act, others), now=now)
        case "abort-unopened":
            await abort_unopened(ledger, AbortUnopened(act, others, statement), now=now)
        case _:
            await abort_unopened(ledger, AbortUnopened(act, others, None), now=now)


async def press(ledger: Ledger, people: People, step: Press, now: datetime) -> None:
    async with ledger.reading() as tx:
        record = await games.get(tx, GameId(step.game))
    if record is None:
        return
    names = tuple(player.name for player in record.players)
    name = names[step.seat] if step.seat < len(names) else "Gus"
    act, game = people.act(name, manager=step.manager), record.id
    version = record.version if step.version is None else step.version
    if step.act in {"void", "restore"}:
        await correct(ledger, people.act("Max", manager=True), record, Correction(step.act), now)
        return
    statement = said(people, names, step.scores)
    answer = AnswerClaim(act, game, version)
    touch = TouchGame(act, game, version)
    acts: dict[str, Callable[[], Awaitable[object]]] = {
        "confirm": lambda: confirm_claim(ledger, answer, now=now),
        "wrong": lambda: dispute_claim(ledger, answer, Answer.WRONG, now=now),
        "not-played": lambda: dispute_claim(ledger, answer, Answer.NOT_PLAYED, now=now),
        "withdraw": lambda: withdraw_claim(ledger, answer, now=now),
        "annul": lambda: annul_game(ledger, answer, now=now),
        "agree": lambda: agree_standing(ledger, touch, now=now),
        "keep-open": lambda: keep_open(ledger, touch, now=now),
        "uncounted": lambda: agree_uncounted(ledger, touch, now=now),
        "score": lambda: record_standing(ledger, RecordStanding(act, game, statement), now=now),
        "abort": lambda: abort_game(ledger, AbortGame(act, game, version, statement), now=now),
        "abort-as-recorded": lambda: abort_game(ledger, AbortGame(act, game, version), now=now),
        "report-open": lambda: report_open_game(
            ledger, ReportOpenGame(act, game, statement), now=now
        ),
    }
    await acts[step.act]()


async def correct(
    ledger: Ledger, act: Act, game: GameRecord, correction: Correction, now: datetime
) -> None:
    before = await kept(ledger)
    shown = await preview_correction(ledger, act, game.number, correction, now=now)
    assert await kept(ledger) == before, "a look changes nothing"
    command = CorrectGame(act, game.id, correction, shown.seal, "for a reason")
    done = await correct_game(ledger, command, now=now)
    assert done.rerating.effects == shown.rerating.effects


async def enter(ledger: Ledger, people: People, step: Entered, now: datetime) -> None:
    act = people.act("Max", manager=True)
    standing = " ".join(
        f"guest:{name} {score}" if name in {"Eve", "Flo"} else f'"{name}" {score}'
        for name, score in zip(step.names, step.scores, strict=False)
    )
    aborter = f"guest:{step.names[0]}" if step.names[0] in {"Eve", "Flo"} else step.names[0]
    played = "" if step.hours is None else (now - timedelta(hours=step.hours)).isoformat()
    result = Result(standing, aborter if step.is_abort else "", played)
    kind, number = Entering.ADD, step.game
    if step.game is not None:
        async with ledger.reading() as tx:
            record = await games.numbered(tx, act.guild, step.game)
        is_settled = record is not None and record.status.is_settled
        kind = Entering.EDIT if is_settled else Entering.SETTLE
    before = await kept(ledger)
    entry = Entry(kind, (result,), (), number)
    shown = await propose_entry(ledger, act, entry, now=now)
    assert await kept(ledger) == before, "a look changes nothing"
    assert shown.proposal is not None
    act = people.act("Max", manager=True)
    done = await carry_out(ledger, act, shown.proposal, "for a reason", now=now)
    assert [each.after for each in done.rerating.effects] == [
        each.after for each in shown.rerating.effects
    ]


async def there_and_back(ledger: Ledger, people: People, system: str, now: datetime) -> None:
    before = await kept(ledger)
    async with ledger.reading() as tx:
        (room,) = await rooms.of_guild(tx, GuildId(1))
    for key in (system, room.system):
        act = people.act("Max", manager=True)
        preview = await preview_rules(ledger, act, key, None, now=now)
        act = people.act("Max", manager=True)
        await change_rules(ledger, ChangeRules(act, room.id, key, "", preview.seal), now=now)
        board = await view_leaderboard(ledger, room.id, 1, now=now)
        shown = [(line.rank, line.record.player.name, line.shown) for line in board.lines]
        assert shown[:10] == [(each.rank, each.name, each.rating) for each in preview.then]
        assert (await check_ledger(ledger, repair=False)).is_well
    assert await kept(ledger) == before, "the way back leads back"


def said(people: People, names: tuple[str, ...], scores: tuple[int, ...]) -> tuple[Stated, ...]:
    users = [people.person(name).user for name in names]
    return by_scores(users, [Decimal(score) for score in scores[: len(users)]])


async def run_event(ledger: Ledger, people: People, what: str, now: datetime) -> None:
    act = people.act("Max", manager=True)
    async with ledger.reading() as tx:
        room = await find_room(tx, act)
        seal = await rooms.last_fact_at(tx, room.id)
    kind = KINDS.get(room.system, EventKind.TOURNAMENT)
    command = ChangeEvent(act, kind, seal, f"Event {seal}")
    match what:
        case "open":
            await open_tournament(ledger, OpenTournament(act, f"Event {seal}"), now=now)
        case "close":
            await close_event(ledger, command, now=now)
        case "cancel":
            await cancel_tournament(ledger, command, now=now)
        case _:
            await reopen_event(ledger, command, now=now)


async def no_abort_pays(ledger: Ledger) -> None:
    """No aborter ever gained, nobody else lost by an abort, and who counts is rated."""
    async with ledger.reading() as tx:
        (room,) = await rooms.of_guild(tx, GuildId(1))
        quantum = make_system(room.system, {}).quantum
        ids = [GameId(row[0]) for row in await tx.fetch("SELECT id FROM games")]
        for which in ids:
            game = await games.get(tx, which)
            assert game is not None
            changes = await standings.changes_of_game(tx, which, quantum)
            check_game(room.system, game, [stored.change for stored in changes])
            explained = await explained_changes(tx, make_system(room.system, {}), game)
            assert len(explained) == len(changes)
            assert all(change.reasons for change in explained), "what is kept can be explained"


def check_game(system: str, game: GameRecord, changes: list[RatingChange]) -> None:
    assert game.counts == bool(changes), game
    if not game.counts:
        assert game.status is not Status.RATED
        return
    assert game.status in {Status.RATED, Status.ABORTED}
    assert (game.status is Status.ABORTED) == (game.aborted_by is not None)
    for change in changes:
        if game.aborted_by is None or change.cause is not Cause.GAME:
            continue
        worth = change.delta if change.contribution is None else change.contribution
        if system == "ecf" and change.contribution is not None:
            assert change.before is not None
            worth = change.contribution - change.before
        if worth is not None and change.player == game.aborted_by:
            assert worth <= 0, game
        elif worth is not None:
            assert worth >= 0, game


async def standings_equal_a_replay(ledger: Ledger) -> None:
    before = await kept(ledger)
    async with ledger.transaction() as tx:
        (room,) = await rooms.of_guild(tx, GuildId(1))
        await replay_room(tx, room.id)
    assert await kept(ledger) == before


async def an_import_of_its_export_rates_alike(ledger: Ledger) -> None:
    async with ledger.reading() as tx:
        (room,) = await rooms.of_guild(tx, GuildId(1))
        running = await events.running(tx, room.id)
    if running is not None:
        # A games file can only say that a tournament was closed.
        return
    export = await export_room(ledger, room.id)
    command = ImportGames(GuildId(2), "Copy", room.system, {}, io.StringIO(export.games))
    imported = await import_games(ledger, command, now=START + timedelta(days=1000))
    copy = await export_room(ledger, imported.room.id)
    assert copy.standings == export.standings
    assert copy.count == export.count


async def kept(ledger: Ledger) -> tuple[list[Record | None], list[StoredChange]]:
    async with ledger.reading() as tx:
        (room,) = await rooms.of_guild(tx, GuildId(1))
        quantum = make_system(room.system, {}).quantum
        known = await standings.of_room(tx, room.id, quantum)
        records = [await standings.record(tx, room.id, player, quantum) for player in sorted(known)]
        changes = [*await standings.changes_of_room(tx, room.id, quantum)]
    return records, changes
