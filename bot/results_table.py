"""Reading a table of results, one game a line: `2026-01-05 18:30 Ann 3 Bob 1`."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(
    r"(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?|<t:[^>]+>)?"
    r"[\s,;|]*(?P<standing>.*?)(?:[\s,;|]+aborted by\s+(?P<aborter>.+))?",
    re.IGNORECASE,
)


class TableLine(NamedTuple):
    """One game of a table, as it is written.

    Attributes:
        line: Counted from 1.
        played_at: When, empty where it does not say.
        standing: How it ended, or stood when it was aborted.
        aborted_by: Who aborted it, empty for nobody.
    """

    line: int
    played_at: str
    standing: str
    aborted_by: str


def read_table(text: str) -> tuple[TableLine, ...]:
    """Return the games of a table; empty lines and those that begin with `#` are none.

    A line may begin with a day and a time and end with `aborted by` and a name. What is between
    them is a standing, which is not looked at here.
    """
    found: list[TableLine] = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.strip()
        if not written or written.startswith("#"):
            continue
        parts = _LINE.fullmatch(written)
        assert parts is not None, written
        found.append(
            TableLine(
                number, parts["time"] or "", parts["standing"].strip(), parts["aborter"] or ""
            )
        )
    return tuple(found)
