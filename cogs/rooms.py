"""`/room`: setting rooms up and looking after them."""

from __future__ import annotations

from datetime import timedelta

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit, people_of
from bot.attached_text import text_of
from bot.choices import RoomName, archived_rooms, room_option
from bot.client import Parlour
from bot.display.comparison import comparison_text
from bot.display.export import export_files, export_text
from bot.display.importing import (
    IMPORT,
    import_buttons,
    import_file,
    import_preview_text,
    imported_text,
    read_members,
)
from bot.display.room import list_text, overview_text, room_text
from bot.display.room_log import LOG_PAGE, log_buttons, log_text
from bot.display.rules import RULES, rules_buttons, rules_done_text, rules_preview_text
from bot.display.text import safe
from bot.errors import Refusal, RequestRefused
from bot.model import ChannelId, Confirmation, ManyConfirmation, ProposalId, RoleId, RoomId
from bot.pressing import Press
from bot.progress import Progress
from bot.services.archive_room import archive_room, restore_room
from bot.services.change_rules import ChangeRules, change_rules, preview_rules
from bot.services.compare_systems import compare_systems
from bot.services.export_room import export_meant_room
from bot.services.propose_import import AskedImport, carry_out_import, propose_import
from bot.services.set_up_room import SYSTEMS, CreateRoom, EditRoom, create_room, edit_room
from bot.services.view_log import view_log
from bot.services.view_rooms import list_rooms, view_room

_SYSTEMS = [app_commands.Choice(name=key, value=key) for key in SYSTEMS]


