"""How long people wait: a report, a press and a leaderboard page, in the sandbox.

    .venv/bin/python benchmarks/answer_times.py [rounds]

The bot and the small Discord share one process and one event loop, over real HTTP and WebSocket.
A time is from the moment Discord tells the bot until its answer has come.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bot.client import create_client
from bot.clock import SystemClock
from bot.ledger.connection import open_ledger
from bot.sandbox import Sandbox
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bot.ledger.connection import Ledger
    from bot.sandbox import Answer

PLAYERS = 50_000
REACTION = 0.01
"""Seconds that a made-up person takes to react, which the sandbox waits before each act."""


async def timed(times: list[float], work: Awaitable[Answer]) -> Answer:
    """Await an answer and note the milliseconds that it took."""
    begin = time.perf_counter()
    answer = await work
    times.append((time.perf_counter() - begin - REACTION) * 1000)
    assert not answer.failed
    return answer


async def fill(ledger: Ledger, guild: int) -> None:
    """Give 50,000 players of the guild's only room a rating."""
    async with ledger.transaction() as tx:
        await tx.execute_many(
            "INSERT INTO players (id, guild_id, user_id, name) VALUES (?1, ?2, ?1, ?3)",
            [(number, guild, f"Player {number}") for number in range(1000, 1000 + PLAYERS)],
        )
        await tx.execute_many(
            "INSERT INTO standings (room_id, player_id, rating, shown, games, wins, draws, "
            "losses, last_game_at) VALUES (1, ?1, ?2, ?2, 1, 0, 0, 0, 0)",
            [
                (number, (1000 + number % 1500) * 1_000_000)
                for number in range(1000, 1000 + PLAYERS)
            ],
        )


async def main(rounds: int) -> None:
    """Measure and print the medians."""
    reports: list[float] = []
    presses: list[float] = []
    pages: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox() as sandbox:
            guild = sandbox.add_guild("Club")
            channel = guild.add_channel("ladder")
            ann, bob = guild.add_member("Ann", administrator=True), guild.add_member("Bob")
            url = f"sqlite:///{Path(folder, 'club.db')}"
            ledger = await open_ledger(url)
            settings = Settings(sandbox.token, url, api_base=sandbox.api_base)
            client = create_client(settings, ledger, SystemClock(), guild_ready_timeout=0.01)
            running = asyncio.create_task(client.start(settings.token))
            await sandbox.wait_for_bot()
            await client.wait_until_ready()
            await ann.slash(channel, "room create", name="Club", system="eternament")
            for _ in range(rounds):
                report = ann.slash(channel, "report", opponent=bob, result="win")
                answer = await timed(reports, report)
                assert answer.message is not None
                await timed(presses, bob.press(answer.message, "Yes, I lost"))
            await fill(ledger, guild.id)
            for number in range(rounds):
                page = 1 + number * 2500 // rounds
                await timed(pages, ann.slash(channel, "leaderboard", page=page))
            await client.close()
            await asyncio.wait({running})
            await ledger.close()
    for name, times, bound in (
        ("report to visible answer", reports, 10),
        ("press to visible ratings", presses, 10),
        (f"leaderboard page of {PLAYERS} players", pages, 20),
    ):
        worst = statistics.quantiles(times, n=100)[98]
        print(  # noqa: T201 - a benchmark prints
            f"{name}: median {statistics.median(times):.1f} ms (bound {bound}), p99 {worst:.1f} ms"
        )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
