"""How often the bot may ask: Discord's limit for everything, and limits a test sets for a route."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from bot.sandbox.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.sandbox.routes import Route

GLOBAL_REQUESTS = 50
GLOBAL_SECONDS = 1.0
OLD_EDITS = 3
OLD_EDIT_SECONDS = 6.0
OLD_AFTER_MS = 3_600_000
_DISCORD_EPOCH_MS = 1_420_070_400_000
_MAJOR_PARTS = ("channel_id", "guild_id", "webhook_id", "token")
_EXEMPT = ("/interactions/", "/webhooks/")
"""Discord does not count the answers to interactions among all requests."""


class _Window:
    """So many requests in so many seconds, looked at as time goes by."""

    def __init__(self, count: int, seconds: float) -> None:
        self.count = count
        self.seconds = seconds
        self._taken: deque[float] = deque()

    def take(self, now: float) -> float:
        """Take one request; return how long to wait before the next try, 0 where it is taken."""
        while self._taken and self._taken[0] <= now - self.seconds:
            self._taken.popleft()
        if len(self._taken) >= self.count:
            return self._taken[0] + self.seconds - now
        self._taken.append(now)
        return 0.0

    def remaining(self) -> int:
        return self.count - len(self._taken)

    def reset_after(self, now: float) -> float:
        return self._taken[0] + self.seconds - now if self._taken else 0.0


class RateLimits:
    """Discord's limits. Those of a route are no fixed numbers: a test sets the ones it needs."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Begin with the limit for everything alone.

        Args:
            now: Seconds that go by.
        """
        self._now = now
        self._global = _Window(GLOBAL_REQUESTS, GLOBAL_SECONDS)
        self._limits: dict[tuple[str, str], tuple[int, float]] = {}
        self._windows: dict[tuple[str, ...], _Window] = {}
        self._old_edits: dict[str, _Window] = {}

    def limit(self, method: str, template: str, count: int, seconds: float) -> None:
        """Let a route be asked so often in so many seconds, for each channel or guild."""
        self._limits[method, template] = (count, seconds)

    def take(self, route: Route, parts: Mapping[str, str]) -> dict[str, str]:
        """Take one request, and return the headers that tell of the route's limit.

        Raises:
            ApiError: It comes too soon.
        """
        now = self._now()
        if not route.template.startswith(_EXEMPT):
            wait = self._global.take(now)
            if wait:
                raise _too_soon(wait, is_global=True)
        limit = self._limits.get((route.method, route.template))
        if limit is None:
            return {}
        major = [parts[part] for part in _MAJOR_PARTS if part in parts]
        key = (route.method, route.template, *major)
        window = self._windows.setdefault(key, _Window(*limit))
        wait = window.take(now)
        headers = {
            "X-RateLimit-Limit": str(window.count),
            "X-RateLimit-Remaining": str(window.remaining()),
            "X-RateLimit-Reset": f"{time.time() + window.reset_after(now):.3f}",
            "X-RateLimit-Reset-After": f"{window.reset_after(now):.3f}",
            "X-RateLimit-Bucket": f"{route.method}{route.template}",
        }
        if wait:
            raise _too_soon(wait, is_global=False, headers=headers)
        return headers

    def take_edit(self, channel_id: str, message_id: str) -> None:
        """Take one edit of a message; those of old messages are few.

        Raises:
            ApiError: Too many edits of messages older than an hour.
        """
        written_ms = (int(message_id) >> 22) + _DISCORD_EPOCH_MS
        if time.time() * 1000 - written_ms < OLD_AFTER_MS:
            return
        window = self._old_edits.setdefault(channel_id, _Window(OLD_EDITS, OLD_EDIT_SECONDS))
        wait = window.take(self._now())
        if wait:
            raise _too_soon(
                wait,
                is_global=False,
                code=30046,
                message="Maximum number of edits to messages older than 1 hour reached. "
                "Try again later",
            )


def _too_soon(
    wait: float,
    *,
    is_global: bool,
    headers: dict[str, str] | None = None,
    code: int = 0,
    message: str = "You are being rate limited.",
) -> ApiError:
    told = {"Retry-After": f"{wait:.3f}", **(headers or {})}
    told["X-RateLimit-Scope"] = "global" if is_global else "user"
    if is_global:
        told["X-RateLimit-Global"] = "true"
    error = ApiError(429, code, message, headers=told)
    error.body |= {"retry_after": round(wait, 3), "global": is_global}
    return error
