"""What referees type: who is meant, when a game was played, and tables of results."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import Refusal, RequestRefused, StandingsUnreadable
from bot.model import UserId
from bot.results_table import TableLine, read_table
from bot.standings_text import Guest, Known, mentioned, read_named_standings, read_person
from bot.time_text import read_time

ANN = UserId(100_000_000_000_000_000)
NOW = datetime(2026, 1, 10, 12, 0, tzinfo=UTC)


def test_people_are_mentions_guests_and_names() -> None:
    found = read_named_standings(f'<@{ANN}> 4, guest:Maria: 3 "Ann B" 2; guest:"Dr. No" 1 @Émile 0')
    assert [(each.user, each.placing, each.score) for each in found] == [
        (ANN, 1, Decimal(4)),
        (Guest("Maria"), 2, Decimal(3)),
        (Known("Ann B"), 3, Decimal(2)),
        (Guest("Dr. No"), 4, Decimal(1)),
        (Known("Émile"), 5, Decimal(0)),
    ]


def test_an_order_takes_names_too() -> None:
    found = read_named_standings("Ann>guest:Bo=Cy")
    assert [(each.user, each.placing) for each in found] == [
        (Known("Ann"), 1),
        (Guest("Bo"), 2),
        (Known("Cy"), 2),
    ]


def test_one_person_is_one_person() -> None:
    assert read_person(" guest:Maria ") == Guest("Maria")
    with pytest.raises(StandingsUnreadable):
        read_person("Ann Bob")
    with pytest.raises(StandingsUnreadable):
        read_person("12")


def test_who_is_mentioned_is_found_anywhere() -> None:
    assert mentioned(f"2026-01-05 <@{ANN}> > x\n<@!{ANN}> = <@{ANN + 1}>") == (ANN, ANN + 1)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-01-05", datetime(2026, 1, 5, tzinfo=UTC)),
        ("2026-01-05 18:30", datetime(2026, 1, 5, 18, 30, tzinfo=UTC)),
        ("2026-01-05T18:30:15+02:00", datetime(2026, 1, 5, 16, 30, 15, tzinfo=UTC)),
        ("<t:1767637800:f>", datetime(2026, 1, 5, 18, 30, tzinfo=UTC)),
    ],
)
def test_a_time_is_read(text: str, time: datetime) -> None:
    assert read_time(text, now=NOW) == time


@pytest.mark.parametrize("text", ["", "5.1.2026", "2026-13-01", "1815-06-18", "<t:999999999999>"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(RequestRefused) as refusal:
        read_time(text, now=NOW)
    assert refusal.value.why is Refusal.TIME_UNREADABLE


@given(st.text(max_size=60))
def test_any_text_is_a_time_or_refused(text: str) -> None:
    with contextlib.suppress(RequestRefused):
        assert read_time(text, now=NOW) <= NOW


def test_a_table_has_a_game_a_line() -> None:
    text = (
        "# round 1\n\n2026-01-05 18:30 | Ann 3 Bob 1\n"
        "2026-01-06; Ann > Bob, aborted by Ann\nAnn = Bob"
    )
    assert read_table(text) == (
        TableLine(3, "2026-01-05 18:30", "Ann 3 Bob 1", ""),
        TableLine(4, "2026-01-06", "Ann > Bob", "Ann"),
        TableLine(5, "", "Ann = Bob", ""),
    )


@given(st.text(max_size=200))
def test_any_text_is_a_table(text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip() and line.strip()[0] != "#"]
    assert len(read_table(text)) == len(lines)
