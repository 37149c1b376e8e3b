"""How well ratings predict, checked against sums that are done by hand."""

from __future__ import annotations

from decimal import Decimal
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Game, GameId, Participant, PlayerId
from bot.ratings.comparison import (
    Pair,
    expected_score,
    fitted_steepness,
    mean_squared_error,
    predict,
)
from bot.ratings.registry import make_system, system_keys

ANN, BOB, CY = PlayerId(1), PlayerId(2), PlayerId(3)


def game(number: int, *players: PlayerId, aborted_by: PlayerId | None = None) -> Game:
    """Return a game that the players finished in this order."""
    return Game(
        GameId(number),
        tuple(
            Participant(player, place, Decimal(100 - place))
            for place, player in enumerate(players, start=1)
        ),
        aborted_by,
    )


def test_a_steepness_is_the_log_of_the_odds() -> None:
    # Of ten games with 100 points between the players the higher rated took nine.
    pairs = [Pair(100.0, 1.0)] * 900 + [Pair(-100.0, 1.0)] * 100
    steepness = fitted_steepness(pairs)
    assert steepness * 100 == pytest.approx(log(9), rel=1e-3)
    assert expected_score(100.0, steepness) == pytest.approx(0.9, rel=1e-3)


def test_the_error_is_the_mean_of_the_squares() -> None:
    # A curve that expects 0.9 of the first two pairs and 0.5 of the last.
    steepness = log(9) / 100
    pairs = [Pair(100.0, 1.0), Pair(100.0, 0.0), Pair(0.0, 0.5)]
    assert mean_squared_error(pairs, steepness) == pytest.approx((0.01 + 0.81 + 0.0) / 3)


def test_without_differences_nothing_is_predicted() -> None:
    assert fitted_steepness([]) == 0.0
    assert fitted_steepness([Pair(0.0, 1.0)] * 3) == 0.0
    assert expected_score(300.0, 0.0) == 0.5


@given(
    st.lists(st.builds(Pair, st.floats(-3000, 3000), st.sampled_from([0.0, 0.5, 1.0])), max_size=40)
)
def test_a_fit_is_finite_and_no_worse_than_its_neighbours(pairs: list[Pair]) -> None:
    steepness = fitted_steepness(pairs)
    assert abs(steepness) < float("inf")
    if pairs:
        assert 0 <= mean_squared_error(pairs, steepness) <= 1


def test_pairs_are_counted_by_hand() -> None:
    # simplified-elo: 1 tells nothing (equal ratings), 2 and 4 go to the higher rated, 3 does not;
    # the game of three is three pairs, and an aborted game is none.
    facts = [
        game(1, ANN, BOB),
        game(2, ANN, BOB),
        game(3, BOB, ANN),
        game(4, ANN, BOB),
        game(5, ANN, BOB, aborted_by=BOB),
        game(6, ANN, CY, BOB),
    ]
    found = predict(make_system("simplified-elo", {}), facts)
    assert (found.pairs, found.decisive, found.to_higher, found.error) == (7, 6, 5, None)


@pytest.mark.parametrize("key", system_keys())
def test_a_room_with_a_clear_best_is_predicted_better_than_by_a_coin(key: str) -> None:
    facts = [game(number, ANN, BOB) for number in range(1, 81)]
    found = predict(make_system(key, {}), facts)
    assert found.pairs == 80
    if key == "ecf":
        # Nobody has a grade before the first season is closed.
        assert (found.decisive, found.error) == (0, 0.25)
    else:
        assert found.decisive == found.to_higher == 79
        assert found.error is not None
        assert found.error < 0.01
