"""`game-room`: the word-game room, where every point of the score counts.

Source: the room's published formula, `docs/ratings/game-room.md`. It is printed there for two
players; for three and four the sums go over all participants, which is the same with two.
"""

from __future__ import annotations

from decimal import Decimal
from math import exp, fsum
from typing import TYPE_CHECKING

from bot.model import Cause, RatingChange, Reason, Standing
from bot.ratings.system import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.model import EventKind, Game, Memory, PlayerId
    from bot.ratings.system import Tally

QUANTUM = Decimal("0.000001")
FLOOR = 1
LIMIT = 0.1
"""The factor after very many games."""
EXTRA = 0.2
"""What the factor is above its limit in the first game."""
DECAY = 0.1
"""How fast the extra goes away with the games played."""

START = Setting(
    "start",
    "1500",
    "a number from 1 to 10000, with at most six decimals",
    "the rating of a newcomer",
)


def factor(games: int) -> float:
    """Return how much of a player's rating is at stake after so many games.

    Example:
        >>> round(factor(0), 6), round(factor(40), 6)
        (0.3, 0.103663)
    """
    return LIMIT + EXTRA * exp(-DECAY * games)


def score_shares(scores: Sequence[float]) -> list[float]:
    """Return each player's share of the sum of the squared scores.

    A score below 0 counts as 0. Where nobody has more than 0, each share is 0: everybody loses
    the most.

    Example:
        >>> score_shares([300.0, 100.0, -20.0])
        [0.9, 0.1, 0.0]
    """
    squares = [score * score if score > 0 else 0.0 for score in scores]
    # An exact sum: the order of the participants must not matter.
    whole = fsum(squares)
    return [square / whole if whole else 0.0 for square in squares]


def rating_shares(ratings: Sequence[float]) -> list[float]:
    """Return each player's share of the sum of the ratings.

    Example:
        >>> rating_shares([1500.0, 1000.0])
        [0.6, 0.4]
    """
    whole = fsum(ratings)
    return [rating / whole for rating in ratings]


def exact_after(rating: float, won: float, due: float, stake: float) -> float:
    """Return a rating after a game, before it is rounded and held above the floor.

    Args:
        rating: The player's before the game.
        won: The player's share of the squared scores.
        due: The player's share of the ratings.
        stake: The player's factor.
    """
    return rating + (won - due) * rating * stake


class GameRoom:
    """The word-game room: two to four players with scores, ratings in millionths.

    A player's rating moves by

        (share of squared scores - share of ratings) * own rating * factor

    so that a narrow win over somebody rated much lower costs rating.
    """

    key = "game-room"
    name = "Word-game room"
    quantum = QUANTUM
    shown_quantum = Decimal(1)
    players = range(2, 5)
    needs_scores = True
    event_kind: EventKind | None = None

    def __init__(self, start: Decimal) -> None:
        """Make the system.

        Args:
            start: The rating of a newcomer, in millionths.
        """
        self.start = Standing(start.quantize(QUANTUM))

    def tally(self) -> Tally:
        """Return a fold over binary numbers, each rounded as it is kept."""
        rating = self.start.rating
        assert rating is not None
        return _Tally(float(rating))

    def rate(
        self, game: Game, standings: Mapping[PlayerId, Standing], *, in_event: bool, explain: bool
    ) -> tuple[RatingChange, ...]:
        """Rate one game by its scores; the placings follow from them, and there are no events."""
        del in_event
        befores = [_rating(standings, each.player) for each in game.participants]
        ratings = [float(before) for before in befores]
        scores = [_score(each.score) for each in game.participants]
        changes: list[RatingChange] = []
        for each, before, rating, won, due in zip(
            game.participants,
            befores,
            ratings,
            score_shares(scores),
            rating_shares(ratings),
            strict=True,
        ):
            games = standings[each.player].games
            stake = factor(games)
            exact = exact_after(rating, won, due, stake)
            # Writing a number rounds it as exactly as `quantize` would, halves to even, in a third
            # of the time.
            after = Decimal(f"{max(exact, FLOOR):.6f}")
            reasons: tuple[Reason, ...] = ()
            if explain:
                reasons = (
                    Reason("score-share", (("score", each.score or 0), ("share", _shown(won)))),
                    Reason("rating-share", (("rating", before), ("share", _shown(due)))),
                    Reason("factor", (("games", games), ("factor", _shown(stake)))),
                    *((Reason("floor", (("floor", FLOOR),)),) if exact < FLOOR else ()),
                )
            changes.append(RatingChange(each.player, Cause.GAME, before, after, None, reasons))
        return tuple(changes)

    def remember(
        self, game: Game, changes: Sequence[RatingChange], standings: Mapping[PlayerId, Standing]
    ) -> tuple[Memory, ...]:
        """Return nothing for each participant: rating and number of games say it all."""
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
        """Return none: there are no events."""
        del standings
        return (None,) * len(game.participants)

    def close(
        self, games: Sequence[Game], standings: Mapping[PlayerId, Standing], *, ordinal: int
    ) -> tuple[tuple[RatingChange, Memory], ...]:
        """Refuse: there are no events."""
        raise AssertionError(games, standings, ordinal)


class _Tallied:
    """A player in the fold: the rating as the binary number nearest to its six decimals."""

    __slots__ = ("games", "rating")

    def __init__(self, rating: float) -> None:
        self.rating = rating
        self.games = 0


class _Tally:
    """The fold."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._players: dict[PlayerId, _Tallied] = {}
        self._factors: list[float] = []

    def rate(self, game: Game) -> None:
        known, factors = self._players, self._factors
        table: list[_Tallied] = []
        scores: list[float] = []
        for player, _, score in game.participants:
            if player not in known:
                known[player] = _Tallied(self._start)
            table.append(known[player])
            scores.append(_score(score))
        befores = [each.rating for each in table]
        for each, won, due in zip(table, score_shares(scores), rating_shares(befores), strict=True):
            games = each.games
            while games >= len(factors):
                factors.append(factor(len(factors)))
            exact = exact_after(each.rating, won, due, factors[games])
            each.rating = round(exact, 6) if exact > FLOOR else float(FLOOR)
            each.games = games + 1
        if game.aborted_by is not None:
            for (player, _, _), each, before in zip(game.participants, table, befores, strict=True):
                limit = min if player == game.aborted_by else max
                each.rating = limit(each.rating, before)

    def open_event(self) -> None:
        """Do nothing: there are no events."""

    def close_event(self) -> None:
        """Do nothing: there are no events."""

    def standings(self) -> dict[PlayerId, Standing]:
        return {
            player: Standing(Decimal(f"{each.rating:.6f}"), each.games)
            for player, each in self._players.items()
        }


def _rating(standings: Mapping[PlayerId, Standing], player: PlayerId) -> Decimal:
    rating = standings[player].rating
    assert rating is not None, player
    return rating


def _score(score: Decimal | None) -> float:
    assert score is not None
    return float(score)


def _shown(number: float) -> Decimal:
    """Return a term of the formula for people, who need no more than six decimals."""
    return Decimal(f"{number:.6f}")
