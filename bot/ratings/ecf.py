"""`ecf`: grades as the English Chess Federation gave them, season by season.

Source: the federation's published rules, `docs/ratings/ecf.md`.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from math import fsum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from bot.model import Cause, EventKind, Outcome, RatingChange, Reason, Standing
from bot.ratings.system import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.model import Game, Memory, Participant, PlayerId
    from bot.ratings.system import Tally

REACH = Decimal(40)
"""An opponent further away than this counts as this far away."""
POINTS = {Outcome.WIN: Decimal(50), Outcome.DRAW: Decimal(0), Outcome.LOSS: Decimal(-50)}
FLOOR = Decimal(0)
FULL = 30
"""With so many games in a season no older ones count."""
PRECEDING_SEASONS = 2
"""How many seasons may fill a grade up; nothing older counts."""
STILL = 0.01
"""Starting grades are found when none moves by as much as this."""

START = Setting(
    "start",
    "100",
    "a whole number from 0 to 10000",
    "where the search for the starting grades of newcomers who met begins",
)


class Category(NamedTuple):
    """How reliable a grade is: the least games in the last one, two and three seasons."""

    letter: str
    one: int
    two: int
    three: int


CATEGORIES = (
    Category("A", 30, 0, 0),
    Category("B", 20, 30, 0),
    Category("C", 10, 0, 30),
    Category("D", 5, 0, 15),
    Category("E", 1, 0, 9),
    Category("F", 1, 0, 5),
)
"""The categories of the list of July 2020, of which the first that fits counts."""


def category(one: int, two: int, three: int) -> str | None:
    """Return the letter of a grade's category, None for a grade on too few games.

    Args:
        one: How many games were played in the season.
        two: How many in this season and the one before.
        three: How many in this season and the two before.

    Example:
        >>> category(20, 30, 30)
        'B'
    """
    for row in CATEGORIES:
        if one >= row.one and two >= row.two and three >= row.three:
            return row.letter
    return None


def clamped(own: Decimal, opponent: Decimal) -> Decimal:
    """Return the opponent's grade, no further than `REACH` from one's own."""
    return min(max(opponent, own - REACH), own + REACH)


def performance(own: Decimal, opponent: Decimal, outcome: Outcome) -> Decimal:
    """Return what a game is worth to a player.

    Args:
        own: The player's grade in force.
        opponent: The opponent's grade in force.
        outcome: How the game ended for the player.

    Example:
        >>> performance(Decimal(160), Decimal(100), Outcome.WIN)
        Decimal('170')
    """
    return clamped(own, opponent) + POINTS[outcome]


def rounded(average: Decimal) -> Decimal:
    """Return the grade of an average: halves up, and 0 for a negative one.

    Example:
        >>> rounded(Decimal("186.5")), rounded(Decimal(-3))
        (Decimal('187'), Decimal('0'))
    """
    # A starting grade may be a third of something, which no decimal number is exactly; a half
    # that is made of thirds must still count as a half.
    near = average.quantize(Decimal("0.000000000001"))
    return max(FLOOR, near.quantize(Decimal(1), ROUND_HALF_UP))


class Ecf:
    """The grades: two players, whole numbers, seasons.

    A player's memory is the seasons that may still count, newest first: each as its ordinal, the
    number of games, and the performances that could be needed, newest first.
    """

    key = "ecf"
    name = "English grades"
    quantum = Decimal(1)
    shown_quantum = Decimal(1)
    players = range(2, 3)
    needs_scores = False
    event_kind: EventKind | None = EventKind.SEASON
    start = Standing(None)

    def __init__(self, start: Decimal) -> None:
        """Make the system.

        Args:
            start: Where the search for starting grades begins.
        """
        self._start = start

    def tally(self) -> Tally:
        """Return a fold that keeps the games of a season until it is closed."""
        return _Tally(self)

    def rate(
        self, game: Game, standings: Mapping[PlayerId, Standing], *, in_event: bool, explain: bool
    ) -> tuple[RatingChange, ...]:
        """Work the performances out where both players have a grade; no grade moves yet."""
        assert in_event, game
        first, second = game.participants
        return (
            _change(first, second, standings, explain=explain),
            _change(second, first, standings, explain=explain),
        )

    def remember(
        self, game: Game, changes: Sequence[RatingChange], standings: Mapping[PlayerId, Standing]
    ) -> tuple[Memory, ...]:
        """Return the memory as it was: it changes when the season is closed."""
        del changes
        return tuple(standings[each.player].memory for each in game.participants)

    def concerned(self, game: Game, standings: Mapping[PlayerId, Standing]) -> frozenset[PlayerId]:
        """Return nobody: a game moves no grade."""
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
        """Return each participant's own grade."""
        return tuple(standings[each.player].rating for each in game.participants)

    def close(
        self, games: Sequence[Game], standings: Mapping[PlayerId, Standing], *, ordinal: int
    ) -> tuple[tuple[RatingChange, Memory], ...]:
        """Close a season: starting grades first, then everybody's new grade.

        The new grade is the average of the season's performances, filled up to 30 games with the
        newest of the two seasons before.
        """
        starting = starting_grades(games, standings, self._start)
        performances = _performances(games, standings, starting)
        return tuple(
            _regraded(player, standings[player], starting.get(player), own, ordinal)
            for player, own in performances.items()
        )


