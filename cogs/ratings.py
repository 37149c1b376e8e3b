"""`/rating`."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, person_of
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.profile import profile_text
from bot.services.view_standings import view_rating


class Ratings(commands.Cog):
    """Looking at a player's rating."""

    @app_commands.command()
    @room_option
    @app_commands.describe(player="Whose rating; without it, yours")
    async def rating(
        self,
        interaction: discord.Interaction[Parlour],
        player: discord.User | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Show a player's rating, rank and last games in this room."""
        client = interaction.client
        person = person_of(player or interaction.user)
        work = view_rating(client.ledger, act_of(interaction, room), person, now=client.clock.now())
        await answer(interaction, profile_text(await done_in_time(interaction, work)))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Ratings())
