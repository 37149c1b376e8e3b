"""Where the time comes from, so that tests can move it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, and wakes a sleeper."""

    def now(self) -> datetime:
        """Return the time, in UTC."""
        ...

    async def wait(self, wake: asyncio.Event, until: datetime) -> None:
        """Return at a time, or as soon as `wake` is set."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return datetime.now(UTC)

    async def wait(self, wake: asyncio.Event, until: datetime) -> None:
        """Return at a time, or as soon as `wake` is set."""
        try:
            async with asyncio.timeout((until - self.now()).total_seconds()):
                await wake.wait()
        except TimeoutError:
            pass
