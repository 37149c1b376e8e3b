"""The referees' inbox: open disputes, both versions side by side, and the buttons to decide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.components import new_view
from bot.display.correction import reason_modal
from bot.display.game_message import described, dispute_lines, names_of
from bot.display.text import fitted, plain
from bot.model import Status
from bot.services.decide_dispute import versions_of

if TYPE_CHECKING:
    from bot.model import Claim, GameRecord
    from bot.services.decide_dispute import Disputes
    from bot.services.game_view import GameView

DECIDE = re.compile(r"decide:(?P<game>[0-9]+):(?P<newest>[0-9]+):(?P<version>[0-9]+|none)")
DECISION_FORM = re.compile(r"decision:(?P<game>[0-9]+):(?P<newest>[0-9]+):(?P<version>[0-9]+|none)")
_LONGEST_LABEL = 80


def disputes_text(disputes: Disputes) -> str:
    """Return the open disputes, the oldest first."""
    if not disputes.count:
        return "Nothing is disputed."
    lines = ["1 open dispute" if disputes.count == 1 else f"{disputes.count} open disputes"]
    for game in disputes.games:
        lines.append(f"**#{game.number}** {names_of(game)}, {format_dt(game.created_at, 'R')}")
        lines.extend(dispute_lines(game))
        if game.message is not None:
            lines.append(f"https://discord.com/channels/{game.guild}/{game.channel}/{game.message}")
    more = disputes.count - len(disputes.games)
    return fitted([*lines, f"… and {more} more, later."] if more else lines)


def disputes_buttons(disputes: Disputes) -> discord.ui.View | None:
    """Return a row of buttons for each dispute, None without any."""
    if not disputes.games:
        return None
    view = new_view()
    for row, game in enumerate(disputes.games):
        for claim in versions_of(game)[:3]:
            view.add_item(_button(game, str(claim.version), _label(game, claim), row))
        view.add_item(_button(game, "none", f"#{game.number} does not count", row))
    return view


def decision_form(match: re.Match[str]) -> discord.ui.Modal:
    """Return the form that asks why, for a button that was pressed."""
    custom_id = f"decision:{match['game']}:{match['newest']}:{match['version']}"
    return reason_modal("Decide a dispute", custom_id)


def decided_text(view: GameView) -> str:
    """Return what was decided."""
    game = view.game
    if game.status is Status.VOID:
        return f"**#{game.number}** does not count."
    return f"**#{game.number}** is settled: {described(game, game.results)}."


def _button(
    game: GameRecord, version: str, label: str, row: int
) -> discord.ui.Button[discord.ui.View]:
    style = discord.ButtonStyle.danger if version == "none" else discord.ButtonStyle.primary
    custom_id = f"decide:{game.id}:{game.version}:{version}"
    return discord.ui.Button(label=label, style=style, custom_id=custom_id, row=row)


def _label(game: GameRecord, claim: Claim) -> str:
    author = plain(game.player(claim.author).name)
    return f"#{game.number}: {author} is right"[:_LONGEST_LABEL]
