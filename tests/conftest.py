"""What every test may ask for: a ledger, a movable clock, and a sandbox with the bot."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import Parlour, create_client
from bot.ledger.connection import Ledger, open_ledger
from bot.model import ChannelId, GuildId, InteractionId, RoleId, UserId
from bot.sandbox import Channel, Guild, Member, Sandbox
from bot.services.acting import Act, Person
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

START = datetime(2026, 1, 10, 12, 0, tzinfo=UTC)


@dataclass
class MovableClock:
    """A clock that stands still until a test moves it."""

    time: datetime = START
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    def now(self) -> datetime:
        return self.time

    async def wait(self, wake: asyncio.Event, until: datetime) -> None:
        """Sleep until the test has moved the clock far enough, or somebody wakes the sleeper."""
        while self.time < until and not wake.is_set():
            woken = asyncio.ensure_future(wake.wait())
            moved = asyncio.ensure_future(self._moved.wait())
            try:
                await asyncio.wait({woken, moved}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                woken.cancel()
                moved.cancel()

    def move(self, step: timedelta) -> None:
        self.time += step
        self._moved.set()
        self._moved = asyncio.Event()


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncGenerator[Ledger]:
    opened = await open_ledger(f"sqlite:///{tmp_path}/ledger.db")
    yield opened
    await opened.close()


class People:
    """Makes acts of made-up people, each act with a number of its own."""

    def __init__(self) -> None:
        self._interactions = 0
        self._users: dict[str, int] = {}

    def person(self, name: str) -> Person:
        user = self._users.setdefault(name, len(self._users) + 1)
        return Person(UserId(user), name, name.startswith("Bot"))

    def act(self, name: str, *, manager: bool = False, roles: tuple[int, ...] = ()) -> Act:
        self._interactions += 1
        return Act(
            interaction=InteractionId(self._interactions),
            guild=GuildId(1),
            channel=ChannelId(10),
            parent=None,
            channel_name="ladder",
            person=self.person(name),
            roles=frozenset(RoleId(role) for role in roles),
            manages_guild=manager,
        )


@pytest.fixture
def people() -> People:
    return People()


def openapi_path() -> Path | None:
    """Return where Discord's description is; only CI must have it."""
    path = os.environ.get("DISCORD_OPENAPI")
    return Path(path) if path else None


@dataclass
class Club:
    """A guild in the sandbox, and the bot, which can be stopped and started again."""

    sandbox: Sandbox
    guild: Guild
    channel: Channel
    clock: MovableClock
    settings: Settings
    client: Parlour | None = None
    _ledger: Ledger | None = None
    _running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._ledger = await open_ledger(self.settings.database_url)
        self.client = create_client(
            self.settings, self._ledger, self.clock, guild_ready_timeout=0.01
        )
        self._running = asyncio.create_task(self.client.start(self.settings.token))
        ready = asyncio.create_task(self._ready())
        await asyncio.wait({self._running, ready}, return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            ready.cancel()
            await self.stop()
            self._running.result()
        await ready

    async def _ready(self) -> None:
        await self.sandbox.wait_for_bot()
        assert self.client is not None
        await self.client.wait_until_ready()

    async def stop(self) -> None:
        if self.client is not None and self._running is not None and self._ledger is not None:
            await self.client.close()
            await asyncio.wait({self._running})
            await self._ledger.close()
            self.client = None

    @property
    def ledger(self) -> Ledger:
        assert self._ledger is not None
        return self._ledger

    def member(self, name: str, *, manager: bool = False) -> Member:
        return self.guild.add_member(name, administrator=manager)


@pytest.fixture
async def club(tmp_path: Path, clock: MovableClock) -> AsyncGenerator[Club]:
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    async with Sandbox(openapi_path()) as sandbox:
        guild = sandbox.add_guild("Club")
        settings = Settings(
            token=sandbox.token,
            database_url=f"sqlite:///{tmp_path}/club.db",
            api_base=sandbox.api_base,
        )
        made = Club(sandbox, guild, guild.add_channel("ladder"), clock, settings)
        try:
            await made.start()
            yield made
        finally:
            await made.stop()
        assert sandbox.breaches == []
        assert sandbox.unanswered == []
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
