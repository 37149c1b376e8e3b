"""The tournament table against its published values."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from bot.model import EventId, Game, PlayerId
from bot.ratings.replay import EventClosed, EventOpened, close_event, rate_game, replay
from bot.ratings.simplified_elo import TABLE, SimplifiedElo, row_of

if TYPE_CHECKING:
    from tests.ratings.conftest import Table

SYSTEM = SimplifiedElo()


def test_the_table_is_the_published_one(vectors: dict[str, Any]) -> None:
    published = vectors["simplified-elo"]["table"]
    assert len(published) == len(TABLE)
    for row in published:
        for difference in (row["from"], row["to"] or 3000):
            ours = row_of(difference)
            assert (ours.higher_wins, ours.tie, ours.lower_wins) == (
                row["high_wins"],
                row["tie_low_gains"],
                row["low_wins"],
            )


def test_it_is_no_curve(vectors: dict[str, Any]) -> None:
    disagreements = vectors["simplified-elo"]["disagreements"]
    for each in disagreements["logistic_base10_400_round_half_up"]:
        assert row_of(each["d"]).higher_wins == each["table"] != each["formula"]
    for low, high, wins, otherwise in disagreements["normal_sd_200sqrt2_round_half_up_ranges"]:
        assert row_of(low).higher_wins == row_of(high).higher_wins == wins != otherwise


def test_every_published_game(vectors: dict[str, Any], table: Table) -> None:
    games = vectors["simplified-elo"]["games"]
    assert len(games) == 7
    for vector in games:
        step = rate_game(
            SYSTEM,
            table.game(*vector["places"]),
            table.standings(*vector["ratings"]),
            in_event=False,
        )
        assert [change.delta for change in step.changes] == vector["delta"], vector["id"]


def test_a_tournament_is_rated_with_the_ratings_from_before_it(
    vectors: dict[str, Any], table: Table
) -> None:
    vector = vectors["simplified-elo"]["tournament"]
    games = [table.game(*places) for places in vector["games_places"]]
    standings = table.standings(*vector["ratings"])
    running = rate_game(SYSTEM, games[0], standings, in_event=True)
    assert [change.delta for change in running.changes] == [0, 0, 0, 0]
    assert [change.contribution for change in running.changes] == [22, 2, -6, -18]
    closed = close_event(SYSTEM, games, standings, ordinal=0)
    assert [change.delta for change in closed.changes] == vector["delta"]
    assert [change.after for change in closed.changes] == vector["after"]


def test_a_replay_rates_a_tournament_at_its_closing(table: Table) -> None:
    game = table.game(1, 2)
    facts = [game, EventOpened(EventId(1)), game, game, EventClosed(EventId(1)), game]
    ratings = [
        step.standings[PlayerId(1)].rating for _, step in replay(SYSTEM, facts) if step.changes
    ]
    # 1600 v 1600 gives 8; then 1608 v 1592 gives 8 a game; then 1624 v 1576 gives 7.
    assert ratings == [1608, 1608, 1608, 1624, 1631]


GAMES = st.lists(st.tuples(st.integers(0, 3000), st.integers(1, 6)), min_size=2, max_size=6)


@given(GAMES)
def test_every_game_sums_to_zero(table: Table, seats: list[tuple[int, int]]) -> None:
    game = table.game(*(placing for _, placing in seats))
    step = rate_game(
        SYSTEM, game, table.standings(*(rating for rating, _ in seats)), in_event=False
    )
    assert sum(change.delta or Decimal(0) for change in step.changes) == 0


@given(GAMES, st.data())
def test_an_aborter_gains_nothing_and_the_others_lose_nothing(
    table: Table, seats: list[tuple[int, int]], data: st.DataObject
) -> None:
    aborter = data.draw(st.integers(1, len(seats)))
    in_event = data.draw(st.booleans())
    game: Game = table.game(*(placing for _, placing in seats), aborted_by=aborter)
    standings = table.standings(*(rating for rating, _ in seats))
    step = rate_game(SYSTEM, game, standings, in_event=in_event)
    for change in step.changes:
        gain = change.contribution if in_event else change.delta
        assert gain is not None
        assert gain <= 0 if change.player == aborter else gain >= 0


@given(GAMES, st.randoms())
def test_the_order_of_participants_does_not_matter(
    table: Table, seats: list[tuple[int, int]], random: Any
) -> None:
    game = table.game(*(placing for _, placing in seats))
    shuffled = list(game.participants)
    random.shuffle(shuffled)
    standings = table.standings(*(rating for rating, _ in seats))
    one = rate_game(SYSTEM, game, standings, in_event=False)
    other = rate_game(
        SYSTEM, game._replace(participants=tuple(shuffled)), standings, in_event=False
    )
    assert one.standings == other.standings
