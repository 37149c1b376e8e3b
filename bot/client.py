"""The Discord client: its extensions, its commands, its timers, and a clean stop."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.error_reply import reply_to_error
from bot.outbox import work_off_outbox
from bot.services.work_off_timers import next_wake, work_off_timers
from bot.settings import DISCORD_API

if TYPE_CHECKING:
    from datetime import datetime

    from bot.clock import Clock
    from bot.ledger.connection import Ledger
    from bot.settings import Settings

EXTENSIONS = (
    "cogs.plays",
    "cogs.reports",
    "cogs.multiplayer",
    "cogs.aborts",
    "cogs.explanations",
    "cogs.leaderboards",
    "cogs.ratings",
    "cogs.histories",
    "cogs.rooms",
    "cogs.events",
    "cogs.corrections",
    "cogs.disputes",
    "cogs.players",
    "cogs.privacy",
    "cogs.doctor",
)

_ANSWERING = ("CommandTree-invoker", "discord-ui-", "discord.py: on_interaction")
"""How discord.py names its tasks that answer people; it has no other list of them."""

_LONGEST_ANSWER = 5.0
"""Seconds that a stop waits for them."""

_SHORTEST_PAUSE = timedelta(milliseconds=100)
_log = logging.getLogger(__name__)


class Parlour(commands.Bot):
    """The bot: slash commands alone, no privileged intent, nobody pinged by accident."""

    def __init__(self, settings: Settings, ledger: Ledger, clock: Clock, **options: Any) -> None:  # noqa: ANN401 - discord.py's own
        """Prepare a client; `create_client` is the way to make one."""
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
            help_command=None,
            tree_cls=_Tree,
            **options,
        )
        self.settings = settings
        self.ledger = ledger
        self.clock = clock
        self.wake = asyncio.Event()
        self.timers_ran_at: datetime | None = None
        self._timers: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Load every extension, register the commands and start the timers."""
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self._register_commands()
        self._timers = asyncio.create_task(self._work_off())

    async def close(self) -> None:
        """Stop the timers, let what is under way come to its end, and leave."""
        if self._timers is not None:
            self._timers.cancel()
            await asyncio.wait({self._timers})
        under_way = {
            task
            for task in asyncio.all_tasks()
            if task.get_name().startswith(_ANSWERING) and task is not asyncio.current_task()
        }
        if under_way:
            await asyncio.wait(under_way, timeout=_LONGEST_ANSWER)
        await super().close()

    async def _register_commands(self) -> None:
        """Register the commands, unless Discord has just these already."""
        assert self.application_id is not None
        wanted = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(wanted, sort_keys=True, default=str).encode())
        known = await self.http.get_global_commands(self.application_id)
        mark = _Registered(self.settings.database_url)
        if len(known) == len(wanted) and mark.read() == digest.hexdigest():
            _log.info("%s commands are registered already", len(wanted))
            return
        await self.tree.sync()
        mark.write(digest.hexdigest())
        _log.info("registered %s commands", len(wanted))

    async def _work_off(self) -> None:
        """Do what is due, now and from then on; a failure is logged and never ends it."""
        await self.wait_until_ready()
        while True:
            self.wake.clear()
            now = self.clock.now()
            until = now + timedelta(seconds=self.settings.timer_seconds)
            try:
                await work_off_timers(self.ledger, now=now)
                await work_off_outbox(self, now)
                due = await next_wake(self.ledger)
                self.timers_ran_at = now
            except Exception:  # noqa: BLE001 - the next round must come whatever happened
                _log.exception("the timers' round failed")
            else:
                until = min(until, due) if due else until
            # What is due and failed is not tried again in the same breath.
            await self.clock.wait(self.wake, max(until, now + _SHORTEST_PAUSE))


class _Registered:
    """Remembers beside the database which commands were registered last."""

    def __init__(self, database_url: str) -> None:
        self._file = Path(database_url.removeprefix("sqlite:///") + ".commands")

    def read(self) -> str:
        return self._file.read_text(encoding="ascii") if self._file.exists() else ""

    def write(self, digest: str) -> None:
        self._file.write_text(digest, encoding="ascii")


class _Tree(app_commands.CommandTree[Parlour]):
    """The commands, with one funnel for whatever goes wrong in them."""

    async def on_error(
        self, interaction: discord.Interaction[Parlour], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person what is wrong."""
        original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await reply_to_error(interaction, original)


def create_client(settings: Settings, ledger: Ledger, clock: Clock, **options: Any) -> Parlour:  # noqa: ANN401 - discord.py's own
    """Return a client that is not yet connected.

    Args:
        settings: The owner's.
        ledger: Open and up to date.
        clock: Where the time comes from.
        **options: Passed on to discord.py.
    """
    _point_at(settings.api_base)
    return Parlour(settings, ledger, clock, **options)


def _point_at(api_base: str) -> None:
    """Point discord.py at a Discord-compatible server; it has no public way to do so."""
    Route.BASE = api_base
    if api_base != DISCORD_API:
        address = URL(api_base)
        scheme = "wss" if address.scheme == "https" else "ws"
        gateway = address.with_scheme(scheme).with_path("/gateway")
        DiscordWebSocket.DEFAULT_GATEWAY = gateway
