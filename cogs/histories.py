"""`/history` and `/headtohead`: what was played, and what it did."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit, person_of
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.history import HISTORY_PAGE, history_buttons, history_text, meeting_text
from bot.model import PlayerId, RoomId
from bot.pressing import Press
from bot.services.view_changes import turn_page, view_changes, view_meeting


class Histories(commands.Cog):
    """Looking back."""

    @app_commands.command()
    @room_option
    @app_commands.describe(player="Whose games; without it, yours")
    async def history(
        self,
        interaction: discord.Interaction[Parlour],
        player: discord.User | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Page through a player's games and what each did to the rating."""
        act, person = act_of(interaction, room), person_of(player or interaction.user)
        found = await done_in_time(
            interaction, view_changes(interaction.client.ledger, act, person, 1)
        )
        await answer(interaction, history_text(found), view=history_buttons(found))

    @app_commands.command()
    @room_option
    @app_commands.describe(player="One player", opponent="The other; without it, you")
    async def headtohead(
        self,
        interaction: discord.Interaction[Parlour],
        player: discord.User,
        opponent: discord.User | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Show how two players did against each other."""
        act = act_of(interaction, room)
        first, second = person_of(player), person_of(opponent or interaction.user)
        work = view_meeting(interaction.client.ledger, act, first, second)
        await answer(interaction, meeting_text(await done_in_time(interaction, work)))


class HistoryPageButton(Press, template=HISTORY_PAGE):
    """A button that leads to a page of a history."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show the page."""
        room, player = RoomId(int(self.match["room"])), PlayerId(int(self.match["player"]))
        work = turn_page(interaction.client.ledger, room, player, int(self.match["page"]))
        found = await done_in_time(interaction, work)
        await edit(interaction, history_text(found), history_buttons(found))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Histories())
    client.add_dynamic_items(HistoryPageButton)
