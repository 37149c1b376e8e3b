"""`/tournament` and `/season`: games that are rated together."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import act_of, answer, done_in_time, edit
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.event import (
    DECISION,
    PAGE,
    EventPress,
    cancelling_buttons,
    cancelling_text,
    closing_buttons,
    closing_text,
    event_buttons,
    event_text,
    opened_text,
    reopening_buttons,
    reopening_text,
)
from bot.display.text import safe
from bot.model import EventId, EventKind, RoomId
from bot.pressing import Press
from bot.services.event_view import view_event, view_grades, view_tournament
from bot.services.run_event import (
    ChangeEvent,
    OpenTournament,
    cancel_tournament,
    close_event,
    open_tournament,
    preview_cancelling,
    preview_closing,
    preview_reopening,
    reopen_event,
)

_Name = app_commands.Range[str, 1, 40]


class Tournaments(
    commands.GroupCog, group_name="tournament", group_description="Games rated together"
):
    """Tournaments, in rooms rated by `simplified-elo`."""

    @app_commands.command(name="open")
    @room_option
    @app_commands.describe(name="What the tournament is called")
    async def open_(
        self,
        interaction: discord.Interaction[Parlour],
        name: _Name,
        room: RoomName | None = None,
    ) -> None:
        """Open a tournament: the games from now on are rated when it is closed."""
        client = interaction.client
        command = OpenTournament(act_of(interaction, room), name)
        work = open_tournament(client.ledger, command, now=client.clock.now())
        await answer(interaction, opened_text(await done_in_time(interaction, work)))

    @app_commands.command()
    @room_option
    async def close(
        self,
        interaction: discord.Interaction[Parlour],
        room: RoomName | None = None,
    ) -> None:
        """Close the tournament that runs, after a look at what that does."""
        await _show_closing(interaction, room, EventKind.TOURNAMENT, "")

    @app_commands.command()
    @room_option
    async def cancel(
        self,
        interaction: discord.Interaction[Parlour],
        room: RoomName | None = None,
    ) -> None:
        """Call the tournament that runs off: its games are rated one by one."""
        work = preview_cancelling(interaction.client.ledger, act_of(interaction, room))
        view = await done_in_time(interaction, work)
        await answer(interaction, cancelling_text(view), view=cancelling_buttons(view))

    @app_commands.command()
    @room_option
    async def reopen(
        self,
        interaction: discord.Interaction[Parlour],
        room: RoomName | None = None,
    ) -> None:
        """Open the tournament that was closed last again."""
        await _show_reopening(interaction, room, EventKind.TOURNAMENT)

    @app_commands.command()
    @room_option
    @app_commands.describe(name="Which tournament; without it, the one that runs")
    async def standings(
        self,
        interaction: discord.Interaction[Parlour],
        name: _Name | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Show who has how many points in a tournament."""
        work = view_tournament(interaction.client.ledger, act_of(interaction, room), name)
        view = await done_in_time(interaction, work)
        await answer(interaction, event_text(view), view=event_buttons(view))


class Seasons(commands.GroupCog, group_name="season", group_description="Grades for a season"):
    """Seasons, in rooms rated by `ecf`."""

    @app_commands.command()
    @room_option
    @app_commands.describe(name="What the season that ends is called, such as 2026 spring")
    async def close(
        self,
        interaction: discord.Interaction[Parlour],
        name: _Name,
        room: RoomName | None = None,
    ) -> None:
        """Close the season and give everybody a new grade, after a look at what that does."""
        await _show_closing(interaction, room, EventKind.SEASON, name)

    @app_commands.command()
    @room_option
    async def reopen(
        self,
        interaction: discord.Interaction[Parlour],
        room: RoomName | None = None,
    ) -> None:
        """Take the last closing of a season back."""
        await _show_reopening(interaction, room, EventKind.SEASON)

    @app_commands.command()
    @room_option
    @app_commands.describe(name="Which season; without it, the last that was closed")
    async def grades(
        self,
        interaction: discord.Interaction[Parlour],
        name: _Name | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Show the grading list of a season."""
        work = view_grades(interaction.client.ledger, act_of(interaction, room), name)
        view = await done_in_time(interaction, work)
        await answer(interaction, event_text(view), view=event_buttons(view))


async def _show_closing(
    interaction: discord.Interaction[Parlour], room: str | None, kind: EventKind, name: str
) -> None:
    work = preview_closing(interaction.client.ledger, act_of(interaction, room), kind, name)
    view = await done_in_time(interaction, work)
    await answer(interaction, closing_text(view), view=closing_buttons(view))


async def _show_reopening(
    interaction: discord.Interaction[Parlour], room: str | None, kind: EventKind
) -> None:
    work = preview_reopening(interaction.client.ledger, act_of(interaction, room), kind)
    view = await done_in_time(interaction, work)
    await answer(interaction, reopening_text(view), view=reopening_buttons(view))


class DecisionButton(Press, template=DECISION):
    """A button that decides about an event as it was shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Do what the button says, and show what came of it in its message."""
        content, view = await done_in_time(interaction, self._work(interaction))
        await edit(interaction, content, view)

    async def _work(
        self, interaction: discord.Interaction[Parlour]
    ) -> tuple[str, discord.ui.View | None]:
        client = interaction.client
        act = act_of(interaction, RoomId(int(self.match["room"])))
        ledger, now = client.ledger, client.clock.now()
        kind, name = EventKind(self.match["kind"]), self.match["name"]
        command = ChangeEvent(act, kind, int(self.match["seal"]), name)
        match EventPress(self.match["press"]):
            case EventPress.LOOK:
                view = await preview_closing(ledger, act, kind, name)
                return closing_text(view), closing_buttons(view)
            case EventPress.CLOSE:
                view = await close_event(ledger, command, now=now)
                return event_text(view), event_buttons(view)
            case EventPress.CANCEL:
                event = await cancel_tournament(ledger, command, now=now)
                return f"**{safe(event.name)}** was called off; its games count one by one.", None
            case EventPress.REOPEN:
                view = await reopen_event(ledger, command, now=now)
                return f"Opened again.\n{event_text(view)}", event_buttons(view)


class EventPageButton(Press, template=PAGE):
    """A button that leads to a page of an event's table."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Show the page."""
        event, page = EventId(int(self.match["event"])), int(self.match["page"])
        view = await done_in_time(interaction, view_event(interaction.client.ledger, event))
        await edit(interaction, event_text(view, page), event_buttons(view, page))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Tournaments())
    await client.add_cog(Seasons())
    client.add_dynamic_items(DecisionButton, EventPageButton)
