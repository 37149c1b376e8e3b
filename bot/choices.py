"""What is proposed while somebody types a command's option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.answering import act_of
from bot.display.text import listed, plain
from bot.errors import RequestRefused
from bot.services.open_game import games_of
from bot.services.stating import OWN_WORDS

if TYPE_CHECKING:
    import discord

    from bot.client import Parlour
    from bot.model import GameRecord, UserId

_MOST = 25
_LONGEST = 100


async def own_words(
    interaction: discord.Interaction[Parlour], current: str
) -> list[app_commands.Choice[str]]:
    """Return what one of two may say of how their game stands."""
    del interaction
    return [
        app_commands.Choice(name=word, value=word)
        for word in OWN_WORDS
        if word.startswith(current.casefold())
    ]


async def own_open_games(
    interaction: discord.Interaction[Parlour], current: int | str
) -> list[app_commands.Choice[int]]:
    """Return the person's open games in this room, those whose number begins as typed first."""
    act = act_of(interaction)
    try:
        _, found = await games_of(interaction.client.ledger, act, only_open=True)
    except RequestRefused:
        # While somebody types is no time to explain; the command itself will.
        return []
    typed = str(current)
    games = sorted(found, key=lambda game: not str(game.number).startswith(typed))
    return [
        app_commands.Choice(name=_name(game, act.person.user)[:_LONGEST], value=game.number)
        for game in games[:_MOST]
    ]


def _name(game: GameRecord, user: UserId) -> str:
    others = [plain(player.name) for player in game.players if player.user != user]
    return f"#{game.number} with {listed(others)}"
