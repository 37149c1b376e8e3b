"""A games file that somebody sent: what importing it would bring, and who is who."""

from __future__ import annotations

import gzip
import io
import re
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.components import new_view
from bot.display.rules import described
from bot.display.text import fitted, listed, safe
from bot.errors import Refusal, RequestRefused
from bot.model import UserId

if TYPE_CHECKING:
    from bot.services.import_games import Imported, ImportPreview
    from bot.services.propose_import import ProposedImport

IMPORT = re.compile(r"import:(?P<proposal>[0-9]+)")
_MEMBER = re.compile(r"\s*(?P<name>[^=]{1,80}?)\s*=\s*<@!?(?P<user>[0-9]{15,20})>\s*(?:[,;]|$)")
_SHOWN_GUESTS = 30
_LARGEST = 8_000_000


def read_members(text: str) -> dict[str, UserId]:
    """Return whom names stand for in a text such as `Maria=@Ann, Bo B=@Bob`.

    Raises:
        RequestRefused: It says something else.
    """
    found: dict[str, UserId] = {}
    place = 0
    while place < len(text.rstrip()):
        match = _MEMBER.match(text, place)
        if match is None:
            raise RequestRefused(Refusal.MEMBERS_UNREADABLE, text[place:].strip()[:50])
        found[match["name"]] = UserId(int(match["user"]))
        place = match.end()
    return found


def import_preview_text(preview: ImportPreview) -> str:
    """Return what an import would bring."""
    games = "1 game" if preview.games == 1 else f"{preview.games} games"
    where = "a new room" if preview.is_new else "the room"
    rules = described(preview.system, preview.settings)
    lines = [f"{games} would be imported into {where} **{safe(preview.room)}**, rated by {rules}."]
    if preview.first is not None and preview.last is not None:
        lines.append(f"Played {format_dt(preview.first, 'D')} to {format_dt(preview.last, 'D')}.")
    if preview.without_action:
        lines.append(f"{preview.without_action} of them had no result and rate nobody.")
    if preview.unfinished:
        lines.append(f"Without a result, and left out: {preview.unfinished} of the file's games.")
    if preview.members:
        lines.append(f"{preview.members} of the names belong to players here.")
    if preview.guests:
        shown = [safe(name) for name in preview.guests[:_SHOWN_GUESTS]]
        more = len(preview.guests) - len(shown)
        lines.append(
            f"Nobody here is called {listed([*shown, f'{more} others'] if more else shown)}: they "
            "become guests. To say who is who, import again with `members:` such as "
            "`Maria=@Ann, Bo B=@Bob`."
        )
    return fitted(lines)


def import_buttons(proposed: ProposedImport) -> discord.ui.View:
    """Return the button that imports what was shown."""
    view = new_view()
    count = proposed.preview.games
    view.add_item(
        discord.ui.Button(
            label="Import 1 game" if count == 1 else f"Import {count} games",
            style=discord.ButtonStyle.success,
            custom_id=f"import:{proposed.proposal}",
        )
    )
    return view


def import_file(text: str) -> discord.File:
    """Return a games file that stays with the message until it is imported."""
    content = text.encode()
    if len(content) > _LARGEST:
        return discord.File(io.BytesIO(gzip.compress(content)), "games.csv.gz")
    return discord.File(io.BytesIO(content), "games.csv")


def imported_text(imported: Imported) -> str:
    """Return what an import brought."""
    games = "1 game is" if imported.games == 1 else f"{imported.games} games are"
    guests = len(imported.guests)
    joined = f", with {guests} guests" if guests > 1 else ", with 1 guest" if guests else ""
    return f"{games} imported into **{safe(imported.room.name)}**{joined}. See `/leaderboard`."
