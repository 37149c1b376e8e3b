"""Discord's ids: the time in milliseconds, then a counter."""

from __future__ import annotations

import itertools
import time

_DISCORD_EPOCH_MS = 1_420_070_400_000
_counter = itertools.count()


def snowflake() -> str:
    """Return an id that nothing else has, greater than those before."""
    milliseconds = int(time.time() * 1000) - _DISCORD_EPOCH_MS
    return str((milliseconds << 22) | (next(_counter) & 0x3F_FFFF))
