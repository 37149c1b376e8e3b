"""Every error has plain words, and the unexpected ones a reference and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bot.error_reply import reply_text, unexpected_text
from bot.errors import IllegalMove, Refusal, RequestRefused
from bot.lifecycle import Move
from bot.model import Status

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.parametrize("why", Refusal)
def test_every_refusal_has_words_of_its_own(why: Refusal) -> None:
    details: Sequence[str] = ("Ann", "Bob", "Cy")

    text = reply_text(RequestRefused(why, *details))

    assert text != why.name.lower().replace("_", " ")
    assert text[0].isupper() or not text[0].isalpha() or text.startswith("Ann")
    assert text.endswith((".", "!"))
    assert "{" not in text


@pytest.mark.parametrize("status", Status)
def test_every_state_has_words(status: Status) -> None:
    text = reply_text(IllegalMove(status, Move.REPORT))

    assert text.startswith("The game ")
    assert text.endswith(".")


def test_an_unexpected_error_is_told_by_a_reference_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = unexpected_text(ValueError("the secret plan"))

    found = re.search(r"[0-9a-f]{8}$", text)
    assert found is not None
    assert "secret" not in text
    assert found.group() in caplog.text
    assert "the secret plan" in caplog.text
