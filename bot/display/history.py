"""A player's changes one after another, and two players' games against each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.components import new_view
from bot.display.game_message import described
from bot.display.profile import entry_text
from bot.display.text import fitted, number, safe
from bot.model import Status

if TYPE_CHECKING:
    from decimal import Decimal

    from bot.model import GameRecord
    from bot.services.view_changes import History, Meeting

HISTORY_PAGE = re.compile(
    r"history:(?P<room>[0-9]+):(?P<player>[0-9]+):(?P<page>[0-9]+):(?:newer|older)"
)


def history_text(history: History) -> str:
    """Return a page of a player's changes, the newest first."""
    changes = "1 change" if history.count == 1 else f"{history.count} changes"
    name, room = safe(history.player.name), safe(history.room.name)
    lines = [f"**{name}** in **{room}** · {changes}, page {history.page} of {history.pages}"]
    for entry in history.entries:
        after = entry.stored.change.after
        rating = "" if after is None else f" → {number(after.quantize(history.shown_quantum))}"
        text = entry_text(entry, history.shown_quantum, has_seasons=history.has_seasons)
        lines.append(f"{format_dt(entry.stored.made_at, 'd')} {text}{rating}")
    return fitted(lines)


def history_buttons(history: History) -> discord.ui.View | None:
    """Return the buttons that turn pages, None where there is only one."""
    if history.pages == 1:
        return None
    view = new_view()
    for label, page in (("Newer", history.page - 1), ("Older", history.page + 1)):
        custom_id = f"history:{history.room.id}:{history.player.id}:{page}:{label.lower()}"
        usable = 1 <= page <= history.pages
        view.add_item(discord.ui.Button(label=label, custom_id=custom_id, disabled=not usable))
    return view


def meeting_text(meeting: Meeting) -> str:
    """Return how two players did against each other."""
    one, other = (safe(player.name) for player in meeting.players)
    played = meeting.wins + meeting.draws + meeting.losses + meeting.aborted
    games = "1 game" if played == 1 else f"{played} games"
    counts = f"{one} {meeting.wins} · level {meeting.draws} · {other} {meeting.losses}"
    lines = [
        f"**{one}** and **{other}** in **{safe(meeting.room.name)}** · {games}",
        f"{counts} · aborted {meeting.aborted}" if meeting.aborted else counts,
        f"Before the first: {one} {_rating(meeting, 0)}, {other} {_rating(meeting, 1)}",
        f"Now: {one} {_rating(meeting, 0, now=True)}, {other} {_rating(meeting, 1, now=True)}",
        "Last games:",
        *(_game(game) for game in meeting.games),
    ]
    return fitted(lines)


def _rating(meeting: Meeting, place: int, *, now: bool = False) -> str:
    rating: Decimal | None = (meeting.now if now else meeting.then)[place]
    return "without a rating" if rating is None else number(rating.quantize(meeting.shown_quantum))


def _game(game: GameRecord) -> str:
    when = "" if game.final_at is None else f"{format_dt(game.final_at, 'd')} "
    aborted = ""
    if game.status is Status.ABORTED and game.aborted_by is not None:
        aborted = f", aborted by {safe(game.player(game.aborted_by).name)}"
    return f"{when}#{game.number} {described(game, game.results)}{aborted}"
