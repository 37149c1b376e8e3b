"""Reading how a game stands from one line: `@Ann 412 @Bob 388` or `@Ann > @Bob = @Cy`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from bot.errors import StandingsProblem, StandingsUnreadable
from bot.model import UserId

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_PLAYERS = 16
_FEWEST_PLAYERS = 2

_MENTION = re.compile(r"<@!?(?P<user>[0-9]{15,20})>")
_SCORE = re.compile(r":?\s*(?P<score>[+\-\u2212]?[0-9]{1,7}(?:[.,][0-9]{1,2})?)(?![0-9])")
_MINUS = "\u2212"
_SIGN = re.compile(r"[>=]")
_GAP = re.compile(r"[\s,;]*")
_SPACE = re.compile(r"\s*")


class Stated(NamedTuple):
    """What is said of one participant.

    Attributes:
        user: Who.
        placing: 1 is best; equal placings are a tie.
        score: Points in the game, where they are given.
    """

    user: UserId
    placing: int
    score: Decimal | None = None


def read_standings(text: str) -> tuple[Stated, ...]:
    """Return what a text says of each participant, in the order of the text.

    Scores give the placings, more being better; an order has `>` for better than and `=` for a
    tie. People are mentions, as Discord writes them: `<@123>`.

    Raises:
        StandingsUnreadable: The text says no standing of two to sixteen different people.
    """
    reading = _Reading(text)
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


def by_scores(users: Sequence[UserId], scores: Sequence[Decimal]) -> tuple[Stated, ...]:
    """Return how a game stands by its scores: more is better."""
    return tuple(
        Stated(user, 1 + sum(other > score for other in scores), score)
        for user, score in zip(users, scores, strict=True)
    )


def by_places(users: Sequence[UserId], places: Sequence[int]) -> tuple[Stated, ...]:
    """Return how a game stands by places, of which less is better: 1, 2, 2, 3 is 1, 2, 2, 4."""
    return tuple(
        Stated(user, 1 + sum(other < place for other in places))
        for user, place in zip(users, places, strict=True)
    )


def _read_order(reading: _Reading, first: UserId) -> tuple[Stated, ...]:
    users, places = [first], [1]
    while not reading.is_at_end:
        is_worse = reading.sign() == ">"
        users.append(reading.person())
        places.append(places[-1] + is_worse)
    reading.finish()
    return by_places(users, places)


class _Reading:
    """A text, and how much of it is understood."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._users: set[UserId] = set()
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

    def person(self) -> UserId:
        start = self._place
        user = UserId(int(self._take(_MENTION, StandingsProblem.PLAYER_EXPECTED)["user"]))
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
