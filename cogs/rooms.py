"""`/room`: setting rooms up."""

from __future__ import annotations

from datetime import timedelta

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time
from bot.client import Parlour
from bot.display.room import room_text
from bot.model import ChannelId, Confirmation, ManyConfirmation, RoleId
from bot.services.set_up_room import SYSTEMS, CreateRoom, EditRoom, create_room, edit_room

_SYSTEMS = [app_commands.Choice(name=key, value=key) for key in SYSTEMS]


@app_commands.default_permissions(manage_guild=True)
class Rooms(commands.GroupCog, group_name="room", group_description="Set rooms up"):
    """Setting rooms up; the services check again who may."""

    @app_commands.command()
    @app_commands.describe(
        name="What the room is called",
        system="How its games are rated",
        channel="The channel that belongs to it; without it, this one",
        settings="Of the rating system, such as start=1200; those there are stand in the README",
    )
    @app_commands.choices(system=_SYSTEMS)
    async def create(
        self,
        interaction: discord.Interaction[Parlour],
        name: app_commands.Range[str, 1, 50],
        system: str,
        channel: discord.TextChannel | None = None,
        settings: app_commands.Range[str, 1, 200] = "",
    ) -> None:
        """Make a room."""
        act = act_of(interaction)
        bound = ChannelId(channel.id) if channel else act.parent or act.channel
        client = interaction.client
        command = CreateRoom(act, name, system, bound, settings)
        work = create_room(client.ledger, command, now=client.clock.now())
        await answer(interaction, room_text(await done_in_time(interaction, work)))

    @app_commands.command()
    @app_commands.describe(
        confirmation="Who must confirm a result",
        many_confirmation="How many of the others must confirm a game of three and more",
        confirm_after_hours="When an unanswered report counts by itself; 0 for never",
        close_idle_days="After how many idle days an open game is closed; 0 for never",
        minimum_games="How many games it takes to be ranked",
        hide_after_days="After how many days an idle player leaves the leaderboard; 0 for never",
        referees="The role that settles disputes",
        abort_notice="Whether referees are told of players who abort more than a third",
    )
    async def edit(
        self,
        interaction: discord.Interaction[Parlour],
        confirmation: Confirmation | None = None,
        many_confirmation: ManyConfirmation | None = None,
        confirm_after_hours: app_commands.Range[int, 0, 720] | None = None,
        close_idle_days: app_commands.Range[int, 0, 365] | None = None,
        minimum_games: app_commands.Range[int, 0, 1000] | None = None,
        hide_after_days: app_commands.Range[int, 0, 3650] | None = None,
        referees: discord.Role | None = None,
        abort_notice: bool | None = None,
    ) -> None:
        """Change the settings of this channel's room."""
        client = interaction.client
        command = EditRoom(
            act_of(interaction),
            confirmation=confirmation,
            many_confirmation=many_confirmation,
            confirm_after=_given(confirm_after_hours, timedelta(hours=1)),
            close_idle_after=_given(close_idle_days, timedelta(days=1)),
            minimum_games=minimum_games,
            hide_idle_after=_given(hide_after_days, timedelta(days=1)),
            referee_role=RoleId(referees.id) if referees else None,
            abort_notice=abort_notice,
        )
        work = edit_room(client.ledger, command, now=client.clock.now())
        await answer(interaction, room_text(await done_in_time(interaction, work)))


def _given(count: int | None, unit: timedelta) -> timedelta | None:
    return None if count is None else count * unit


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Rooms())
