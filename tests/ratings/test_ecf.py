"""English grades against their published values, and seasons one after the other."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import (
    Cause,
    EventId,
    Game,
    GameId,
    Outcome,
    Participant,
    PlayerId,
    RatingChange,
    Standing,
)
from bot.ratings.ecf import Ecf, category, performance, rounded, starting_grades
from bot.ratings.replay import EventClosed, Fact, close_event, rate_game, replay

SYSTEM = Ecf(Decimal(100))
OUTCOMES = {1: Outcome.WIN, 0.5: Outcome.DRAW, 0: Outcome.LOSS}
PLACINGS = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}
WON, DRAWN, LOST = (1, 2), (1, 1), (2, 1)


def played(one: int, two: int, placings: tuple[int, int], aborter: int | None = None) -> Game:
    participants = (
        Participant(PlayerId(one), placings[0]),
        Participant(PlayerId(two), placings[1]),
    )
    return Game(GameId(0), participants, None if aborter is None else PlayerId(aborter))


def graded(*grades: int | None) -> dict[PlayerId, Standing]:
    """Players numbered from 1 with their grades."""
    return {
        PlayerId(number): Standing(None if grade is None else Decimal(grade))
        for number, grade in enumerate(grades, 1)
    }


def closed(games: list[Game], standings: dict[PlayerId, Standing]) -> dict[int, Decimal | None]:
    """The grades after a season."""
    step = close_event(SYSTEM, games, standings, ordinal=0)
    return {change.player: change.after for change in step.changes}


def test_every_published_performance(vectors: dict[str, Any]) -> None:
    points = vectors["ecf"]["points"]
    assert len(points) == 20
    for vector in points:
        standings = graded(vector["own"], vector["opp"])
        game = played(1, 2, PLACINGS[vector["result"]])
        change = rate_game(SYSTEM, game, standings, in_event=True).changes[0]
        assert change.contribution == Decimal(vector["points"]), vector["id"]
        assert change.before == change.after == vector["own"]


def test_every_published_new_player(vectors: dict[str, Any]) -> None:
    players = vectors["ecf"]["new_player"]
    assert len(players) == 3
    for vector in players:
        standings = graded(None, *vector["opponents"])
        games = [
            played(1, opponent, PLACINGS[result])
            for opponent, result in enumerate(vector["results"], 2)
        ]
        starting = starting_grades(games, standings, Decimal(100))
        assert starting == {1: Decimal(str(vector["starting_grade"]))}, vector["id"]
        own = starting[PlayerId(1)]
        worth = [
            performance(own, Decimal(opponent), OUTCOMES[result])
            for opponent, result in zip(vector["opponents"], vector["results"], strict=True)
        ]
        assert sum(worth) / len(worth) == Decimal(str(vector["grade_unrounded"])), vector["id"]
        grade = closed(games, standings)[1]
        assert grade == vector.get("published", vector["grade_unrounded"])


def test_every_published_season(vectors: dict[str, Any]) -> None:
    seasons = vectors["ecf"]["season"]
    assert len(seasons) == 3
    for vector in seasons:
        placings = DRAWN if vector.get("all_drawn") else WON
        games = [played(1, 2, placings)] * vector["games_each"]
        after = closed(games, graded(*vector["grades"]))
        assert list(after.values()) == vector["after"], vector["id"]


def test_every_published_category(vectors: dict[str, Any]) -> None:
    rows = vectors["ecf"]["category_2020"]
    assert len(rows) == 12
    for row in rows:
        assert category(row["last12"], row["last24"], row["last36"]) == row["cat"], row


def season(number: int, games: list[Game]) -> list[Fact]:
    return [*games, EventClosed(EventId(number))]


def run(facts: list[Fact]) -> tuple[dict[PlayerId, Standing], list[RatingChange]]:
    standings: dict[PlayerId, Standing] = {}
    changes: list[RatingChange] = []
    for _, step in replay(SYSTEM, facts):
        standings.update(step.standings)
        changes += step.changes
    return standings, changes


def test_thirty_games_are_filled_up_from_two_seasons(vectors: dict[str, Any]) -> None:
    vector = vectors["ecf"]["window_2015"]
    newest, middle, oldest = vector["games_by_halfyear_latest_first"]
    facts = (
        season(1, [played(1, 2, DRAWN)] * oldest)
        + season(2, [played(1, 2, DRAWN)] * middle)
        + season(3, [played(1, 2, DRAWN)] * newest)
    )
    _, changes = run(facts)
    terms = dict(changes[-2].reasons[0].terms)
    assert terms["games"] == newest
    assert terms["older"] == vector["games_counted"] - newest == middle + 5


def test_the_newest_games_of_the_seasons_before_fill_up() -> None:
    # Player 1 is graded 100 by draws; then loses 10 and wins 29 against 100; then draws 1.
    first = season(1, [played(1, 2, DRAWN)])
    second = season(2, [played(1, 3, LOST)] * 10 + [played(1, 3, WON)] * 29)
    third = season(3, [played(1, 4, DRAWN)])
    standings, changes = run(first + second)
    own = standings[PlayerId(1)]
    assert own.rating is not None
    games, newest = own.memory[0], 29
    assert isinstance(games, tuple)
    assert games[1] == 39
    assert isinstance(games[2], tuple)
    assert len(games[2]) == newest
    # Only wins fill up: the ten losses are the oldest, and the first season is not reached.
    assert len(set(games[2])) == 1
    _, changes = run(first + second + third)
    last = next(c for c in changes[-2:] if c.player == 1)
    assert dict(last.reasons[0].terms)["older"] == newest


def test_nothing_older_than_two_seasons_counts() -> None:
    others = season(2, [played(3, 4, DRAWN)])
    facts = season(1, [played(1, 2, WON)]) + others + others + season(4, [played(1, 2, DRAWN)])
    _, changes = run(facts)
    assert [dict(change.reasons[0].terms)["older"] for change in changes[-2:]] == [0, 0]
    facts = season(1, [played(1, 2, WON)]) + others + season(4, [played(1, 2, DRAWN)])
    _, changes = run(facts)
    assert [dict(change.reasons[0].terms)["older"] for change in changes[-2:]] == [1, 1]


def test_who_did_not_play_keeps_the_grade() -> None:
    standings, changes = run(season(1, [played(1, 2, WON)]) + season(2, [played(3, 4, WON)]))
    assert {change.player for change in changes[-2:]} == {3, 4}
    # Two newcomers who met start from 125 and 75; each then counts the other 40 away.
    assert standings[PlayerId(1)].rating == 125 - 40 + 50
    assert standings[PlayerId(2)].rating == 75 + 40 - 50


def test_more_than_thirty_games_all_count() -> None:
    games = [played(1, 2, WON)] * 20 + [played(1, 2, DRAWN)] * 20
    assert closed(games, graded(100, 100)) == {1: 125, 2: 75}


def test_halves_go_up_and_negative_grades_are_zero() -> None:
    assert [rounded(Decimal(text)) for text in ("99.5", "99.499999", "-0.5", "-50")] == [
        100,
        99,
        0,
        0,
    ]
    assert closed([played(1, 2, LOST)], graded(0, 0)) == {1: 0, 2: 50}


def test_newcomers_who_drew_are_graded_at_the_start() -> None:
    assert closed([played(1, 2, DRAWN)], graded(None, None)) == {1: 100, 2: 100}
    step = close_event(Ecf(Decimal(140)), [played(1, 2, DRAWN)], graded(None, None), ordinal=0)
    assert [change.after for change in step.changes] == [140, 140]


def test_aborted_games_are_left_out_of_a_starting_grade() -> None:
    games = [played(1, 2, WON), played(1, 3, LOST, aborter=1)]
    standings = graded(None, 120, 200)
    assert starting_grades(games, standings, Decimal(100)) == {1: 170}
    only = [played(1, 2, WON, aborter=2)]
    assert starting_grades(only, standings, Decimal(100)) == {1: 100}
    assert closed(only, standings) == {1: 170, 2: 50}


def test_a_game_against_a_newcomer_is_worth_what_the_closing_says() -> None:
    step = rate_game(SYSTEM, played(1, 2, WON), graded(100, None), in_event=True)
    assert [change.contribution for change in step.changes] == [None, None]
    assert [change.after for change in step.changes] == [100, None]
    assert step.standings[PlayerId(2)].games == 1


def test_the_closing_tells_games_average_and_category() -> None:
    games = [played(1, 2, DRAWN)] * 30
    step = close_event(SYSTEM, games, graded(125, 150), ordinal=0)
    change = step.changes[0]
    assert change.cause is Cause.EVENT
    assert [(reason.rule, dict(reason.terms)) for reason in change.reasons] == [
        ("season-average", {"games": 30, "older": 0, "average": Decimal(150)}),
        ("category", {"category": "A", "games": 30}),
    ]


GRADES = st.integers(0, 300)
RESULTS = st.sampled_from([WON, DRAWN, LOST])


@given(GRADES, GRADES, st.sampled_from(Outcome))
def test_a_game_moves_the_two_sides_by_equal_and_opposite_amounts(
    own: int, opponent: int, outcome: Outcome
) -> None:
    first = performance(Decimal(own), Decimal(opponent), outcome) - own
    second = performance(Decimal(opponent), Decimal(own), outcome.reversed) - opponent
    assert first == -second


@given(GRADES, GRADES, RESULTS, st.sampled_from([1, 2]))
def test_an_aborter_gains_nothing_and_the_other_loses_nothing(
    first: int, second: int, placings: tuple[int, int], aborter: int
) -> None:
    game, standings = played(1, 2, placings, aborter), graded(first, second)
    step = rate_game(SYSTEM, game, standings, in_event=True)
    for change in step.changes:
        assert change.contribution is not None
        assert change.before is not None
        gain = change.contribution - change.before
        assert gain <= 0 if change.player == aborter else gain >= 0
    # The closing counts the same performances.
    assert closed([game], standings) == {
        change.player: max(Decimal(0), change.contribution or Decimal(0)) for change in step.changes
    }


SEASONS = st.lists(
    st.lists(
        st.tuples(
            st.permutations([1, 2, 3, 4]),
            RESULTS,
            st.sampled_from([None, None, None, 0, 1]),
            st.booleans(),
        ),
        max_size=25,
    ),
    max_size=4,
)


def facts_of(seasons: list[list[Any]], *, turned: bool) -> list[Fact]:
    facts: list[Fact] = []
    for number, drawn in enumerate(seasons):
        for players, placings, aborter, turn in drawn:
            one, two = players[:2]
            game = played(one, two, placings, None if aborter is None else players[aborter])
            if turn and turned:
                game = game._replace(participants=game.participants[::-1])
            facts.append(game)
        facts.append(EventClosed(EventId(number)))
    return facts


@given(SEASONS)
def test_the_order_of_participants_does_not_matter(seasons: list[list[Any]]) -> None:
    one, other = (run(facts_of(seasons, turned=turned))[0] for turned in (False, True))
    assert one == other
    assert all(each.rating is None or each.rating >= 0 for each in one.values())


@given(SEASONS)
def test_a_replay_equals_game_by_game(seasons: list[list[Any]]) -> None:
    kept: dict[PlayerId, Standing] = {}
    games: list[Game] = []
    ordinal = 0
    for fact in facts_of(seasons, turned=False):
        if isinstance(fact, Game):
            own = {each.player for each in fact.participants}
            before = {player: kept[player] for player in own & kept.keys()}
            kept.update(rate_game(SYSTEM, fact, before, in_event=True).standings)
            games.append(fact)
        else:
            kept.update(close_event(SYSTEM, games, kept, ordinal=ordinal).standings)
            games, ordinal = [], ordinal + 1
    assert kept == run(facts_of(seasons, turned=False))[0]


@given(st.lists(st.tuples(GRADES, RESULTS), min_size=1, max_size=40))
def test_a_newcomer_is_graded_as_exact_fractions_say(seats: list[tuple[int, Any]]) -> None:
    games = [played(1, number, placings) for number, (_, placings) in enumerate(seats, 2)]
    points = {WON: 50, DRAWN: 0, LOST: -50}
    start = Fraction(sum(grade + points[placings] for grade, placings in seats), len(seats))
    worth = [
        min(max(Fraction(grade), start - 40), start + 40) + points[placings]
        for grade, placings in seats
    ]
    expected = max(0, floor(sum(worth) / len(worth) + Fraction(1, 2)))
    assert closed(games, graded(None, *(grade for grade, _ in seats)))[1] == expected


@pytest.mark.parametrize("games", [1, 2, 7])
def test_newcomers_who_met_stand_still(games: int) -> None:
    # A circle in which each beats the next: by symmetry everybody starts from 100.
    circle = [played(1, 2, WON), played(2, 3, WON), played(3, 1, WON)] * games
    assert closed(circle, graded(None, None, None)) == {1: 100, 2: 100, 3: 100}
