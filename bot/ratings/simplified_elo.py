"""`simplified-elo`: the tournament table.

Source: the table of the simplified Elo system, `docs/ratings/simplified-elo.md`.
"""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from bot.model import Cause, EventKind, RatingChange, Reason, Standing
from bot.ratings.abort import limited, no_gain_no_loss

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.model import Game, Memory, Participant, PlayerId
    from bot.ratings.system import Tally

START = 1600
MOST_PLAYERS = 999
"""The rule has no limit; the pairs of a game grow with the square of its players."""


class Row(NamedTuple):
    """A row of the table: what two ratings so far apart win and lose.

    Attributes:
        up_to: The greatest difference of the row, None in the last.
        higher_wins: What the higher rated takes from the lower by winning.
        tie: What the lower rated takes from the higher by a tie.
        lower_wins: What the lower rated takes from the higher by winning.
    """

    up_to: int | None
    higher_wins: int
    tie: int
    lower_wins: int


TABLE = (
    Row(21, 8, 0, 8),
    Row(65, 7, 1, 9),
    Row(111, 6, 2, 10),
    Row(162, 5, 3, 11),
    Row(220, 4, 4, 12),
    Row(291, 3, 5, 13),
    Row(392, 2, 6, 14),
    Row(594, 1, 7, 15),
    Row(None, 0, 8, 16),
)
"""The table decides, not a formula: a logistic curve disagrees with it at some differences."""


_ROWS = tuple(
    next(row for row in TABLE if row.up_to is None or difference <= row.up_to)
    for difference in range(596)
)


def row_of(difference: int) -> Row:
    """Return the row of a difference of ratings, 0 or more."""
    return _ROWS[min(difference, len(_ROWS) - 1)]


def points(own: int, opponent: int, own_placing: int, opponent_placing: int) -> int:
    """Return what a player takes from one opponent, negative for what is given.

    Args:
        own: The player's rating before the game or the tournament.
        opponent: The opponent's.
        own_placing: The player's place in the game, 1 is best.
        opponent_placing: The opponent's.

    Example:
        >>> points(1600, 1650, 1, 2)
        9
    """
    row = row_of(abs(own - opponent))
    is_higher = own >= opponent
    if own_placing == opponent_placing:
        return -row.tie if is_higher else row.tie
    if own_placing < opponent_placing:
        return row.higher_wins if is_higher else row.lower_wins
    return -row.lower_wins if is_higher else -row.higher_wins


class SimplifiedElo:
    """The table: start at 1600, whole numbers, two or more players, tournaments."""

    key = "simplified-elo"
    name = "Tournament table"
    quantum = Decimal(1)
    shown_quantum = Decimal(1)
    players = range(2, MOST_PLAYERS + 1)
    needs_scores = False
    event_kind: EventKind | None = EventKind.TOURNAMENT
    start = Standing(Decimal(START))

    def tally(self) -> Tally:
        """Return a fold over whole numbers."""
        return _Tally()

    def rate(
        self, game: Game, standings: Mapping[PlayerId, Standing], *, in_event: bool, explain: bool
    ) -> tuple[RatingChange, ...]:
        """Rate one game: every pair by the table, from the ratings before the game.

        In a tournament the ratings are those before the tournament, since none moves before its
        closing, and the sum is the game's contribution.
        """
        pairs: defaultdict[PlayerId, list[tuple[PlayerId, int]]] = defaultdict(list)
        for first, second in combinations(game.participants, 2):
            taken = points(
                _rating(standings, first),
                _rating(standings, second),
                first.placing,
                second.placing,
            )
            pairs[first.player].append((second.player, taken))
            pairs[second.player].append((first.player, -taken))
        return tuple(
            _change(each, standings, pairs[each.player], in_event=in_event, explain=explain)
            for each in game.participants
        )

    def remember(
        self, game: Game, changes: Sequence[RatingChange], standings: Mapping[PlayerId, Standing]
    ) -> tuple[Memory, ...]:
        """Return nothing for each participant: the rating says it all."""
        del changes, standings
        return ((),) * len(game.participants)

    def concerned(self, game: Game, standings: Mapping[PlayerId, Standing]) -> frozenset[PlayerId]:
        """Return nobody: a game moves its own players alone."""
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
        """Return 0 for each participant: a contribution is a delta."""
        del standings
        return (Decimal(0),) * len(game.participants)

    def close(
        self, games: Sequence[Game], standings: Mapping[PlayerId, Standing], *, ordinal: int
    ) -> tuple[tuple[RatingChange, Memory], ...]:
        """Close a tournament: each player's contributions are added up and applied."""
        del ordinal
        sums: dict[PlayerId, Decimal] = {}
        for game in games:
            changes = self.rate(game, standings, in_event=True, explain=False)
            if game.aborted_by is not None:
                neutral = self.neutral_contributions(game, standings)
                changes = no_gain_no_loss(changes, game.aborted_by, neutral)
            for change in changes:
                assert change.contribution is not None, change
                sums[change.player] = sums.get(change.player, Decimal(0)) + change.contribution
        return tuple((_closing(player, standings, delta), ()) for player, delta in sums.items())


