"""The button *Why?*: how each rating was worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.ext import commands

from bot.answering import answer, done_in_time
from bot.display.explanation import explanation_text
from bot.display.game_buttons import WHY
from bot.model import GameId
from bot.pressing import Press
from bot.services.game_view import view_game

if TYPE_CHECKING:
    import discord

    from bot.client import Parlour


class Explanations(commands.Cog):
    """Explaining rating changes."""


class WhyButton(Press, template=WHY):
    """The button under a game that changed ratings."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show the calculation to the person alone."""
        client = interaction.client
        work = view_game(client.ledger, GameId(int(self.match["game"])), now=client.clock.now())
        view = await done_in_time(interaction, work, ephemeral=True, anew=True)
        await answer(interaction, explanation_text(view), ephemeral=True)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Explanations())
    client.add_dynamic_items(WhyButton)
