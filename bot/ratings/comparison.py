"""How well a system's ratings before each game predict how the game ends.

Each game counts once for every two of its players. The expected score is a logistic curve of the
difference of their ratings, whose steepness is fitted to the earlier half of a room's games; its
error is measured on the later half.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, NamedTuple

from bot.model import Game, PlayerId, Standing
from bot.ratings.replay import is_ratable, replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.ratings.replay import Fact
    from bot.ratings.system import RatingSystem

FEWEST_PAIRS = 30
"""How many pairs each half needs before a number says anything."""

_PULL = 0.01
"""Keeps the steepness finite where every game went to the higher rated."""
_ROUNDS = 60
_STEEPEST_EXPONENT = 60.0


class Pair(NamedTuple):
    """Two players of a game.

    Attributes:
        difference: The rating of the first minus that of the second before the game; 0 where either
            had none yet, so that nothing is predicted.
        score: Of the first: 1 for better than the second, 0.5 for level, 0 for worse.
    """

    difference: float
    score: float


class Prediction(NamedTuple):
    """How well a system predicts a room's games.

    Attributes:
        pairs: How many pairs of players there were in all games.
        decisive: How many of them had different ratings and did not end level.
        to_higher: How many of those went to the higher rated.
        error: The mean squared error of the expected score on the later half; None where there are
            too few games. Who predicts nothing has 0.25 where no game is drawn.
    """

    pairs: int
    decisive: int
    to_higher: int
    error: float | None


def predict(system: RatingSystem, facts: Sequence[Fact]) -> Prediction:
    """Return how well a system's ratings predict games.

    Args:
        system: The system.
        facts: A room's, in their order. Games that the system cannot rate are predicted from the
            ratings there are; aborted games are not predicted.
    """
    pairs = tuple(_pairs(system, facts))
    decisive = [pair for pair in pairs if pair.difference and pair.score in {0.0, 1.0}]
    to_higher = sum((pair.difference > 0) == (pair.score > 0) for pair in decisive)
    half = len(pairs) // 2
    earlier, later = pairs[:half], pairs[half:]
    error = None
    if len(earlier) >= FEWEST_PAIRS:
        error = mean_squared_error(later, fitted_steepness(earlier))
    return Prediction(len(pairs), len(decisive), to_higher, error)


def fitted_steepness(pairs: Sequence[Pair]) -> float:
    """Return the steepness of the logistic curve that fits pairs best, by Newton's method.

    The expected score is 1 / (1 + exp(-steepness * difference)); the best fit has the greatest
    likelihood, held back a little so that it stays finite.
    """
    scale = sqrt(sum(pair.difference**2 for pair in pairs) / len(pairs)) if pairs else 0.0
    if not scale:
        return 0.0
    scaled = [(pair.difference / scale, pair.score) for pair in pairs]
    steepness = 0.0
    for _ in range(_ROUNDS):
        slope, curvature = _PULL * steepness, _PULL
        for difference, score in scaled:
            expected = expected_score(difference, steepness)
            slope += difference * (expected - score)
            curvature += difference**2 * expected * (1 - expected)
        step = max(-1.0, min(1.0, slope / curvature))
        steepness -= step
        if abs(step) < 1e-12:  # noqa: PLR2004 - as exact as it gets
            break
    return steepness / scale


def mean_squared_error(pairs: Sequence[Pair], steepness: float) -> float:
    """Return the mean squared difference between scores and expected scores."""
    return sum(
        (pair.score - expected_score(pair.difference, steepness)) ** 2 for pair in pairs
    ) / len(pairs)


def expected_score(difference: float, steepness: float) -> float:
    """Return the score to expect of a player who is rated higher by a difference, 0 to 1."""
    exponent = max(-_STEEPEST_EXPONENT, min(_STEEPEST_EXPONENT, steepness * difference))
    return 1 / (1 + exp(-exponent))


def _pairs(system: RatingSystem, facts: Sequence[Fact]) -> Iterator[Pair]:
    standings: dict[PlayerId, Standing] = {}
    rated = (fact for fact in facts if not isinstance(fact, Game) or is_ratable(system, fact))
    steps = replay(system, rated, explain=False)
    for fact in facts:
        if isinstance(fact, Game):
            yield from _of_game(system, fact, standings)
            if not is_ratable(system, fact):
                continue
        _, step = next(steps)
        standings.update(step.standings)


def _of_game(
    system: RatingSystem, game: Game, standings: dict[PlayerId, Standing]
) -> Iterator[Pair]:
    if game.aborted_by is not None:
        return
    ratings = [standings.get(each.player, system.start).rating for each in game.participants]
    for index, first in enumerate(game.participants):
        for place, second in enumerate(game.participants[index + 1 :], start=index + 1):
            own, other = ratings[index], ratings[place]
            difference = 0.0 if own is None or other is None else float(own - other)
            score = (
                0.5 if first.placing == second.placing else float(first.placing < second.placing)
            )
            yield Pair(difference, score)
