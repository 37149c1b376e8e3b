"""What a game did or would do to ratings, in words and numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from bot.display.text import number, safe, signed
from bot.model import Cause, EventKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.model import Participant, RatingChange
    from bot.services.game_view import GameView

_ABORT_RULE = "no-gain-no-loss"
_SHOWN_ADJUSTMENTS = 8


def change_lines(view: GameView) -> list[str]:
    """Return a line for each participant, with place and score where three and more played."""
    if view.is_unratable:
        return [f"Not rated: `{view.room.system}` cannot rate a game like this."]
    own = [change for change in view.changes if change.cause is Cause.GAME]
    if len(view.game.players) > len("ab"):
        places = {result.player: result for result in view.game.results}
        own.sort(key=lambda change: places[change.player].placing)
        return [f"{_place(places[change.player])}{_change_line(view, change)}" for change in own]
    return [_change_line(view, change) for change in own]


def adjustment_lines(view: GameView) -> list[str]:
    """Return a line about the earlier games that this one had rated again, if it had."""
    adjusted = [change for change in view.changes if change.cause is Cause.RECALCULATION]
    if not adjusted:
        return []
    shown = [
        f"{safe(view.names[change.player])} {signed(change.delta)}"
        for change in adjusted[:_SHOWN_ADJUSTMENTS]
        if change.delta is not None
    ]
    more = len(adjusted) - len(shown)
    text = "Earlier games rated again: " + ", ".join(shown)
    return [f"{text} and {more} more" if more else text]


def change_text(change: RatingChange, event_kind: EventKind | None, quantum: Decimal) -> str:
    """Return what a game changes, `+9.96 → 0` where the rule for aborts took something.

    Args:
        change: The change.
        event_kind: What the room's system rates together.
        quantum: The step of a change shown.
    """
    if event_kind is EventKind.SEASON and change.contribution is None:
        return "worth known when the season closes"
    if event_kind is EventKind.SEASON:
        return f"performance {_limited(change, change.contribution, _bold)}"
    moved = change.delta if change.contribution is None else change.contribution
    assert moved is not None, change

    def rounded(value: Decimal) -> str:
        return signed(value.quantize(quantum)) if value else "0"

    return _limited(change, moved, rounded)


def _change_line(view: GameView, change: RatingChange) -> str:
    name = safe(view.names[change.player])
    moved = change_text(change, view.event_kind, view.change_quantum)
    aborted = ", aborted" if change.player == view.game.aborted_by else ""
    if view.event_kind is EventKind.SEASON:
        grade = "has no grade yet" if change.before is None else number(change.before)
        if change.contribution is None:
            return f"{name} {grade}; the game's worth is known when the season closes"
        return f"{name} {grade}, {moved} this season{aborted}"
    assert change.before is not None, change
    assert change.after is not None, change
    before = number(change.before.quantize(view.shown_quantum))
    if change.contribution is not None:
        return f"{name} {before}, {moved}{aborted} when the tournament closes"
    after = number(change.after.quantize(view.shown_quantum))
    text = f"{name} {before} → **{after}** ({moved}{aborted})"
    rank = view.ranks.get(change.player)
    return f"{text} · {rank} of {view.ranked}" if rank is not None else text


def _place(result: Participant) -> str:
    score = "" if result.score is None else f"{number(result.score)} · "
    return f"{result.placing}. {score}"


def _bold(value: Decimal) -> str:
    return f"**{number(value)}**"


def _limited(change: RatingChange, value: Decimal | None, shown: Callable[[Decimal], str]) -> str:
    """Return a value, after the one that it would have been without the rule for aborts."""
    assert value is not None, change
    for reason in change.reasons:
        regular = dict(reason.terms).get("regular")
        if reason.rule == _ABORT_RULE and isinstance(regular, Decimal) and regular != value:
            return f"{shown(regular)} → {shown(value)}"
    return shown(value)
