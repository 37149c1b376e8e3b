"""The command line: what is run, and what it is put together from."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import logging
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.client import create_client
from bot.clock import SystemClock
from bot.errors import LedgerUnusable
from bot.ledger.connection import open_ledger
from bot.logs import set_up_logging
from bot.owner import add_owner_commands, run_owner_command
from bot.rate_file import FAULT, add_rate_arguments, run_rate
from bot.sandbox import Sandbox
from bot.sandbox.terminal import run_terminal
from bot.settings import InvalidSettings, Settings, check_settings, read_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

_log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status: 0, or 2 for what its owner must mend."""
    options = _parser().parse_args(arguments)
    fault = _misplaced_cogs()
    if fault:
        return _refuse([fault])
    match options.command:
        case "run":
            return _run()
        case "rate":
            return run_rate(options, stdout=sys.stdout, stderr=sys.stderr)
        case "sandbox":
            return asyncio.run(_sandbox(options.db))
        case _:
            return run_owner_command(options, stdout=sys.stdout, stderr=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="parlour", description="Ratings for game rooms.")
    subcommands = parser.add_subparsers(dest="command", required=True)
    subcommands.add_parser("run", help="run the bot on Discord")
    add_rate_arguments(subcommands.add_parser("rate", help="rate a games file, without Discord"))
    add_owner_commands(subcommands.add_parser)
    sandbox = subcommands.add_parser("sandbox", help="try the bot without Discord, in the terminal")
    sandbox.add_argument("--db", type=Path, help="keep the games in this file")
    return parser


def _misplaced_cogs() -> str:
    """Return what is wrong where another project's `cogs` stands in the way of ours."""
    found = importlib.util.find_spec("cogs")
    here = Path(__file__).parent.parent / "cogs"
    if found is None or found.origin is None or Path(found.origin).parent != here:
        return "the package cogs of another program is in the way: give Parlour its own venv"
    return ""


def _refuse(faults: Sequence[str]) -> int:
    for fault in faults:
        print(f"parlour: {fault}", file=sys.stderr)  # noqa: T201 - before there is a log
    return FAULT


def _run() -> int:
    try:
        settings = check_settings(read_environment(Path(".env"), os.environ))
    except InvalidSettings as error:
        return _refuse(error.faults)
    set_up_logging(settings.log_level, settings.token)
    try:
        asyncio.run(run_bot(settings))
    except LedgerUnusable as error:
        return _refuse([str(error)])
    except discord.LoginFailure:
        return _refuse(["Discord does not know DISCORD_TOKEN: copy it again, or reset it there"])
    except discord.PrivilegedIntentsRequired as error:
        return _refuse([str(error)])
    except commands.ExtensionError as error:
        _log.error("a part of the bot failed to start", exc_info=error)
        return _refuse([f"a part of the bot failed to start: {error.name}"])
    return 0


async def run_bot(settings: Settings) -> None:
    """Run the bot until it is told to stop by SIGINT or SIGTERM.

    The ledger is open and up to date before Discord hears of us: a start that fails costs none
    of the day's identifications.

    Raises:
        LedgerUnusable: The database cannot be used.
        discord.LoginFailure: Discord does not know the token.
    """
    ledger = await open_ledger(settings.database_url)
    try:
        client = create_client(settings, ledger, SystemClock())
        async with client:
            running = asyncio.create_task(client.start(settings.token))
            loop = asyncio.get_running_loop()
            for which in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(which, running.cancel)
            with contextlib.suppress(asyncio.CancelledError):
                await running
        _log.info("stopped")
    finally:
        await ledger.close()


async def _sandbox(database: Path | None) -> int:
    """Run a small Discord on this machine and the bot against it, and show a channel."""
    with tempfile.TemporaryDirectory() as folder:
        file = database or Path(folder, "sandbox.db")
        async with Sandbox() as sandbox:
            guild = sandbox.add_guild("Sandbox")
            channel = guild.add_channel("ladder")
            members = [guild.add_member(name) for name in ("Ann", "Bob", "Cy")]
            members.append(guild.add_member("Olga", administrator=True))
            settings = Settings(
                token=sandbox.token, database_url=f"sqlite:///{file}", api_base=sandbox.api_base
            )
            set_up_logging("WARNING", settings.token)
            bot = asyncio.create_task(run_bot(settings))
            ready = asyncio.create_task(sandbox.wait_for_bot())
            await asyncio.wait({bot, ready}, return_when=asyncio.FIRST_COMPLETED)
            if not bot.done():
                await run_terminal(
                    sandbox, channel, members, read_line=_read_line, write=_write_line
                )
            bot.cancel()
            ready.cancel()
            try:
                await bot
            except asyncio.CancelledError:
                return 0
            except LedgerUnusable as error:
                return _refuse([str(error)])
    return 0


async def _read_line() -> str | None:
    line = await asyncio.to_thread(sys.stdin.readline)
    return line.rstrip("\n") if line else None


def _write_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the terminal is the screen here
