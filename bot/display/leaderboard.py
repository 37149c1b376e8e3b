"""A leaderboard as a table of fixed width, and the buttons to turn its pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from bot.display.components import new_view
from bot.display.text import in_code, number, safe, table

if TYPE_CHECKING:
    from bot.ledger.standings import HiddenCounts
    from bot.services.view_standings import Leaderboard, Line

PATTERN = re.compile(r"leaderboard:(?P<room>[0-9]+):(?P<page>[0-9]+):(?:first|back|next|last)")


def leaderboard_text(board: Leaderboard) -> str:
    """Return a page of a leaderboard."""
    lines = [f"**{safe(board.room.name)}** · {_players(board.ranked)}"]
    if board.lines:
        lines.append(_table(board))
    else:
        lines.append("Nobody is ranked yet. `/report` a game to begin.")
    if board.pages > 1:
        lines.append(f"Page {board.page} of {board.pages}")
    hidden = _hidden(board.hidden, board.room.minimum_games)
    if hidden:
        lines.append(f"Not shown: {hidden}")
    return "\n".join(lines)


def _table(board: Leaderboard) -> str:
    rows = [
        (str(line.rank), in_code(line.record.player.name), number(line.shown))
        for line in board.lines
    ]
    if all(line.season is None for line in board.lines):
        return table(rows)
    seasons = [_season(line) for line in board.lines]
    return table(
        [(*row, season) for row, season in zip(rows, seasons, strict=True)],
        ("", "Player", "Grade", "This season"),
    )


def _season(line: Line) -> str:
    if line.season is None or line.season.average is None:
        return "–"
    return f"{number(line.season.average)} ({line.season.games})"


def leaderboard_buttons(board: Leaderboard) -> discord.ui.View | None:
    """Return the buttons that turn pages, None where there is only one."""
    if board.pages == 1:
        return None
    view = new_view()
    for label, page, usable in (
        ("First", 1, board.page > 1),
        ("Back", board.page - 1, board.page > 1),
        ("Next", board.page + 1, board.page < board.pages),
        ("Last", board.pages, board.page < board.pages),
    ):
        # Two buttons may lead to the same page, and no two may have the same id.
        custom_id = f"leaderboard:{board.room.id}:{page}:{label.lower()}"
        view.add_item(discord.ui.Button(label=label, custom_id=custom_id, disabled=not usable))
    return view


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def _hidden(hidden: HiddenCounts, minimum_games: int) -> str:
    parts = [
        (hidden.unrated, "without a rating yet"),
        (hidden.too_few_games, f"with fewer than {minimum_games} games"),
        (hidden.idle, "who did not play for long"),
    ]
    return ", ".join(f"{count} {words}" for count, words in parts if count)
