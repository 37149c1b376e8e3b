"""What is proposed while somebody types a command's option."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from discord import app_commands

from bot.answering import act_of
from bot.display.text import listed, plain
from bot.errors import RequestRefused
from bot.model import GuildId
from bot.services.merge_players import guest_names
from bot.services.open_game import games_of
from bot.services.stating import OWN_WORDS
from bot.services.view_rooms import room_names

if TYPE_CHECKING:
    import discord

    from bot.client import Parlour
    from bot.model import GameRecord, UserId

_MOST = 25
_LONGEST = 100

RoomName = app_commands.Range[str, 1, 50]
"""What a room may be called."""

_Command = TypeVar("_Command")


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
    act = act_of(interaction, getattr(interaction.namespace, "room", None))
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


async def rooms_in_use(
    interaction: discord.Interaction[Parlour], current: str
) -> list[app_commands.Choice[str]]:
    """Return the server's rooms whose name has in it what is typed, the last used first."""
    return await _rooms(interaction, current, are_archived=False)


async def archived_rooms(
    interaction: discord.Interaction[Parlour], current: str
) -> list[app_commands.Choice[str]]:
    """Return the server's archived rooms whose name has in it what is typed."""
    return await _rooms(interaction, current, are_archived=True)


async def _rooms(
    interaction: discord.Interaction[Parlour], current: str, *, are_archived: bool
) -> list[app_commands.Choice[str]]:
    assert interaction.guild_id is not None
    guild = GuildId(interaction.guild_id)
    names = await room_names(interaction.client.ledger, guild, are_archived=are_archived)
    typed = current.casefold()
    meant = [name for name in names if typed in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in meant[:_MOST]]


async def guests(
    interaction: discord.Interaction[Parlour], current: str
) -> list[app_commands.Choice[str]]:
    """Return the server's guests whose name has in it what is typed."""
    assert interaction.guild_id is not None
    names = await guest_names(interaction.client.ledger, GuildId(interaction.guild_id))
    typed = current.casefold()
    meant = [name for name in names if typed in name.casefold()]
    return [
        app_commands.Choice(name=plain(name)[:_LONGEST], value=name)
        for name in meant[:_MOST]
        if len(name) <= _LONGEST
    ]


def room_option(command: _Command) -> _Command:
    """Describe a command's option `room`, and propose the server's rooms for it."""
    described = app_commands.describe(room="Which room; without it, the one of this channel")
    return described(app_commands.autocomplete(room=rooms_in_use)(command))


def _name(game: GameRecord, user: UserId) -> str:
    others = [plain(player.name) for player in game.players if player.user != user]
    return f"#{game.number} with {listed(others)}"
