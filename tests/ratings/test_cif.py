"""Chess in Friendship against its published values, and the recalculation after 25 games."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Cause, Game, GameId, Outcome, Participant, PlayerId, RatingChange, Standing
from bot.ratings.cif import ESTABLISHED, ChessInFriendship, delta_of
from bot.ratings.replay import players_concerned, rate_game, replay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.ratings.conftest import Table

SYSTEM = ChessInFriendship(Decimal(1500), recalculation=True)
WITHOUT = ChessInFriendship(Decimal(1500), recalculation=False)
PLACINGS = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}


def number(value: float) -> Decimal:
    return Decimal(str(value)).quantize(Decimal("0.01"))


def test_every_published_game(vectors: dict[str, Any], table: Table) -> None:
    games = vectors["cif"]["games"]
    assert len(games) == 21
    for vector in games:
        standings = {
            PlayerId(1): Standing(number(vector["white"]), vector["white_games"]),
            PlayerId(2): Standing(number(vector["black"]), vector["black_games"]),
        }
        game = table.game(*PLACINGS[vector["result_white"]])
        step = rate_game(WITHOUT, game, standings, in_event=False)
        deltas = [change.delta for change in step.changes]
        assert deltas == [number(vector["white_delta"]), number(vector["black_delta"])], vector


def test_halves_go_away_from_zero() -> None:
    # 3 % of 0.5 is 0.015.
    deltas = [
        delta_of(ESTABLISHED, 1000_00, opponent, Outcome.DRAW) for opponent in (1000_50, 999_50)
    ]
    # -0.25 + 0.015 = -0.235 and -0.25 - 0.015 = -0.265.
    assert deltas == [-24, -27]


def played(one: int, two: int, placings: tuple[int, int], aborter: int | None = None) -> Game:
    participants = (
        Participant(PlayerId(one), placings[0]),
        Participant(PlayerId(two), placings[1]),
    )
    return Game(GameId(0), participants, None if aborter is None else PlayerId(aborter))


def run(
    system: ChessInFriendship, games: Iterable[Game]
) -> tuple[dict[PlayerId, Standing], list[RatingChange]]:
    standings: dict[PlayerId, Standing] = {}
    changes: list[RatingChange] = []
    for _, step in replay(system, games):
        standings.update(step.standings)
        changes += step.changes
    return standings, changes


def test_the_25th_game_has_the_first_24_rated_again_for_the_opponents() -> None:
    # Player 1 wins against 24 newcomers, one game each, and then against player 50.
    games = [played(1, 2 + index, (1, 2)) for index in range(24)] + [played(1, 50, (1, 2))]
    standings, changes = run(SYSTEM, games)
    before, _ = run(WITHOUT, games)
    rating = standings[PlayerId(1)].rating
    assert rating is not None
    assert rating == before[PlayerId(1)].rating
    # By hand: 1515, then +15 - 10 % of the lead.
    assert before[PlayerId(2)].rating == Decimal("1488.00")
    # Again for player 2: -12 + 10 % of (rating - 1500), at most -1, in place of -12.
    again = min(Decimal(-12) + (rating - 1500) / 10, Decimal(-1)).quantize(Decimal("0.01"))
    assert standings[PlayerId(2)].rating == Decimal(1500) + again
    adjustments = [change for change in changes if change.cause is Cause.RECALCULATION]
    assert adjustments[0].player == 2
    assert adjustments[0].delta == again + 12
    assert adjustments[0].reasons[0].terms == (
        ("opponent", 1),
        ("rating", rating),
        ("games", 1),
        ("points", again + 12),
    )
    # The 25th game itself is not rated again.
    assert all(change.player not in {1, 50} for change in adjustments)
    assert standings[PlayerId(2)].games == 1


def test_an_opponent_met_often_is_given_one_adjustment() -> None:
    games = [played(1, 2, (1, 2)) for _ in range(24)] + [played(1, 3, (1, 2))]
    _, changes = run(SYSTEM, games)
    (adjustment,) = [change for change in changes if change.cause is Cause.RECALCULATION]
    assert dict(adjustment.reasons[0].terms)["games"] == 24


def test_the_memory_is_bounded_and_goes_away() -> None:
    standings, _ = run(SYSTEM, [played(1, 2, (1, 2)) for _ in range(24)])
    assert len(standings[PlayerId(1)].memory) == 24
    standings, _ = run(SYSTEM, [played(1, 2, (1, 2)) for _ in range(26)])
    assert standings[PlayerId(1)].memory == ()
    assert standings[PlayerId(2)].memory == ()


def test_without_recalculation_nothing_is_remembered() -> None:
    standings, changes = run(WITHOUT, [played(1, 2, (1, 2)) for _ in range(30)])
    assert all(standing.memory == () for standing in standings.values())
    assert all(change.cause is Cause.GAME for change in changes)


GAMES = st.lists(
    st.tuples(
        st.sampled_from([(1, 2), (1, 3), (2, 3), (2, 4)]),
        st.sampled_from(sorted(PLACINGS.values())),
        st.sampled_from([None, None, 0, 1]),
        st.booleans(),
    ),
    min_size=40,
    max_size=90,
)


def as_games(drawn: list[Any], *, turned: bool) -> list[Game]:
    games: list[Game] = []
    for players, placings, aborter, turn in drawn:
        one, two = players
        game = played(one, two, placings, None if aborter is None else players[aborter])
        if turn and turned:
            game = game._replace(participants=game.participants[::-1])
        games.append(game)
    return games


@given(GAMES)
def test_the_order_of_participants_does_not_matter(drawn: list[Any]) -> None:
    assert (
        run(SYSTEM, as_games(drawn, turned=False))[0]
        == (run(SYSTEM, as_games(drawn, turned=True))[0])
    )


@given(GAMES)
def test_a_replay_equals_rating_game_by_game_with_those_concerned_alone(drawn: list[Any]) -> None:
    games = as_games(drawn, turned=False)
    kept: dict[PlayerId, Standing] = {}
    for game in games:
        own = {each.player for each in game.participants}
        before = {player: kept[player] for player in own & kept.keys()}
        for player in players_concerned(SYSTEM, game, before) - own:
            before[player] = kept[player]
        kept.update(rate_game(SYSTEM, game, before, in_event=False).standings)
    assert kept == run(SYSTEM, games)[0]


RATINGS = st.decimals(1, 3000, places=2)


@given(RATINGS, RATINGS, st.tuples(st.integers(0, 50), st.integers(0, 50)), st.data())
def test_an_aborter_gains_nothing_and_the_other_loses_nothing(
    first: Decimal, second: Decimal, games: tuple[int, int], data: st.DataObject
) -> None:
    placings = data.draw(st.sampled_from(sorted(PLACINGS.values())))
    aborter = data.draw(st.sampled_from([1, 2]))
    standings = {
        PlayerId(1): Standing(first, games[0]),
        PlayerId(2): Standing(second, games[1]),
    }
    step = rate_game(SYSTEM, played(1, 2, placings, aborter), standings, in_event=False)
    for change in step.changes:
        assert change.delta is not None
        assert change.delta <= 0 if change.player == aborter else change.delta >= 0


@given(RATINGS, RATINGS, st.integers(0, 50), st.sampled_from(Outcome))
def test_a_win_gives_and_a_loss_costs_at_least_one(
    own: Decimal, opponent: Decimal, games: int, outcome: Outcome
) -> None:
    placings = {Outcome.WIN: (1, 2), Outcome.DRAW: (1, 1), Outcome.LOSS: (2, 1)}[outcome]
    standings = {PlayerId(1): Standing(own, games), PlayerId(2): Standing(opponent, games)}
    change = rate_game(WITHOUT, played(1, 2, placings), standings, in_event=False).changes[0]
    assert change.delta is not None
    if outcome is Outcome.WIN:
        assert change.delta >= 1
    if outcome is Outcome.LOSS:
        assert change.delta <= -1


@pytest.mark.parametrize(("opponent", "has_limit"), [("1810.00", True), ("2019.32", False)])
def test_the_limit_is_told_where_it_applies(opponent: str, has_limit: bool) -> None:  # noqa: FBT001
    standings = {
        PlayerId(1): Standing(Decimal("2257.14"), 26),
        PlayerId(2): Standing(Decimal(opponent), 26),
    }
    change = rate_game(WITHOUT, played(1, 2, (1, 2)), standings, in_event=False).changes[0]
    assert (change.reasons[-1].rule == "limit") is has_limit
    assert dict(change.reasons[0].terms) == {"games": 26, "points": 10}
    assert dict(change.reasons[1].terms)["percentage"] == 3
