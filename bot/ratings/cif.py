"""`cif`: Chess in Friendship, correspondence chess with ratings in hundredths.

Source: the club's published rule, `docs/ratings/cif.md`. It announces a recalculation once a
player's rating is established and prints no algorithm; the one here is a choice, explained there.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, NamedTuple, cast

from bot.model import Cause, Outcome, PlayerId, RatingChange, Reason, Standing
from bot.ratings.abort import limited
from bot.ratings.system import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bot.model import EventKind, Game, Memory
    from bot.ratings.system import Tally

QUANTUM = Decimal("0.01")
ESTABLISHED_AFTER = 25
"""A player with so many finished games is established."""


class Status(NamedTuple):
    """What a player's games are worth: a row of the table.

    Attributes:
        points: The basic points of each outcome, in hundredths.
        percentage: How much of the ratings' difference is added.
    """

    points: Mapping[Outcome, int]
    percentage: int


ESTABLISHED = Status({Outcome.WIN: 1000, Outcome.DRAW: -25, Outcome.LOSS: -1000}, 3)
NEW = Status({Outcome.WIN: 1500, Outcome.DRAW: -25, Outcome.LOSS: -1200}, 10)
LEAST = 100
"""In hundredths: a win is worth at least this, a loss costs at least this; a draw has no bound."""

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


def delta_of(status: Status, own: int, opponent: int, outcome: Outcome) -> int:
    """Return what a player's rating moves by, in hundredths as are the ratings.

    Args:
        status: The player's own.
        own: The player's rating before the game.
        opponent: The opponent's rating before the game.
        outcome: How the game ended for the player.

    Example:
        >>> delta_of(ESTABLISHED, 2257_14, 2019_32, Outcome.WIN)
        287
    """
    # Whole numbers are exact; a half is rounded away from zero.
    exact = status.points[outcome] * 100 + (opponent - own) * status.percentage
    delta = (exact + 50) // 100 if exact >= 0 else -((50 - exact) // 100)
    if outcome is Outcome.WIN:
        return max(delta, LEAST)
    if outcome is Outcome.LOSS:
        return min(delta, -LEAST)
    return delta


class EarlyGame(NamedTuple):
    """One of a player's first games, with all that it takes to rate it again for the opponent.

    Ratings are in hundredths.

    Attributes:
        opponent: Against whom.
        rating: The opponent's rating before the game.
        games: How many games the opponent had finished before.
        outcome: How the game ended for the opponent.
        role: `aborter` or `other`, for the opponent in an aborted game; empty in a regular one.
        delta: What the game did to the opponent's rating.
    """

    opponent: PlayerId
    rating: int
    games: int
    outcome: Outcome
    role: str
    delta: int

    def difference(self, rating: int) -> int:
        """Return how much more the game gives the opponent if the player has this rating."""
        delta = delta_of(status_of(self.games), self.rating, rating, self.outcome)
        if self.role:
            delta = limited(delta, is_aborter=self.role == "aborter")
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

    def tally(self) -> Tally:
        """Return a fold over hundredths."""
        rating = self.start.rating
        assert rating is not None
        return _Tally(_hundredths(rating), recalculation=self._recalculation)

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
            rating = _hundredths(_rating(standings, player))
            early = _early_games(standings[player].memory)
            for opponent, sums in _differences(early, rating).items():
                before = ratings.get(opponent, _rating(standings, opponent))
                ratings[opponent] = before + _decimal(sums.difference)
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
    """What the recalculation gives one opponent, in hundredths."""

    games: int
    difference: int


def _differences(early_games: Iterable[EarlyGame], rating: int) -> dict[PlayerId, _Sums]:
    """Return for each of a player's first opponents the sum of the differences.

    Args:
        early_games: The player's first games.
        rating: The player's, established now.
    """
    sums: dict[PlayerId, _Sums] = {}
    for early in early_games:
        so_far = sums.get(early.opponent, _Sums(0, 0))
        sums[early.opponent] = _Sums(so_far.games + 1, so_far.difference + early.difference(rating))
    return sums


def _early_games(memory: Memory) -> Iterator[EarlyGame]:
    for entry in memory:
        opponent, rating, games, outcome, role, delta = cast(
            "tuple[int, str, int, str, str, str]", entry
        )
        yield EarlyGame(
            PlayerId(opponent),
            _hundredths(Decimal(rating)),
            games,
            Outcome(outcome),
            role,
            _hundredths(Decimal(delta)),
        )


def _hundredths(number: Decimal) -> int:
    return int(number.scaleb(2))


def _decimal(hundredths: int) -> Decimal:
    return Decimal(hundredths).scaleb(-2)


class _Tallied:
    """A player in the fold: the rating in hundredths, and the first games until the 25th."""

    __slots__ = ("early", "games", "rating")

    def __init__(self, rating: int) -> None:
        self.rating = rating
        self.games = 0
        self.early: list[EarlyGame] = []


class _Tally:
    """The fold."""

    def __init__(self, start: int, *, recalculation: bool) -> None:
        self._start = start
        self._recalculation = recalculation
        self._players: dict[PlayerId, _Tallied] = {}

    def rate(self, game: Game) -> None:
        (first, placing, _), (second, other_placing, _) = game.participants
        one, other = self._known(first), self._known(second)
        outcome = _outcome(placing, other_placing)
        one_delta = delta_of(status_of(one.games), one.rating, other.rating, outcome)
        other_delta = delta_of(status_of(other.games), other.rating, one.rating, outcome.reversed)
        role = other_role = ""
        aborter = game.aborted_by
        if aborter is not None:
            role, other_role = ("aborter", "other") if first == aborter else ("other", "aborter")
            one_delta = limited(one_delta, is_aborter=first == aborter)
            other_delta = limited(other_delta, is_aborter=second == aborter)
        if self._recalculation:
            if one.games < ESTABLISHED_AFTER - 1:
                one.early.append(
                    EarlyGame(
                        second, other.rating, other.games, outcome.reversed, other_role, other_delta
                    )
                )
            if other.games < ESTABLISHED_AFTER - 1:
                other.early.append(
                    EarlyGame(first, one.rating, one.games, outcome, role, one_delta)
                )
        one.rating += one_delta
        other.rating += other_delta
        one.games += 1
        other.games += 1
        # Both are taken with their ratings right after the game, so that neither comes first.
        finished = [(each, each.rating) for each in (one, other) if each.early]
        for each, rating in finished:
            if each.games == ESTABLISHED_AFTER:
                for opponent, sums in _differences(each.early, rating).items():
                    self._players[opponent].rating += sums.difference
                each.early = []

    def _known(self, player: PlayerId) -> _Tallied:
        found = self._players.get(player)
        if found is None:
            found = self._players[player] = _Tallied(self._start)
        return found

    def open_event(self) -> None:
        """Do nothing: there are no events."""

    def close_event(self) -> None:
        """Do nothing: there are no events."""

    def standings(self) -> dict[PlayerId, Standing]:
        return {
            player: Standing(_decimal(each.rating), each.games)
            for player, each in self._players.items()
        }


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
            ("points", _decimal(sums.difference)),
        ),
    )
    after = before + _decimal(sums.difference)
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
    status = status_of(standings[player].games)
    delta = _decimal(delta_of(status, _hundredths(before), _hundredths(against), outcome))
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
    # As the rule writes them: 10 and -0.25.
    points = _decimal(status.points[outcome]).normalize() + Decimal(0)
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
