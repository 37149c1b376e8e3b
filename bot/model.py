"""The values that every part of Parlour speaks in.

Values that a replay makes by the million (`Participant`, `Game`, `Standing`, `RatingChange`,
`Reason`) are named tuples: as immutable as a frozen dataclass, and three times as fast to make.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType, TypeAlias

if TYPE_CHECKING:
    from decimal import Decimal

GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
UserId = NewType("UserId", int)
RoleId = NewType("RoleId", int)
InteractionId = NewType("InteractionId", int)
RoomId = NewType("RoomId", int)
PlayerId = NewType("PlayerId", int)
GameId = NewType("GameId", int)
EventId = NewType("EventId", int)

Memory: TypeAlias = "tuple[Memory | int | str | None, ...]"
"""What a rating system must remember of a player beside the rating: plain nested data."""


class Outcome(StrEnum):
    """How a game ended for one player."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def reversed(self) -> Outcome:
        """The same outcome seen from the other side of a two-player game."""
        return _REVERSED[self]


_REVERSED = {
    Outcome.WIN: Outcome.LOSS,
    Outcome.DRAW: Outcome.DRAW,
    Outcome.LOSS: Outcome.WIN,
}


class EventKind(StrEnum):
    """The runs of games that a system rates together at their closing."""

    TOURNAMENT = "tournament"
    SEASON = "season"


class Cause(StrEnum):
    """What made a rating change."""

    GAME = "game"
    EVENT = "event"
    RECALCULATION = "recalculation"


class Participant(NamedTuple):
    """One player's part in a game.

    Attributes:
        player: Who played.
        placing: 1 is best; equal placings are a tie.
        score: Points in the game, where the game has them.
    """

    player: PlayerId
    placing: int
    score: Decimal | None = None


class Game(NamedTuple):
    """A game that counts: finished, or aborted after some action.

    Attributes:
        id: Which game.
        participants: Two or more, in no particular order, nobody twice.
        aborted_by: The participant who aborted it; then the placings and scores are the standing
            at that moment.
    """

    id: GameId
    participants: tuple[Participant, ...]
    aborted_by: PlayerId | None = None


class Standing(NamedTuple):
    """What a room knows of a player at one moment.

    Attributes:
        rating: In the system's quantum; None while the player has none yet (an ungraded player).
        games: How many games that count the player has finished.
        memory: The system's own notes, opaque to everybody else.
    """

    rating: Decimal | None
    games: int = 0
    memory: Memory = ()


class Reason(NamedTuple):
    """Why a rating changed as it did: a rule and the numbers that went into it.

    Attributes:
        rule: The rule's name, such as `clamped-opponent`; the display has its words.
        terms: Name and value of each term, in the order in which one would calculate.
    """

    rule: str
    terms: tuple[tuple[str, Decimal | int | str], ...]


class RatingChange(NamedTuple):
    """What one game, closing or recalculation did to one player's rating.

    Attributes:
        player: Whose rating.
        cause: What kind of thing changed it.
        before: The rating before, None for a player without one.
        after: The rating after; equal to `before` for a game inside a running event.
        contribution: What a game inside an event gives to the event's closing: the game's own
            delta in a tournament, the performance in a season. None outside events, and where it
            can only be known at the closing.
        reasons: The steps of the calculation, in order.
    """

    player: PlayerId
    cause: Cause
    before: Decimal | None
    after: Decimal | None
    contribution: Decimal | None
    reasons: tuple[Reason, ...]

    @property
    def delta(self) -> Decimal | None:
        """After minus before, None where there was no rating before or is none after."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before
