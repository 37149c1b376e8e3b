"""`/report`, and the buttons under a report."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer_with_game, done_in_time, edit_game, person_of
from bot.client import Parlour
from bot.display.game_buttons import PATTERN, Press
from bot.error_reply import reply_to_error
from bot.errors import ParlourError
from bot.model import Answer, GameId, Outcome
from bot.services.answer_claim import (
    AnswerClaim,
    annul_game,
    confirm_claim,
    dispute_claim,
    withdraw_claim,
)
from bot.services.report_game import ReportGame, report_game

if TYPE_CHECKING:
    import re
    from collections.abc import Awaitable

    from bot.services.game_view import GameView

_Score = app_commands.Range[int, -1_000_000, 1_000_000]


class Reports(commands.Cog):
    """Reporting games."""

    @app_commands.command()
    @app_commands.describe(
        opponent="Whom you played",
        result="How it ended for you",
        score="Your score, where the game has scores",
        opponent_score="Your opponent's score",
        another_game="This is another game than the one still waiting for an answer",
    )
    async def report(
        self,
        interaction: discord.Interaction[Parlour],
        opponent: discord.User,
        result: Outcome,
        score: _Score | None = None,
        opponent_score: _Score | None = None,
        another_game: bool = False,  # noqa: FBT001, FBT002 - a command's option
    ) -> None:
        """Report how a game ended."""
        command = ReportGame(
            act=act_of(interaction),
            opponent=person_of(opponent),
            outcome=result,
            score=None if score is None else Decimal(score),
            opponent_score=None if opponent_score is None else Decimal(opponent_score),
            is_another=another_game,
        )
        client = interaction.client
        work = report_game(client.ledger, command, now=client.clock.now())
        await answer_with_game(interaction, await done_in_time(interaction, work))


class GameButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=PATTERN):
    """A button under a game, whichever process of the bot once posted it."""

    def __init__(self, press: Press, game: GameId, version: int) -> None:
        """Stand for a press on a version of a game's claim."""
        custom_id = f"game:{press}:{game}:{version}"
        super().__init__(discord.ui.Button(label="…", custom_id=custom_id))
        self._press = press
        self._game = game
        self._version = version

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
        return cls(Press(match["press"]), GameId(int(match["game"])), int(match["version"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the button says."""
        try:
            view = await done_in_time(interaction, self._work(interaction))
        except ParlourError as error:
            await reply_to_error(interaction, error)
        else:
            await edit_game(interaction, view)

    def _work(self, interaction: discord.Interaction[Parlour]) -> Awaitable[GameView]:
        client = interaction.client
        command = AnswerClaim(act_of(interaction), self._game, self._version)
        ledger, now = client.ledger, client.clock.now()
        match self._press:
            case Press.CONFIRM:
                return confirm_claim(ledger, command, now=now)
            case Press.WRONG:
                return dispute_claim(ledger, command, Answer.WRONG, now=now)
            case Press.NOT_PLAYED:
                return dispute_claim(ledger, command, Answer.NOT_PLAYED, now=now)
            case Press.WITHDRAW:
                return withdraw_claim(ledger, command, now=now)
            case Press.ANNUL:
                return annul_game(ledger, command, now=now)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Reports())
    client.add_dynamic_items(GameButton)
