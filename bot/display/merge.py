"""Two players who turn out to be one: what that does, and the form for the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from bot.display.components import new_view
from bot.display.correction import effect_lines, reason_modal
from bot.display.text import fitted, plain, safe

if TYPE_CHECKING:
    from bot.services.merge_players import MergeView

MERGE = re.compile(r"merge:(?P<proposal>[0-9]+)")
MERGE_FORM = re.compile(r"merging:(?P<proposal>[0-9]+)")
_LONGEST_LABEL = 80


def merge_preview_text(view: MergeView) -> str:
    """Return what a merge would do."""
    return _text(view, "would become")


def merge_done_text(view: MergeView) -> str:
    """Return what a merge did."""
    return _text(view, "are now" if view.games != 1 else "is now")


def merge_buttons(view: MergeView) -> discord.ui.View:
    """Return the button that goes on to ask for the reason."""
    buttons = new_view()
    label = f"{plain(view.source.name)} is {plain(view.target.name)}"[:_LONGEST_LABEL]
    buttons.add_item(
        discord.ui.Button(
            label=label, style=discord.ButtonStyle.danger, custom_id=f"merge:{view.proposal}"
        )
    )
    return buttons


def merge_form(match: re.Match[str]) -> discord.ui.Modal:
    """Return the form that asks why, for a button that was pressed."""
    return reason_modal("Two players are one", f"merging:{match['proposal']}")


def _text(view: MergeView, become: str) -> str:
    games = "game" if view.games == 1 else "games"
    source, target = safe(view.source.name), safe(view.target.name)
    lines = [f"The {view.games} {games} of {source} {become} {target}'s."]
    for each in view.rooms:
        lines.append(f"**{safe(each.room.name)}**:")
        lines.extend(effect_lines(each.rerating.later, each.rerating))
    return fitted(lines)
