"""`eternament`: the MuseBlog chess ladder.

Source: the ladder's published rule, `docs/ratings/eternament.md`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from bot.model import Cause, Outcome, RatingChange, Reason, Standing
from bot.ratings.abort import limited

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.model import EventKind, Game, Memory, PlayerId
    from bot.ratings.system import Tally

START = 100
REACH = 40
"""An opponent further away than this counts as this far away."""
POINTS = {Outcome.WIN: 50, Outcome.DRAW: 0, Outcome.LOSS: -50}
FLOOR = 0


def rating_after(own: int, opponent: int, outcome: Outcome) -> int:
    """Return a player's rating after a game.

    The new rating starts from the opponent's, not from one's own.

    Args:
        own: The player's rating before the game.
        opponent: The opponent's rating before the game.
        outcome: How the game ended for the player.

    Example:
        >>> rating_after(150, 100, Outcome.WIN)
        160
    """
    return max(FLOOR, clamped(own, opponent) + POINTS[outcome])


def clamped(own: int, opponent: int) -> int:
    """Return the opponent's rating, no further than `REACH` from one's own."""
    return min(max(opponent, own - REACH), own + REACH)


class Eternament:
    """The ladder: start at 100, whole numbers, two players."""

    key = "eternament"
    name = "Chess ladder"
    quantum = Decimal(1)
    shown_quantum = Decimal(1)
    players = range(2, 3)
    needs_scores = False
    event_kind: EventKind | None = None
    start = Standing(Decimal(START))

    def tally(self) -> Tally:
        """Return a fold over whole numbers."""
        return _Tally()

    def rate(
        self, game: Game, standings: Mapping[PlayerId, Standing], *, in_event: bool, explain: bool
    ) -> tuple[RatingChange, ...]:
        """Rate one game, both sides from the ratings before it; there are no events."""
        del in_event
        first, second = game.participants
        outcome = _outcome(first.placing, second.placing)
        one, other = _rating(standings, first.player), _rating(standings, second.player)
        return (
            _change(first.player, one, second.player, other, outcome, explain=explain),
            _change(second.player, other, first.player, one, outcome.reversed, explain=explain),
        )

    def remember(
        self, game: Game, changes: Sequence[RatingChange], standings: Mapping[PlayerId, Standing]
    ) -> tuple[Memory, ...]:
        """Return nothing for each participant: the rating says it all."""
        del changes, standings
        return ((),) * len(game.participants)

    def concerned(self, game: Game, standings: Mapping[PlayerId, Standing]) -> frozenset[PlayerId]:
        """Return nobody: a game moves its own two players alone."""
        del game, standings
        return frozenset()

    def recalculate(
        self, game: Game, standings: Mapping[PlayerId, Standing]
    ) -> tuple[RatingChange, ...]:
        """Return nothing: no game is rated again."""
        del game, standings
        return ()

    def neutral_contributions(
        self, game: Game, standings: Mapping[PlayerId, Standing]
    ) -> tuple[Decimal | None, ...]:
        """Return none: there are no events."""
        del standings
        return (None,) * len(game.participants)

    def close(
        self, games: Sequence[Game], standings: Mapping[PlayerId, Standing], *, ordinal: int
    ) -> tuple[tuple[RatingChange, Memory], ...]:
        """Refuse: there are no events."""
        raise AssertionError(games, standings, ordinal)


class _Tally:
    """The fold: ratings and numbers of games as whole numbers."""

    def __init__(self) -> None:
        self._ratings: dict[PlayerId, int] = {}
        self._games: dict[PlayerId, int] = {}

    def rate(self, game: Game) -> None:
        ratings, games = self._ratings, self._games
        (first, placing, _), (second, other_placing, _) = game.participants
        one, other = ratings.get(first, START), ratings.get(second, START)
        outcome = _outcome(placing, other_placing)
        one_after = rating_after(one, other, outcome)
        other_after = rating_after(other, one, outcome.reversed)
        aborter = game.aborted_by
        if aborter is not None:
            one_after = one + limited(one_after - one, is_aborter=first == aborter)
            other_after = other + limited(other_after - other, is_aborter=second == aborter)
        ratings[first] = one_after
        ratings[second] = other_after
        games[first] = games.get(first, 0) + 1
        games[second] = games.get(second, 0) + 1

    def open_event(self) -> None:
        """Do nothing: there are no events."""

    def close_event(self) -> None:
        """Do nothing: there are no events."""

    def standings(self) -> dict[PlayerId, Standing]:
        return {
            player: Standing(Decimal(rating), self._games[player])
            for player, rating in self._ratings.items()
        }


def _outcome(own: int, opponent: int) -> Outcome:
    if own == opponent:
        return Outcome.DRAW
    return Outcome.WIN if own < opponent else Outcome.LOSS


def _rating(standings: Mapping[PlayerId, Standing], player: PlayerId) -> int:
    rating = standings[player].rating
    assert rating is not None, player
    return int(rating)


def _change(
    player: PlayerId,
    own: int,
    opponent: PlayerId,
    other: int,
    outcome: Outcome,
    *,
    explain: bool,
) -> RatingChange:
    after = Decimal(rating_after(own, other, outcome))
    reasons = _reasons(own, opponent, other, outcome) if explain else ()
    return RatingChange(player, Cause.GAME, Decimal(own), after, None, reasons)


def _reasons(own: int, opponent: PlayerId, other: int, outcome: Outcome) -> tuple[Reason, ...]:
    counted = clamped(own, other)
    reasons = (
        Reason(
            "clamped-opponent",
            (("opponent", opponent), ("rating", other), ("reach", REACH), ("counted", counted)),
        ),
        Reason(f"points-{outcome}", (("points", POINTS[outcome]),)),
    )
    if counted + POINTS[outcome] < FLOOR:
        return (*reasons, Reason("floor", (("floor", FLOOR),)))
    return reasons
