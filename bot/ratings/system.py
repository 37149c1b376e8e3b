"""What a rating system is, and which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from bot.model import EventKind, Game, Memory, PlayerId, RatingChange, Standing


class Setting(NamedTuple):
    """One thing that a room's owner can change about a rating system.

    Attributes:
        name: As typed: `start`, `recalculation`.
        default: As typed.
        values: Which values there are, in plain words: `a number from 1 to 10000`.
        purpose: What it does, in plain words.
    """

    name: str
    default: str
    values: str
    purpose: str


class Tally(Protocol):
    """A system's own fold over many games, for when nobody asks for the changes on the way.

    It uses the same rules as the steps of `RatingSystem` and ends on the same standings, without
    making a value for each change: a million games take seconds.
    """

    def rate(self, game: Game) -> None:
        """Rate a game that `check_game` lets pass, or keep it for the event that runs."""
        ...

    def open_event(self) -> None:
        """Begin a tournament."""
        ...

    def close_event(self) -> None:
        """Rate the games of the event that runs together."""
        ...

    def standings(self) -> dict[PlayerId, Standing]:
        """Return the rating and the number of games of everybody who played."""
        ...


class RatingSystem(Protocol):
    """The rules of one rating system with a room's settings: values in, values out.

    A system never changes what it is given and remembers nothing itself. Callers outside this
    package use `bot.ratings.replay`, which puts the steps together in the right order.
    """

    @property
    def key(self) -> str:
        """The name used in commands, files and the database."""
        ...

    @property
    def name(self) -> str:
        """The name that people read."""
        ...

    @property
    def quantum(self) -> Decimal:
        """The step of every rating kept: 1, 0.01 or 0.000001."""
        ...

    @property
    def shown_quantum(self) -> Decimal:
        """The step of every rating shown; ratings shown alike share a rank."""
        ...

    @property
    def players(self) -> range:
        """How many players a game may have."""
        ...

    @property
    def needs_scores(self) -> bool:
        """Whether every participant must have a score."""
        ...

    @property
    def event_kind(self) -> EventKind | None:
        """What the system rates together at a closing, None where each game stands alone."""
        ...

    @property
    def start(self) -> Standing:
        """The standing of a player before the first game."""
        ...

    def tally(self) -> Tally:
        """Return a fold that has seen no game yet."""
        ...

    def rate(
        self, game: Game, standings: Mapping[PlayerId, Standing], *, in_event: bool, explain: bool
    ) -> tuple[RatingChange, ...]:
        """Rate one game as a regular game, from the ratings before it.

        Args:
            game: A game that `check_game` lets pass.
            standings: At least those of the participants.
            in_event: Whether the game belongs to a running event; then only the contribution is
                worked out and no rating moves. Always true where a system rates seasons.
            explain: Whether the changes get their reasons; without them a million games are
                rated in half the time.

        Returns:
            One change a participant, in the order of the participants.
        """
        ...

    def remember(
        self, game: Game, changes: Sequence[RatingChange], standings: Mapping[PlayerId, Standing]
    ) -> tuple[Memory, ...]:
        """Return the memory of each participant after the game, in the order of the participants.

        Args:
            game: The game.
            changes: What it did, after the rule for aborted games.
            standings: Those before the game.
        """
        ...

    def concerned(self, game: Game, standings: Mapping[PlayerId, Standing]) -> frozenset[PlayerId]:
        """Return the players beside the participants whose ratings this game will change."""
        ...

    def recalculate(
        self, game: Game, standings: Mapping[PlayerId, Standing]
    ) -> tuple[RatingChange, ...]:
        """Return the changes to others that follow from a game just rated.

        Args:
            game: The game.
            standings: Those after the game, of the participants and of all `concerned`.
        """
        ...

    def neutral_contributions(
        self, game: Game, standings: Mapping[PlayerId, Standing]
    ) -> tuple[Decimal | None, ...]:
        """Return for each participant the contribution that moves nothing.

        That is 0 in a tournament and the player's own grade in a season; None where there is none.
        """
        ...

    def close(
        self, games: Sequence[Game], standings: Mapping[PlayerId, Standing], *, ordinal: int
    ) -> tuple[tuple[RatingChange, Memory], ...]:
        """Rate an event's games together.

        Args:
            games: The event's games in their order.
            standings: Those in force during the event, of at least all who played in it.
            ordinal: How many events of the room were closed before this one.

        Returns:
            One change with the memory afterwards for each player who played, in the order in
            which they first appear.
        """
        ...
