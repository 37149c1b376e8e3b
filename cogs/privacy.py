"""`/forget`: what the bot knows of a person goes; and servers that the bot leaves."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit
from bot.client import Parlour
from bot.display.forget import FORGET, forget_button, forget_preview_text, forgotten_text
from bot.model import GuildId
from bot.pressing import Press
from bot.services.forget_person import forget_person, preview_forgetting
from bot.services.leave_guild import guild_left, guilds_present


class Privacy(commands.GroupCog, group_name="forget", group_description="Be forgotten"):
    """Forgetting people and servers."""

    def __init__(self, client: Parlour) -> None:
        """Listen for a client."""
        self.client = client

    @app_commands.command()
    async def me(self, interaction: discord.Interaction[Parlour]) -> None:
        """Have your name and number removed from this server's games, for good."""
        work = preview_forgetting(interaction.client.ledger, act_of(interaction))
        found = await done_in_time(interaction, work, ephemeral=True)
        text = forget_preview_text(found)
        await answer(interaction, text, view=forget_button(), ephemeral=True)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed; a server that only cannot be reached is another event."""
        client = self.client
        await guild_left(client.ledger, GuildId(guild.id), now=client.clock.now())
        client.wake.set()

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the bot is there, perhaps again."""
        del guild
        await self._note_guilds()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Note which servers the bot was removed from while it was off."""
        await self._note_guilds()

    async def _note_guilds(self) -> None:
        client = self.client
        present = {GuildId(guild.id) for guild in client.guilds}
        await guilds_present(client.ledger, present, now=client.clock.now())


class ForgetButton(Press, template=FORGET):
    """The press that forgets whoever presses."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Forget the person."""
        client = interaction.client
        work = forget_person(client.ledger, act_of(interaction), now=client.clock.now())
        await edit(interaction, forgotten_text(await done_in_time(interaction, work)))
        client.wake.set()


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Privacy(client))
    client.add_dynamic_items(ForgetButton)
