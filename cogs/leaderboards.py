"""`/leaderboard`, and the buttons that turn its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time
from bot.client import Parlour
from bot.display.leaderboard import (
    PATTERN,
    leaderboard_buttons,
    leaderboard_text,
)
from bot.model import RoomId
from bot.services.view_standings import view_leaderboard

if TYPE_CHECKING:
    import re


class Leaderboards(commands.Cog):
    """Looking at a room's leaderboard."""

    @app_commands.command()
    @app_commands.describe(page="Which page")
    async def leaderboard(
        self,
        interaction: discord.Interaction[Parlour],
        page: app_commands.Range[int, 1, 1_000_000] = 1,
    ) -> None:
        """Show who stands where in this room."""
        client = interaction.client
        work = view_leaderboard(client.ledger, act_of(interaction), page, now=client.clock.now())
        board = await done_in_time(interaction, work)
        await answer(interaction, leaderboard_text(board), view=leaderboard_buttons(board))


class PageButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=PATTERN):
    """A button that leads to a page of a leaderboard."""

    def __init__(self, custom_id: str, room: RoomId, page: int) -> None:
        """Stand for a page, counted from 1."""
        super().__init__(discord.ui.Button(label="…", custom_id=custom_id))
        self._room = room
        self._page = page

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read what Discord handed back."""
        del interaction, item
        return cls(match.string, RoomId(int(match["room"])), int(match["page"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the page."""
        client = interaction.client
        board = await view_leaderboard(
            client.ledger, self._room, self._page, now=client.clock.now()
        )
        await interaction.response.edit_message(
            content=leaderboard_text(board), view=leaderboard_buttons(board)
        )


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Leaderboards())
    client.add_dynamic_items(PageButton)
