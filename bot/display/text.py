"""Writing names, numbers and outcomes so that nothing in them is taken for formatting."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from decimal import Decimal

    from bot.model import Participant, PlayerId

_ZERO_WIDTH_SPACE = "\u200b"
_FIRST_STRONG_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_MENTION = re.compile(r"[@<]")
_LONGEST_NAME = 32
_LONGEST_MESSAGE = 1998
_MINUS = "\u2212"


def plain(name: str) -> str:
    """Return a name on one line, without marks that turn the text around it."""
    visible = "".join(
        " " if character.isspace() else character
        for character in name
        if unicodedata.category(character) not in {"Cc", "Cf", "Cs"} or character.isspace()
    )
    return " ".join(visible.split())[:_LONGEST_NAME] or "?"


def safe(name: str) -> str:
    """Return a name for running text: no formatting, no mention, its direction kept to itself."""
    unlinked = _MENTION.sub(lambda found: found.group() + _ZERO_WIDTH_SPACE, plain(name))
    escaped = escape_markdown(unlinked)
    if any(unicodedata.bidirectional(character) in {"R", "AL"} for character in escaped):
        return f"{_FIRST_STRONG_ISOLATE}{escaped}{_END_OF_ISOLATE}"
    return escaped


def in_code(name: str) -> str:
    """Return a name for a code block, which it can neither end nor turn around."""
    return plain(name).replace("`", "\u02cb")


def width(text: str) -> int:
    """Return how many columns a text takes in a fixed-width font."""
    return sum(_columns(character) for character in text)


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Return a text filled with spaces to so many columns."""
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def table(
    rows: Sequence[Sequence[str]],
    head: Sequence[str] | None = None,
    *,
    names: Collection[int] = (1,),
) -> str:
    """Return a code block with a table: the names left, all else right.

    Args:
        rows: One or more, of cells that a code block can hold: names by `in_code`.
        head: The columns' titles, if they have any.
        names: The columns of names, counted from 0.
    """
    shown = [head, *rows] if head else rows
    widths = [max(width(row[column]) for row in shown) for column in range(len(shown[0]))]
    lines = [
        "  ".join(
            padded(cell, columns, right=place not in names)
            for place, (cell, columns) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    ]
    return "\n".join(("```", *lines, "```"))


def fitted(lines: Sequence[str]) -> str:
    """Return as many lines as a message holds, which is 2,000 characters."""
    shown: list[str] = []
    length = 0
    for line in lines:
        length += len(line) + 1
        if length > _LONGEST_MESSAGE:
            return "\n".join((*shown, "…"))
        shown.append(line)
    return "\n".join(shown)


def signed(number: Decimal) -> str:
    """Return a change with its sign: `+10`, `−4.25`, `±0`."""
    if number == 0:
        return "±0"
    return f"+{number}" if number > 0 else f"{_MINUS}{-number}"


def number(value: Decimal) -> str:
    """Return a number with a minus sign, not a hyphen."""
    return f"{_MINUS}{-value}" if value < 0 else str(value)


def listed(words: Sequence[str]) -> str:
    """Return words as one says them: `Ann, Bob and Cy`."""
    if len(words) > 1:
        return f"{', '.join(words[:-1])} and {words[-1]}"
    return "".join(words)


def score_line(results: Sequence[Participant], first: PlayerId) -> str:
    """Return `412–388`, a player's own score first; empty where a score is missing."""
    ordered = sorted(results, key=lambda result: result.player != first)
    if any(result.score is None for result in ordered):
        return ""
    return "–".join(number(result.score) for result in ordered if result.score is not None)


def outcome_for(results: Sequence[Participant], player: PlayerId) -> Outcome:
    """Return how a game ended for a participant."""
    own = next(result.placing for result in results if result.player == player)
    others = [result.placing for result in results if result.player != player]
    if own > min(others):
        return Outcome.LOSS
    return Outcome.DRAW if own in others else Outcome.WIN


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
