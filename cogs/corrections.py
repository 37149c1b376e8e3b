"""`/game`: looking at a game and correcting it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit, form_values
from bot.client import Parlour
from bot.display.correction import (
    CORRECTION,
    REASON,
    REASON_FORM,
    done_text,
    history_text,
    preview_buttons,
    preview_text,
    reason_form,
)
from bot.display.game_message import game_message
from bot.error_reply import answered
from bot.model import GameId
from bot.pressing import Press
from bot.services.correct_game import (
    CorrectGame,
    Correction,
    correct_game,
    preview_correction,
    view_history,
)

_Number = app_commands.Range[int, 1]


class Corrections(
    commands.GroupCog, group_name="game", group_description="Look at a game and correct it"
):
    """Looking at games and correcting them; the services check who may."""

    @app_commands.command()
    @app_commands.describe(number="The game's number, such as 12 for #12")
    async def show(self, interaction: discord.Interaction[Parlour], number: _Number) -> None:
        """Show a game and what was done about it."""
        client = interaction.client
        work = view_history(client.ledger, act_of(interaction), number, now=client.clock.now())
        history = await done_in_time(interaction, work, ephemeral=True)
        text = history_text(game_message(history.view).content, history.acts)
        await answer(interaction, text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(number="The game's number, such as 12 for #12")
    async def void(self, interaction: discord.Interaction[Parlour], number: _Number) -> None:
        """Let a game count no more, after a look at what that does (for referees)."""
        await _show(interaction, number, Correction.VOID)

    @app_commands.command()
    @app_commands.describe(number="The game's number, such as 12 for #12")
    async def restore(self, interaction: discord.Interaction[Parlour], number: _Number) -> None:
        """Let a voided game count again, after a look at what that does (for referees)."""
        await _show(interaction, number, Correction.RESTORE)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Parlour]) -> None:
        """Take a reason that was sent, whichever process of the bot once asked for it."""
        custom_id, values = form_values(interaction)
        form = REASON_FORM.fullmatch(custom_id)
        if form is not None:
            command = CorrectGame(
                act_of(interaction),
                GameId(int(form["game"])),
                Correction(form["correction"]),
                int(form["seal"]),
                values[REASON],
            )
            await answered(interaction, _correct(interaction, command))


async def _show(
    interaction: discord.Interaction[Parlour], number: int, correction: Correction
) -> None:
    client, act = interaction.client, act_of(interaction)
    work = preview_correction(client.ledger, act, number, correction, now=client.clock.now())
    view = await done_in_time(interaction, work, ephemeral=True)
    await answer(interaction, preview_text(view), view=preview_buttons(view), ephemeral=True)


async def _correct(interaction: discord.Interaction[Parlour], command: CorrectGame) -> None:
    client = interaction.client
    work = correct_game(client.ledger, command, now=client.clock.now())
    view = await done_in_time(interaction, work)
    await edit(interaction, done_text(view))
    client.wake.set()


class CorrectButton(Press, template=CORRECTION):
    """A button that goes on with a correction as it was shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Ask why."""
        await interaction.response.send_modal(reason_form(self.match))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Corrections())
    client.add_dynamic_items(CorrectButton)
