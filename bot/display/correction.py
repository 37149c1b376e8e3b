"""Corrections of settled games: what they would do, the form for the reason, and who made them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from bot.display.components import new_view
from bot.display.room_log import act_line
from bot.display.text import fitted, listed, number, safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from bot.ledger.audit import Noted
    from bot.services.correct_game import Before, CorrectionView, GameHistory
    from bot.services.rerating import Effect, Rerating

CORRECTION = re.compile(r"correct:(?P<correction>void|restore):(?P<game>[0-9]+):(?P<seal>[0-9]+)")
REASON_FORM = re.compile(
    r"correction:(?P<correction>void|restore):(?P<game>[0-9]+):(?P<seal>[0-9]+)"
)
REASON = "reason"
"""The custom id of the form's only field."""

LONGEST_REASON = 200
_SHOWN_EFFECTS = 10

_DONE = {
    "void-game": "Voided",
    "restore-game": "Restored",
    "edit-game": "Edited",
    "settle-game": "Settled",
    "annul-game": "Decided not to count",
    "add-game": "Entered",
    "paste-game": "Entered",
}
_PREVIEWS = {"void": "no longer count", "restore": "count again, at its old place"}


def correction_line(correction: Noted) -> str:
    """Return who corrected a game, and why."""
    by = correction.details.get("by")
    who = f" by <@{correction.user}>" if correction.user else f" by {by}" if by else ""
    return f"{_DONE[correction.act]}{who}: {safe(correction.reason or '')}"


def preview_text(view: CorrectionView) -> str:
    """Return what a correction would do."""
    would = _PREVIEWS[view.correction]
    lines = [f"**#{view.game.number}** in {safe(view.room.name)} would {would}."]
    return fitted([*lines, *effect_lines(view.later, view.rerating)])


def done_text(view: CorrectionView) -> str:
    """Return what a correction did."""
    verb = {"void": "is void", "restore": "counts again"}[view.correction]
    return fitted([f"**#{view.game.number}** {verb}.", *effect_lines(view.later, view.rerating)])


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
    return reason_modal(title, custom_id)


def reason_modal(title: str, custom_id: str) -> discord.ui.Modal:
    """Return a form that asks why, its only field being `REASON`."""
    form = discord.ui.Modal(title=title, custom_id=custom_id, timeout=900)
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id=REASON, required=True, max_length=LONGEST_REASON
    )
    form.add_item(discord.ui.Label(text="Why? The players will read it", component=field))
    return form


def history_text(content: str, history: GameHistory) -> str:
    """Return a game's message and what was done about it, the oldest first."""
    lines = [content, "**History**"]
    for place, each in enumerate(history.acts):
        before = history.before.get(place)
        was = "" if before is None else f" (before: {before_text(before)})"
        lines.append(act_line(each, in_room=False) + was)
    return fitted(lines)


def before_text(before: Sequence[Before]) -> str:
    """Return an older result of a game: `1. Ann 412, 2. Bob 388, aborted by Bob`."""
    text = ", ".join(
        f"{each.placing}. {safe(each.name)}" + ("" if each.score is None else f" {each.score}")
        for each in before
    )
    aborters = [safe(each.name) for each in before if each.aborted]
    return f"{text}, aborted by {listed(aborters)}" if aborters else text


def effect_lines(later: int, rerating: Rerating) -> list[str]:
    """Return how much is rated again, and whose rating moves most."""
    entries = "1 later entry" if later == 1 else f"{later} later entries"
    effects = rerating.effects
    moved = "1 rating moves" if len(effects) == 1 else f"{len(effects)} ratings move"
    lines = [f"{entries} rated again, {moved}."]
    lines.extend(_effect(each, rerating.shown_quantum) for each in effects[:_SHOWN_EFFECTS])
    more = len(effects) - _SHOWN_EFFECTS
    return [*lines, f"… and {more} more."] if more > 0 else lines


def _effect(effect: Effect, quantum: Decimal) -> str:
    before, after = (
        "–" if rating is None else number(rating.quantize(quantum))
        for rating in (effect.before, effect.after)
    )
    return f"• {safe(effect.player.name)} {before} → {after}"
