"""Reading a time that somebody typed: `2026-01-05 18:30`, in UTC, or a timestamp of Discord."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bot.errors import Refusal, RequestRefused

_TIMESTAMP = re.compile(r"<t:(?P<seconds>-?[0-9]{1,12})(?::[a-zA-Z])?>")
_FIRST_YEAR = 1970


def read_time(text: str, *, now: datetime) -> datetime:
    """Return the past time that a text says; a day alone is its beginning.

    Args:
        text: A day, a day and a time (in UTC where it names no offset), or `<t:1767637800:f>`.
        now: The present, after which nothing can have been played.

    Raises:
        RequestRefused: It says none, or one to come.
    """
    typed = text.strip()
    found = _TIMESTAMP.fullmatch(typed)
    try:
        if found is not None:
            time = datetime.fromtimestamp(int(found["seconds"]), UTC)
        else:
            time = datetime.fromisoformat(typed)
    except (ValueError, OverflowError, OSError) as error:
        raise RequestRefused(Refusal.TIME_UNREADABLE, typed) from error
    time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    if time.year < _FIRST_YEAR:
        raise RequestRefused(Refusal.TIME_UNREADABLE, typed)
    if time > now:
        raise RequestRefused(Refusal.TIME_TO_COME, typed)
    return time
