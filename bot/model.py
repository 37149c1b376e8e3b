"""The values that every part of Parlour speaks in.

Values that a replay makes by the million (`Participant`, `Game`, `Standing`, `RatingChange`,
`Reason`) are named tuples: as immutable as a frozen dataclass, and three times as fast to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta
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
ProposalId = NewType("ProposalId", int)
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


class Status(StrEnum):
    """Where a game stands."""

    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    RATED = "rated"
    ABORTED = "aborted"
    WITHDRAWN = "withdrawn"
    UNRATED = "unrated"
    VOID = "void"

    @property
    def is_settled(self) -> bool:
        """Whether the players themselves can do nothing more about the game."""
        return self not in {Status.OPEN, Status.REPORTED, Status.DISPUTED}


class Confirmation(StrEnum):
    """Who must confirm a result in a room."""

    OPPONENT = "opponent"
    REFEREE = "referee"
    NOBODY = "nobody"


class ManyConfirmation(StrEnum):
    """How many of the others must confirm a game of three and more."""

    ONE = "one"
    MAJORITY = "majority"
    ALL = "all"


class ClaimKind(StrEnum):
    """What a claim says."""

    RESULT = "result"
    ABORT = "abort"
    STANDING = "standing"


class Answer(StrEnum):
    """What a participant answered to a claim."""

    CONFIRM = "confirm"
    WRONG = "wrong"
    NOT_PLAYED = "not-played"
    UNCOUNTED = "uncounted"


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


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who is rated in a guild.

    Attributes:
        id: Which player.
        user: The Discord user, None for a guest.
        name: The name last seen.
    """

    id: PlayerId
    user: UserId | None
    name: str


@dataclass(frozen=True, slots=True)
class Room:
    """One rated pool in a guild.

    Attributes:
        id: Which room; its name may change.
        guild: Where it is.
        name: As its owner wrote it.
        system: The key of its rating system.
        settings: Those of the system that its owner changed, as typed.
        confirmation: Who must confirm a result.
        many_confirmation: How many must confirm a game of three and more.
        confirm_after: When an unanswered claim confirms itself; zero for never.
        close_idle_after: When an open game that nobody touches is closed; zero for never.
        minimum_games: How many games it takes to be ranked.
        hide_idle_after: When an idle player leaves the leaderboard; zero for never.
        abort_notice: Whether referees are told of players who abort more than a third.
        referee_role: Who may settle, beside those who manage the server.
        is_archived: Whether it takes no more games.
    """

    id: RoomId
    guild: GuildId
    name: str
    system: str
    settings: Mapping[str, str]
    confirmation: Confirmation
    many_confirmation: ManyConfirmation
    confirm_after: timedelta
    close_idle_after: timedelta
    minimum_games: int
    hide_idle_after: timedelta
    abort_notice: bool
    referee_role: RoleId | None
    is_archived: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody said a game's result was.

    Attributes:
        version: Counted from 1 within the game.
        kind: A result, an abort, or a running standing.
        author: Who said it.
        made_at: When.
        results: One entry a participant; empty for an abort without action.
        answers: What the others answered to this version.
    """

    version: int
    kind: ClaimKind
    author: PlayerId
    made_at: datetime
    results: tuple[Participant, ...]
    answers: Mapping[PlayerId, Answer]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game with all that the ledger knows of it.

    Attributes:
        id: Which game.
        guild: Where it was played.
        number: As people see it, `#12`, counted in the guild.
        room: The room that it belongs to.
        status: Where it stands.
        version: That of the newest claim, 0 before the first.
        players: The participants in the order of their seats.
        results: What was agreed; empty until then.
        aborted_by: Who aborted it.
        counts: Whether it counts in the room's ratings.
        was_opened: Whether it was opened before it was reported.
        created_at: When it was opened or reported.
        final_at: When it became final, its place among the room's games.
        channel: Where its message is.
        message: Its message, None while there is none.
        claims: Every version of what was claimed, oldest first.
        uncounted_by: Who wants the game not to count, as it stands now.
        asked_at: When its players were asked whether they still play, None while it is not idle.
    """

    id: GameId
    guild: GuildId
    number: int
    room: RoomId
    status: Status
    version: int
    players: tuple[Player, ...]
    results: tuple[Participant, ...]
    aborted_by: PlayerId | None
    counts: bool
    was_opened: bool
    created_at: datetime
    final_at: datetime | None
    channel: ChannelId
    message: MessageId | None
    claims: tuple[Claim, ...]
    uncounted_by: frozenset[PlayerId]
    asked_at: datetime | None

    @property
    def claim(self) -> Claim | None:
        """The newest claim of a result or an abort, if any."""
        for claim in reversed(self.claims):
            if claim.kind is not ClaimKind.STANDING:
                return claim
        return None

    @property
    def standing(self) -> Claim | None:
        """The newest running standing, if any: the game's action."""
        for claim in reversed(self.claims):
            if claim.kind is ClaimKind.STANDING:
                return claim
        return None

    def player(self, player: PlayerId) -> Player:
        """Return a participant by id."""
        return next(each for each in self.players if each.id == player)

    def player_of(self, user: UserId) -> Player | None:
        """Return the participant who is a Discord user, None for somebody else."""
        return next((each for each in self.players if each.user == user), None)

    def claim_of(self, version: int) -> Claim:
        """Return one version of what was claimed."""
        return next(claim for claim in self.claims if claim.version == version)
