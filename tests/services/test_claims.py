"""Whatever people do with claims: standings equal a replay, and each act counts once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.errors import Refusal, RequestRefused
from bot.ledger import games, timers
from bot.model import GameId, Outcome, Status
from bot.services.answer_claim import (
    AnswerClaim,
    confirm_claim,
)
from bot.services.report_game import ReportGame, report_game
from bot.services.stating import OwnView
from bot.services.view_standings import view_leaderboard
from bot.services.work_off_timers import work_off_timers
from tests.conftest import START, People

if TYPE_CHECKING:
    from bot.ledger.connection import Ledger


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
