"""Results that a referee enters: what they would do, the form for a table, and what they did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.components import new_view
from bot.display.correction import effect_lines, reason_modal
from bot.display.game_message import described
from bot.display.text import fitted, listed, safe
from bot.model import Status
from bot.services.enter_result import Entering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import GameRecord, ProposalId
    from bot.services.enter_result import EntryView

ENTRY = re.compile(r"enter:(?P<proposal>[0-9]+)")
ENTRY_FORM = re.compile(r"entry:(?P<proposal>[0-9]+)")
TABLE_FORM = re.compile(r"table(?:/(?P<room>.+))?")
TABLE = "table"
"""The custom id of the field that takes a table."""

_SHOWN_GAMES = 10
_LONGEST_TABLE = 4000
_LABELS = {
    Entering.EDIT: "Edit",
    Entering.SETTLE: "Settle",
    Entering.ADD: "Enter",
    Entering.PASTE: "Enter",
}


def entry_preview_text(view: EntryView) -> str:
    """Return what an entry would do."""
    return _text(view, "would be", "would read", "it reads")


def entry_done_text(view: EntryView) -> str:
    """Return what an entry did."""
    return _text(view, "is", "reads", "it read")


def entry_buttons(view: EntryView) -> discord.ui.View:
    """Return the button that goes on to ask for the reason."""
    label = _LABELS[view.entry.entering]
    if view.entry.number is not None:
        label += f" #{view.entry.number}"
    elif len(view.games) > 1:
        label += f" {len(view.games)} games"
    buttons = new_view()
    style = discord.ButtonStyle.danger
    custom_id = f"enter:{view.proposal}"
    buttons.add_item(discord.ui.Button(label=label, style=style, custom_id=custom_id))
    return buttons


def entry_reason_form(proposal: ProposalId) -> discord.ui.Modal:
    """Return the form that asks why."""
    return reason_modal("Enter a result", f"entry:{proposal}")


def table_form(room: str | None) -> discord.ui.Modal:
    """Return the form that takes a table of results."""
    custom_id = f"table/{room}" if room else "table"
    form = discord.ui.Modal(title="Enter a table of results", custom_id=custom_id, timeout=900)
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id=TABLE,
        style=discord.TextStyle.paragraph,
        placeholder="2026-01-05 18:30 Ann 3 Bob 1\n2026-01-06 guest:Maria > Bob",
        max_length=_LONGEST_TABLE,
    )
    form.add_item(
        discord.ui.Label(text="One game a line: day, time (UTC), result", component=field)
    )
    return form


def _text(view: EntryView, verb: str, reads: str, read: str) -> str:
    room = safe(view.room.name)
    (first, *others) = view.games
    match view.entry.entering:
        case Entering.EDIT:
            assert view.before is not None, view
            lines = [
                f"**#{first.number}** in {room} {reads}: {_result(first)}.",
                f"Before, {read}: {_result(view.before)}.",
            ]
        case Entering.SETTLE:
            lines = [f"**#{first.number}** in {room} {verb} settled: {_result(first)}."]
        case Entering.ADD | Entering.PASTE if not others:
            lines = [f"**#{first.number}** {verb} entered in {room}, {_new(first)}."]
        case Entering.ADD | Entering.PASTE:
            lines = [f"{len(view.games)} games {verb} entered in {room}:"]
            lines.extend(f"**#{each.number}** {_new(each)}" for each in view.games[:_SHOWN_GAMES])
            if len(view.games) > _SHOWN_GAMES:
                lines.append(f"… and {len(view.games) - _SHOWN_GAMES} more.")
    guests = _guests(view.games)
    if guests:
        lines.append(f"Not on Discord: {guests}.")
    return fitted([*lines, *effect_lines(view.later, view.rerating)])


def _new(game: GameRecord) -> str:
    assert game.final_at is not None, game
    return f"{format_dt(game.final_at, 'f')}: {_result(game)}"


def _result(game: GameRecord) -> str:
    text = described(game, game.results)
    if game.status is Status.ABORTED and game.aborted_by is not None:
        return f"{text}, aborted by {safe(game.player(game.aborted_by).name)}"
    return text


def _guests(games: Sequence[GameRecord]) -> str:
    names = {player.name: None for game in games for player in game.players if player.user is None}
    return listed([safe(name) for name in names])
