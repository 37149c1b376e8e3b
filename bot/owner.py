"""What an owner does with a database without Discord: export, import, check and backup."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bot.error_reply import reply_text
from bot.errors import GamesFileError, LedgerUnusable, ParlourError
from bot.ledger import marks
from bot.ledger.connection import open_ledger
from bot.model import GuildId
from bot.services.check_ledger import check_ledger
from bot.services.export_room import export_room
from bot.services.find_room import find_room_anywhere
from bot.services.import_games import ImportGames, import_games
from bot.services.set_up_room import read_settings
from bot.settings import read_environment

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Callable

    from bot.ledger.connection import Ledger
    from bot.services.check_ledger import LedgerCheck

FAULT = 2
"""The exit status for what was asked for wrongly."""
NOT_WELL = 1
"""The exit status of a check that found something."""


def add_owner_commands(add_parser: Callable[..., argparse.ArgumentParser]) -> None:
    """Say what the commands take.

    Args:
        add_parser: Makes the parser of a command, given its name and help.
    """
    export = add_parser("export", help="write a room's games as a games file")
    export.add_argument("room", help="the room's name or number")
    export.add_argument("--guild", type=int, help="the number of its server")
    export.add_argument("--out", type=Path, metavar="FILE", help="where to; without it, here")
    export.add_argument("--standings", action="store_true", help="the standings instead")
    import_ = add_parser("import", help="bring the games of a file into a new room")
    import_.add_argument("file", type=Path)
    import_.add_argument("--guild", type=int, required=True, help="the number of the server")
    import_.add_argument("--room", required=True, help="its name; made if it is not there")
    import_.add_argument("--system", required=True, help="the key of its rating system")
    import_.add_argument("--set", default="", metavar="NAME=VALUE …", help="settings of the system")
    check = add_parser("check", help="check a database, and its standings by a replay")
    check.add_argument("--repair", action="store_true", help="rebuild standings that differ")
    backup = add_parser("backup", help="copy the database, also while the bot runs")
    backup.add_argument("file", type=Path, help="a file that is not there yet")
    for parser in (export, import_, check, backup):
        parser.add_argument("--db", type=Path, metavar="FILE", help="instead of DATABASE_URL")


def run_owner_command(options: argparse.Namespace, *, stdout: TextIO, stderr: TextIO) -> int:
    """Do what was asked for and return the exit status: 0, 1 where a check found something, or 2.

    Args:
        options: As parsed by what `add_owner_commands` added.
        stdout: Where the answer goes.
        stderr: Where one line goes about what is wrong.
    """
    command = _COMMANDS[options.command]
    try:
        return asyncio.run(_with_ledger(options, stdout, command))
    except GamesFileError as error:
        where = "" if error.line is None else f"line {error.line}: "
        fault = f"{where}{error.problem}"
    except LedgerUnusable as error:
        fault = str(error)
    except ParlourError as error:
        fault = reply_text(error)
    except (OSError, sqlite3.Error) as error:
        fault = str(error)
    print(f"parlour: {fault}", file=stderr)
    return FAULT


async def _with_ledger(
    options: argparse.Namespace,
    stdout: TextIO,
    command: Callable[[Ledger, argparse.Namespace, TextIO], Awaitable[int]],
) -> int:
    values = read_environment(Path(".env"), os.environ)
    url = values.get("DATABASE_URL") or "sqlite:///parlour.db"
    if options.db is not None:
        url = f"sqlite:///{options.db}"
    if options.command != "import":
        _check_is_there(url)
    ledger = await open_ledger(url)
    try:
        return await command(ledger, options, stdout)
    finally:
        await ledger.close()


def _check_is_there(url: str) -> None:
    """Refuse to look into a database that opening it would make.

    Raises:
        LedgerUnusable: There is no such file.
    """
    path = Path(url.removeprefix("sqlite:///"))
    if not path.exists():
        raise LedgerUnusable(f"there is no database {path}")


async def _export(ledger: Ledger, options: argparse.Namespace, stdout: TextIO) -> int:
    guild = None if options.guild is None else GuildId(options.guild)
    room = await find_room_anywhere(ledger, options.room, guild)
    export = await export_room(ledger, room.id)
    text = export.standings if options.standings else export.games
    if options.out is None:
        stdout.write(text)
    else:
        await asyncio.to_thread(options.out.write_text, text, "utf-8", newline="")
        print(f"{export.count} games of {room.name} in {options.out}", file=stdout)
    return 0


async def _import(ledger: Ledger, options: argparse.Namespace, stdout: TextIO) -> int:
    with options.file.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        settings = read_settings(options.set)
        command = ImportGames(GuildId(options.guild), options.room, options.system, settings, file)
        imported = await import_games(ledger, command, now=datetime.now(UTC))
    print(f"{imported.games} games in {imported.room.name}", file=stdout)
    if imported.guests:
        print(f"guests: {', '.join(imported.guests)}", file=stdout)
    return 0


async def _check(ledger: Ledger, options: argparse.Namespace, stdout: TextIO) -> int:
    if options.repair:
        found = await check_ledger(ledger, repair=True)
    else:
        with tempfile.TemporaryDirectory() as folder:
            # The bot may be at work: what a check tries out, it tries on a copy.
            path = Path(folder, "copy.db")
            await ledger.copy_to(path)
            copy = await open_ledger(f"sqlite:///{path}")
            try:
                found = await check_ledger(copy, repair=False)
            finally:
                await copy.close()
    _print_check(found, stdout)
    return 0 if found.is_well else NOT_WELL


def _print_check(found: LedgerCheck, stdout: TextIO) -> None:
    for fault in found.faults:
        print(f"database: {fault}", file=stdout)
    for each in found.rooms:
        result = "as its games say"
        if each.differing:
            done = ", rebuilt" if each.is_repaired else "; --repair rebuilds them"
            result = f"{each.differing} entries differ from a replay{done}"
        print(f"{each.room.name} (room {each.room.id}): {result}", file=stdout)
    for words, count in found.orphans.items():
        done = "deleted" if found.are_orphans_gone else "--repair deletes them"
        print(f"{count} {words}: {done}", file=stdout)
    for each in found.held:
        until = "" if each.until is None else f"; left, deleted on {each.until:%Y-%m-%d}"
        print(
            f"held for server {each.guild}: rooms {each.rooms}, games {each.games}, "
            f"members {each.members}, guests {each.guests}{until}",
            file=stdout,
        )
    print("all is well" if found.is_well else "not all is well", file=stdout)


async def _backup(ledger: Ledger, options: argparse.Namespace, stdout: TextIO) -> int:
    if await asyncio.to_thread(options.file.exists):
        raise LedgerUnusable(f"{options.file} is there already: choose another name")
    await ledger.copy_to(options.file)
    copy = await open_ledger(f"sqlite:///{options.file}")
    try:
        faults = await copy.faults()
    finally:
        await copy.close()
    if faults:
        raise LedgerUnusable(f"the copy is faulty: {faults[0]}")
    async with ledger.transaction() as tx:
        await marks.mark(tx, marks.BACKUP, datetime.now(UTC))
    print(f"copied to {options.file}, and checked", file=stdout)
    return 0


_COMMANDS = {"export": _export, "import": _import, "check": _check, "backup": _backup}
OWNER_COMMANDS = tuple(_COMMANDS)
