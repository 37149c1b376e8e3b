"""`/game`: looking at a game and correcting it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.answering import (
    act_of,
    answer,
    done_in_time,
    edit,
    form_values,
    people_of,
)
from bot.attached_text import text_of
from bot.choices import RoomName, room_option
from bot.client import Parlour
from bot.display.correction import (
    CORRECTION,
    REASON,
    REASON_FORM,
    done_text,
    history_text,
    preview_buttons,
    preview_text,
    reason_form,
)
from bot.display.entry import (
    ENTRY,
    ENTRY_FORM,
    TABLE,
    TABLE_FORM,
    entry_buttons,
    entry_done_text,
    entry_preview_text,
    entry_reason_form,
    table_form,
)
from bot.display.game_message import game_message
from bot.error_reply import answered
from bot.model import GameId, ProposalId
from bot.pressing import Press
from bot.progress import Progress
from bot.results_table import read_table
from bot.services.correct_game import (
    CorrectGame,
    Correction,
    correct_game,
    preview_correction,
    view_history,
)
from bot.services.enter_result import Entering, Entry, Result, carry_out, propose_entry
from bot.standings_text import mentioned

_Number = app_commands.Range[int, 1]
_Standing = app_commands.Range[str, 1, 400]
_Name = app_commands.Range[str, 1, 80]


class Corrections(
    commands.GroupCog, group_name="game", group_description="Look at a game and correct it"
):
    """Looking at games and correcting them; the services check who may."""

    @app_commands.command()
    @app_commands.describe(number="The game's number, such as 12 for #12")
    async def show(self, interaction: discord.Interaction[Parlour], number: _Number) -> None:
        """Show a game and what was done about it."""
        client = interaction.client
        work = view_history(client.ledger, act_of(interaction), number, now=client.clock.now())
        history = await done_in_time(interaction, work, ephemeral=True)
        text = history_text(game_message(history.view).content, history)
        await answer(interaction, text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(number="The game's number, such as 12 for #12")
    async def void(self, interaction: discord.Interaction[Parlour], number: _Number) -> None:
        """Let a game count no more, after a look at what that does (for referees)."""
        await _show(interaction, number, Correction.VOID)

    @app_commands.command()
    @app_commands.describe(number="The game's number, such as 12 for #12")
    async def restore(self, interaction: discord.Interaction[Parlour], number: _Number) -> None:
        """Let a voided game count again, after a look at what that does (for referees)."""
        await _show(interaction, number, Correction.RESTORE)

    @app_commands.command()
    @app_commands.describe(
        number="The game's number, such as 12 for #12",
        standing="The right result: @Ann 412 @Bob 388, or @Ann > @Bob = guest:Maria",
        aborted_by="Who aborted it, where it was aborted at that standing",
    )
    async def edit(
        self,
        interaction: discord.Interaction[Parlour],
        number: _Number,
        standing: _Standing,
        aborted_by: _Name = "",
    ) -> None:
        """Give a game that counts another result or other players (for referees)."""
        await _propose(interaction, Entering.EDIT, Result(standing, aborted_by), number=number)

    @app_commands.command()
    @app_commands.describe(
        number="The game's number, such as 12 for #12",
        standing="The result: @Ann 412 @Bob 388, or @Ann > @Bob",
        aborted_by="Who aborted it, where it was aborted at that standing",
    )
    async def settle(
        self,
        interaction: discord.Interaction[Parlour],
        number: _Number,
        standing: _Standing,
        aborted_by: _Name = "",
    ) -> None:
        """Decide the result of a game that waits or is disputed (for referees)."""
        await _propose(interaction, Entering.SETTLE, Result(standing, aborted_by), number=number)

    @app_commands.command()
    @room_option
    @app_commands.describe(
        standing="How it ended: @Ann 412 @Bob 388, or @Ann > guest:Maria",
        played="When: 2026-01-05, or 2026-01-05 18:30 in UTC; without it, now",
        aborted_by="Who aborted it, where it was aborted at that standing",
    )
    async def add(
        self,
        interaction: discord.Interaction[Parlour],
        standing: _Standing,
        played: app_commands.Range[str, 1, 40] = "",
        aborted_by: _Name = "",
        room: RoomName | None = None,
    ) -> None:
        """Enter a game that the players did not report, also a past one (for referees)."""
        result = Result(standing, aborted_by, played)
        await _propose(interaction, Entering.ADD, result, room=room)

    @app_commands.command()
    @room_option
    @app_commands.describe(file="A text file, one game a line; without it, a form asks")
    async def paste(
        self,
        interaction: discord.Interaction[Parlour],
        file: discord.Attachment | None = None,
        room: RoomName | None = None,
    ) -> None:
        """Enter a table of results, all of it or nothing (for referees)."""
        if file is None:
            await interaction.response.send_modal(table_form(room))
        else:
            await _propose_table(interaction, await text_of(file), room)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Parlour]) -> None:
        """Take a reason that was sent, whichever process of the bot once asked for it."""
        custom_id, values = form_values(interaction)
        form = REASON_FORM.fullmatch(custom_id)
        if form is not None:
            command = CorrectGame(
                act_of(interaction),
                GameId(int(form["game"])),
                Correction(form["correction"]),
                int(form["seal"]),
                values[REASON],
            )
            await answered(interaction, _correct(interaction, command))
        table = TABLE_FORM.fullmatch(custom_id)
        if table is not None:
            await answered(interaction, _propose_table(interaction, values[TABLE], table["room"]))
        entry = ENTRY_FORM.fullmatch(custom_id)
        if entry is not None:
            proposal = ProposalId(int(entry["proposal"]))
            await answered(interaction, _carry_out(interaction, proposal, values[REASON]))


async def _show(
    interaction: discord.Interaction[Parlour], number: int, correction: Correction
) -> None:
    client, act = interaction.client, act_of(interaction)
    work = preview_correction(client.ledger, act, number, correction, now=client.clock.now())
    view = await done_in_time(interaction, work, ephemeral=True)
    await answer(interaction, preview_text(view), view=preview_buttons(view), ephemeral=True)


async def _correct(interaction: discord.Interaction[Parlour], command: CorrectGame) -> None:
    client = interaction.client
    progress = Progress()
    work = correct_game(client.ledger, command, now=client.clock.now(), progress=progress)
    view = await done_in_time(interaction, work, progress=progress)
    await edit(interaction, done_text(view))
    client.wake.set()


async def _propose(
    interaction: discord.Interaction[Parlour],
    entering: Entering,
    result: Result,
    *,
    number: int | None = None,
    room: str | None = None,
) -> None:
    users = mentioned(f"{result.standing} {result.aborted_by}")
    people = await people_of(interaction, users)
    await _show_entry(interaction, Entry(entering, (result,), people, number), room)


async def _propose_table(
    interaction: discord.Interaction[Parlour], text: str, room: str | None
) -> None:
    people = await people_of(interaction, mentioned(text))
    lines = read_table(text)
    results = tuple(Result(each.standing, each.aborted_by, each.played_at) for each in lines)
    numbers = tuple(each.line for each in lines)
    entry = Entry(Entering.PASTE, results, people, lines=numbers)
    await _show_entry(interaction, entry, room)


async def _show_entry(
    interaction: discord.Interaction[Parlour], entry: Entry, room: str | None
) -> None:
    client, act = interaction.client, act_of(interaction, room)
    work = propose_entry(client.ledger, act, entry, now=client.clock.now())
    view = await done_in_time(interaction, work, ephemeral=True, anew=True)
    await answer(interaction, entry_preview_text(view), view=entry_buttons(view), ephemeral=True)


async def _carry_out(
    interaction: discord.Interaction[Parlour], proposal: ProposalId, reason: str
) -> None:
    client, act = interaction.client, act_of(interaction)
    progress, now = Progress(), client.clock.now()
    work = carry_out(client.ledger, act, proposal, reason, now=now, progress=progress)
    view = await done_in_time(interaction, work, progress=progress)
    await edit(interaction, entry_done_text(view))
    client.wake.set()


class EnterButton(Press, template=ENTRY):
    """A button that goes on to enter what was shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Ask why."""
        proposal = ProposalId(int(self.match["proposal"]))
        await interaction.response.send_modal(entry_reason_form(proposal))


class CorrectButton(Press, template=CORRECTION):
    """A button that goes on with a correction as it was shown."""

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Ask why."""
        await interaction.response.send_modal(reason_form(self.match))


async def setup(client: Parlour) -> None:
    """Add the feature."""
    await client.add_cog(Corrections())
    client.add_dynamic_items(CorrectButton, EnterButton)
