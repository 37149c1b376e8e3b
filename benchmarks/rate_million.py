"""How long `python -m bot rate` takes for a million games of two, and how much memory.

Run as `python benchmarks/rate_million.py [GAMES]`; it needs about 60 MB for the file.
"""

# ruff: noqa: T201 - a script, whose purpose is to print

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from bot.rate_file import add_rate_arguments, run_rate
from bot.ratings.registry import system_keys

PLAYERS = 10_000


def write_games(file: Path, games: int) -> None:
    """Write a file of made-up games, the same each time."""
    made_up = random.Random(1)  # noqa: S311 - nothing is secret
    with file.open("w", encoding="utf-8") as out:
        out.write("game,played_at,event,player,placing,score,aborted\n")
        for game in range(games):
            first, second = made_up.sample(range(PLAYERS), 2)
            own, other = made_up.randrange(500), made_up.randrange(500)
            day = f"2026-01-{1 + game * 28 // games:02}T12:00:00Z"
            out.write(f"{game},{day},,player {first},{1 + (own < other)},{own},\n")
            out.write(f"{game},{day},,player {second},{1 + (other < own)},{other},\n")


def measure(file: Path, system: str) -> None:
    """Rate the file in a process of its own, and print seconds and memory."""
    parser = argparse.ArgumentParser()
    add_rate_arguments(parser)
    arguments = parser.parse_args([str(file), "--system", system, "--format", "csv"])
    start = time.perf_counter()
    child = os.fork()
    if not child:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os._exit(run_rate(arguments, stdout=nowhere, stderr=sys.stderr))
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    print(f"{system:15} {seconds:6.1f} s  {usage.ru_maxrss // 1024:5} MiB  status {status}")


def main() -> None:
    """Measure every system."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.csv")
        write_games(file, games)
        for system in system_keys():
            measure(file, system)


if __name__ == "__main__":
    main()
