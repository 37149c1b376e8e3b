"""Corrections of settled games: what they would do, the form for the reason, and who made them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from bot.display.components import new_view
from bot.display.room_log import act_line
from bot.display.text import fitted, number, safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from bot.ledger.audit import Noted
    from bot.services.correct_game import CorrectionView, Effect

CORRECTION = re.compile(r"correct:(?P<correction>void|restore):(?P<game>[0-9]+):(?P<seal>[0-9]+)")
REASON_FORM = re.compile(
    r"correction:(?P<correction>void|restore):(?P<game>[0-9]+):(?P<seal>[0-9]+)"
)
REASON = "reason"
"""The custom id of the form's only field."""

LONGEST_REASON = 200
_SHOWN_EFFECTS = 10

_DONE = {"void-game": "Voided", "restore-game": "Restored"}
_PREVIEWS = {"void": "no longer count", "restore": "count again, at its old place"}


def correction_line(correction: Noted) -> str:
    """Return who corrected a game, and why."""
    who = "" if correction.user is None else f" by <@{correction.user}>"
    return f"{_DONE[correction.act]}{who}: {safe(correction.reason or '')}"


def preview_text(view: CorrectionView) -> str:
    """Return what a correction would do."""
    would = _PREVIEWS[view.correction]
    lines = [f"**#{view.game.number}** in {safe(view.room.name)} would {would}."]
    return fitted([*lines, *_effect_lines(view)])


def done_text(view: CorrectionView) -> str:
    """Return what a correction did."""
    verb = {"void": "is void", "restore": "counts again"}[view.correction]
    return fitted([f"**#{view.game.number}** {verb}.", *_effect_lines(view)])


def preview_buttons(view: CorrectionView) -> discord.ui.View:
    """Return the button that goes on to ask for the reason."""
    label = {"void": "Void", "restore": "Restore"}[view.correction]
    buttons = new_view()
    buttons.add_item(
        discord.ui.Button(
            label=f"{label} #{view.game.number}",
            style=discord.ButtonStyle.danger,
            custom_id=f"correct:{view.correction}:{view.game.id}:{view.seal}",
        )
    )
    return buttons


def reason_form(match: re.Match[str]) -> discord.ui.Modal:
    """Return the form that asks why, for a button that was pressed."""
    title = {"void": "Void a game", "restore": "Restore a game"}[match["correction"]]
    custom_id = f"correction:{match['correction']}:{match['game']}:{match['seal']}"
    form = discord.ui.Modal(title=title, custom_id=custom_id, timeout=900)
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id=REASON, required=True, max_length=LONGEST_REASON
    )
    form.add_item(discord.ui.Label(text="Why? The players will read it", component=field))
    return form


def history_text(content: str, acts: Sequence[Noted]) -> str:
    """Return a game's message and what was done about it, the oldest first."""
    lines = [content, "**History**", *(act_line(each, in_room=False) for each in acts)]
    return fitted(lines)


def _effect_lines(view: CorrectionView) -> list[str]:
    later = "1 later entry" if view.later == 1 else f"{view.later} later entries"
    moved = "1 rating moves" if len(view.effects) == 1 else f"{len(view.effects)} ratings move"
    lines = [f"{later} rated again, {moved}."]
    lines.extend(_effect(each, view.shown_quantum) for each in view.effects[:_SHOWN_EFFECTS])
    more = len(view.effects) - _SHOWN_EFFECTS
    return [*lines, f"… and {more} more."] if more > 0 else lines


def _effect(effect: Effect, quantum: Decimal) -> str:
    before, after = (
        "–" if rating is None else number(rating.quantize(quantum))
        for rating in (effect.before, effect.after)
    )
    return f"• {safe(effect.player.name)} {before} → {after}"
