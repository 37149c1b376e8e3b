"""What buttons and menus are put into."""

from __future__ import annotations

import discord


def new_view() -> discord.ui.View:
    """Return an empty view whose presses are handled by their custom ids alone.

    It is stopped: discord.py would keep every other one in memory for as long as the bot runs.
    """
    view = discord.ui.View(timeout=None)
    view.stop()
    return view
