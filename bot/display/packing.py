"""Users written so short that the id of a button or a field can carry eight of them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from bot.model import UserId

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKED_USERS = r"(?:[A-Za-z0-9_-]{11})+"
"""What `packed` returns, as a pattern."""

_BYTES = 8
_CHARACTERS = 11


def packed(users: Sequence[UserId]) -> str:
    """Return users in eleven characters each."""
    return "".join(
        base64.urlsafe_b64encode(user.to_bytes(_BYTES, "big")).decode("ascii").rstrip("=")
        for user in users
    )


def unpacked(text: str) -> tuple[UserId, ...]:
    """Return the users that `packed` was given."""
    parts = (text[start : start + _CHARACTERS] for start in range(0, len(text), _CHARACTERS))
    return tuple(
        UserId(int.from_bytes(base64.urlsafe_b64decode(f"{part}="), "big")) for part in parts
    )
