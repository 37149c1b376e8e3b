"""Reading how a game stands from one line: `@Ann 412 @Bob 388` or `@Ann > @Bob = @Cy`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from bot.errors import StandingsProblem, StandingsUnreadable
from bot.model import UserId

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_PLAYERS = 16
_FEWEST_PLAYERS = 2

_MENTION = re.compile(r"<@!?(?P<user>[0-9]{15,20})>")
_SCORE = re.compile(r":?\s*(?P<score>[+\-\u2212]?[0-9]{1,7}(?:[.,][0-9]{1,2})?)(?![0-9])")
_MINUS = "\u2212"
_SIGN = re.compile(r"[>=]")
_GAP = re.compile(r"[\s,;]*")
_SPACE = re.compile(r"\s*")


_QUOTED = r'"(?P<quoted>[^"]{1,80})"'
_WORD = r"""(?P<word>[^\W\d_][^\s"<>=,;:]*)"""
_GUEST = re.compile(rf"@?guest:\s*(?:{_QUOTED}|(?P<word>[^\s\"<>=,;:]+))", re.IGNORECASE)
_NAME = re.compile(rf"@?(?:{_QUOTED}|{_WORD})")

_Who = TypeVar("_Who")


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who is not on Discord, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Known:
    """A player whom the bot knows already, by name."""

    name: str


Who: TypeAlias = "UserId | Guest | Known"
"""Somebody as a referee may name one: a mention, `guest:Maria`, or a name."""


class StatedOf(NamedTuple, Generic[_Who]):
    """What is said of one participant.

    Attributes:
        user: Who.
        placing: 1 is best; equal placings are a tie.
        score: Points in the game, where they are given.
    """

    user: _Who
    placing: int
    score: Decimal | None = None


Stated: TypeAlias = StatedOf[UserId]
"""What one of a game's players says of a participant: all are mentioned."""


def mentioned(text: str) -> tuple[UserId, ...]:
    """Return whom a text mentions, each once."""
    return tuple(dict.fromkeys(UserId(int(found["user"])) for found in _MENTION.finditer(text)))


def read_standings(text: str) -> tuple[Stated, ...]:
    """Return what a text says of each participant, in the order of the text.

    Scores give the placings, more being better; an order has `>` for better than and `=` for a
    tie. People are mentions, as Discord writes them: `<@123>`.

    Raises:
        StandingsUnreadable: The text says no standing of two to sixteen different people.
    """
    return _read(_Reading(text, _mentioned))


def read_named_standings(text: str) -> tuple[StatedOf[Who], ...]:
    """Return what a referee's text says of each participant, in the order of the text.

    It is written as for `read_standings`; people may be guests, `guest:Maria`, and names, `Ann` or
    `"Ann B"`, too.

    Raises:
        StandingsUnreadable: The text says no standing of two to sixteen different people.
    """
    return _read(_Reading(text, _named))


def read_person(text: str) -> Who:
    """Return the one person whom a referee's text names.

    Raises:
        StandingsUnreadable: It names none, or more than one.
    """
    reading = _Reading(text, _named)
    who = reading.person()
    if not reading.is_at_end:
        raise reading.unreadable(StandingsProblem.NOTHING_MORE)
    return who


def _read(reading: _Reading[_Who]) -> tuple[StatedOf[_Who], ...]:
    first = reading.person()
    if reading.is_at(_SIGN):
        return _read_order(reading, first)
    users, scores = [first], [reading.score()]
    reading.skip(_GAP)
    while not reading.is_at_end:
        users.append(reading.person())
        scores.append(reading.score())
        reading.skip(_GAP)
    reading.finish()
    return by_scores(users, scores)


def by_scores(users: Sequence[_Who], scores: Sequence[Decimal]) -> tuple[StatedOf[_Who], ...]:
    """Return how a game stands by its scores: more is better."""
    return tuple(
        StatedOf(user, 1 + sum(other > score for other in scores), score)
        for user, score in zip(users, scores, strict=True)
    )


def by_places(users: Sequence[_Who], places: Sequence[int]) -> tuple[StatedOf[_Who], ...]:
    """Return how a game stands by places, of which less is better: 1, 2, 2, 3 is 1, 2, 2, 4."""
    return tuple(
        StatedOf(user, 1 + sum(other < place for other in places))
        for user, place in zip(users, places, strict=True)
    )


def _read_order(reading: _Reading[_Who], first: _Who) -> tuple[StatedOf[_Who], ...]:
    users, places = [first], [1]
    while not reading.is_at_end:
        is_worse = reading.sign() == ">"
        users.append(reading.person())
        places.append(places[-1] + is_worse)
    reading.finish()
    return by_places(users, places)


def _mentioned(text: str, place: int) -> tuple[UserId, int] | None:
    found = _MENTION.match(text, place)
    return None if found is None else (UserId(int(found["user"])), found.end())


def _named(text: str, place: int) -> tuple[Who, int] | None:
    mentioned = _mentioned(text, place)
    if mentioned is not None:
        return mentioned
    for pattern, kind in ((_GUEST, Guest), (_NAME, Known)):
        found = pattern.match(text, place)
        if found is not None:
            return kind(found["quoted"] or found["word"]), found.end()
    return None


class _Reading(Generic[_Who]):
    """A text, and how much of it is understood."""

    def __init__(self, text: str, read: Callable[[str, int], tuple[_Who, int] | None]) -> None:
        self._text = text
        self._read = read
        self._place = 0
        self._users: set[_Who] = set()
        self.skip(_GAP)

    @property
    def is_at_end(self) -> bool:
        return self._place == len(self._text)

    def is_at(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self._text, self._place) is not None

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._place)
        assert found is not None, pattern
        self._place = found.end()

    def person(self) -> _Who:
        start = self._place
        found = self._read(self._text, start)
        if found is None:
            raise self._unreadable(StandingsProblem.PLAYER_EXPECTED, start)
        user, self._place = found
        if user in self._users:
            raise self._unreadable(StandingsProblem.PLAYER_TWICE, start)
        if len(self._users) == MOST_PLAYERS:
            raise self._unreadable(StandingsProblem.TOO_MANY, start)
        self._users.add(user)
        self.skip(_SPACE)
        return user

    def score(self) -> Decimal:
        found = self._take(_SCORE, StandingsProblem.SCORE_EXPECTED)
        return Decimal(found["score"].replace(_MINUS, "-").replace(",", "."))

    def sign(self) -> str:
        sign = self._take(_SIGN, StandingsProblem.SIGN_EXPECTED).group()
        self.skip(_SPACE)
        return sign

    def unreadable(self, problem: StandingsProblem) -> StandingsUnreadable:
        return self._unreadable(problem, self._place)

    def finish(self) -> None:
        if len(self._users) < _FEWEST_PLAYERS:
            raise self._unreadable(StandingsProblem.TOO_FEW, self._place)

    def _take(self, pattern: re.Pattern[str], problem: StandingsProblem) -> re.Match[str]:
        found = pattern.match(self._text, self._place)
        if found is None:
            raise self._unreadable(problem, self._place)
        self._place = found.end()
        return found

    def _unreadable(self, problem: StandingsProblem, at: int) -> StandingsUnreadable:
        return StandingsUnreadable(self._text[:at].strip(), self._text[at:].strip(), problem)
