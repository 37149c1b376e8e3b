"""Why a game changed each rating as it did: the steps of the calculation in words."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

from bot.display.game_changes import change_text
from bot.display.text import fitted, number, safe, signed
from bot.model import Cause, PlayerId

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.model import RatingChange, Reason
    from bot.services.game_view import GameView

_Terms: TypeAlias = "Mapping[str, Decimal | int | str]"
_Names: TypeAlias = "Mapping[PlayerId, str]"


def explanation_text(view: GameView) -> str:
    """Return the calculation of each change, a paragraph a player."""
    if not view.changes:
        return f"**#{view.game.number}** has changed no rating."
    lines = [f"**#{view.game.number}**, by the rules of `{view.room.system}`:"]
    for change in view.changes:
        lines.extend(_paragraph(view, change))
    return fitted(lines)


def _paragraph(view: GameView, change: RatingChange) -> list[str]:
    moved = change_text(change, view.event_kind, view.change_quantum)
    what = " (earlier games rated again)" if change.cause is Cause.RECALCULATION else ""
    return [
        f"**{safe(view.names[change.player])}** {moved}{what}",
        *(f"• {_words(reason, view.names)}" for reason in change.reasons),
    ]


def _words(reason: Reason, names: _Names) -> str:
    words = _WORDS.get(reason.rule)
    terms = dict(reason.terms)
    if words is not None:
        return words(terms, names)
    shown = ", ".join(f"{name} {value}" for name, value in terms.items())
    return f"{reason.rule.replace('-', ' ')} {shown}".strip()


def _name(terms: _Terms, names: _Names) -> str:
    opponent = terms["opponent"]
    assert isinstance(opponent, int), terms
    return safe(names.get(PlayerId(opponent), "?"))


def _decimal(value: Decimal | int | str) -> Decimal:
    assert not isinstance(value, str), value
    return Decimal(value)


def _percent(value: Decimal | int | str) -> str:
    return f"{_decimal(value) * 100:.2f} %"


def _shown(value: Decimal | int | str) -> str:
    """Return a rating without digits that nobody reads."""
    exact = _decimal(value)
    rounded = exact.quantize(Decimal("0.01"))
    return number(rounded if rounded != rounded.to_integral_value() else rounded.quantize(1))


def _table(terms: _Terms, names: _Names) -> str:
    points = signed(_decimal(terms["points"]))
    return (
        f"{points} with {_name(terms, names)} ({_shown(terms['rating'])}): "
        f"difference {terms['difference']} in the table"
    )


def _clamped(terms: _Terms, names: _Names) -> str:
    rating, counted = _shown(terms["rating"]), _shown(terms["counted"])
    if rating == counted:
        return f"from the {rating} of {_name(terms, names)}"
    return (
        f"{_name(terms, names)} has {rating} and counts as {counted}, at most {terms['reach']} away"
    )


def _points(terms: _Terms, names: _Names) -> str:
    del names
    return f"{signed(_decimal(terms['points']))} for the result"


def _basic_points(terms: _Terms, names: _Names) -> str:
    del names
    return f"{signed(_decimal(terms['points']))} for the result, after {terms['games']} games"


def _percentage(terms: _Terms, names: _Names) -> str:
    return (
        f"{terms['percentage']} % of the difference to {_name(terms, names)} "
        f"({_shown(terms['rating'])}): {signed(_decimal(terms['difference']))}"
    )


def _recalculation(terms: _Terms, names: _Names) -> str:
    return (
        f"{_name(terms, names)} finished the 25th game with {_shown(terms['rating'])}: "
        f"{terms['games']} games together, rated again with that, give "
        f"{signed(_decimal(terms['points']))}"
    )


def _abort(terms: _Terms, names: _Names) -> str:
    del names
    regular = _shown(terms["regular"])
    if terms["role"] == "aborter":
        return f"{regular} as a regular game; who aborts gains nothing"
    return f"{regular} as a regular game; the others of an aborted game lose nothing"


_WORDS: dict[str, Callable[[_Terms, _Names], str]] = {
    "table": _table,
    "clamped-opponent": _clamped,
    "points-win": _points,
    "points-draw": _points,
    "points-loss": _points,
    "basic-points-win": _basic_points,
    "basic-points-draw": _basic_points,
    "basic-points-loss": _basic_points,
    "percentage": _percentage,
    "recalculation": _recalculation,
    "no-gain-no-loss": _abort,
    "score-share": lambda terms, _: (
        f"{_percent(terms['share'])} of the squared scores, by {_shown(terms['score'])}"
    ),
    "rating-share": lambda terms, _: (
        f"{_percent(terms['share'])} of the ratings, by {_shown(terms['rating'])}"
    ),
    "factor": lambda terms, _: (
        f"the difference times the rating times {terms['factor']}, after {terms['games']} games"
    ),
    "floor": lambda terms, _: f"never below {terms['floor']}",
    "limit": lambda terms, _: f"at least {signed(_decimal(terms['least']))} for that result",
    "ungraded": lambda _terms, _names: "somebody has no grade yet: known at the season's closing",
}
