"""What can go wrong, as data: no Discord, no texts for people (`bot.error_reply` has those).

ParlourError
├── RatingError                the rules refuse something
│   ├── UnknownSystem          no such rating system
│   ├── InvalidSetting         a system has no such setting, or not with that value
│   └── UnratableGame          the room's system cannot rate a game like this
│       ├── WrongPlayerCount
│       ├── ScoresNeeded
│       └── PlayerTwice
├── GamesFileError             a games file is at fault, with the line
├── LedgerUnusable             the database cannot be opened
├── StandingsUnreadable        a text does not say how a game stands
├── TableUnreadable            some lines of a table of results are at fault
├── IllegalMove                a game that stands where it does allows no such thing
├── NotAllowed                 it is for somebody else to do
└── RequestRefused             what a person asked for makes no sense; `Refusal` says why
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import GameRecord, Player, Status


class ParlourError(Exception):
    """Anything that Parlour refuses or that a person can cause."""


class RatingError(ParlourError):
    """The rules refuse something."""


class UnknownSystem(RatingError):
    """There is no rating system of that name."""

    def __init__(self, key: str, known: Sequence[str]) -> None:
        """Remember the name asked for and the names there are."""
        super().__init__(key, tuple(known))
        self.key = key
        self.known = tuple(known)


class InvalidSetting(RatingError):
    """A rating system has no such setting, or not with that value."""

    def __init__(self, name: str, value: str, allowed: Sequence[str]) -> None:
        """Remember the setting, the value, and a description of each setting there is."""
        super().__init__(name, value, tuple(allowed))
        self.name = name
        self.value = value
        self.allowed = tuple(allowed)


class UnratableGame(RatingError):
    """The room's system cannot rate a game like this."""

    def __init__(self, system: str, *details: object) -> None:
        """Remember the system's key; `details` are for the log.

        `suitable`, the keys of the systems that could rate it, is filled in where they are known.
        """
        super().__init__(system, *details)
        self.system = system
        self.suitable: tuple[str, ...] = ()


class WrongPlayerCount(UnratableGame):
    """A game has too few or too many players for the system."""

    def __init__(self, system: str, count: int, allowed: range) -> None:
        """Remember how many played and how many may."""
        super().__init__(system, count, allowed)
        self.count = count
        self.allowed = allowed


class ScoresNeeded(UnratableGame):
    """The system rates by scores, and a participant has none."""


class PlayerTwice(UnratableGame):
    """Somebody takes part twice in one game."""


