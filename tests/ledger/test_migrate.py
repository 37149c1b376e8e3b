"""Bringing a database up to date, and refusing one that is newer than the program."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from bot.errors import LedgerUnusable
from bot.ledger.connection import open_ledger
from bot.ledger.migrate import migrations

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@contextmanager
def opened(path: Path) -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def tables(path: Path) -> set[str]:
    with opened(path) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def old_database(path: Path) -> None:
    """Make a database as the first version of the program left it, with one open game."""
    with opened(path) as connection:
        connection.execute(
            "CREATE TABLE migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)"
        )
        for statement in migrations()[0].statements:
            connection.execute(statement)
        connection.execute("INSERT INTO migrations VALUES (1, '0001_first_tables')")
        connection.execute("INSERT INTO guilds (id) VALUES (1)")
        connection.execute(
            "INSERT INTO rooms (guild_id, name, name_key, system, last_used_at, created_at) "
            "VALUES (1, 'Ladder', 'ladder', 'cif', 0, 0)"
        )
        connection.execute(
            "INSERT INTO games (guild_id, number, room_id, status, created_at, touched_at, "
            "channel_id) VALUES (1, 1, 1, 'open', 0, 0, 10)"
        )
        connection.execute("INSERT INTO outbox (guild_id, game_id, due_at) VALUES (1, 1, 0)")


def test_migrations_are_numbered_without_gaps() -> None:
    known = migrations()
    assert [each.number for each in known] == [*range(1, len(known) + 1)]


async def test_a_new_database_gets_every_table_and_no_copy(tmp_path: Path) -> None:
    ledger = await open_ledger(f"sqlite:///{tmp_path}/new.db")
    await ledger.close()

    assert {"games", "claims", "standings", "audit"} <= tables(tmp_path / "new.db")
    assert names_in(tmp_path) == ["new.db"]


async def test_an_old_database_is_copied_and_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old_database(path)

    ledger = await open_ledger(f"sqlite:///{path}")
    async with ledger.reading() as tx:
        games = await tx.fetch("SELECT number, asked_at FROM games")
        outbox = await tx.fetch("SELECT game_id, anew FROM outbox")
        applied = await tx.fetch("SELECT number FROM migrations ORDER BY number")
    await ledger.close()

    assert [tuple(row) for row in games] == [(1, None)]
    assert [tuple(row) for row in outbox] == [(1, 0)]
    assert [row[0] for row in applied] == [*range(1, len(migrations()) + 1)]
    with opened(tmp_path / "old.db.before-0002") as copy:
        assert copy.execute("SELECT number FROM games").fetchall() == [(1,)]
        assert copy.execute("SELECT max(number) FROM migrations").fetchall() == [(1,)]


async def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    await (await open_ledger(f"sqlite:///{path}")).close()
    with opened(path) as connection:
        connection.execute("INSERT INTO migrations VALUES (999, 'from the future')")

    with pytest.raises(LedgerUnusable, match="at version 999"):
        await open_ledger(f"sqlite:///{path}")

    assert names_in(tmp_path) == ["newer.db"]


async def test_a_failing_migration_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old_database(path)
    with opened(path) as connection:
        # The second migration adds this column itself, and fails over it half-way.
        connection.execute("ALTER TABLE outbox ADD COLUMN anew INTEGER")

    with pytest.raises(sqlite3.OperationalError):
        await open_ledger(f"sqlite:///{path}")

    with opened(path) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        assert "asked_at" not in columns
        assert connection.execute("SELECT max(number) FROM migrations").fetchall() == [(1,)]


@pytest.mark.parametrize("url", ["postgres://x/y", "sqlite://", "sqlite:///", "parlour.db"])
async def test_an_address_that_is_no_databases_is_refused(url: str) -> None:
    with pytest.raises(LedgerUnusable, match="must look like"):
        await open_ledger(url)
