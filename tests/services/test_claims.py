"""Whatever people do with claims: standings equal a replay, and each act counts once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ParlourError, Refusal, RequestRefused
from bot.ledger import games, rooms, standings, timers
from bot.ledger.connection import open_ledger
from bot.model import Answer, Confirmation, EventKind, GameId, GuildId, Outcome, Status
from bot.ratings.registry import make_system, system_keys
from bot.services.acting import find_room
from bot.services.answer_claim import (
    AnswerClaim,
    annul_game,
    confirm_claim,
    dispute_claim,
    withdraw_claim,
)
from bot.services.replay_room import replay_room
from bot.services.report_game import ReportGame, report_game
from bot.services.run_event import (
    ChangeEvent,
    OpenTournament,
    cancel_tournament,
    close_event,
    open_tournament,
    reopen_event,
)
from bot.services.set_up_room import CreateRoom, EditRoom, create_room, edit_room
from bot.services.stating import OwnView
from bot.services.view_standings import view_leaderboard
from bot.services.work_off_timers import work_off_timers
from tests.conftest import START, People

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger
    from bot.ledger.standings import Record

NAMES = ("Ann", "Bob", "Cy")
STEPS = st.one_of(
    st.tuples(
        st.just("report"),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from(Outcome),
        st.booleans(),
    ),
    st.tuples(
        st.sampled_from(["confirm", "wrong", "not-played", "withdraw", "annul"]),
        st.sampled_from(NAMES),
        st.integers(1, 6),
        st.integers(1, 3),
        st.booleans(),
    ),
    st.tuples(st.just("time"), st.integers(1, 30)),
    st.tuples(st.just("event"), st.sampled_from(["open", "close", "cancel", "reopen"])),
)
SCORES = {Outcome.WIN: (400, 350), Outcome.DRAW: (300, 300), Outcome.LOSS: (10, 99)}
KINDS = {"simplified-elo": EventKind.TOURNAMENT, "ecf": EventKind.SEASON}


async def do(ledger: Ledger, people: People, step: tuple[object, ...], hours: int) -> None:
    now = START + timedelta(hours=hours)
    match step:
        case ("report", str(author), str(opponent), Outcome() as outcome, bool(another)):
            own, other = (Decimal(score) for score in SCORES[outcome])
            command = ReportGame(
                people.act(author),
                (people.person(opponent),),
                OwnView(outcome, own, other),
                another,
            )
            await report_game(ledger, command, now=now)
        case ("event", str(what)):
            await run_event(ledger, people, what, now)
        case (str(kind), str(who), int(game), int(version), bool(manager)):
            answer = AnswerClaim(people.act(who, manager=manager), GameId(game), version)
            match kind:
                case "confirm":
                    await confirm_claim(ledger, answer, now=now)
                case "wrong":
                    await dispute_claim(ledger, answer, Answer.WRONG, now=now)
                case "not-played":
                    await dispute_claim(ledger, answer, Answer.NOT_PLAYED, now=now)
                case "withdraw":
                    await withdraw_claim(ledger, answer, now=now)
                case _:
                    await annul_game(ledger, answer, now=now)
        case _:
            await work_off_timers(ledger, now=now)


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


async def state_of(ledger: Ledger) -> tuple[list[Record | None], list[object]]:
    async with ledger.reading() as tx:
        (room,) = await rooms.of_guild(tx, GuildId(1))
        quantum = make_system(room.system, {}).quantum
        known = await standings.of_room(tx, room.id, quantum)
        records = [await standings.record(tx, room.id, player, quantum) for player in sorted(known)]
        changes: list[object] = [*await standings.changes_of_room(tx, room.id, quantum)]
    return records, changes


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(system_keys()),
    st.sampled_from([Confirmation.OPPONENT, Confirmation.NOBODY]),
    st.lists(STEPS, max_size=25),
)
def test_standings_equal_a_replay(
    system: str, confirmation: Confirmation, steps: list[tuple[object, ...]]
) -> None:
    asyncio.run(_standings_equal_a_replay(system, confirmation, steps))


async def _standings_equal_a_replay(
    system: str, confirmation: Confirmation, steps: list[tuple[object, ...]]
) -> None:
    with TemporaryDirectory() as folder:
        ledger = await open_ledger(f"sqlite:///{Path(folder, 'ledger.db')}")
        try:
            people = People()
            command = CreateRoom(people.act("Max", manager=True), "Ladder", system, None)
            await create_room(ledger, command, now=START)
            edit = EditRoom(people.act("Max", manager=True), confirmation=confirmation)
            await edit_room(ledger, edit, now=START)
            hours = 0
            for step in steps:
                hours += step[1] if isinstance(step[1], int) and step[0] == "time" else 0
                try:
                    await do(ledger, people, step, hours)
                except ParlourError:
                    continue
            before = await state_of(ledger)
            async with ledger.transaction() as tx:
                (room,) = await rooms.of_guild(tx, GuildId(1))
                await replay_room(tx, room.id)
            assert await state_of(ledger) == before
        finally:
            await ledger.close()


async def report(ledger: Ledger, people: People, author: str, opponent: str) -> GameId:
    command = ReportGame(people.act(author), (people.person(opponent),), OwnView(Outcome.WIN))
    return (await report_game(ledger, command, now=START)).game.id


async def test_an_interaction_counts_once(ledger: Ledger, people: People) -> None:
    command = ReportGame(people.act("Ann"), (people.person("Bob"),), OwnView(Outcome.WIN))
    await report_game(ledger, command, now=START)
    with pytest.raises(RequestRefused) as refusal:
        await report_game(ledger, command, now=START)
    assert refusal.value.why is Refusal.ALREADY_DONE


async def test_forty_presses_at_once_rate_one_game(ledger: Ledger, people: People) -> None:
    game = await report(ledger, people, "Ann", "Bob")
    presses = [
        confirm_claim(ledger, AnswerClaim(people.act("Bob"), game, 1), now=START) for _ in range(40)
    ]
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    board = await view_leaderboard(ledger, people.act("Ann"), 1, now=START)
    assert [(line.record.player.name, line.shown) for line in board.lines] == [
        ("Ann", 1608),
        ("Bob", 1592),
    ]


async def test_cancelled_acts_leave_no_half_game(ledger: Ledger, people: People) -> None:
    for number in range(150):
        command = ReportGame(
            people.act("Ann"), (people.person(f"P{number}"),), OwnView(Outcome.WIN), is_another=True
        )
        task = asyncio.create_task(report_game(ledger, command, now=START))
        for _ in range(number % 50):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
    await report(ledger, people, "Ann", "Bob")
    async with ledger.reading() as tx:
        halves = await tx.fetch(
            "SELECT count(*) FROM games WHERE id NOT IN (SELECT game_id FROM claims) "
            "OR (SELECT count(*) FROM participants WHERE game_id = games.id) <> 2"
        )
    assert halves[0][0] == 0


async def test_a_faulty_timer_does_not_stop_the_others(ledger: Ledger, people: People) -> None:
    broken = await report(ledger, people, "Ann", "Bob")
    sound = await report(ledger, people, "Cy", "Dee")
    async with ledger.transaction() as tx:
        await tx.execute('UPDATE rooms SET settings = \'{"bad": "1"}\'')
        await tx.execute(
            "INSERT INTO rooms (guild_id, name, name_key, system, last_used_at, created_at) "
            "VALUES (1, 'sound', 'sound', 'eternament', 0, 0)"
        )
        await tx.execute("UPDATE games SET room_id = 2 WHERE id = ?1", sound)

    later = START + timedelta(hours=25)
    assert await work_off_timers(ledger, now=later) == 1

    async with ledger.reading() as tx:
        first, second = await games.get(tx, broken), await games.get(tx, sound)
        waiting = await timers.next_due(tx)
    assert first is not None
    assert second is not None
    assert (first.status, second.status) == (Status.REPORTED, Status.RATED)
    assert waiting == later + timedelta(minutes=1)


async def test_a_press_on_a_replaced_claim_is_refused(ledger: Ledger, people: People) -> None:
    game = await report(ledger, people, "Ann", "Bob")
    await report(ledger, people, "Ann", "Bob")
    with pytest.raises(RequestRefused) as refusal:
        await confirm_claim(ledger, AnswerClaim(people.act("Bob"), game, 1), now=START)
    assert refusal.value.why is Refusal.CLAIM_REPLACED


async def test_an_empty_room_has_an_empty_first_page(ledger: Ledger, people: People) -> None:
    await report(ledger, people, "Ann", "Bob")
    board = await view_leaderboard(ledger, people.act("Ann"), 7, now=START)
    assert (board.page, board.pages, board.ranked, board.lines) == (1, 1, 0, ())
