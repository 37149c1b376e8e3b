"""`/leaderboard`, and the buttons that turn its pages."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.leaderboard import (
    PATTERN,
    leaderboard_buttons,
    leaderboard_text,
)
from bot.model import RoomId
from bot.pressing import Press
from bot.services.view_standings import view_leaderboard


class Leaderboards(commands.Cog):
    """Looking at a room's leaderboard."""

    @app_commands.command()
    @room_option
    @app_commands.describe(page="Which page")
    async def leaderboard(
        self,
        interaction: discord.Interaction[Parlour],
        page: app_commands.Range[int, 1, 1_000_000] = 1,
        room: RoomName | None = None,
    ) -> None:
        """Show who stands where in this room."""
        client = interaction.client
        work = view_leaderboard(
            client.ledger, act_of(interaction, room), page, now=client.clock.now()
        )
        board = await done_in_time(interaction, work)
        await answer(interaction, leaderboard_text(board), view=leaderboard_buttons(board))


class PageButton(Press, template=PATTERN):
    """A button that leads to a page of a leaderboard."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show the page."""
        client, room = interaction.client, RoomId(int(self.match["room"]))
        page = int(self.match["page"])
        work = view_leaderboard(client.ledger, room, page, now=client.clock.now())
        board = await done_in_time(interaction, work)
        await edit(interaction, leaderboard_text(board), leaderboard_buttons(board))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Leaderboards())
    client.add_dynamic_items(PageButton)
