"""A small discord.py bot against the sandbox: the sandbox is looked at here, not Parlour."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import discord
import pytest
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.sandbox import Channel, Guild, Member, Sandbox

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator


class TinyBot(discord.Client):
    """A bot that a test gives its commands before it starts."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            guild_ready_timeout=0.01,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.tree = app_commands.CommandTree(self)
        self.seen: list[str] = []

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_socket_event_type(self, event: str) -> None:
        self.seen.append(event)


@dataclass
class Scene:
    """A guild with a channel, two people and a bot that is not started yet."""

    sandbox: Sandbox
    guild: Guild
    channel: Channel
    ann: Member
    bob: Member
    bot: TinyBot = field(default_factory=TinyBot)
    _running: asyncio.Task[None] | None = None

    async def start(self) -> TinyBot:
        """Start the bot and return it when it is ready."""
        self._running = asyncio.create_task(self.bot.start(self.sandbox.token))
        ready = asyncio.create_task(self._ready())
        done, _ = await asyncio.wait({self._running, ready}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return self.bot

    async def stop(self) -> None:
        await self.bot.close()
        if self._running is not None:
            await asyncio.wait({self._running})

    def text_channel(self) -> discord.TextChannel:
        """Return the channel as the bot knows it."""
        channel = self.bot.get_channel(self.channel.id)
        assert isinstance(channel, discord.TextChannel)
        return channel

    async def _ready(self) -> None:
        await self.sandbox.wait_for_bot()
        await self.bot.wait_until_ready()


@pytest.fixture
def openapi() -> Path | None:
    """Discord's description of its API, where it is at hand."""
    path = os.environ.get("DISCORD_OPENAPI")
    return Path(path) if path else None


@pytest.fixture
def pointing_at_sandbox() -> Generator[None]:
    """Give discord.py its addresses back after a test."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@pytest.fixture
async def scene(openapi: Path | None, pointing_at_sandbox: None) -> AsyncGenerator[Scene]:  # noqa: ARG001 - restores
    async with Sandbox(openapi, response_deadline=0.5) as sandbox:
        Route.BASE = sandbox.api_base
        DiscordWebSocket.DEFAULT_GATEWAY = URL(sandbox.gateway)
        guild = sandbox.add_guild("Club")
        channel = guild.add_channel("ladder")
        made = Scene(sandbox, guild, channel, guild.add_member("Ann"), guild.add_member("Bob"))
        yield made
        await made.stop()
