"""The word-game room against its published values."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ScoresNeeded, WrongPlayerCount
from bot.model import Game, GameId, Participant, PlayerId, Standing
from bot.ratings.game_room import GameRoom, factor
from bot.ratings.replay import check_game, rate_game

if TYPE_CHECKING:
    from tests.ratings.conftest import Table

SYSTEM = GameRoom(Decimal(1500))
CLOSE = Decimal("0.000001")


def scored(*scores: float, aborted_by: int | None = None) -> Game:
    placings = [1 + sum(other > score for other in scores) for score in scores]
    participants = tuple(
        Participant(PlayerId(number), placing, Decimal(str(score)))
        for number, (placing, score) in enumerate(zip(placings, scores, strict=True), 1)
    )
    return Game(GameId(1), participants, None if aborted_by is None else PlayerId(aborted_by))


def standings(ratings: list[float], games: list[int]) -> dict[PlayerId, Standing]:
    return {
        PlayerId(number): Standing(Decimal(str(rating)).quantize(CLOSE), played)
        for number, (rating, played) in enumerate(zip(ratings, games, strict=True), 1)
    }


def test_the_factor(vectors: dict[str, Any]) -> None:
    for vector in vectors["game-room"]["bracket"]:
        assert round(factor(vector["Am"]), 9) == vector["value"]
    assert factor(0) == pytest.approx(3 * 0.1)


def test_every_published_game(vectors: dict[str, Any]) -> None:
    games = vectors["game-room"]["games"]
    assert len(games) == 13
    for vector in games:
        before = standings(vector["ratings"], vector["games_played_before"])
        step = rate_game(SYSTEM, scored(*vector["scores"]), before, in_event=False)
        for change, delta in zip(step.changes, vector["delta"], strict=True):
            assert change.delta is not None
            assert abs(change.delta - Decimal(str(delta))) <= CLOSE, vector["id"]
            assert change.after == change.after.quantize(CLOSE) if change.after else False


def test_a_winner_can_lose_and_a_loser_gain() -> None:
    step = rate_game(
        SYSTEM, scored(400, 350), standings([1500, 1000], [1000, 1000]), in_event=False
    )
    assert [str(change.delta) for change in step.changes] == ["-5.044248", "3.362832"]


def test_every_published_abort(vectors: dict[str, Any]) -> None:
    aborts = {vector["id"]: vector for vector in vectors["game-room"]["abort"]}
    # A game without action never reaches the system.
    assert aborts.pop("no_action")["delta"] == 0
    assert len(aborts) == 4
    for vector in aborts.values():
        is_aborter, gains = vector["role"] == "aborter", vector["raw_delta"] > 0
        game = scored(*((400, 350) if gains else (350, 400)), aborted_by=1 if is_aborter else 2)
        before = standings([1500, 1500], [1000, 1000])
        change = rate_game(SYSTEM, game, before, in_event=False).changes[0]
        assert change.delta is not None
        assert abs(change.delta - Decimal(str(vector["delta"]))) <= CLOSE, vector["id"]


def test_it_needs_scores_of_two_to_four_players(table: Table) -> None:
    with pytest.raises(ScoresNeeded):
        check_game(SYSTEM, table.game(1, 2))
    with pytest.raises(WrongPlayerCount):
        check_game(SYSTEM, scored(5, 4, 3, 2, 1))


def test_the_reasons_hold_the_terms_of_the_formula() -> None:
    before = standings([1500, 1000], [0, 40])
    change = rate_game(SYSTEM, scored(300, 100), before, in_event=False).changes[0]
    assert [(reason.rule, dict(reason.terms)) for reason in change.reasons] == [
        ("score-share", {"score": 300, "share": Decimal("0.9")}),
        ("rating-share", {"rating": 1500, "share": Decimal("0.6")}),
        ("factor", {"games": 0, "factor": Decimal("0.3")}),
    ]


SEATS = st.lists(
    st.tuples(
        st.integers(-500, 2000),
        st.decimals(1, 5000, places=6).map(float),
        st.integers(0, 100),
    ),
    min_size=2,
    max_size=4,
)


@given(SEATS)
def test_no_rating_falls_below_one(seats: list[tuple[int, float, int]]) -> None:
    scores, ratings, games = (list(column) for column in zip(*seats, strict=True))
    step = rate_game(
        SYSTEM, scored(*scores), standings(ratings, [*map(int, games)]), in_event=False
    )
    assert all(change.after is not None and change.after >= 1 for change in step.changes)


def test_the_floor_is_told() -> None:
    step = rate_game(SYSTEM, scored(-1, 9), standings([1, 1], [0, 0]), in_event=False)
    assert step.changes[0].after == 1
    assert step.changes[0].reasons[-1].rule == "floor"


@given(SEATS, st.data())
def test_an_aborter_gains_nothing_and_the_others_lose_nothing(
    seats: list[tuple[int, float, int]], data: st.DataObject
) -> None:
    scores, ratings, games = (list(column) for column in zip(*seats, strict=True))
    aborter = data.draw(st.integers(1, len(seats)))
    game = scored(*scores, aborted_by=aborter)
    step = rate_game(SYSTEM, game, standings(ratings, [*map(int, games)]), in_event=False)
    for change in step.changes:
        assert change.delta is not None
        assert change.delta <= 0 if change.player == aborter else change.delta >= 0


@given(SEATS, st.randoms())
def test_the_order_of_participants_does_not_matter(
    seats: list[tuple[int, float, int]], random: Any
) -> None:
    scores, ratings, games = (list(column) for column in zip(*seats, strict=True))
    game, before = scored(*scores), standings(ratings, [*map(int, games)])
    shuffled = list(game.participants)
    random.shuffle(shuffled)
    turned = game._replace(participants=tuple(shuffled))
    one = rate_game(SYSTEM, game, before, in_event=False)
    other = rate_game(SYSTEM, turned, before, in_event=False)
    assert one.standings == other.standings


@given(st.integers(-500, 2000), st.integers(1, 5000), st.integers(0, 100), st.integers(2, 4))
def test_symmetric_players_get_symmetric_results(
    score: int, rating: int, games: int, players: int
) -> None:
    before = standings([rating] * players, [games] * players)
    step = rate_game(SYSTEM, scored(*[score] * players), before, in_event=False)
    assert len({change.after for change in step.changes}) == 1
