"""Other rules for a room: the present leaderboard beside the one that they would give."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from bot.display.components import new_view
from bot.display.text import in_code, listed, number, safe, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.model import Room
    from bot.services.change_rules import Place, RulesPreview

RULES = re.compile(
    r"rules:(?P<room>[0-9]+):(?P<seal>[0-9]+):(?P<system>[a-z\-]+):(?P<settings>[^:]*)"
)
_SHOWN_GAMES = 20


def rules_preview_text(preview: RulesPreview) -> str:
    """Return what other rules would make of all games of a room."""
    lines = [
        f"**{safe(preview.room.name)}**, all {preview.games} games ever played in it, by "
        + described(preview.system, preview.settings)
        + f" instead of {described(preview.room.system, preview.room.settings)}:"
    ]
    if preview.now or preview.then:
        lines.append(_tops(preview))
    if preview.unratable:
        shown = [f"#{each}" for each in preview.unratable[:_SHOWN_GAMES]]
        more = len(preview.unratable) - len(shown)
        which = listed([*shown, f"{more} more"] if more else shown)
        lines.append(f"`{preview.system}` cannot rate {which}: they would stay, unrated.")
    lines.append("Nothing is changed yet. The way back is the same command.")
    return "\n".join(lines)


def rules_buttons(preview: RulesPreview) -> discord.ui.View:
    """Return the button that changes the rules as they were shown."""
    settings = " ".join(f"{name}={each}" for name, each in preview.settings.items())
    custom_id = f"rules:{preview.room.id}:{preview.seal}:{preview.system}:{settings}"
    view = new_view()
    label = f"Rate by {preview.system} from now on"
    style = discord.ButtonStyle.danger
    view.add_item(discord.ui.Button(label=label, style=style, custom_id=custom_id))
    return view


def rules_done_text(room: Room) -> str:
    """Return that a room's rules were changed."""
    return f"**{safe(room.name)}** is rated by {described(room.system, room.settings)} now."


def described(system: str, settings: Mapping[str, str]) -> str:
    """Return a rating system and those of its settings that are not the usual ones."""
    if not settings:
        return f"`{system}`"
    return f"`{system}` with {listed([f'{name} {each}' for name, each in settings.items()])}"


def _tops(preview: RulesPreview) -> str:
    rows = max(len(preview.now), len(preview.then))
    now, then = (_filled(places, rows) for places in (preview.now, preview.then))
    return table(
        [
            (left[0], left[1], left[2], "│", right[0], right[1], right[2])
            for left, right in zip(now, then, strict=True)
        ],
        ("", "Now", "", "│", "", "Then", ""),
        names=(1, 5),
    )


def _filled(places: Sequence[Place], rows: int) -> list[tuple[str, str, str]]:
    lines = [(str(each.rank), in_code(each.name), number(each.rating)) for each in places]
    return lines + [("", "", "")] * (rows - len(lines))
