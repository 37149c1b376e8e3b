"""The ledger in one SQLite file: one connection that writes, one that reads."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiosqlite

from bot.errors import LedgerUnusable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Iterable, Sequence

    from bot.model import GuildId

BUSY_TIMEOUT_MS = 5_000
"""How long to wait for another process that writes, such as a backup."""


class SqliteTransaction:
    """A transaction on one of the two connections."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        """Speak to a connection that is inside a transaction."""
        self._connection = connection

    async def fetch(self, query: str, *values: object) -> Sequence[Sequence[Any]]:
        """Run a query and return its rows."""
        return list(await self._connection.execute_fetchall(query, values))

    async def execute(self, query: str, *values: object) -> int:
        """Run a statement and return how many rows it changed."""
        cursor = await self._connection.execute(query, values)
        return cursor.rowcount

    async def execute_many(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""
        await self._connection.executemany(query, rows)


class SqliteLedger:
    """One file, in write-ahead mode, synced at every commit.

    A commit that has been answered survives a power cut only with `synchronous = FULL`; `NORMAL`
    loses the last ones.
    """

    def __init__(
        self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection
    ) -> None:
        """Take over two connections; `open` makes them."""
        self.path = path
        self._writer = writer
        self._reader = reader
        self._writing = asyncio.Lock()
        self._reading = asyncio.Lock()

    @classmethod
    async def open(cls, path: str) -> SqliteLedger:
        """Open or make the file.

        Raises:
            LedgerUnusable: The file cannot be opened or is no database.
        """
        writer = reader = None
        try:
            writer = await _connect(path)
            reader = await _connect(path)
            await reader.execute("PRAGMA query_only = ON")
        except (sqlite3.Error, OSError) as error:
            for connection in (writer, reader):
                if connection is not None:
                    await connection.close()
            raise LedgerUnusable(f"cannot open {path}: {error}") from error
        return cls(Path(path), writer, reader)

    @asynccontextmanager
    async def transaction(self, guild: GuildId | None = None) -> AsyncGenerator[SqliteTransaction]:
        """Hold the one transaction that writes; there is only one writer, whatever the guild."""
        del guild
        async with self._writing:
            try:
                # Immediate: a deferred BEGIN that reads and then writes fails as soon as another
                # process has written in between. Inside the try: a cancelled BEGIN still runs.
                await self._writer.execute("BEGIN IMMEDIATE")
                yield SqliteTransaction(self._writer)
                await _to_the_end(self._writer.commit())
            except BaseException:
                await _to_the_end(self._writer.rollback())
                raise

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[SqliteTransaction]:
        """Hold a transaction that only reads, and sees one moment of the database."""
        async with self._reading:
            try:
                await self._reader.execute("BEGIN")
                yield SqliteTransaction(self._reader)
            finally:
                await _to_the_end(self._reader.rollback())

    async def copy_to(self, path: Path) -> None:
        """Write a copy of the whole database to a new file, while others go on.

        Raises:
            sqlite3.Error: The copy could not be written.
        """
        async with aiosqlite.connect(path) as target:
            await self._writer.backup(target)

    async def faults(self) -> tuple[str, ...]:
        """Return what the database itself finds wrong with the file, nothing where all is well."""
        # By a connection of its own: others must not wait until a large file is read.
        connection = await _connect(str(self.path))
        try:
            found = [
                str(row[0])
                for row in await connection.execute_fetchall("PRAGMA integrity_check")
                if row[0] != "ok"
            ]
            found += [
                f"row {row[1]} of {row[0]} refers to nothing in {row[2]}"
                for row in await connection.execute_fetchall("PRAGMA foreign_key_check")
            ]
        finally:
            await connection.close()
        return tuple(found)

    async def close(self) -> None:
        """Wait for the transaction under way, then close both connections."""
        async with self._writing, self._reading:
            await self._writer.close()
            await self._reader.close()


async def _connect(path: str) -> aiosqlite.Connection:
    connection = await aiosqlite.connect(path, isolation_level=None)
    try:
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
    except BaseException:
        # An open connection's thread would keep the process from exiting.
        await connection.close()
        raise
    return connection


async def _to_the_end(work: Awaitable[None]) -> None:
    """Await something that must be over before the next transaction, even when cancelled."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