@app_commands.default_permissions(manage_guild=True)
class Rooms(commands.GroupCog, group_name="room", group_description="Set rooms up"):
    """Setting rooms up and looking after them; the services check again who may."""

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
        name: RoomName,
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
    @room_option
    @app_commands.choices(system=_SYSTEMS)
    @app_commands.describe(
        name="What the room is called from now on",
        channel="A channel that belongs to it from now on",
        drop_channel="A channel that does not belong to it any more",
        system="How its games are rated, all of them again, after a look at what that does",
        settings="Of the rating system, such as start=1200; or `usual`",
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
        name: RoomName | None = None,
        channel: discord.TextChannel | None = None,
        drop_channel: discord.TextChannel | None = None,
        system: str | None = None,
        settings: app_commands.Range[str, 1, 200] | None = None,
        confirmation: Confirmation | None = None,
        many_confirmation: ManyConfirmation | None = None,
        confirm_after_hours: app_commands.Range[int, 0, 720] | None = None,
        close_idle_days: app_commands.Range[int, 0, 365] | None = None,
        minimum_games: app_commands.Range[int, 0, 1000] | None = None,
        hide_after_days: app_commands.Range[int, 0, 3650] | None = None,
        referees: discord.Role | None = None,
        abort_notice: bool | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Change a room: its name, its channels, its settings, or how its games are rated."""
        command = EditRoom(
            act_of(interaction, room),
            name=name,
            channel=ChannelId(channel.id) if channel else None,
            drop_channel=ChannelId(drop_channel.id) if drop_channel else None,
            confirmation=confirmation,
            many_confirmation=many_confirmation,
            confirm_after=_given(confirm_after_hours, timedelta(hours=1)),
            close_idle_after=_given(close_idle_days, timedelta(days=1)),
            minimum_games=minimum_games,
            hide_idle_after=_given(hide_after_days, timedelta(days=1)),
            referee_role=RoleId(referees.id) if referees else None,
            abort_notice=abort_notice,
        )
        client, now = interaction.client, interaction.client.clock.now()
        if system is None and settings is None:
            edited = await done_in_time(interaction, edit_room(client.ledger, command, now=now))
            await answer(interaction, room_text(edited))
            return
        if command.given():
            raise RequestRefused(Refusal.RULES_ALONE)
        looking = preview_rules(client.ledger, command.act, system, settings, now=now)
        preview = await done_in_time(interaction, looking, ephemeral=True)
        buttons = rules_buttons(preview)
        await answer(interaction, rules_preview_text(preview), view=buttons, ephemeral=True)

    @app_commands.command(name="list")
    async def list_(self, interaction: discord.Interaction[Parlour]) -> None:
        """List the rooms of this server."""
        guild = act_of(interaction).guild
        overviews = await done_in_time(interaction, list_rooms(interaction.client.ledger, guild))
        await answer(interaction, list_text(overviews), ephemeral=True)

    @app_commands.command()
    @room_option
    async def show(
        self, interaction: discord.Interaction[Parlour], room: RoomName | None = None
    ) -> None:
        """Show all that is set about a room."""
        work = view_room(interaction.client.ledger, act_of(interaction, room))
        overview = await done_in_time(interaction, work)
        await answer(interaction, overview_text(overview), ephemeral=True)

    @app_commands.command()
    @room_option
    async def archive(
        self, interaction: discord.Interaction[Parlour], room: RoomName | None = None
    ) -> None:
        """Put a room away with all its games; it can be restored."""
        client = interaction.client
        work = archive_room(client.ledger, act_of(interaction, room), now=client.clock.now())
        archived = await done_in_time(interaction, work)
        text = f"**{safe(archived.name)}** is archived: `/room restore` brings it back."
        await answer(interaction, text)

    @app_commands.command()
    @app_commands.describe(room="Which archived room", name="What it is called from now on")
    @app_commands.autocomplete(room=archived_rooms)
    async def restore(
        self,
        interaction: discord.Interaction[Parlour],
        room: RoomName,
        name: RoomName | None = None,
    ) -> None:
        """Bring an archived room back into use."""
        client, act = interaction.client, act_of(interaction)
        work = restore_room(client.ledger, act, room, name, now=client.clock.now())
        await answer(interaction, room_text(await done_in_time(interaction, work)))

    @app_commands.command()
    @room_option
    async def export(
        self, interaction: discord.Interaction[Parlour], room: RoomName | None = None
    ) -> None:
        """Get a room's games and standings as files."""
        work = export_meant_room(interaction.client.ledger, act_of(interaction, room))
        export = await done_in_time(interaction, work, ephemeral=True)
        await answer(interaction, export_text(export), files=export_files(export), ephemeral=True)

    @app_commands.command(name="import")
    @room_option
    @app_commands.choices(system=_SYSTEMS)
    @app_commands.describe(
        file="A games file as `/room export` gives, or chess games (PGN); also compressed (.gz)",
        name="The room that it becomes; without it, the room of this channel, if that is empty",
        system="How its games are rated; without it, as the room's are",
        settings="Of the rating system, such as start=1200",
        members="Whom names in the file stand for: Maria=@Ann, Bo B=@Bob",
    )
    async def import_(
        self,
        interaction: discord.Interaction[Parlour],
        file: discord.Attachment,
        name: RoomName | None = None,
        system: str | None = None,
        settings: app_commands.Range[str, 1, 200] = "",
        members: app_commands.Range[str, 1, 2000] = "",
        room: RoomName | None = None,
    ) -> None:
        """Bring the games of a file into a room without any, after a look at what it brings."""
        client, act = interaction.client, act_of(interaction, room)
        named = read_members(members)
        people = await people_of(interaction, tuple(named.values()))
        who = dict(zip(named, people, strict=True))
        text = await text_of(file)
        asked = AskedImport(act, name, system, settings, who, text)
        work = propose_import(client.ledger, asked, now=client.clock.now())
        proposed = await done_in_time(interaction, work, ephemeral=True)
        await answer(
            interaction,
            import_preview_text(proposed.preview),
            view=import_buttons(proposed),
            files=[import_file(text)],
            ephemeral=True,
        )

    @app_commands.command()
    @room_option
    async def compare(
        self, interaction: discord.Interaction[Parlour], room: RoomName | None = None
    ) -> None:
        """Compare how well each rating system would have predicted a room's games."""
        work = compare_systems(interaction.client.ledger, act_of(interaction, room))
        comparison = await done_in_time(interaction, work, ephemeral=True)
        await answer(interaction, comparison_text(comparison), ephemeral=True)

    @app_commands.command()
    @room_option
    async def log(
        self, interaction: discord.Interaction[Parlour], room: RoomName | None = None
    ) -> None:
        """Show who did what in a room, the newest first."""
        work = view_log(interaction.client.ledger, act_of(interaction, room), 1)
        found = await done_in_time(interaction, work, ephemeral=True)
        await answer(interaction, log_text(found), view=log_buttons(found), ephemeral=True)


class RulesButton(Press, template=RULES):
    """A button that gives a room other rules, as they were shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Change the rules, and tell everybody."""
        client, room = interaction.client, RoomId(int(self.match["room"]))
        command = ChangeRules(
            act_of(interaction),
            room,
            self.match["system"],
            self.match["settings"],
            int(self.match["seal"]),
        )
        progress = Progress()
        work = change_rules(client.ledger, command, now=client.clock.now(), progress=progress)
        changed = await done_in_time(interaction, work, progress=progress)
        await edit(interaction, rules_done_text(changed))


class ImportButton(Press, template=IMPORT):
    """A button that imports the file of its message, as it was shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Import it, and say how far it has come."""
        client, act = interaction.client, act_of(interaction)
        if interaction.message is None or not interaction.message.attachments:
            raise RequestRefused(Refusal.FILE_LOST)
        text = await text_of(interaction.message.attachments[0])
        proposal, progress = ProposalId(int(self.match["proposal"])), Progress()
        now = client.clock.now()
        work = carry_out_import(client.ledger, act, proposal, text, now=now, progress=progress)
        imported = await done_in_time(interaction, work, progress=progress)
        await edit(interaction, imported_text(imported))


class LogPageButton(Press, template=LOG_PAGE):
    """A button that leads to a page of a room's log."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show the page."""
        act = act_of(interaction, RoomId(int(self.match["room"])))
        work = view_log(interaction.client.ledger, act, int(self.match["page"]))
        found = await done_in_time(interaction, work)
        await edit(interaction, log_text(found), log_buttons(found))


def _given(count: int | None, unit: timedelta) -> timedelta | None:
    return None if count is None else count * unit


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Rooms())
    client.add_dynamic_items(RulesButton, ImportButton, LogPageButton)
