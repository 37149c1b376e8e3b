"""Opening the ledger, and what every database behind it can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import unquote, urlsplit

from bot.errors import LedgerUnusable
from bot.ledger.migrate import upgrade
from bot.ledger.sqlite import SqliteLedger

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from bot.model import GuildId

Row: TypeAlias = "Sequence[Any]"
"""One row, its columns in the order of the query."""


class Transaction(Protocol):
    """An open transaction. Queries write placeholders as `?1`, `?2` and so on."""

    async def fetch(self, query: str, *values: object) -> Sequence[Row]:
        """Run a query and return its rows."""
        ...

    async def execute(self, query: str, *values: object) -> int:
        """Run a statement and return how many rows it changed."""
        ...

    async def execute_many(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""
        ...


class Ledger(Protocol):
    """A database that holds the facts and the standings."""

    def transaction(self, guild: GuildId | None = None) -> AbstractAsyncContextManager[Transaction]:
        """Hold a transaction that writes: committed at a clean exit, rolled back at any other.

        Whatever is read inside cannot be changed by anybody else before the end, as long as
        every writer names the guild whose rows it touches.

        Args:
            guild: Whose rows will be read and written; None for those of no guild.
        """
        ...

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """Hold a transaction that only reads, and sees one moment of the database."""
        ...

    async def copy_to(self, path: Path) -> None:
        """Write a copy of the whole database to a new file, while others go on."""
        ...

    async def faults(self) -> Sequence[str]:
        """Return what the database itself finds wrong, nothing where all is well."""
        ...

    async def close(self) -> None:
        """Wait for the transaction under way, then close every connection."""
        ...


async def open_ledger(url: str) -> Ledger:
    """Open the database and bring its tables up to date.

    Args:
        url: `sqlite:///relative.db` or `sqlite:////absolute.db`.

    Raises:
        LedgerUnusable: The address is no database's, the file cannot be opened, or the database
            is newer than this program.
    """
    parts = urlsplit(url)
    if parts.scheme != "sqlite" or parts.netloc or len(parts.path) < len("/x"):
        raise LedgerUnusable("DATABASE_URL must look like sqlite:///parlour.db")
    ledger = await SqliteLedger.open(unquote(parts.path[1:]))
    try:
        await upgrade(ledger)
    except BaseException:
        await ledger.close()
        raise
    return ledger
