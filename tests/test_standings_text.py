"""Reading how a game stands from one line."""

from __future__ import annotations

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import StandingsProblem, StandingsUnreadable
from bot.model import UserId
from bot.standings_text import Stated, by_places, read_standings

ANN, BOB, CY, DEE = (UserId(100_000_000_000_000_000 + number) for number in range(4))
USERS = st.lists(st.integers(10**16, 2**63 - 1).map(UserId), min_size=2, max_size=8, unique=True)


@pytest.mark.parametrize(
    "text",
    [
        f"<@{ANN}> 412 <@{BOB}> 388 <@{CY}> 350",
        f"  <@!{ANN}>412,<@{BOB}>: 388;\n<@{CY}>   350  ",
    ],
)
def test_scores_give_the_placings(text: str) -> None:
    assert read_standings(text) == (
        Stated(ANN, 1, Decimal(412)),
        Stated(BOB, 2, Decimal(388)),
        Stated(CY, 3, Decimal(350)),
    )


def test_equal_scores_share_a_place_and_the_next_is_skipped() -> None:
    found = read_standings(f"<@{ANN}> 10 <@{BOB}> 20 <@{CY}> 20 <@{DEE}> -5")
    assert [each.placing for each in found] == [3, 1, 1, 4]


def test_an_order_may_have_ties() -> None:
    assert read_standings(f"<@{ANN}> > <@{BOB}> = <@{CY}>><@{DEE}>") == (
        Stated(ANN, 1),
        Stated(BOB, 2),
        Stated(CY, 2),
        Stated(DEE, 4),
    )


def test_scores_may_be_negative_or_have_decimals() -> None:
    found = read_standings(f"<@{ANN}> \u221212 <@{BOB}> 7,5 <@{CY}> +3.25")
    assert [each.score for each in found] == [Decimal(-12), Decimal("7.5"), Decimal("3.25")]


@pytest.mark.parametrize(
    ("text", "understood", "rest", "problem"),
    [
        ("", "", "", StandingsProblem.PLAYER_EXPECTED),
        ("Ann 412", "", "Ann 412", StandingsProblem.PLAYER_EXPECTED),
        (f"<@{ANN}> 412", f"<@{ANN}> 412", "", StandingsProblem.TOO_FEW),
        (f"<@{ANN}> 412 Bob 3", f"<@{ANN}> 412", "Bob 3", StandingsProblem.PLAYER_EXPECTED),
        (f"<@{ANN}> 4 <@{BOB}>", f"<@{ANN}> 4 <@{BOB}>", "", StandingsProblem.SCORE_EXPECTED),
        (f"<@{ANN}> 12345678", f"<@{ANN}>", "12345678", StandingsProblem.SCORE_EXPECTED),
        (f"<@{ANN}> >", f"<@{ANN}> >", "", StandingsProblem.PLAYER_EXPECTED),
        (
            f"<@{ANN}> > <@{BOB}> 3",
            f"<@{ANN}> > <@{BOB}>",
            "3",
            StandingsProblem.SIGN_EXPECTED,
        ),
        (f"<@{ANN}> = <@{ANN}>", f"<@{ANN}> =", f"<@{ANN}>", StandingsProblem.PLAYER_TWICE),
    ],
)
def test_a_mistake_says_how_far_the_reading_came(
    text: str, understood: str, rest: str, problem: StandingsProblem
) -> None:
    with pytest.raises(StandingsUnreadable) as error:
        read_standings(text)
    assert (error.value.understood, error.value.rest) == (understood, rest)
    assert error.value.problem is problem


def test_seventeen_players_are_too_many() -> None:
    text = " > ".join(f"<@{ANN + number}>" for number in range(17))
    with pytest.raises(StandingsUnreadable) as error:
        read_standings(text)
    assert error.value.problem is StandingsProblem.TOO_MANY


@given(USERS, st.data())
def test_whatever_is_written_is_read_again(users: list[UserId], data: st.DataObject) -> None:
    scores = data.draw(st.lists(st.integers(-999, 9999), min_size=len(users), max_size=len(users)))
    text = " ".join(f"<@{user}> {score}" for user, score in zip(users, scores, strict=True))
    found = read_standings(text)
    assert [(each.user, each.score) for each in found] == [*zip(users, scores, strict=True)]
    assert [each.placing for each in found] == [
        1 + sum(other > score for other in scores) for score in scores
    ]


@given(st.text(alphabet=f"<@{ANN}> =>,;:-+.5x\n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(StandingsUnreadable):
        assert len(read_standings(text)) >= 2


def test_places_are_counted_as_in_a_table() -> None:
    found = by_places([ANN, BOB, CY, DEE], [1, 2, 2, 3])
    assert [each.placing for each in found] == [1, 2, 2, 4]
