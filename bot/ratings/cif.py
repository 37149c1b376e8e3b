"""`cif`: Chess in Friendship, correspondence chess with ratings in hundredths.

Source: the club's published rule, `docs/ratings/cif.md`. It announces a recalculation once a
player's rating is established and prints no algorithm; the one here is a choice, explained there.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, NamedTuple, cast

from bot.model import Cause, Outcome, PlayerId, RatingChange, Reason, Standing
from bot.ratings.system import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bot.model import EventKind, Game, Memory

QUANTUM = Decimal("0.01")
ESTABLISHED_AFTER = 25
"""A player with so many finished games is established."""


class Status(NamedTuple):
    """What a player's games are worth: a row of the table.

    Attributes:
        points: The basic points of each outcome.
        percentage: How much of the ratings' difference is added.
    """

    points: Mapping[Outcome, Decimal]
    percentage: int


ESTABLISHED = Status(
    {Outcome.WIN: Decimal(10), Outcome.DRAW: Decimal("-0.25"), Outcome.LOSS: Decimal(-10)}, 3
)
NEW = Status(
    {Outcome.WIN: Decimal(15), Outcome.DRAW: Decimal("-0.25"), Outcome.LOSS: Decimal(-12)}, 10
)
LEAST = Decimal("1.00")
"""A win is worth at least this much, a loss costs at least this much; a draw has no bound."""

START = Setting(
    "start",
    "1500",
    "a number from 1 to 10000, with at most two decimals",
    "the rating of a newcomer",
)
RECALCULATION = Setting(
    "recalculation",
    "on",
    "on or off",
    "whether the games of a player's first opponents are rated again after the 25th game",
)


def status_of(games: int) -> Status:
    """Return the status of a player who has finished so many games."""
    return ESTABLISHED if games >= ESTABLISHED_AFTER else NEW


def delta_of(status: Status, own: Decimal, opponent: Decimal, outcome: Outcome) -> Decimal:
    """Return what a player's rating moves by.

    Args:
        status: The player's own.
        own: The player's rating before the game.
        opponent: The opponent's rating before the game.
        outcome: How the game ended for the player.

    Example:
        >>> delta_of(ESTABLISHED, Decimal("2257.14"), Decimal("2019.32"), Outcome.WIN)
        Decimal('2.87')
    """
    difference = (opponent - own) * status.percentage / 100
    delta = (status.points[outcome] + difference).quantize(QUANTUM, ROUND_HALF_UP)
    if outcome is Outcome.WIN:
        return max(delta, LEAST)
    if outcome is Outcome.LOSS:
        return min(delta, -LEAST)
    return delta


class EarlyGame(NamedTuple):
    """One of a player's first games, with all that it takes to rate it again for the opponent.

    Attributes:
        opponent: Against whom.
        rating: The opponent's rating before the game.
        games: How many games the opponent had finished before.
        outcome: How the game ended for the opponent.
        role: `aborter` or `other`, for the opponent in an aborted game; empty in a regular one.
        delta: What the game did to the opponent's rating.
    """

    opponent: PlayerId
    rating: Decimal
    games: int
    outcome: Outcome
    role: str
    delta: Decimal

    def difference(self, rating: Decimal) -> Decimal:
        """Return how much more the game gives the opponent if the player has this rating."""
        delta = delta_of(status_of(self.games), self.rating, rating, self.outcome)
        if self.role:
            delta = min(delta, Decimal(0)) if self.role == "aborter" else max(delta, Decimal(0))
        return delta - self.delta


class ChessInFriendship:
    """Chess in Friendship: two players, two decimals, newcomers move faster.

    A player's memory is the list of the first games, until they are rated again.
    """

    key = "cif"
    name = "Chess in Friendship"
    quantum = QUANTUM
    shown_quantum = QUANTUM
    players = range(2, 3)
    needs_scores = False
    event_kind: EventKind | None = None

    def __init__(self, start: Decimal, *, recalculation: bool) -> None:
        """Make the system.

        Args:
            start: The rating of a newcomer, in hundredths.
            recalculation: Whether a player's first games are rated again for the opponents.
        """
        self.start = Standing(start.quantize(QUANTUM))
        self._recalculation = recalculation

    def rate(
        self, game: Game, standings: Mapping[PlayerId, Standing], *, in_event: bool, explain: bool
    ) -> tuple[RatingChange, ...]:
        """Rate one game, each side by its own status; there are no events."""
        del in_event
        first, second = game.participants
        outcome = _outcome(first.placing, second.placing)
        return (
            _change(first.player, second.player, outcome, standings, explain=explain),
            _change(second.player, first.player, outcome.reversed, standings, explain=explain),
        )

    def remember(
        self, game: Game, changes: Sequence[RatingChange], standings: Mapping[PlayerId, Standing]
    ) -> tuple[Memory, ...]:
        """Add the game to the first games of each participant who is still new.

        The 25th game is not added, and the one after it clears the memory: the first games were
        rated again in between.
        """
        first, second = changes
        return (
            self._remembered(game, first, second, standings),
            self._remembered(game, second, first, standings),
        )

    def concerned(self, game: Game, standings: Mapping[PlayerId, Standing]) -> frozenset[PlayerId]:
        """Return the first opponents of each participant whose 25th game this is."""
        return frozenset(
            early.opponent
            for each in game.participants
            if standings[each.player].games == ESTABLISHED_AFTER - 1
            for early in _early_games(standings[each.player].memory)
        )

    def recalculate(
        self, game: Game, standings: Mapping[PlayerId, Standing]
    ) -> tuple[RatingChange, ...]:
        """Rate the first games of whoever has just finished the 25th again, for the opponents.

        Two players who both finish their 25th in one game are taken with their ratings right
        after it, so that neither comes first.
        """
        finishers = sorted(
            each.player
            for each in game.participants
            if standings[each.player].games == ESTABLISHED_AFTER
        )
        ratings: dict[PlayerId, Decimal] = {}
        changes: list[RatingChange] = []
        for player in finishers:
            for opponent, sums in _differences(player, standings).items():
                before = ratings.get(opponent, _rating(standings, opponent))
                ratings[opponent] = before + sums.difference
                if sums.difference:
                    changes.append(_adjustment(player, opponent, sums, before, standings))
        return tuple(changes)

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

    def _remembered(
        self,
        game: Game,
        own: RatingChange,
        opponent: RatingChange,
        standings: Mapping[PlayerId, Standing],
    ) -> Memory:
        before = standings[own.player]
        if not self._recalculation or before.games >= ESTABLISHED_AFTER:
            return ()
        if before.games == ESTABLISHED_AFTER - 1:
            return before.memory
        first, second = game.participants
        mine, theirs = (first, second) if first.player == own.player else (second, first)
        role = ""
        if game.aborted_by is not None:
            role = "aborter" if game.aborted_by == opponent.player else "other"
        assert opponent.delta is not None
        entry: Memory = (
            opponent.player,
            str(opponent.before),
            standings[opponent.player].games,
            _outcome(theirs.placing, mine.placing).value,
            role,
            str(opponent.delta),
        )
        return (*before.memory, entry)


class _Sums(NamedTuple):
    """What the recalculation gives one opponent."""

    games: int
    difference: Decimal


def _differences(player: PlayerId, standings: Mapping[PlayerId, Standing]) -> dict[PlayerId, _Sums]:
    """Return for each of a player's first opponents the sum of the differences."""
    rating = _rating(standings, player)
    sums: dict[PlayerId, _Sums] = {}
    for early in _early_games(standings[player].memory):
        so_far = sums.get(early.opponent, _Sums(0, Decimal("0.00")))
        sums[early.opponent] = _Sums(so_far.games + 1, so_far.difference + early.difference(rating))
    return sums


