"""A room's log: who did what when, and the buttons to turn its pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.components import new_view
from bot.display.text import fitted, safe

if TYPE_CHECKING:
    from bot.ledger.audit import Noted
    from bot.services.view_log import Log

LOG_PAGE = re.compile(r"log:(?P<room>[0-9]+):(?P<page>[0-9]+):(?:newer|older)")
_LONGEST_DETAILS = 80
_UNSAID = {"version", "before", "by"}
"""Details that tell a person nothing."""


def log_text(log: Log) -> str:
    """Return a page of a log, the newest act first."""
    head = f"**{safe(log.room.name)}** · page {log.page} of {log.pages}"
    return fitted([head, *(act_line(each, in_room=True) for each in log.acts)])


def act_line(noted: Noted, *, in_room: bool) -> str:
    """Return one act: when, what, by whom, and why; in a room's log also to which game, and how."""
    who = f"<@{noted.user}>" if noted.user else safe(str(noted.details.get("by", "the bot")))
    what = noted.act.replace("-", " ")
    if in_room and noted.game is not None:
        what += f" #{noted.game}"
    details = ", ".join(
        f"{name.replace('_', ' ')} {each}"
        for name, each in noted.details.items()
        if name not in _UNSAID
    )
    if in_room and details:
        what += f" ({safe_details(details)})"
    why = "" if noted.reason is None else f": {safe(noted.reason)}"
    return f"{format_dt(noted.done_at, 'f')} {what} by {who}{why}"


def safe_details(details: str) -> str:
    """Return an act's details for running text, cut where they are long."""
    return discord.utils.escape_markdown(discord.utils.escape_mentions(details[:_LONGEST_DETAILS]))


def log_buttons(log: Log) -> discord.ui.View | None:
    """Return the buttons that turn pages, None where there is only one."""
    if log.pages == 1:
        return None
    view = new_view()
    for label, page in (("Newer", log.page - 1), ("Older", log.page + 1)):
        custom_id = f"log:{log.room.id}:{page}:{label.lower()}"
        usable = 1 <= page <= log.pages
        view.add_item(discord.ui.Button(label=label, custom_id=custom_id, disabled=not usable))
    return view
