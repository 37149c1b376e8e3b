"""How values look in the database: whole numbers for times, ratings and scores, JSON for notes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, cast

from bot.model import Reason

if TYPE_CHECKING:
    from bot.model import Memory

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLION = 1_000_000


def to_moment(time: datetime) -> int:
    """Return a time as microseconds since 1970 in UTC."""
    return (time - _EPOCH) // _MICROSECOND


def from_moment(moment: int) -> datetime:
    """Return the time that `to_moment` was given, in UTC."""
    return _EPOCH + moment * _MICROSECOND


def to_duration(duration: timedelta) -> int:
    """Return a duration as microseconds."""
    return duration // _MICROSECOND


def from_duration(duration: int) -> timedelta:
    """Return the duration that `to_duration` was given."""
    return duration * _MICROSECOND


def to_millionths(number: Decimal | None) -> int | None:
    """Return a rating or a score as whole millionths.

    Raises:
        ValueError: The number is finer than a millionth.
    """
    if number is None:
        return None
    scaled = number.scaleb(6)
    whole = int(scaled)
    if whole != scaled:
        raise ValueError(number)
    return whole


def from_millionths(millionths: int | None, quantum: Decimal) -> Decimal | None:
    """Return the rating that `to_millionths` was given, with the digits of its quantum."""
    if millionths is None:
        return None
    return Decimal(millionths).scaleb(-6).quantize(quantum)


def score_from_millionths(millionths: int | None) -> Decimal | None:
    """Return the score that `to_millionths` was given, without trailing zeros."""
    if millionths is None:
        return None
    if millionths % _MILLION == 0:
        return Decimal(millionths // _MILLION)
    return Decimal(millionths).scaleb(-6).normalize()


def to_json(value: object) -> str:
    """Return plain nested data as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def settings_from_json(text: str) -> dict[str, str]:
    """Return the settings of a room that were kept by `to_json`."""
    return {str(name): str(value) for name, value in json.loads(text).items()}


def details_from_json(text: str) -> dict[str, object]:
    """Return the details of an act."""
    return cast("dict[str, object]", json.loads(text))


def to_memory(text: str) -> Memory:
    """Return a system's memory that was kept by `to_json`."""
    return _as_tuples(json.loads(text))


def reasons_to_json(reasons: tuple[Reason, ...]) -> str:
    """Return reasons as JSON, exact numbers written as `{"n": "1.25"}`."""
    return to_json(
        [
            [reason.rule, [[name, _term(value)] for name, value in reason.terms]]
            for reason in reasons
        ]
    )


def reasons_from_json(text: str) -> tuple[Reason, ...]:
    """Return the reasons that `reasons_to_json` was given."""
    return tuple(
        Reason(rule, tuple((name, _from_term(value)) for name, value in terms))
        for rule, terms in json.loads(text)
    )


def _as_tuples(value: object) -> Memory:
    return tuple(_item(each) for each in cast("list[object]", value))


def _item(value: object) -> Memory | int | str | None:
    if isinstance(value, list):
        return _as_tuples(cast("list[object]", value))
    return cast("int | str | None", value)


def _term(value: Decimal | int | str) -> object:
    return {"n": str(value)} if isinstance(value, Decimal) else value


def _from_term(value: dict[str, str] | int | str) -> Decimal | int | str:
    return Decimal(value["n"]) if isinstance(value, dict) else value
