"""A stop waits for what is under way, and a lost connection loses no press."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Club


def is_answering() -> bool:
    return any(task.get_name().startswith("discord-ui-") for task in asyncio.all_tasks())


async def test_a_press_under_way_is_answered_before_the_stop(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    async with club.ledger.transaction():
        press = asyncio.create_task(bob.press(report.message, "Yes, I lost"))
        async with asyncio.timeout(10):
            while not is_answering():  # noqa: ASYNC110 - discord.py tells nobody of its tasks
                await asyncio.sleep(0.001)
        stop = asyncio.create_task(club.stop())
        for _ in range(20):
            await asyncio.sleep(0)
        assert not stop.done()
    await stop
    await press
    assert "Ann 1600 → **1608** (+8)" in report.message.text


async def test_a_dropped_connection_is_resumed_and_nothing_is_lost(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None

    before = set(club.sandbox.sessions.open)
    await club.sandbox.drop_connections()
    # Pressed while the bot is away: it hears of the press when it has resumed.
    await bob.press(report.message, "Yes, I lost")

    assert "Ann 1600 → **1608** (+8)" in report.message.text
    assert set(club.sandbox.sessions.open) == before
    board = await ann.slash(club.channel, "leaderboard")
    assert "2 players" in board.text


async def test_asked_to_reconnect_the_bot_goes_on(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await club.sandbox.ask_reconnect()

    report = await ann.slash(club.channel, "report", opponent=bob, result="win")

    assert "Ann reports: Ann beat Bob" in report.text


async def test_with_its_session_gone_the_bot_identifies_again(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    before = set(club.sandbox.sessions.open)
    await club.sandbox.invalidate_sessions()
    await club.sandbox.until(lambda: bool(set(club.sandbox.sessions.open) - before), timeout=30)

    report = await ann.slash(club.channel, "report", opponent=bob, result="win")

    assert "Ann reports: Ann beat Bob" in report.text


async def test_no_message_is_kept_in_memory(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    await bob.press(report.message, "Yes, I lost")
    await ann.slash(club.channel, "play", opponent=bob)
    await ann.slash(club.channel, "abort")

    assert club.client is not None
    assert club.client.persistent_views == []