class GamesFileError(ParlourError):
    """A games file is at fault."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        """Remember the problem in plain words and the line, counted from 1, where there is one."""
        super().__init__(problem, line)
        self.problem = problem
        self.line = line


class LedgerUnusable(ParlourError):
    """The database cannot be opened, with the reason in plain words."""


class StandingsProblem(Enum):
    """What is wrong where the reading of a standing stopped."""

    PLAYER_EXPECTED = auto()
    SCORE_EXPECTED = auto()
    SIGN_EXPECTED = auto()
    PLAYER_TWICE = auto()
    TOO_FEW = auto()
    TOO_MANY = auto()
    NOTHING_MORE = auto()


class StandingsUnreadable(ParlourError):
    """A text does not say how a game stands."""

    def __init__(self, understood: str, rest: str, problem: StandingsProblem) -> None:
        """Remember what was understood, what comes after it, and what is wrong there."""
        super().__init__(understood, rest, problem.name)
        self.understood = understood
        self.rest = rest
        self.problem = problem


class TableUnreadable(ParlourError):
    """Some lines of a table of results are at fault."""

    def __init__(self, problems: Sequence[tuple[int, ParlourError]]) -> None:
        """Remember each line, counted from 1, with what is wrong in it."""
        super().__init__(tuple(line for line, _ in problems))
        self.problems = tuple(problems)


class IllegalMove(ParlourError):
    """A game that stands where it does allows no such thing."""

    def __init__(self, status: Status, move: str, game: GameRecord | None = None) -> None:
        """Remember where the game stands, the move, and the game where it is known."""
        super().__init__(status, move)
        self.status = status
        self.move = move
        self.game = game


class NotAllowed(ParlourError):
    """It is for somebody else to do."""

    def __init__(self, game: GameRecord, awaited: Sequence[Player], *, referees: bool) -> None:
        """Remember the game, whose turn it is, and whether it is also for referees."""
        super().__init__(game.number, tuple(awaited), referees)
        self.game = game
        self.awaited = tuple(awaited)
        self.referees = referees


class Refusal(Enum):
    """Why a request makes no sense."""

    OWN_OPPONENT = auto()
    BOT_OPPONENT = auto()
    PLAYER_TWICE = auto()
    ONE_SCORE_MISSING = auto()
    SCORES_CONTRADICT = auto()
    CLAIM_REPLACED = auto()
    SEVERAL_WAIT = auto()
    ALREADY_DONE = auto()
    ALREADY_ANSWERED = auto()
    NO_SUCH_GAME = auto()
    NO_ROOM = auto()
    SEVERAL_ROOMS = auto()
    NO_GAMES_YET = auto()
    ROOM_NAME_TAKEN = auto()
    CHANNEL_TAKEN = auto()
    MANAGERS_ONLY = auto()
    REFEREES_ONLY = auto()
    NO_EVENTS = auto()
    EVENT_RUNNING = auto()
    NO_EVENT_RUNNING = auto()
    NO_SUCH_EVENT = auto()
    EVENT_CHANGED = auto()
    EVENT_NAME_TAKEN = auto()
    NAME_EMPTY = auto()
    EVENT_EMPTY = auto()
    GAMES_WAIT = auto()
    NO_EVENT_CLOSED = auto()
    NO_OPEN_GAME = auto()
    SEVERAL_OPEN = auto()
    OPEN_BETWEEN = auto()
    GAME_CHANGED = auto()
    NOT_IDLE = auto()
    NO_RESULT = auto()
    ONLY_FOR_TWO = auto()
    OTHER_PLAYERS = auto()
    NUMBER_UNREADABLE = auto()
    STATED_TOO_LONG = auto()
    STATED_TWICE = auto()
    GAME_AND_OPPONENT = auto()
    UNKNOWN_PERSON = auto()
    NO_SUCH_ROOM = auto()
    SEVERAL_SUCH_ROOMS = auto()
    ROOM_NOT_EMPTY = auto()
    OTHER_SYSTEM = auto()
    ROOM_CHANGED = auto()
    OWN_GAME = auto()
    NOTHING_TO_RESTORE = auto()
    REASON_EMPTY = auto()
    NOT_A_PARTICIPANT = auto()
    ROOM_ARCHIVED = auto()
    NO_SUCH_ARCHIVED_ROOM = auto()
    NOTHING_TO_CHANGE = auto()
    NOT_ITS_CHANNEL = auto()
    SAME_RULES = auto()
    RULES_ALONE = auto()
    TIME_UNREADABLE = auto()
    TIME_TO_COME = auto()
    NO_SUCH_PLAYER = auto()
    SEVERAL_SUCH_PLAYERS = auto()
    PROPOSAL_GONE = auto()
    PROPOSAL_OF_OTHER = auto()
    NOT_SETTLED = auto()
    NOT_WAITING = auto()
    NOTHING_CHANGES = auto()
    OWN_RESULT = auto()
    TABLE_EMPTY = auto()
    ABORTER_NOT_IN_GAME = auto()
    FILE_TOO_LARGE = auto()
    FILE_NO_TEXT = auto()
    NOT_IN_FILE = auto()
    NEVER_MET = auto()
    NOTHING_KNOWN = auto()
    NEVER_PLAYED = auto()
    NO_SUCH_GUEST = auto()
    SAME_PLAYER = auto()
    PLAYED_EACH_OTHER = auto()
    SYSTEM_NEEDED = auto()
    FILE_LOST = auto()
    MEMBERS_UNREADABLE = auto()


class RequestRefused(ParlourError):
    """What a person asked for makes no sense."""

    def __init__(self, why: Refusal, *details: object) -> None:
        """Remember why; `details` are names or numbers for the answer's text."""
        super().__init__(why.name, *details)
        self.why = why
        self.details = details
