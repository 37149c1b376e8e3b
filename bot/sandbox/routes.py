"""Which request goes where: a table of methods and paths, filled by the modules of requests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from bot.sandbox.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.sandbox.errors import JsonObject
    from bot.sandbox.gateway import Gateway
    from bot.sandbox.interactions import Interactions
    from bot.sandbox.rate_limits import RateLimits
    from bot.sandbox.world import Upload, World

    Answer: TypeAlias = JsonObject | list[Any] | None


@dataclass(frozen=True, slots=True)
class Discord:
    """What requests work on."""

    world: World
    gateway: Gateway
    interactions: Interactions
    rate_limits: RateLimits
    commands: dict[str, list[JsonObject]]


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request of the bot.

    Attributes:
        discord: What it works on.
        path: The parts of the path, by name.
        query: The query string.
        body: The JSON body, an empty object where there is none.
        files: The files that came with it, by number.
    """

    discord: Discord
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: Mapping[int, Upload]


@dataclass(frozen=True, slots=True)
class Route:
    """A kind of request: its method, its path with the names of its parts, and what it does."""

    method: str
    template: str
    handle: Callable[[ApiRequest], Awaitable[Answer]]
    status: int = 200
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        """Make the pattern that finds the parts of a path."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.template)
        object.__setattr__(self, "pattern", re.compile(pattern))


ROUTES: list[Route] = []


def route(
    method: str, template: str, *, status: int = 200
) -> Callable[
    [Callable[[ApiRequest], Awaitable[Answer]]], Callable[[ApiRequest], Awaitable[Answer]]
]:
    """Register a function for a kind of request."""

    def register(
        handle: Callable[[ApiRequest], Awaitable[Answer]],
    ) -> Callable[[ApiRequest], Awaitable[Answer]]:
        ROUTES.append(Route(method, template, handle, status))
        return handle

    return register


def find_route(method: str, path: str) -> tuple[Route, Mapping[str, str]]:
    """Return the route of a request and the parts of its path.

    Raises:
        ApiError: The sandbox does not know such a request.
    """
    for each in ROUTES:
        found = each.pattern.fullmatch(path) if each.method == method else None
        if found:
            return each, found.groupdict()
    raise ApiError(501, 0, "The sandbox does not know this request")
