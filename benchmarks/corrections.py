"""How long a void takes in a room of 100,000 games and 5,000 players.

python benchmarks/corrections.py [SYSTEM] [GAMES] [PLAYERS]
"""

from __future__ import annotations

import asyncio
import io
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.ledger.connection import open_ledger
from bot.model import ChannelId, GameId, GuildId, InteractionId, RoomId, UserId
from bot.services.acting import Act, Person
from bot.services.correct_game import (
    CorrectGame,
    Correction,
    correct_game,
    preview_correction,
)
from bot.services.import_games import ImportGames, import_games
from bot.services.view_standings import view_leaderboard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.ledger.connection import Ledger

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _file(games: int, players: int) -> str:
    choose = random.Random(1)  # noqa: S311 - the same games every time
    rows = ["game,played_at,event,player,placing,score,aborted"]
    for number in range(1, games + 1):
        first, second = choose.sample(range(players), 2)
        scores = sorted((choose.randint(200, 450), choose.randint(200, 450)), reverse=True)
        placings = (1, 1) if scores[0] == scores[1] else (1, 2)
        rows.extend(
            f"{number},,,p{player},{placing},{score},"
            for player, placing, score in zip((first, second), placings, scores, strict=True)
        )
    return "\n".join(rows) + "\n"


async def _measure(system: str, games: int, players: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = await open_ledger(f"sqlite:///{Path(folder, 'ledger.db')}")
        try:
            start = time.perf_counter()
            file = io.StringIO(_file(games, players))
            command = ImportGames(GuildId(1), "Ladder", system, {}, file)
            await import_games(ledger, command, now=_NOW)
            _say(f"{system}: import {time.perf_counter() - start:.2f} s")
            for interaction, number in enumerate((games - 50, 1), start=1):
                act = Act(
                    interaction=InteractionId(interaction),
                    guild=GuildId(1),
                    channel=ChannelId(1),
                    parent=None,
                    channel_name="ladder",
                    person=Person(UserId(1), "Max", is_bot=False),
                    roles=frozenset(),
                    manages_guild=True,
                )
                others = asyncio.create_task(_others(ledger))
                start = time.perf_counter()
                view = await preview_correction(ledger, act, number, Correction.VOID, now=_NOW)
                shown = time.perf_counter()
                void = CorrectGame(act, GameId(number), Correction.VOID, view.seal, "benchmark")
                await correct_game(ledger, void, now=_NOW)
                done = time.perf_counter()
                _say(
                    f"{system}: void of game {number}: look {shown - start:.2f} s, "
                    f"deed {done - shown:.2f} s, {view.later} later games"
                )
                others.cancel()
                waits = sorted(await others)
                _say(
                    f"  a leaderboard meanwhile: median {_median(waits):.0f} ms, "
                    f"longest {waits[-1]:.0f} ms, {len(waits)} times"
                )
        finally:
            await ledger.close()


async def _others(ledger: Ledger) -> list[float]:
    """Ask for a leaderboard until cancelled, and return how many milliseconds each took."""
    waits: list[float] = []
    try:
        while True:
            start = time.perf_counter()
            await view_leaderboard(ledger, RoomId(1), 1, now=_NOW)
            waits.append(1000 * (time.perf_counter() - start))
            await asyncio.sleep(0.02)
    except asyncio.CancelledError:
        return waits


def _median(ordered: Sequence[float]) -> float:
    return ordered[len(ordered) // 2]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = sys.argv[1:] or ["simplified-elo", "100000", "5000"]
    asyncio.run(_measure(given[0], int(given[1]), int(given[2])))
