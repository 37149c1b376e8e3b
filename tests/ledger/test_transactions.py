"""Transactions: whole or not at all, one writer, and readers that cannot write."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import pytest

from bot.ledger.connection import open_ledger

if TYPE_CHECKING:
    from pathlib import Path

    from bot.ledger.connection import Ledger


async def guilds(ledger: Ledger) -> list[int]:
    async with ledger.reading() as tx:
        return [row[0] for row in await tx.fetch("SELECT id FROM guilds ORDER BY id")]


async def add(ledger: Ledger, number: int) -> None:
    async with ledger.transaction() as tx:
        await tx.execute("INSERT INTO guilds (id) VALUES (?1)", number)


async def test_what_fails_half_way_leaves_nothing(ledger: Ledger) -> None:
    async def twice() -> None:
        async with ledger.transaction() as tx:
            await tx.execute("INSERT INTO guilds (id) VALUES (1)")
            await tx.execute("INSERT INTO guilds (id) VALUES (1)")

    with pytest.raises(sqlite3.IntegrityError):
        await twice()

    assert await guilds(ledger) == []
    await add(ledger, 2)
    assert await guilds(ledger) == [2]


async def test_cancelled_at_any_moment_the_next_writes_all_the_same(ledger: Ledger) -> None:
    for steps in range(40):
        task = asyncio.create_task(add(ledger, 1000 + steps))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        await add(ledger, steps)

    kept = await guilds(ledger)
    assert [number for number in kept if number < 1000] == [*range(40)]


async def test_reading_never_writes(ledger: Ledger) -> None:
    async with ledger.reading() as tx:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await tx.execute("INSERT INTO guilds (id) VALUES (1)")


async def test_a_reader_sees_one_moment(ledger: Ledger) -> None:
    await add(ledger, 1)
    async with ledger.reading() as tx:
        before = await tx.fetch("SELECT count(*) FROM guilds")
        await add(ledger, 2)
        after = await tx.fetch("SELECT count(*) FROM guilds")
    assert before[0][0] == after[0][0] == 1
    assert await guilds(ledger) == [1, 2]


async def test_two_processes_wait_for_each_other(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/shared.db"
    first, second = await open_ledger(url), await open_ledger(url)
    await asyncio.gather(
        *(
            add(ledger, start + number)
            for number in range(20)
            for ledger, start in ((first, 0), (second, 100))
        )
    )
    assert len(await guilds(first)) == 40
    await first.close()
    await second.close()


async def test_facts_are_held_by_the_database_itself(ledger: Ledger) -> None:
    await add(ledger, 1)
    for statement in (
        "UPDATE guilds SET next_game = 0",
        "INSERT INTO players (guild_id, user_id, name) VALUES (7, 1, 'Ann')",
        "INSERT INTO players (guild_id, user_id, name) VALUES (1, 1, NULL)",
    ):
        async with ledger.transaction() as tx:
            with pytest.raises(sqlite3.IntegrityError):
                await tx.execute(statement)
