"""`/abort`: a look at what it would do, and the press that seals it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import (
    act_of,
    answer,
    done_in_time,
    edit,
    people_of,
    person_of,
    tell_everybody,
)
from bot.choices import RoomName, own_open_games, own_words, room_option
from bot.client import Parlour
from bot.display.abort import (
    SEAL,
    SEAL_UNOPENED,
    WHICH,
    preview_buttons,
    preview_text,
    read_written,
    which_menu,
)
from bot.display.game_buttons import ABORT, view_of
from bot.display.packing import unpacked
from bot.error_reply import answered
from bot.errors import Refusal, RequestRefused
from bot.model import GameId, RoomId
from bot.pressing import Press
from bot.services.abort_game import (
    AbortGame,
    AbortUnopened,
    abort_game,
    abort_unopened,
    preview_abort,
    preview_abort_unopened,
    seats,
)
from bot.services.open_game import find_open_games
from bot.services.stating import read_statement

if TYPE_CHECKING:
    import re

    from bot.services.abort_game import AbortPreview
    from bot.services.game_view import GameView

_Score = app_commands.Range[int, -1_000_000, 1_000_000]


class Aborts(commands.Cog):
    """Aborting games that will not be finished."""

    @app_commands.command()
    @room_option
    @app_commands.describe(
        game="Which game; without it, your only open one",
        score="Your score now, in a game of two",
        opponent_score="Your opponent's score now",
        standing="ahead, level or behind; or of everybody: @Ann 412 @Bob 388, or @Ann > @Bob = @Cy",
        opponent="For a game that was never opened here: whom you played",
        opponent2="Who else played",
        opponent3="Who else played",
    )
    @app_commands.autocomplete(game=own_open_games)
    @app_commands.autocomplete(standing=own_words)
    async def abort(
        self,
        interaction: discord.Interaction[Parlour],
        game: app_commands.Range[int, 1] | None = None,
        score: _Score | None = None,
        opponent_score: _Score | None = None,
        standing: app_commands.Range[str, 1, 400] | None = None,
        opponent: discord.User | None = None,
        opponent2: discord.User | None = None,
        opponent3: discord.User | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Abort a game: you gain nothing by it, and nobody else loses anything."""
        act, ledger = act_of(interaction, room), interaction.client.ledger
        statement = read_statement(standing, score, opponent_score)
        given = (opponent, opponent2, opponent3)
        others = tuple(person_of(user) for user in given if user is not None)
        if others:
            if game is not None:
                raise RequestRefused(Refusal.GAME_AND_OPPONENT)
            work = preview_abort_unopened(ledger, AbortUnopened(act, others, statement))
            await _show(interaction, await done_in_time(interaction, work, ephemeral=True))
            return
        only, *more = await find_open_games(ledger, act, game)
        if more and statement is not None:
            raise RequestRefused(Refusal.SEVERAL_OPEN, *(each.number for each in (only, *more)))
        if more:
            menu = which_menu((only, *more), act.person.user)
            await answer(interaction, "Several of your games are open.", view=menu, ephemeral=True)
            return
        work = preview_abort(ledger, act, only.id, statement)
        await _show(interaction, await done_in_time(interaction, work, ephemeral=True))


async def _show(interaction: discord.Interaction[Parlour], preview: AbortPreview) -> None:
    view = view_of(preview_buttons(preview))
    await answer(interaction, preview_text(preview), view=view, ephemeral=True)


class AbortButton(Press, template=ABORT):
    """The button *Abort* under an open game."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show what an abort would do."""
        act, ledger = act_of(interaction), interaction.client.ledger
        game = GameId(int(self.match["game"]))
        await _show(interaction, await preview_abort(ledger, act, game, None))


class SealButton(Press, template=SEAL):
    """The press that seals an abort which was looked at."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Abort the game as it was shown."""
        view = await done_in_time(interaction, self._abort(interaction), anew=True)
        await tell_everybody(interaction, view)

    async def _abort(self, interaction: discord.Interaction[Parlour]) -> GameView:
        client, act = interaction.client, act_of(interaction)
        game = GameId(int(self.match["game"]))
        users = await seats(client.ledger, act, game)
        statement = read_written(self.match["stated"], users)
        command = AbortGame(act, game, int(self.match["version"]), statement)
        return await abort_game(client.ledger, command, now=client.clock.now())


class SealUnopenedButton(Press, template=SEAL_UNOPENED):
    """The press that opens and aborts a game in one step."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Open and abort the game as it was shown."""
        view = await done_in_time(interaction, self._abort(interaction), anew=True)
        await tell_everybody(interaction, view)

    async def _abort(self, interaction: discord.Interaction[Parlour]) -> GameView:
        client = interaction.client
        act = act_of(interaction, RoomId(int(self.match["room"])))
        users = unpacked(self.match["users"])
        others = await people_of(interaction, users)
        statement = read_written(self.match["stated"], (act.person.user, *users))
        command = AbortUnopened(act, others, statement)
        return await abort_unopened(client.ledger, command, now=client.clock.now())


class WhichMenu(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=WHICH):
    """The menu of the open games that `/abort` may mean."""

    def __init__(self) -> None:
        """Stand for the menu."""
        super().__init__(discord.ui.Select(custom_id="abort:which"))

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read what Discord handed back."""
        del interaction, item, match
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show what aborting the chosen game would do."""
        await answered(interaction, self._look(interaction))

    async def _look(self, interaction: discord.Interaction[Parlour]) -> None:
        act, ledger = act_of(interaction), interaction.client.ledger
        preview = await preview_abort(ledger, act, GameId(int(self.item.values[0])), None)
        await edit(interaction, preview_text(preview), view_of(preview_buttons(preview)))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Aborts())
    client.add_dynamic_items(AbortButton, SealButton, SealUnopenedButton, WhichMenu)