class _Tally:
    """The fold: ratings, and in a tournament the points so far, as whole numbers."""

    def __init__(self) -> None:
        self._ratings: dict[PlayerId, int] = {}
        self._games: dict[PlayerId, int] = {}
        self._sums: dict[PlayerId, int] | None = None

    def rate(self, game: Game) -> None:
        ratings, games, aborter = self._ratings, self._games, game.aborted_by
        participants = game.participants
        if len(participants) == len("ab"):
            (first, placing, _), (second, other_placing, _) = participants
            taken = points(
                ratings.get(first, START), ratings.get(second, START), placing, other_placing
            )
            deltas = ((first, taken), (second, -taken))
        else:
            deltas = self._of_several(game)
        for player, delta in deltas:
            counted = delta if aborter is None else limited(delta, is_aborter=player == aborter)
            if self._sums is None:
                ratings[player] = ratings.get(player, START) + counted
            else:
                ratings.setdefault(player, START)
                self._sums[player] = self._sums.get(player, 0) + counted
            games[player] = games.get(player, 0) + 1

    def _of_several(self, game: Game) -> tuple[tuple[PlayerId, int], ...]:
        ratings = self._ratings
        sums = dict.fromkeys((each.player for each in game.participants), 0)
        for first, second in combinations(game.participants, 2):
            taken = points(
                ratings.get(first.player, START),
                ratings.get(second.player, START),
                first.placing,
                second.placing,
            )
            sums[first.player] += taken
            sums[second.player] -= taken
        return tuple(sums.items())

    def open_event(self) -> None:
        self._sums = {}

    def close_event(self) -> None:
        assert self._sums is not None
        for player, points_taken in self._sums.items():
            self._ratings[player] += points_taken
        self._sums = None

    def standings(self) -> dict[PlayerId, Standing]:
        return {
            player: Standing(Decimal(rating), self._games[player])
            for player, rating in self._ratings.items()
        }


def _rating(standings: Mapping[PlayerId, Standing], participant: Participant) -> int:
    rating = standings[participant.player].rating
    assert rating is not None, participant
    return int(rating)


def _change(
    participant: Participant,
    standings: Mapping[PlayerId, Standing],
    pairs: Sequence[tuple[PlayerId, int]],
    *,
    in_event: bool,
    explain: bool,
) -> RatingChange:
    own = _rating(standings, participant)
    reasons = _reasons(own, standings, pairs) if explain else ()
    delta = sum(taken for _, taken in pairs)
    after = own if in_event else own + delta
    contribution = Decimal(delta) if in_event else None
    return RatingChange(
        participant.player, Cause.GAME, Decimal(own), Decimal(after), contribution, reasons
    )


def _reasons(
    own: int, standings: Mapping[PlayerId, Standing], pairs: Sequence[tuple[PlayerId, int]]
) -> tuple[Reason, ...]:
    return tuple(
        Reason(
            "table",
            (
                ("opponent", opponent),
                ("rating", int(standings[opponent].rating or 0)),
                ("difference", abs(own - int(standings[opponent].rating or 0))),
                ("points", taken),
            ),
        )
        for opponent, taken in pairs
    )


def _closing(
    player: PlayerId, standings: Mapping[PlayerId, Standing], delta: Decimal
) -> RatingChange:
    before = standings[player].rating
    assert before is not None, player
    reason = Reason("tournament", (("points", delta),))
    return RatingChange(player, Cause.EVENT, before, before + delta, None, (reason,))
