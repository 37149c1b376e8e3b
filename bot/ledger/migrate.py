"""Bringing the tables up to date: numbered SQL files, each applied once, in order.

A file's first line says why it exists. It is never edited after a release.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from bot.errors import LedgerUnusable
from bot.ledger.sqlite import SqliteLedger

if TYPE_CHECKING:
    from bot.ledger.connection import Ledger, Transaction

_END_OF_STATEMENT = re.compile(r";\s*$", re.MULTILINE)


class Migration(NamedTuple):
    """One step from an older set of tables to a newer one.

    Attributes:
        number: Counted from 1 without gaps.
        name: The file's name without its ending.
        statements: What to run, in order.
    """

    number: int
    name: str
    statements: tuple[str, ...]


def migrations() -> tuple[Migration, ...]:
    """Return all migrations there are, oldest first."""
    found: list[Migration] = []
    for file in files("bot.ledger").joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            name = file.name.removesuffix(".sql")
            script = file.read_text(encoding="utf-8")
            parts = (_without_comments(part) for part in _END_OF_STATEMENT.split(script))
            statements = tuple(part for part in parts if part)
            found.append(Migration(int(name.split("_", 1)[0]), name, statements))
    return tuple(sorted(found))


async def applied(tx: Transaction) -> int:
    """Return the number of the last migration that this database has seen, 0 for a new one."""
    await tx.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)"
    )
    rows = await tx.fetch("SELECT coalesce(max(number), 0) FROM migrations")
    return int(rows[0][0])


async def upgrade(ledger: Ledger) -> None:
    """Apply what is pending, each migration in one transaction together with its record.

    A SQLite file that holds anything is copied first, beside itself, as `NAME.before-NUMBER`.

    Raises:
        LedgerUnusable: The database was made by a newer version of this program.
    """
    known = migrations()
    async with ledger.transaction() as tx:
        version = await applied(tx)
    if version > len(known):
        raise LedgerUnusable(
            f"the database is at version {version} and this program knows only {len(known)}: "
            "use the newer program that made it"
        )
    pending = known[version:]
    if pending and version and isinstance(ledger, SqliteLedger):
        copy = ledger.path.with_name(f"{ledger.path.name}.before-{pending[0].number:04}")
        await ledger.copy_to(copy)
    for migration in pending:
        async with ledger.transaction() as tx:
            # Another process may have been faster.
            if await applied(tx) >= migration.number:
                continue
            for statement in migration.statements:
                await tx.execute(statement)
            await tx.execute(
                "INSERT INTO migrations (number, name) VALUES (?1, ?2)",
                migration.number,
                migration.name,
            )


def _without_comments(statement: str) -> str:
    lines = (line.split("--", 1)[0].rstrip() for line in statement.splitlines())
    return "\n".join(line for line in lines if line)
