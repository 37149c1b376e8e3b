"""Tournaments and seasons: their tables, and the buttons that decide about them."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.components import new_view
from bot.display.text import in_code, number, safe, signed, table
from bot.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import EventId, GameRecord
    from bot.services.event_view import EventLine, EventView


class EventPress(StrEnum):
    """What a press on a button of an event decides."""

    CLOSE = "close"
    LOOK = "look"
    CANCEL = "cancel"
    REOPEN = "reopen"


DECISION = re.compile(
    r"event:(?P<press>close|look|cancel|reopen):(?P<kind>tournament|season):"
    r"(?P<room>[0-9]+):(?P<seal>[0-9]+):(?P<name>.*)"
)
PAGE = re.compile(r"event-page:(?P<event>[0-9]+):(?P<page>[0-9]+)")

PAGE_SIZE = 20
_PREVIEW_SIZE = 10
_LISTED_GAMES = 5


def event_text(view: EventView, page: int = 1) -> str:
    """Return a page of an event's table, as it is or as it was closed."""
    page = min(max(1, page), _pages(view))
    lines = [f"**{_title(view)}** · {safe(view.room.name)} · {_size(view)}"]
    if view.closed_at is not None:
        lines.append(f"Closed {format_dt(view.closed_at, 'D')}.")
    elif view.kind is EventKind.TOURNAMENT:
        lines.append("Still running: ratings change when it is closed.")
    shown = view.lines[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    lines.append(_table(view.kind, shown) if shown else "Nobody has played in it yet.")
    if _pages(view) > 1:
        lines.append(f"Page {page} of {_pages(view)}")
    return "\n".join(lines)


def event_buttons(view: EventView, page: int = 1) -> discord.ui.View | None:
    """Return the buttons that turn the pages of an event's table, None where there is one."""
    if _pages(view) == 1 or view.event is None:
        return None
    page = min(max(1, page), _pages(view))
    buttons = new_view()
    for label, to, usable in (
        ("Back", page - 1, page > 1),
        ("Next", page + 1, page < _pages(view)),
    ):
        custom_id = page_id(view.event, to)
        buttons.add_item(discord.ui.Button(label=label, custom_id=custom_id, disabled=not usable))
    return buttons


def opened_text(view: EventView) -> str:
    """Return the announcement of a tournament."""
    return (
        f"**{_title(view)}** is open in {safe(view.room.name)}. Its games are rated together, with "
        "today's ratings, when it is closed: `/tournament standings` shows the points so far."
    )


def closing_text(view: EventView) -> str:
    """Return what closing an event would do, and what must be decided before."""
    lines = [f"Closing **{_title(view)}** now would rate {_size(view)}:"]
    lines.extend(_first_lines(view))
    if view.waiting:
        lines.append("These games must be decided first:")
        lines.extend(_listed(view.waiting))
    if view.in_play:
        numbers = ", ".join(f"#{game.number}" for game in view.in_play[:_PREVIEW_SIZE])
        lines.append(f"Still being played, and will count afterwards: {numbers}.")
    return "\n".join(lines)


def closing_buttons(view: EventView) -> discord.ui.View:
    """Return the buttons that close an event, or look again once its games are decided."""
    buttons = new_view()
    if not view.waiting:
        _add(buttons, EventPress.CLOSE, view, f"Close {view.name}", discord.ButtonStyle.danger)
    _add(buttons, EventPress.LOOK, view, "Look again", discord.ButtonStyle.secondary)
    return buttons


def cancelling_text(view: EventView) -> str:
    """Return what calling a tournament off would do."""
    return (
        f"Calling **{_title(view)}** off would rate its {_size(view)} one by one, in their order, "
        "as if there had been no tournament."
    )


def cancelling_buttons(view: EventView) -> discord.ui.View:
    """Return the button that calls a tournament off."""
    buttons = new_view()
    _add(buttons, EventPress.CANCEL, view, f"Call {view.name} off", discord.ButtonStyle.danger)
    return buttons


def reopening_text(view: EventView) -> str:
    """Return what opening an event again would do."""
    head = (
        f"Opening **{_title(view)}** again would take these changes back; games rated since would "
        "belong to it, until it is closed once more:"
    )
    return "\n".join([head, *_first_lines(view)])


def reopening_buttons(view: EventView) -> discord.ui.View:
    """Return the button that opens an event again."""
    buttons = new_view()
    _add(buttons, EventPress.REOPEN, view, f"Open {view.name} again", discord.ButtonStyle.danger)
    return buttons


def decision_id(press: EventPress, view: EventView) -> str:
    """Return what stands for a decision in a button; `DECISION` reads it."""
    return f"event:{press}:{view.kind}:{view.room.id}:{view.seal}:{view.name}"


def page_id(event: EventId, page: int) -> str:
    """Return what stands for a page of an event in a button; `PAGE` reads it."""
    return f"event-page:{event}:{page}"


def _add(
    buttons: discord.ui.View,
    press: EventPress,
    view: EventView,
    label: str,
    style: discord.ButtonStyle,
) -> None:
    custom_id = decision_id(press, view)
    buttons.add_item(discord.ui.Button(label=label, style=style, custom_id=custom_id))


def _pages(view: EventView) -> int:
    return max(1, -(-len(view.lines) // PAGE_SIZE))


def _title(view: EventView) -> str:
    return safe(view.name) if view.name else f"The running {view.kind}"


def _size(view: EventView) -> str:
    games = "1 game" if view.games == 1 else f"{view.games} games"
    players = "1 player" if len(view.lines) == 1 else f"{len(view.lines)} players"
    return f"{games} of {players}"


def _table(kind: EventKind, lines: Sequence[EventLine]) -> str:
    if kind is EventKind.TOURNAMENT:
        head = ("", "Player", "W–D–L", "Points", "Rating")
        return table([_result(each) for each in lines], head)
    head = ("", "Player", "Old", "New", "Games", "Cat.")
    return table([_grade(each) for each in lines], head)


def _first_lines(view: EventView) -> list[str]:
    shown = [_table(view.kind, view.lines[:_PREVIEW_SIZE])]
    more = len(view.lines) - _PREVIEW_SIZE
    return [*shown, f"… and {more} more players."] if more > 0 else shown


def _result(line: EventLine) -> tuple[str, ...]:
    change = line.change
    assert change.delta is not None, line
    assert change.before is not None, line
    assert change.after is not None, line
    return (
        str(line.rank),
        in_code(line.player.name),
        f"{line.wins}–{line.draws}–{line.losses}",
        signed(change.delta),
        f"{number(change.before)} → {number(change.after)}",
    )


def _grade(line: EventLine) -> tuple[str, ...]:
    change = line.change
    categories = [
        str(value)
        for reason in change.reasons
        for name, value in reason.terms
        if name == "category"
    ]
    return (
        str(line.rank),
        in_code(line.player.name),
        "–" if change.before is None else number(change.before),
        "–" if change.after is None else number(change.after),
        str(line.games),
        *(categories or ["–"]),
    )


def _listed(waiting: Sequence[GameRecord]) -> list[str]:
    listed = [_link(game) for game in waiting[:_LISTED_GAMES]]
    more = len(waiting) - _LISTED_GAMES
    return listed if more <= 0 else [*listed, f"• and {more} more"]


def _link(game: GameRecord) -> str:
    names = " – ".join(safe(player.name) for player in game.players[:4])
    text = f"• #{game.number} {names}, {game.status}"
    if game.message is None:
        return text
    return f"{text}: https://discord.com/channels/{game.guild}/{game.channel}/{game.message}"
