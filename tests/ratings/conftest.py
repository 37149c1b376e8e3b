"""The published values of the five systems, and a game put together from a few numbers."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot.model import Game, GameId, Participant, PlayerId, Standing


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    return json.loads((Path(__file__).parent.parent / "data" / "vectors.json").read_text("utf-8"))


class Table:
    """Makes games and standings of players numbered from 1."""

    @staticmethod
    def game(*placings: int, aborted_by: int | None = None) -> Game:
        participants = tuple(
            Participant(PlayerId(number), placing) for number, placing in enumerate(placings, 1)
        )
        return Game(GameId(1), participants, None if aborted_by is None else PlayerId(aborted_by))

    @staticmethod
    def standings(*ratings: int) -> dict[PlayerId, Standing]:
        return {
            PlayerId(number): Standing(Decimal(rating), 9)
            for number, rating in enumerate(ratings, 1)
        }


@pytest.fixture(scope="session")
def table() -> Table:
    return Table()
