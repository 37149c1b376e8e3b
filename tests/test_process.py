"""The bot as its owner runs it: a process of its own that starts, stops and is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.sandbox import Sandbox
from tests.conftest import openapi_path

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

ROOT = Path(__file__).parent.parent
PATIENCE = 30.0
"""Seconds after which something that hangs is given up."""


@pytest.fixture
async def sandbox() -> AsyncGenerator[Sandbox]:
    async with Sandbox(openapi_path()) as running:
        yield running


_running: list[Process] = []


@pytest.fixture(autouse=True)
async def nothing_left_running() -> AsyncGenerator[None]:
    """End what a failed test has left."""
    yield
    for process in _running:
        if process.returncode is None:
            process.kill()
            await process.wait()
    _running.clear()


async def start(sandbox: Sandbox, folder: Path, **environment: str) -> Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "run",
        cwd=folder,
        stdout=PIPE,
        stderr=PIPE,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_BASE": sandbox.api_base,
            **environment,
        },
    )
    _running.append(process)
    return process


async def started(sandbox: Sandbox, folder: Path, **environment: str) -> Process:
    # The session of a process that was killed stays open, as it could be resumed.
    before = set(sandbox.sessions.open)
    process = await start(sandbox, folder, **environment)
    await sandbox.until(
        lambda: bool(set(sandbox.sessions.open) - before and sandbox.commands), PATIENCE
    )
    return process


async def ended(process: Process) -> tuple[int | None, str]:
    async with asyncio.timeout(PATIENCE):
        stdout, stderr = await process.communicate()
    return process.returncode, (stdout + stderr).decode()


def is_empty(folder: Path) -> bool:
    return not any(folder.iterdir())


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_it_cleanly(
    sandbox: Sandbox, tmp_path: Path, which: signal.Signals
) -> None:
    sandbox.add_guild("Club")
    process = await started(sandbox, tmp_path)

    process.send_signal(which)

    status, output = await ended(process)
    assert status == 0, output
    assert "Traceback" not in output
    # A clean close leaves no write-ahead log behind.
    assert not (tmp_path / "parlour.db-wal").exists()


async def test_killed_right_after_an_answer_it_has_lost_nothing(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    guild = sandbox.add_guild("Club")
    channel = guild.add_channel("ladder")
    ann, bob = guild.add_member("Ann"), guild.add_member("Bob")
    process = await started(sandbox, tmp_path)
    report = await ann.slash(channel, "report", opponent=bob, result="win")
    assert report.message is not None

    process.kill()
    await ended(process)
    process = await started(sandbox, tmp_path)
    await bob.press(report.message, "Yes, I lost")
    process.kill()
    await ended(process)
    process = await started(sandbox, tmp_path)

    board = await ann.slash(channel, "leaderboard")
    assert "1  Ann  1608" in board.text
    assert "2  Bob  1592" in board.text
    assert "Ann 1600 → **1608** (+8)" in report.message.text
    process.terminate()
    await ended(process)


async def test_no_line_ever_holds_the_token(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.add_guild("Club")
    process = await started(sandbox, tmp_path, LOG_LEVEL="DEBUG")
    process.terminate()

    _, output = await ended(process)

    assert "registered" in output
    assert sandbox.token not in output


async def test_a_wrong_token_is_said_in_one_line(sandbox: Sandbox, tmp_path: Path) -> None:
    status, output = await ended(await start(sandbox, tmp_path, DISCORD_TOKEN="x" * 9))

    assert status == 2
    assert output.splitlines()[-1] == (
        "parlour: Discord does not know DISCORD_TOKEN: copy it again, or reset it there"
    )
    assert "Traceback" not in output


async def test_faulty_settings_are_said_a_line_each(sandbox: Sandbox, tmp_path: Path) -> None:
    process = await start(sandbox, tmp_path, DISCORD_TOKEN="", TIMER_SECONDS="soon")

    status, output = await ended(process)

    assert status == 2
    assert output.splitlines() == [
        "parlour: DISCORD_TOKEN is missing: copy it from https://discord.com/developers into .env",
        "parlour: TIMER_SECONDS is soon, and must be a whole number from 1 to 3600",
    ]
    assert is_empty(tmp_path)


async def test_an_unusable_database_costs_no_identification(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / "parlour.db").write_bytes(b"this is no database" * 100)

    status, output = await ended(await start(sandbox, tmp_path))

    assert status == 2
    assert output == "parlour: cannot open parlour.db: file is not a database\n"
    assert sandbox.requests == []


async def test_a_failing_extension_ends_the_start(sandbox: Sandbox, tmp_path: Path) -> None:
    code = (
        "import sys, bot.client as client, bot.cli as cli\n"
        "client.EXTENSIONS = ('cogs.reports', 'cogs.nothing')\n"
        "sys.exit(cli.main(['run']))\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        cwd=tmp_path,
        stdout=PIPE,
        stderr=PIPE,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_BASE": sandbox.api_base,
        },
    )

    status, output = await ended(process)

    assert status == 2
    assert output.splitlines()[-1] == "parlour: a part of the bot failed to start: cogs.nothing"