class _Tally:
    """The fold: nothing but the closing of a season moves a grade."""

    def __init__(self, system: Ecf) -> None:
        self._system = system
        self._standings: defaultdict[PlayerId, Standing] = defaultdict(lambda: system.start)
        self._season: list[Game] = []
        self._closed = 0

    def rate(self, game: Game) -> None:
        self._season.append(game)

    def open_event(self) -> None:
        """Do nothing: a season begins where the one before ended."""

    def close_event(self) -> None:
        standings = self._standings
        played = self._played()
        for change, memory in self._system.close(self._season, standings, ordinal=self._closed):
            games = standings[change.player].games + played[change.player]
            standings[change.player] = Standing(change.after, games, memory)
        self._season = []
        self._closed += 1

    def standings(self) -> dict[PlayerId, Standing]:
        # The games of the season that runs count already, and give no grade yet.
        found = dict(self._standings)
        for player, games in self._played().items():
            before = found.get(player, self._system.start)
            found[player] = before._replace(games=before.games + games)
        return found

    def _played(self) -> Counter[PlayerId]:
        return Counter(each.player for game in self._season for each in game.participants)


def starting_grades(
    games: Sequence[Game], standings: Mapping[PlayerId, Standing], start: Decimal
) -> dict[PlayerId, Decimal]:
    """Return the starting grade of each player without a grade.

    It is the average of opponent + 50 for a win, opponent for a draw, opponent - 50 for a loss,
    without regard to how far away the opponent is. Aborted games are left out; a player with no
    others starts from `start`.

    Args:
        games: The season's games.
        standings: Those in force.
        start: The grade from which newcomers who met each other are worked out.
    """
    sums: dict[PlayerId, _Sum] = {}
    for game in games:
        for own, opponent in _both_ways(game):
            if standings[own.player].rating is not None:
                continue
            so_far = sums.setdefault(own.player, _Sum())
            if game.aborted_by is None:
                so_far.add(
                    opponent.player, standings[opponent.player].rating, _outcome_of(own, opponent)
                )
    met = {player: each for player, each in sums.items() if each.newcomers}
    return {
        player: each.known / each.games if each.games else start
        for player, each in sums.items()
        if player not in met
    } | _settled(met, start)


class _Sum:
    """The sum behind a newcomer's starting grade.

    Attributes:
        games: How many games it is over.
        known: The results, and the grades of the opponents who have one.
        newcomers: The opponents who have none, once a game.
    """

    __slots__ = ("games", "known", "newcomers")

    def __init__(self) -> None:
        self.games = 0
        self.known = Decimal(0)
        self.newcomers: list[PlayerId] = []

    def add(self, opponent: PlayerId, grade: Decimal | None, outcome: Outcome) -> None:
        self.games += 1
        self.known += POINTS[outcome]
        if grade is None:
            self.newcomers.append(opponent)
        else:
            self.known += grade


def _settled(met: Mapping[PlayerId, _Sum], start: Decimal) -> dict[PlayerId, Decimal]:
    """Return the starting grades of newcomers who met newcomers.

    All begin at `start`, and each moves half-way to its average until nobody moves by `STILL`.
    Without the half-way, two who played each other alone would swing for ever.
    """
    places = {player: place for place, player in enumerate(met)}
    rows = [
        (float(each.known), [places[opponent] for opponent in each.newcomers], each.games)
        for each in met.values()
    ]
    grades = [float(start)] * len(rows)
    move = STILL
    while move >= STILL:
        # An exact sum: the order of the games must not matter.
        moved = [
            (own + fsum((known, *map(grades.__getitem__, newcomers))) / games) / 2
            for own, (known, newcomers, games) in zip(grades, rows, strict=True)
        ]
        move = max((abs(new - old) for new, old in zip(moved, grades, strict=True)), default=0.0)
        grades = moved
    return {
        player: Decimal(f"{grade:.6f}").normalize()
        for player, grade in zip(met, grades, strict=True)
    }


def _performances(
    games: Sequence[Game],
    standings: Mapping[PlayerId, Standing],
    starting: Mapping[PlayerId, Decimal],
) -> dict[PlayerId, _Performances]:
    """Return each player's performances."""
    performances: defaultdict[PlayerId, _Performances] = defaultdict(_Performances)
    for game in games:
        for own, opponent in _both_ways(game):
            grade = _grade(own.player, standings, starting)
            worth = performance(
                grade, _grade(opponent.player, standings, starting), _outcome_of(own, opponent)
            )
            if game.aborted_by is not None:
                worth = (min if game.aborted_by == own.player else max)(worth, grade)
            performances[own.player].add(worth)
    return performances