def _early_games(memory: Memory) -> Iterator[EarlyGame]:
    for entry in memory:
        opponent, rating, games, outcome, role, delta = cast(
            "tuple[int, str, int, str, str, str]", entry
        )
        yield EarlyGame(
            PlayerId(opponent), Decimal(rating), games, Outcome(outcome), role, Decimal(delta)
        )


def _adjustment(
    player: PlayerId,
    opponent: PlayerId,
    sums: _Sums,
    before: Decimal,
    standings: Mapping[PlayerId, Standing],
) -> RatingChange:
    reason = Reason(
        "recalculation",
        (
            ("opponent", player),
            ("rating", _rating(standings, player)),
            ("games", sums.games),
            ("points", sums.difference),
        ),
    )
    after = before + sums.difference
    return RatingChange(opponent, Cause.RECALCULATION, before, after, None, (reason,))


def _rating(standings: Mapping[PlayerId, Standing], player: PlayerId) -> Decimal:
    rating = standings[player].rating
    assert rating is not None, player
    return rating


def _outcome(own: int, opponent: int) -> Outcome:
    if own == opponent:
        return Outcome.DRAW
    return Outcome.WIN if own < opponent else Outcome.LOSS


def _change(
    player: PlayerId,
    opponent: PlayerId,
    outcome: Outcome,
    standings: Mapping[PlayerId, Standing],
    *,
    explain: bool,
) -> RatingChange:
    before, against = _rating(standings, player), _rating(standings, opponent)
    delta = delta_of(status_of(standings[player].games), before, against, outcome)
    reasons = _reasons(player, opponent, outcome, delta, standings) if explain else ()
    return RatingChange(player, Cause.GAME, before, before + delta, None, reasons)


def _reasons(
    player: PlayerId,
    opponent: PlayerId,
    outcome: Outcome,
    delta: Decimal,
    standings: Mapping[PlayerId, Standing],
) -> tuple[Reason, ...]:
    games, against = standings[player].games, _rating(standings, opponent)
    difference = against - _rating(standings, player)
    status = status_of(games)
    points = status.points[outcome]
    reasons = (
        Reason(f"basic-points-{outcome}", (("games", games), ("points", points))),
        Reason(
            "percentage",
            (
                ("percentage", status.percentage),
                ("opponent", opponent),
                ("rating", against),
                ("difference", difference),
            ),
        ),
    )
    unlimited = (points + difference * status.percentage / 100).quantize(QUANTUM, ROUND_HALF_UP)
    if unlimited != delta:
        return (*reasons, Reason("limit", (("least", delta),)))
    return reasons
