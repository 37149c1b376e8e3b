"""The life of a game: its states, the moves between them, and nothing else.

The table below is the whole rule. Who may make a move, and what it takes until a claim is
confirmed, stands in the functions after it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bot.errors import IllegalMove
from bot.model import ManyConfirmation, Status

if TYPE_CHECKING:
    from collections.abc import Collection


class Move(StrEnum):
    """What can happen to a game."""

    REPORT = "report"
    PROPOSE_ABORT = "propose-abort"
    CONFIRM_RESULT = "confirm-result"
    CONFIRM_ABORT = "confirm-abort"
    ABORT = "abort"
    DISPUTE = "dispute"
    WITHDRAW = "withdraw"
    RETRACT = "retract"
    AGREE_UNRATED = "agree-unrated"
    EXPIRE = "expire"
    ANNUL = "annul"
    VOID = "void"
    RESTORE_RESULT = "restore-result"
    RESTORE_ABORT = "restore-abort"
    EDIT_RESULT = "edit-result"
    EDIT_ABORT = "edit-abort"


MOVES: dict[Status, dict[Move, Status]] = {
    Status.OPEN: {
        Move.REPORT: Status.REPORTED,
        Move.PROPOSE_ABORT: Status.REPORTED,
        Move.ABORT: Status.ABORTED,
        Move.AGREE_UNRATED: Status.UNRATED,
        # Nobody answered whether an idle game is still played.
        Move.EXPIRE: Status.UNRATED,
    },
    # A new report of a waiting game makes a new version of its claim.
    Status.REPORTED: {
        Move.REPORT: Status.REPORTED,
        Move.CONFIRM_RESULT: Status.RATED,
        Move.CONFIRM_ABORT: Status.ABORTED,
        Move.DISPUTE: Status.DISPUTED,
        Move.WITHDRAW: Status.WITHDRAWN,
        # A game that was opened before it was reported is open again.
        Move.RETRACT: Status.OPEN,
        Move.AGREE_UNRATED: Status.UNRATED,
    },
    # A disputed game has a winner only when somebody gives in or a referee decides.
    Status.DISPUTED: {
        Move.CONFIRM_RESULT: Status.RATED,
        Move.CONFIRM_ABORT: Status.ABORTED,
        Move.WITHDRAW: Status.WITHDRAWN,
        Move.AGREE_UNRATED: Status.UNRATED,
        Move.ANNUL: Status.VOID,
    },
    Status.RATED: {
        Move.VOID: Status.VOID,
        Move.EDIT_RESULT: Status.RATED,
        Move.EDIT_ABORT: Status.ABORTED,
    },
    Status.ABORTED: {
        Move.VOID: Status.VOID,
        Move.EDIT_RESULT: Status.RATED,
        Move.EDIT_ABORT: Status.ABORTED,
    },
    Status.WITHDRAWN: {},
    Status.UNRATED: {},
    Status.VOID: {
        Move.RESTORE_RESULT: Status.RATED,
        Move.RESTORE_ABORT: Status.ABORTED,
    },
}


def after(status: Status, move: Move) -> Status:
    """Return where a game stands after a move.

    Raises:
        IllegalMove: A game that stands there does not allow the move.
    """
    try:
        return MOVES[status][move]
    except KeyError:
        raise IllegalMove(status, move) from None


def confirmations_needed(rule: ManyConfirmation, participants: int) -> int:
    """Return how many of the participants beside the author must confirm a claim.

    Args:
        rule: The room's.
        participants: How many play, 2 or more. In a game of two it is always the other one.

    A majority is more than half of all participants, the author being for the claim.
    """
    others = participants - 1
    match rule:
        case ManyConfirmation.ONE:
            return 1
        case ManyConfirmation.MAJORITY:
            return participants // 2
        case ManyConfirmation.ALL:
            return others


def is_confirmed(
    rule: ManyConfirmation, participants: int, confirmed_by: Collection[object]
) -> bool:
    """Tell whether enough participants beside the author have confirmed a claim."""
    return len(confirmed_by) >= confirmations_needed(rule, participants)
