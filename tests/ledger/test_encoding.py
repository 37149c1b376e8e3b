"""What goes into the database comes out as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ledger.encoding import (
    from_duration,
    from_millionths,
    from_moment,
    reasons_from_json,
    reasons_to_json,
    score_from_millionths,
    to_duration,
    to_json,
    to_memory,
    to_millionths,
    to_moment,
)
from bot.model import Reason

TERMS = st.one_of(
    st.integers(-(2**53), 2**53),
    st.text(max_size=10),
    st.decimals(
        allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9
    ),
)


def test_known_values() -> None:
    assert to_moment(datetime(1970, 1, 2, tzinfo=UTC)) == 86_400_000_000
    assert to_duration(timedelta(hours=24)) == 86_400_000_000
    assert to_millionths(Decimal("1494.955752")) == 1_494_955_752
    assert str(from_millionths(1_500_000_000, Decimal("0.01"))) == "1500.00"
    assert str(score_from_millionths(7_500_000)) == "7.5"
    assert str(score_from_millionths(-300_000_000)) == "-300"


def test_what_is_finer_than_a_millionth_is_refused() -> None:
    with pytest.raises(ValueError, match="1E-7"):
        to_millionths(Decimal("0.0000001"))


@given(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - Hypothesis adds the zone
def test_times(time: datetime) -> None:
    assert from_moment(to_moment(time)) == time


@given(st.timedeltas(timedelta(0), timedelta(days=4000)))
def test_durations(duration: timedelta) -> None:
    assert from_duration(to_duration(duration)) == duration


@given(
    st.lists(
        st.builds(
            Reason, st.text(max_size=9), st.lists(st.tuples(st.text(max_size=9), TERMS)).map(tuple)
        )
    )
)
def test_reasons(reasons: list[Reason]) -> None:
    assert reasons_from_json(reasons_to_json(tuple(reasons))) == tuple(reasons)


@given(
    st.recursive(
        st.one_of(st.none(), st.integers(-9, 9), st.text(max_size=3)),
        lambda inner: st.lists(inner, max_size=3).map(tuple),
    ).map(lambda each: (each,))
)
def test_memories(memory: tuple[object, ...]) -> None:
    assert to_memory(to_json(memory)) == memory
