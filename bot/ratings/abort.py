"""No gain, no loss: what an abort does to a game rated on the standing at that moment.

Source: `docs/ratings/aborted-games.md`, the rule for aborted games of every room.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from bot.model import RatingChange, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import PlayerId

RULE = "no-gain-no-loss"
"""The reason's name; its terms are the regular change and who it was applied to."""


_Number = TypeVar("_Number", int, float, Decimal)


def limited(delta: _Number, *, is_aborter: bool) -> _Number:
    """Return what the rule leaves of a change: an aborter's gain and another's loss become 0."""
    nothing = delta - delta
    return min(delta, nothing) if is_aborter else max(delta, nothing)


def no_gain_no_loss(
    changes: Sequence[RatingChange], aborter: PlayerId, neutral: Sequence[Decimal | None]
) -> tuple[RatingChange, ...]:
    """Return the changes after the rule: the aborter gains nothing, the others lose nothing.

    Where a game counts in an event, the rule is applied to its contribution instead.

    Args:
        changes: Those of the game rated as a regular one, one a participant.
        aborter: The participant who aborted it.
        neutral: For each change, the contribution that moves nothing: 0 in a tournament, the
            player's own grade in a season.
    """
    return tuple(
        _limited(change, is_aborter=change.player == aborter, neutral=level)
        for change, level in zip(changes, neutral, strict=True)
    )


def _limited(change: RatingChange, *, is_aborter: bool, neutral: Decimal | None) -> RatingChange:
    role = "aborter" if is_aborter else "other"
    if change.contribution is not None and neutral is not None:
        over = change.contribution - neutral
        contribution = neutral + limited(over, is_aborter=is_aborter)
        reason = Reason(RULE, (("regular", change.contribution), ("role", role)))
        return change._replace(contribution=contribution, reasons=(*change.reasons, reason))
    delta = change.delta
    if delta is None or change.before is None:
        return change
    reason = Reason(RULE, (("regular", delta), ("role", role)))
    after = change.before + limited(delta, is_aborter=is_aborter)
    return change._replace(after=after, reasons=(*change.reasons, reason))
