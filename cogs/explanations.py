"""How each rating was worked out: `/explain`, the button *Why?* and a message's menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time
from bot.client import Parlour
from bot.display.explanation import explanation_text
from bot.display.game_buttons import WHY
from bot.model import GameId, MessageId
from bot.pressing import Press
from bot.services.game_view import view_game, view_game_of_message, view_numbered_game

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bot.services.game_view import GameView


class Explanations(commands.Cog):
    """Explaining rating changes."""

    @app_commands.command()
    @app_commands.describe(game="The game's number, such as 12 for #12")
    async def explain(
        self, interaction: discord.Interaction[Parlour], game: app_commands.Range[int, 1]
    ) -> None:
        """Show step by step how a game changed each rating."""
        client, guild = interaction.client, act_of(interaction).guild
        work = view_numbered_game(client.ledger, guild, game, now=client.clock.now())
        await _explain(interaction, work)


@app_commands.context_menu(name="Explain this game")
async def explain_message(
    interaction: discord.Interaction[Parlour], message: discord.Message
) -> None:
    """Show how the game of a message changed each rating."""
    client, guild = interaction.client, act_of(interaction).guild
    number, now = MessageId(message.id), client.clock.now()
    await _explain(interaction, view_game_of_message(client.ledger, guild, number, now=now))


class WhyButton(Press, template=WHY):
    """The button under a game that changed ratings."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show the calculation to the person alone."""
        client = interaction.client
        work = view_game(client.ledger, GameId(int(self.match["game"])), now=client.clock.now())
        await _explain(interaction, work)


async def _explain(interaction: discord.Interaction[Parlour], work: Awaitable[GameView]) -> None:
    view = await done_in_time(interaction, work, ephemeral=True, anew=True)
    await answer(interaction, explanation_text(view), ephemeral=True)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Explanations())
    client.tree.add_command(explain_message)
    client.add_dynamic_items(WhyButton)
