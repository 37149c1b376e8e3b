"""`/player`: guests who become members, and accounts of one person."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit, form_values, person_of
from bot.choices import guests
from bot.client import Parlour
from bot.display.correction import REASON
from bot.display.merge import (
    MERGE,
    MERGE_FORM,
    merge_buttons,
    merge_done_text,
    merge_form,
    merge_preview_text,
)
from bot.error_reply import answered
from bot.model import ProposalId
from bot.pressing import Press
from bot.progress import Progress
from bot.services.merge_players import Named, carry_out_merge, propose_merge


@app_commands.default_permissions(manage_guild=True)
class Players(commands.GroupCog, group_name="player", group_description="Say who is who"):
    """Saying that two players are one person; the service checks again who may."""

    @app_commands.command()
    @app_commands.describe(guest="Who played as a guest", member="The member who that is")
    @app_commands.autocomplete(guest=guests)
    async def claim(
        self,
        interaction: discord.Interaction[Parlour],
        guest: app_commands.Range[str, 1, 80],
        member: discord.User,
    ) -> None:
        """Make the games of a guest those of a member, after a look at what that does."""
        await _propose(interaction, guest, member)

    @app_commands.command()
    @app_commands.describe(account="The account that goes", into="The account that stays")
    async def merge(
        self, interaction: discord.Interaction[Parlour], account: discord.User, into: discord.User
    ) -> None:
        """Merge two accounts of one person, after a look at what that does."""
        await _propose(interaction, person_of(account), into)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Parlour]) -> None:
        """Take a reason that was sent, whichever process of the bot once asked for it."""
        custom_id, values = form_values(interaction)
        form = MERGE_FORM.fullmatch(custom_id)
        if form is not None:
            proposal = ProposalId(int(form["proposal"]))
            await answered(interaction, _carry_out(interaction, proposal, values[REASON]))


async def _propose(
    interaction: discord.Interaction[Parlour], source: Named, into: discord.User | discord.Member
) -> None:
    client, act = interaction.client, act_of(interaction)
    work = propose_merge(client.ledger, act, source, person_of(into), now=client.clock.now())
    view = await done_in_time(interaction, work, ephemeral=True)
    await answer(interaction, merge_preview_text(view), view=merge_buttons(view), ephemeral=True)


async def _carry_out(
    interaction: discord.Interaction[Parlour], proposal: ProposalId, reason: str
) -> None:
    client, act, progress = interaction.client, act_of(interaction), Progress()
    now = client.clock.now()
    work = carry_out_merge(client.ledger, act, proposal, reason, now=now, progress=progress)
    view = await done_in_time(interaction, work, progress=progress)
    await edit(interaction, merge_done_text(view))
    client.wake.set()


class MergeButton(Press, template=MERGE):
    """A button that goes on with a merge as it was shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Ask why."""
        await interaction.response.send_modal(merge_form(self.match))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Players())
    client.add_dynamic_items(MergeButton)
