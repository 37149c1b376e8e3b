"""`/doctor`: what is wrong here, and what to do about it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time
from bot.client import Parlour
from bot.diagnosis import look_at
from bot.display.doctor import doctor_text
from bot.services.diagnose import diagnose


class Doctor(commands.Cog):
    """Looking after a server's rooms; the service checks again who may."""

    @app_commands.command()
    @app_commands.default_permissions(manage_guild=True)
    async def doctor(self, interaction: discord.Interaction[Parlour]) -> None:
        """Look for what is wrong with the bot in this server, and say what to do."""
        text = await done_in_time(interaction, _examine(interaction), ephemeral=True)
        await answer(interaction, text, ephemeral=True)


async def _examine(interaction: discord.Interaction[Parlour]) -> str:
    client, guild, now = interaction.client, interaction.guild, interaction.client.clock.now()
    assert guild is not None
    health = await diagnose(client.ledger, act_of(interaction), now=now)
    found = await look_at(client, guild, health)
    return doctor_text(health, found, timers_ran_at=client.timers_ran_at, now=now)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Doctor())
