"""`/play`, `/score`, `/games`, and the buttons of a game under way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import (
    act_of,
    answer,
    answer_with_game,
    done_in_time,
    edit_game,
    form_values,
    person_of,
    tell_everybody,
)
from bot.choices import RoomName, own_open_games, own_words, room_option
from bot.client import Parlour
from bot.display.game_buttons import PLAY, PlayPress
from bot.display.game_list import game_list_text
from bot.display.standing_form import read_form, seats_of, standing_form
from bot.error_reply import answered
from bot.errors import Refusal, RequestRefused
from bot.model import GameId
from bot.pressing import Press
from bot.services.abort_game import agree_uncounted
from bot.services.open_game import (
    OpenGame,
    RecordStanding,
    TouchGame,
    agree_standing,
    find_open_game,
    form_of_game,
    games_of,
    keep_open,
    open_game,
    record_standing,
)
from bot.services.report_game import ReportOpenGame, report_open_game
from bot.services.stating import read_statement

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bot.services.game_view import GameView

_FORM = re.compile(r"form:(?P<press>score|report):(?P<game>[0-9]+)")
_Score = app_commands.Range[int, -1_000_000, 1_000_000]


class Plays(commands.Cog):
    """Games under way."""

    @app_commands.command()
    @room_option
    @app_commands.describe(
        opponent="Whom you play",
        opponent2="Who else plays",
        opponent3="Who else plays",
        opponent4="Who else plays",
        opponent5="Who else plays",
        opponent6="Who else plays",
        opponent7="Who else plays",
    )
    async def play(
        self,
        interaction: discord.Interaction[Parlour],
        opponent: discord.User,
        opponent2: discord.User | None = None,
        opponent3: discord.User | None = None,
        opponent4: discord.User | None = None,
        opponent5: discord.User | None = None,
        opponent6: discord.User | None = None,
        opponent7: discord.User | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Open a game: its message keeps the score until it is reported or aborted."""
        given = (opponent, opponent2, opponent3, opponent4, opponent5, opponent6, opponent7)
        others = tuple(person_of(user) for user in given if user is not None)
        client = interaction.client
        work = open_game(
            client.ledger, OpenGame(act_of(interaction, room), others), now=client.clock.now()
        )
        await answer_with_game(interaction, await done_in_time(interaction, work))

    @app_commands.command()
    @room_option
    @app_commands.describe(
        score="Your score in a game of two",
        opponent_score="Your opponent's score",
        standing="ahead, level or behind; or of everybody: @Ann 412 @Bob 388, or @Ann > @Bob = @Cy",
        game="Which game; without it, your only open one",
    )
    @app_commands.autocomplete(game=own_open_games)
    @app_commands.autocomplete(standing=own_words)
    async def score(
        self,
        interaction: discord.Interaction[Parlour],
        score: _Score | None = None,
        opponent_score: _Score | None = None,
        standing: app_commands.Range[str, 1, 400] | None = None,
        game: app_commands.Range[int, 1] | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Record how your open game stands."""
        statement = read_statement(standing, score, opponent_score)
        if statement is None:
            raise RequestRefused(Refusal.NO_RESULT)
        client, act = interaction.client, act_of(interaction, room)
        found = await find_open_game(client.ledger, act, game)
        command = RecordStanding(act, found.id, statement)
        work = record_standing(client.ledger, command, now=client.clock.now())
        await answer_with_game(interaction, await done_in_time(interaction, work))

    @app_commands.command()
    @room_option
    async def games(
        self,
        interaction: discord.Interaction[Parlour],
        room: RoomName | None = None,
    ) -> None:
        """List your open and waiting games in this room."""
        act = act_of(interaction, room)
        meant, found = await games_of(interaction.client.ledger, act)
        text = game_list_text(meant, found, act.person.user)
        await answer(interaction, text, ephemeral=True)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Parlour]) -> None:
        """Take a form that was sent, whichever process of the bot once opened it."""
        custom_id, values = form_values(interaction)
        form = _FORM.fullmatch(custom_id)
        if form is not None:
            game = GameId(int(form["game"]))
            await answered(interaction, _take_form(interaction, form["press"], game, values))


async def _take_form(
    interaction: discord.Interaction[Parlour], press: str, game: GameId, values: dict[str, str]
) -> None:
    client, act = interaction.client, act_of(interaction)
    statement = read_form(values)
    now = client.clock.now()
    if press == PlayPress.REPORT:
        work = report_open_game(client.ledger, ReportOpenGame(act, game, statement), now=now)
        # A report asks somebody, and an edited message notifies nobody.
        await answer_with_game(interaction, await done_in_time(interaction, work, anew=True))
    else:
        work = record_standing(client.ledger, RecordStanding(act, game, statement), now=now)
        await edit_game(interaction, await done_in_time(interaction, work))


class PlayButton(Press, template=PLAY):
    """A button under a game that is not settled."""

    @property
    def _press(self) -> PlayPress:
        return PlayPress(self.match["press"])

    @property
    def _game(self) -> GameId:
        return GameId(int(self.match["game"]))

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Do what the button says."""
        if self._press in {PlayPress.SCORE, PlayPress.REPORT}:
            await self._ask(interaction)
            return
        message = interaction.message
        if message is not None and message.flags.ephemeral:
            view = await done_in_time(interaction, self._work(interaction), anew=True)
            await tell_everybody(interaction, view)
        else:
            await edit_game(interaction, await done_in_time(interaction, self._work(interaction)))

    async def _ask(self, interaction: discord.Interaction[Parlour]) -> None:
        """Open the form that asks for the score or the result."""
        act = act_of(interaction)
        game, needs_scores = await form_of_game(interaction.client.ledger, act, self._game)
        what = "the result" if self._press is PlayPress.REPORT else "the score"
        form = standing_form(
            f"form:{self._press}:{game.id}",
            f"#{game.number}: {what}",
            seats_of(game),
            needs_scores=needs_scores,
        )
        await interaction.response.send_modal(form)

    def _work(self, interaction: discord.Interaction[Parlour]) -> Awaitable[GameView]:
        client = interaction.client
        version = int(self.match["version"])
        command = TouchGame(act_of(interaction), self._game, version)
        ledger, now = client.ledger, client.clock.now()
        match self._press:
            case PlayPress.AGREE:
                return agree_standing(ledger, command, now=now)
            case PlayPress.UNCOUNTED:
                return agree_uncounted(ledger, command, now=now)
            case PlayPress.KEEP_OPEN:
                return keep_open(ledger, command, now=now)
            case _:
                raise AssertionError(self._press)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Plays())
    client.add_dynamic_items(PlayButton)
