"""The ladder against its published values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from bot.model import Outcome, PlayerId
from bot.ratings.eternament import Eternament, rating_after
from bot.ratings.replay import rate_game, replay

if TYPE_CHECKING:
    from decimal import Decimal

    from tests.ratings.conftest import Table

SYSTEM = Eternament()
PLACINGS = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}


def test_every_published_game(vectors: dict[str, Any], table: Table) -> None:
    games = vectors["eternament"]["games"]
    assert len(games) == 9
    for vector in games:
        game = table.game(*PLACINGS[vector["result_a"]])
        standings = table.standings(vector["a"], vector["b"])
        changes = rate_game(SYSTEM, game, standings, in_event=False).changes
        after = [change.after for change in changes]
        assert after == [vector["a_after"], vector["b_after"]], vector["id"]


def test_the_struck_out_rule_is_not_used(vectors: dict[str, Any]) -> None:
    (control,) = vectors["eternament"]["negative_controls"]
    assert rating_after(control["a"], control["b"], Outcome.LOSS) == control["a_after_correct"]
    assert control["a_after_correct"] != control["a_after_struck_out"]


def test_the_nine_games_of_2010(vectors: dict[str, Any], table: Table) -> None:
    history = vectors["eternament"]["end_to_end"]
    names = sorted(history["final"])
    games = [
        table.game(*PLACINGS[result])._replace(
            participants=tuple(
                each._replace(player=PlayerId(names.index(name)))
                for each, name in zip(
                    table.game(*PLACINGS[result]).participants, (first, second), strict=True
                )
            )
        )
        for first, second, result in history["games_in_order"]
    ]
    ratings: dict[str, Decimal | None] = {}
    for _, step in replay(SYSTEM, games):
        ratings.update({names[player]: each.rating for player, each in step.standings.items()})
    assert ratings == history["final"]


RATINGS = st.integers(0, 3000)


@given(RATINGS, RATINGS, st.sampled_from(Outcome))
def test_no_rating_falls_below_zero(own: int, opponent: int, outcome: Outcome) -> None:
    assert rating_after(own, opponent, outcome) >= 0


@given(RATINGS, RATINGS, st.sampled_from(sorted(PLACINGS.values())), st.sampled_from([1, 2]))
def test_an_aborter_gains_nothing_and_the_other_loses_nothing(
    table: Table, first: int, second: int, placings: tuple[int, int], aborter: int
) -> None:
    game = table.game(*placings, aborted_by=aborter)
    step = rate_game(SYSTEM, game, table.standings(first, second), in_event=False)
    for change in step.changes:
        delta = change.delta
        assert delta is not None
        assert delta <= 0 if change.player == aborter else delta >= 0
        assert step.standings[change.player].games == 10


@given(RATINGS, RATINGS, st.sampled_from(sorted(PLACINGS.values())))
def test_the_order_of_participants_does_not_matter(
    table: Table, first: int, second: int, placings: tuple[int, int]
) -> None:
    game = table.game(*placings)
    turned = game._replace(participants=game.participants[::-1])
    standings = table.standings(first, second)
    straight = rate_game(SYSTEM, game, standings, in_event=False)
    other = rate_game(SYSTEM, turned, standings, in_event=False)
    assert straight.standings == other.standings
