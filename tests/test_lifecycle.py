"""Every state with every move: the legal pairs lead where they should, the others nowhere."""

from __future__ import annotations

import itertools

import pytest

from bot.errors import IllegalMove
from bot.lifecycle import Move, after, confirmations_needed
from bot.model import ManyConfirmation, Status

LEGAL = {
    ("open", "report"): "reported",
    ("open", "propose-abort"): "reported",
    ("open", "abort"): "aborted",
    ("open", "agree-unrated"): "unrated",
    ("open", "expire"): "unrated",
    ("reported", "report"): "reported",
    ("reported", "confirm-result"): "rated",
    ("reported", "confirm-abort"): "aborted",
    ("reported", "dispute"): "disputed",
    ("reported", "withdraw"): "withdrawn",
    ("reported", "retract"): "open",
    ("reported", "agree-unrated"): "unrated",
    ("disputed", "confirm-result"): "rated",
    ("disputed", "confirm-abort"): "aborted",
    ("disputed", "withdraw"): "withdrawn",
    ("disputed", "agree-unrated"): "unrated",
    ("disputed", "annul"): "void",
    ("rated", "void"): "void",
    ("rated", "edit-result"): "rated",
    ("rated", "edit-abort"): "aborted",
    ("aborted", "edit-result"): "rated",
    ("aborted", "edit-abort"): "aborted",
    ("aborted", "void"): "void",
    ("void", "restore-result"): "rated",
    ("void", "restore-abort"): "aborted",
}


@pytest.mark.parametrize(("status", "move"), [*itertools.product(Status, Move)])
def test_every_pair(status: Status, move: Move) -> None:
    expected = LEGAL.get((status.value, move.value))
    if expected is None:
        with pytest.raises(IllegalMove) as refusal:
            after(status, move)
        assert (refusal.value.status, refusal.value.move) == (status, move)
    else:
        assert after(status, move) is Status(expected)


@pytest.mark.parametrize(
    ("rule", "participants", "needed"),
    [
        (ManyConfirmation.ONE, 2, 1),
        (ManyConfirmation.MAJORITY, 2, 1),
        (ManyConfirmation.ALL, 2, 1),
        (ManyConfirmation.ONE, 4, 1),
        (ManyConfirmation.MAJORITY, 3, 1),
        (ManyConfirmation.MAJORITY, 4, 2),
        (ManyConfirmation.MAJORITY, 5, 2),
        (ManyConfirmation.ALL, 4, 3),
    ],
)
def test_how_many_must_confirm(rule: ManyConfirmation, participants: int, needed: int) -> None:
    assert confirmations_needed(rule, participants) == needed
