"""`/multi`: reporting a finished game of three and more, in one line or by a form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import (
    act_of,
    answer,
    answer_with_game,
    done_in_time,
    form_values,
    people_of,
    person_of,
    tell_everybody,
)
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.components import new_view
from bot.display.standing_form import MOST_IN_FORM, Seat, read_form, standing_form
from bot.error_reply import answered
from bot.model import UserId
from bot.services.report_game import ReportGame, report_game
from bot.services.stating import check_people, read_everybody, scores_needed

if TYPE_CHECKING:
    from bot.services.acting import Act
    from bot.services.game_view import GameView
    from bot.standings_text import Stated

_PLAYERS = re.compile(r"multi:players(?P<another>:another)?(?:/(?P<room>.+))?")
_FORM = re.compile(r"form:multi(?P<another>:another)?(?:/(?P<room>.+))?")


class Multiplayer(commands.Cog):
    """Games of three and more."""

    @app_commands.command()
    @room_option
    @app_commands.describe(
        standings="@Ann 412 @Bob 388 @Cy 350, or @Ann > @Bob = @Cy; without it, a form asks",
        another_game="This is another game than the one still waiting for an answer",
    )
    async def multi(
        self,
        interaction: discord.Interaction[Parlour],
        standings: app_commands.Range[str, 1, 1000] | None = None,
        another_game: bool = False,
        room: RoomName | None = None,
    ) -> None:
        """Report a finished game of three or more players."""
        if standings is None:
            menu: discord.ui.UserSelect[discord.ui.View] = discord.ui.UserSelect(
                custom_id="multi:players"
                + (":another" if another_game else "")
                + (f"/{room}" if room else ""),
                placeholder="Who played with you?",
                max_values=MOST_IN_FORM - 1,
            )
            view = new_view()
            view.add_item(menu)
            await answer(interaction, "Who played with you?", view=view, ephemeral=True)
            return
        act = act_of(interaction, room)
        statement = read_everybody(act, standings)
        work = _report(interaction, act, statement, is_another=another_game)
        await answer_with_game(interaction, await done_in_time(interaction, work))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Parlour]) -> None:
        """Take a form that was sent, whichever process of the bot once opened it."""
        custom_id, values = form_values(interaction)
        form = _FORM.fullmatch(custom_id)
        if form is not None:
            await answered(interaction, _take_form(interaction, form, values))


async def _take_form(
    interaction: discord.Interaction[Parlour], form: re.Match[str], values: dict[str, str]
) -> None:
    act, is_another = act_of(interaction, form["room"]), form["another"] is not None
    work = _report(interaction, act, read_form(values), is_another=is_another)
    await tell_everybody(interaction, await done_in_time(interaction, work, anew=True))


async def _report(
    interaction: discord.Interaction[Parlour],
    act: Act,
    statement: tuple[Stated, ...],
    *,
    is_another: bool,
) -> GameView:
    client = interaction.client
    users = [each.user for each in statement if each.user != act.person.user]
    others = await people_of(interaction, users)
    command = ReportGame(act, others, statement, is_another)
    return await report_game(client.ledger, command, now=client.clock.now())


class PlayersMenu(
    discord.ui.DynamicItem[discord.ui.UserSelect[discord.ui.View]], template=_PLAYERS
):
    """The menu of those who played."""

    def __init__(self, custom_id: str, room: str | None) -> None:
        """Stand for the menu."""
        super().__init__(discord.ui.UserSelect(custom_id=custom_id, max_values=MOST_IN_FORM - 1))
        self._room = room

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read what Discord handed back."""
        del interaction, item
        return cls(match.string, match["room"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form that asks for scores or places."""
        await answered(interaction, self._ask(interaction))

    async def _ask(self, interaction: discord.Interaction[Parlour]) -> None:
        act = act_of(interaction, self._room)
        chosen = [user for user in self.item.values if user.id != act.person.user]
        people = (act.person, *(person_of(user) for user in chosen))
        check_people(act, people[1:])
        needs_scores = await scores_needed(interaction.client.ledger, act, len(people))
        another = self.item.custom_id.removeprefix("multi:players")
        form = standing_form(
            f"form:multi{another}",
            "How did it end?",
            [Seat(UserId(person.user), person.name) for person in people],
            needs_scores=needs_scores,
        )
        await interaction.response.send_modal(form)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Multiplayer())
    client.add_dynamic_items(PlayersMenu)
