"""`/report`, and the buttons under a report."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer_with_game, done_in_time, edit_game, person_of
from bot.choices import RoomName, own_open_games, room_option
from bot.client import Parlour
from bot.display.game_buttons import CLAIM, ClaimPress
from bot.model import Answer, GameId, Outcome, UserId
from bot.pressing import Press
from bot.services.answer_claim import (
    AnswerClaim,
    annul_game,
    confirm_claim,
    dispute_claim,
    withdraw_claim,
)
from bot.services.open_game import find_open_game
from bot.services.report_game import (
    ReportGame,
    ReportOpenGame,
    report_game,
    report_open_game,
)
from bot.services.stating import OwnView

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bot.services.game_view import GameView

_Score = app_commands.Range[int, -1_000_000, 1_000_000]


class Reports(commands.Cog):
    """Reporting games."""

    @app_commands.command()
    @room_option
    @app_commands.describe(
        opponent="Whom you played",
        result="How it ended for you",
        score="Your score, where the game has scores",
        opponent_score="Your opponent's score",
        game="The open game that this was, if it was opened before",
        another_game="This is another game than the one still open or waiting for an answer",
    )
    @app_commands.autocomplete(game=own_open_games)
    async def report(
        self,
        interaction: discord.Interaction[Parlour],
        opponent: discord.User,
        result: Outcome,
        score: _Score | None = None,
        opponent_score: _Score | None = None,
        game: app_commands.Range[int, 1] | None = None,
        another_game: bool = False,
        room: RoomName | None = None,
    ) -> None:
        """Report how a game ended."""
        client, act = interaction.client, act_of(interaction, room)
        statement = OwnView(result, _decimal(score), _decimal(opponent_score))
        now = client.clock.now()
        if game is None:
            command = ReportGame(act, (person_of(opponent),), statement, another_game)
            work = report_game(client.ledger, command, now=now)
        else:
            found = await find_open_game(client.ledger, act, game)
            named = ReportOpenGame(act, found.id, statement, UserId(opponent.id))
            work = report_open_game(client.ledger, named, now=now)
        await answer_with_game(interaction, await done_in_time(interaction, work))


class ClaimButton(Press, template=CLAIM):
    """A button under a claim."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Do what the button says."""
        await edit_game(interaction, await done_in_time(interaction, self._work(interaction)))

    def _work(self, interaction: discord.Interaction[Parlour]) -> Awaitable[GameView]:
        client = interaction.client
        game, version = GameId(int(self.match["game"])), int(self.match["version"])
        command = AnswerClaim(act_of(interaction), game, version)
        ledger, now = client.ledger, client.clock.now()
        match ClaimPress(self.match["press"]):
            case ClaimPress.CONFIRM:
                return confirm_claim(ledger, command, now=now)
            case ClaimPress.WRONG:
                return dispute_claim(ledger, command, Answer.WRONG, now=now)
            case ClaimPress.NOT_PLAYED:
                return dispute_claim(ledger, command, Answer.NOT_PLAYED, now=now)
            case ClaimPress.WITHDRAW:
                return withdraw_claim(ledger, command, now=now)
            case ClaimPress.ANNUL:
                return annul_game(ledger, command, now=now)


def _decimal(score: int | None) -> Decimal | None:
    return None if score is None else Decimal(score)


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Reports())
    client.add_dynamic_items(ClaimButton)
