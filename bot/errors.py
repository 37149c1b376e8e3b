"""What can go wrong, as data: no Discord, no texts for people (`bot.error_reply` has those).

    ParlourError
    ├── RatingError                the rules refuse something
    │   ├── UnknownSystem          no such rating system
    │   ├── InvalidSetting         a system has no such setting, or not with that value
    │   └── UnratableGame          the room's system cannot rate a game like this
    │       ├── WrongPlayerCount
    │       ├── ScoresNeeded
    │       └── PlayerTwice
    └── GamesFileError             a games file is at fault, with the line
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class ParlourError(Exception):
    """Anything that Parlour refuses or that a person can cause."""


class RatingError(ParlourError):
    """The rules refuse something."""


class UnknownSystem(RatingError):
    """There is no rating system of that name."""

    def __init__(self, key: str, known: Sequence[str]) -> None:
        """Remember the name asked for and the names there are."""
        super().__init__(key, tuple(known))
        self.key = key
        self.known = tuple(known)


class InvalidSetting(RatingError):
    """A rating system has no such setting, or not with that value."""

    def __init__(self, name: str, value: str, allowed: Sequence[str]) -> None:
        """Remember the setting, the value, and a description of each setting there is."""
        super().__init__(name, value, tuple(allowed))
        self.name = name
        self.value = value
        self.allowed = tuple(allowed)


class UnratableGame(RatingError):
    """The room's system cannot rate a game like this."""

    def __init__(self, system: str, *details: object) -> None:
        """Remember the system's key; `details` are for the log."""
        super().__init__(system, *details)
        self.system = system


class WrongPlayerCount(UnratableGame):
    """A game has too few or too many players for the system."""

    def __init__(self, system: str, count: int, allowed: range) -> None:
        """Remember how many played and how many may."""
        super().__init__(system, count, allowed)
        self.count = count
        self.allowed = allowed


class ScoresNeeded(UnratableGame):
    """The system rates by scores, and a participant has none."""


class PlayerTwice(UnratableGame):
    """Somebody takes part twice in one game."""


class GamesFileError(ParlourError):
    """A games file is at fault."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        """Remember the problem in plain words and the line, counted from 1, where there is one."""
        super().__init__(problem, line)
        self.problem = problem
        self.line = line
