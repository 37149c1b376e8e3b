"""`/disputes`: the referees' inbox."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit, form_values
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.correction import REASON
from bot.display.dispute import (
    DECIDE,
    DECISION_FORM,
    decided_text,
    decision_form,
    disputes_buttons,
    disputes_text,
)
from bot.error_reply import answered
from bot.model import GameId
from bot.pressing import Press
from bot.services.decide_dispute import DecideDispute, decide_dispute, list_disputes


class DisputesInbox(commands.Cog):
    """Deciding what two players do not agree on; the services check who may."""

    @app_commands.command()
    @room_option
    async def disputes(
        self, interaction: discord.Interaction[Parlour], room: RoomName | None = None
    ) -> None:
        """List the open disputes and decide them (for referees)."""
        work = list_disputes(interaction.client.ledger, act_of(interaction, room))
        found = await done_in_time(interaction, work, ephemeral=True)
        buttons = disputes_buttons(found)
        await answer(interaction, disputes_text(found), view=buttons, ephemeral=True)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Parlour]) -> None:
        """Take a reason that was sent, whichever process of the bot once asked for it."""
        custom_id, values = form_values(interaction)
        form = DECISION_FORM.fullmatch(custom_id)
        if form is not None:
            command = DecideDispute(
                act_of(interaction),
                GameId(int(form["game"])),
                None if form["version"] == "none" else int(form["version"]),
                int(form["newest"]),
                values[REASON],
            )
            await answered(interaction, _decide(interaction, command))


async def _decide(interaction: discord.Interaction[Parlour], command: DecideDispute) -> None:
    client = interaction.client
    work = decide_dispute(client.ledger, command, now=client.clock.now())
    await edit(interaction, decided_text(await done_in_time(interaction, work)))
    client.wake.set()


class DecideButton(Press, template=DECIDE):
    """A button that decides a dispute."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Ask why."""
        await interaction.response.send_modal(decision_form(self.match))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(DisputesInbox())
    client.add_dynamic_items(DecideButton)