class _Performances:
    """A player's performances in the season that is closed.

    Attributes:
        games: How many.
        total: Their sum.
        newest: The newest of them, in the order of the games; all, where there are few.
    """

    __slots__ = ("games", "newest", "total")

    def __init__(self) -> None:
        self.games = 0
        self.total = Decimal(0)
        self.newest: deque[Decimal] = deque(maxlen=FULL)

    def add(self, worth: Decimal) -> None:
        self.games += 1
        self.total += worth
        self.newest.append(worth)


def _grade(
    player: PlayerId,
    standings: Mapping[PlayerId, Standing],
    starting: Mapping[PlayerId, Decimal],
) -> Decimal:
    rating = standings[player].rating
    return starting[player] if rating is None else rating


class _Season(NamedTuple):
    """What is remembered of a player's season.

    Attributes:
        ordinal: How many seasons were closed before it.
        games: How many games the player had in it.
        newest: The performances that could be needed, newest first.
    """

    ordinal: int
    games: int
    newest: Sequence[Decimal]


def _regraded(
    player: PlayerId,
    standing: Standing,
    starting: Decimal | None,
    own: _Performances,
    ordinal: int,
) -> tuple[RatingChange, Memory]:
    before = _preceding(standing.memory, ordinal)
    older = [each for season in before for each in season.newest]
    filled = older[: max(0, FULL - own.games)]
    average = sum(filled, own.total) / (own.games + len(filled))
    reasons: list[Reason] = []
    if starting is not None:
        reasons.append(Reason("starting-grade", (("grade", _shown(starting)),)))
    reasons.append(
        Reason(
            "season-average",
            (("games", own.games), ("older", len(filled)), ("average", _shown(average))),
        )
    )
    if average < FLOOR:
        reasons.append(Reason("floor", (("floor", FLOOR),)))
    counts = {season.ordinal: season.games for season in before}
    three = own.games + sum(counts.values())
    letter = category(own.games, own.games + counts.get(ordinal - 1, 0), three)
    if letter is not None:
        reasons.append(Reason("category", (("category", letter), ("games", three))))
    change = RatingChange(
        player, Cause.EVENT, standing.rating, rounded(average), None, tuple(reasons)
    )
    closed = _Season(ordinal, own.games, tuple(reversed(own.newest)))
    return change, _memory(closed, before)


_Remembered: TypeAlias = "tuple[int, int, tuple[int | str, ...]]"


def _preceding(memory: Memory, ordinal: int) -> list[_Season]:
    """Return the seasons of a memory that may still count, newest first."""
    seasons = cast("tuple[_Remembered, ...]", memory)
    return [
        _Season(of, games, [Decimal(each) for each in newest])
        for of, games, newest in seasons
        if ordinal - of <= PRECEDING_SEASONS
    ]


def _memory(season: _Season, before: Sequence[_Season]) -> Memory:
    """Return what the next seasons may need: a season with any game needs at most 29 more."""
    room = FULL - 1
    kept: list[_Remembered] = []
    for each in (season, *before):
        # This season may fill the next two up, the one before only the next.
        if season.ordinal - each.ordinal >= PRECEDING_SEASONS:
            continue
        newest = tuple(_plain(one) for one in islice(each.newest, room))
        kept.append((each.ordinal, each.games, newest))
        room -= len(newest)
    return tuple(kept)


def _plain(number: Decimal) -> int | str:
    return int(number) if number == number.to_integral_value() else str(number)


def _shown(number: Decimal) -> Decimal:
    """Return a number for people, who need no more than two decimals."""
    return number.quantize(Decimal("0.01"), ROUND_HALF_UP)


def _both_ways(game: Game) -> tuple[tuple[Participant, Participant], ...]:
    first, second = game.participants
    return ((first, second), (second, first))


def _outcome_of(own: Participant, opponent: Participant) -> Outcome:
    if own.placing == opponent.placing:
        return Outcome.DRAW
    return Outcome.WIN if own.placing < opponent.placing else Outcome.LOSS


def _change(
    own: Participant,
    opponent: Participant,
    standings: Mapping[PlayerId, Standing],
    *,
    explain: bool,
) -> RatingChange:
    grade, against = standings[own.player].rating, standings[opponent.player].rating
    if grade is None or against is None:
        # What this game is worth follows from starting grades, known when the season is closed.
        reasons = (Reason("ungraded", ()),) if explain else ()
        return RatingChange(own.player, Cause.GAME, grade, grade, None, reasons)
    outcome = _outcome_of(own, opponent)
    worth = performance(grade, against, outcome)
    reasons = _reasons(grade, opponent.player, against, outcome) if explain else ()
    return RatingChange(own.player, Cause.GAME, grade, grade, worth, reasons)


def _reasons(
    grade: Decimal, opponent: PlayerId, against: Decimal, outcome: Outcome
) -> tuple[Reason, ...]:
    counted = clamped(grade, against)
    return (
        Reason(
            "clamped-opponent",
            (("opponent", opponent), ("rating", against), ("reach", REACH), ("counted", counted)),
        ),
        Reason(f"points-{outcome}", (("points", POINTS[outcome]),)),
    )
