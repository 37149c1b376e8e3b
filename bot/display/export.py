"""A room's games and standings as files of a message."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import discord

from bot.display.text import safe

if TYPE_CHECKING:
    from bot.services.export_room import RoomExport

_LARGEST = 8_000_000
"""Bytes of a file; Discord takes 10 MB with all that is around it."""


def export_text(export: RoomExport) -> str:
    """Return what the files hold."""
    games = "1 game" if export.count == 1 else f"{export.count} games"
    return (
        f"**{safe(export.room.name)}**: {games} and the standings. `/room import` and "
        "`python -m bot import` read the games file; ratings then come out equal to the last digit."
    )


def export_files(export: RoomExport) -> list[discord.File]:
    """Return the games file and the standings; a file too large for Discord is compressed."""
    key = "-".join(export.room.name.casefold().split())
    name = "".join(each for each in key if each.isalnum() or each == "-") or "room"
    return [
        _file(f"{name}-games.csv", export.games),
        _file(f"{name}-standings.csv", export.standings),
    ]


def _file(name: str, text: str) -> discord.File:
    content = text.encode()
    if len(content) > _LARGEST:
        return discord.File(io.BytesIO(gzip.compress(content)), f"{name}.gz")
    return discord.File(io.BytesIO(content), name)
