"""Games files: the CSV that rooms are exported to, imported from and rated from.

A row is one participant's part in a game; the rows of a game stand together, and so do the games
of an event:

    game,played_at,event,player,placing,score,aborted
    1,2010-04-01T18:00:00Z,,Piggy,1,,
    1,2010-04-01T18:00:00Z,,Ducky,2,,

`aborted` is empty, `by` on the row of the player who aborted the game, or `no-action` on every
row of a game that was aborted before anything happened.
"""

from __future__ import annotations

import csv
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeAlias

from bot.errors import (
    GamesFileError,
    PlayerTwice,
    ScoresNeeded,
    UnratableGame,
    WrongPlayerCount,
)
from bot.model import Game, GameId, Participant, PlayerId
from bot.ratings.replay import check_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.ratings.system import RatingSystem

COLUMNS = ("game", "played_at", "event", "player", "placing", "score", "aborted")
LONGEST_LINE = 4096
"""In characters; nothing that people call themselves or their events needs more."""
MOST_ROWS = 999
"""How many participants a game may have at most."""
HIGHEST_SCORE = Decimal(1_000_000_000)
FINEST_SCORE = Decimal("0.000001")

_REMEMBERED_SCORES = 10_000

BY = "by"
NO_ACTION = "no-action"


class FiledGame(NamedTuple):
    """A game as it stands in a file.

    Attributes:
        name: What the file calls it.
        line: Where it begins, counted from 1.
        played_at: When it was played, None where the file does not say.
        event: The tournament or season, empty for none.
        game: The game, numbered by its place in the file, its players by `GamesFile.names`. In a
            game aborted without action a missing placing is 0.
        has_action: Whether anything happened in it; if not, it counts for nothing.
    """

    name: str
    line: int
    played_at: datetime | None
    event: str
    game: Game
    has_action: bool


class GamesFile:
    """Reads a file game by game, without ever holding more than a few.

    Attributes:
        names: The names of the players by number, of those who were read so far.
    """

    def __init__(self, file: TextIO) -> None:
        """Begin at the beginning.

        Args:
            file: Open for reading with the encoding `utf-8-sig` and the error handler
                `surrogateescape`, so that a wrong byte is told with its line.
        """
        self.names: list[str] = []
        self._numbers: dict[str, PlayerId] = {}
        self._scores: dict[str, Decimal] = {}
        self._file = file

    def games(self) -> Iterator[FiledGame]:
        """Yield the games.

        Raises:
            GamesFileError: At the first thing that is wrong with the file.
        """
        names: set[str] = set()
        events: set[str] = set()
        event = ""
        for number, rows in enumerate(_together(_rows(self._file))):
            game = self._game(GameId(number), rows)
            if game.name in names:
                problem = f"the rows of game {game.name!r} do not stand together"
                raise GamesFileError(problem, game.line)
            names.add(game.name)
            if game.event != event:
                if game.event in events:
                    problem = f"the games of event {game.event!r} do not stand together"
                    raise GamesFileError(problem, game.line)
                event = game.event
                if event:
                    events.add(event)
            yield game

    def _game(self, number: GameId, rows: Sequence[_Row]) -> FiledGame:
        line, (name, played_at, event, *_) = rows[0]
        participants: list[Participant] = []
        marks: list[_Mark] = []
        scores = self._scores
        if len(scores) > _REMEMBERED_SCORES:
            scores.clear()
        for at, (_, moment, of, player, placing, score, aborted) in rows:
            if moment != played_at or of != event:
                raise GamesFileError(f"game {name!r} has two times or two events", at)
            who = self._numbers.get(player)
            if who is None:
                who = self._add(player, at)
            if aborted:
                marks.append(_Mark(at, who, aborted))
            place = _PLACINGS.get(placing)
            if place is None:
                place = _missing_placing(placing, aborted, at)
            points = scores.get(score)
            if points is None and score:
                points = scores[score] = _number(score, at)
            participants.append(Participant(who, place, points))
        aborter, has_action = _aborted(name, line, marks, len(rows)) if marks else (None, True)
        return FiledGame(
            name,
            line,
            _time(played_at, line) if played_at else None,
            event,
            Game(number, tuple(participants), aborter),
            has_action,
        )

    def _add(self, name: str, line: int) -> PlayerId:
        if not name or name.isspace():
            raise GamesFileError("the player has no name", line)
        number = self._numbers[name] = PlayerId(len(self.names))
        self.names.append(name)
        return number


_Row: TypeAlias = "tuple[int, list[str]]"
"""The number of a line, and its fields."""

_WIDTH = len(COLUMNS)
_CHUNK = 65536


def _rows(file: TextIO) -> Iterator[_Row]:
    """Yield the rows below the header."""
    lines = _lines(file)
    header = next(lines, None)
    if header is None:
        raise GamesFileError("the file is empty")
    if tuple(header[1]) != COLUMNS:
        raise GamesFileError(f"the first line must be {','.join(COLUMNS)}", 1)
    for row in lines:
        fields = row[1]
        if len(fields) == _WIDTH:
            yield row
        elif fields != [""]:
            raise GamesFileError(f"{len(fields)} fields in place of {_WIDTH}", row[0])


def _lines(file: TextIO) -> Iterator[_Row]:
    """Yield each line split at its commas, of a file read a piece at a time."""
    number = 0
    rest = ""
    while chunk := file.read(_CHUNK):
        text = rest + chunk
        # Nearly all files are plain, and looking at a whole piece is faster than at each line.
        is_plain = text.isascii() and '"' not in text and "\0" not in text
        *lines, rest = text.split("\n")
        for line in lines:
            number += 1
            if is_plain and len(line) <= LONGEST_LINE:
                yield number, line.split(",")
            else:
                yield number, _fields(line, number)
        if len(rest) > LONGEST_LINE:
            _fields(rest, number + 1)
    if rest:
        yield number + 1, _fields(rest, number + 1)


def _fields(line: str, number: int) -> list[str]:
    if len(line) > LONGEST_LINE:
        raise GamesFileError(f"the line is longer than {LONGEST_LINE} characters", number)
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError:
            raise GamesFileError("the line is not UTF-8", number) from None
    if "\0" in line:
        raise GamesFileError("the line has a zero byte", number)
    if '"' not in line:
        return line.split(",")
    try:
        (fields,) = csv.reader([line], strict=True)
    except csv.Error:
        raise GamesFileError("the quotation marks do not match", number) from None
    return fields


def _together(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    """Yield the rows of each game."""
    game: list[_Row] = []
    name = ""
    for row in rows:
        if row[1][0] != name:
            if game:
                yield game
            game = []
            name = row[1][0]
            if not name or name.isspace():
                raise GamesFileError("the game has no name", row[0])
        elif not game:
            raise GamesFileError("the game has no name", row[0])
        game.append(row)
        if len(game) > MOST_ROWS:
            raise GamesFileError(f"game {name!r} has more than {MOST_ROWS} players", row[0])
    if game:
        yield game


class _Mark(NamedTuple):
    """Something in the column `aborted`."""

    line: int
    player: PlayerId
    text: str


def _aborted(
    name: str, line: int, marks: Sequence[_Mark], rows: int
) -> tuple[PlayerId | None, bool]:
    """Return who aborted a game, and whether anything happened in it before."""
    for mark in marks:
        if mark.text not in {BY, NO_ACTION}:
            problem = f"aborted is {mark.text!r}, not {BY}, {NO_ACTION} or empty"
            raise GamesFileError(problem, mark.line)
    aborters = [mark.player for mark in marks if mark.text == BY]
    if len(aborters) < len(marks):
        if aborters or len(marks) < rows:
            raise GamesFileError(f"{NO_ACTION} must stand on every row of game {name!r}", line)
        return None, False
    if len(aborters) > 1:
        raise GamesFileError(f"two players aborted game {name!r}", line)
    return aborters[0], True


_PLACINGS = {str(placing): placing for placing in range(1, MOST_ROWS + 1)}


def _missing_placing(text: str, aborted: str, line: int) -> int:
    if not text and aborted == NO_ACTION:
        return 0
    raise GamesFileError(f"the placing is {text!r}, not a number from 1", line)


def _number(text: str, line: int) -> Decimal:
    try:
        number = Decimal(text)
        # A comparison with what is no number raises.
        if number.copy_abs() <= HIGHEST_SCORE and number == number.quantize(FINEST_SCORE):
            return number
    except InvalidOperation:
        pass
    problem = f"the score is {text!r}, not a number up to a billion with at most six decimals"
    raise GamesFileError(problem, line)


def _time(text: str, number: int) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        problem = f"the time is {text!r}, not one like 2010-04-01T18:00:00Z"
        raise GamesFileError(problem, number)
    return time


def check_filed_game(system: RatingSystem, filed: FiledGame) -> None:
    """Refuse a game of a file that a system cannot rate.

    Raises:
        GamesFileError: It cannot.
    """
    try:
        check_game(system, filed.game)
    except ScoresNeeded as error:
        # A game in which nothing happened has no scores either.
        if filed.has_action:
            raise _at(filed, error) from None
    except UnratableGame as error:
        raise _at(filed, error) from None


def _at(filed: FiledGame, error: UnratableGame) -> GamesFileError:
    match error:
        case WrongPlayerCount(count=count, allowed=allowed):
            low, high = allowed.start, allowed.stop - 1
            right = str(low) if low == high else f"{low} to {high}"
            players = "player" if count == 1 else "players"
            problem = f"has {count} {players}, and {error.system} takes {right}"
        case PlayerTwice():
            problem = "has a player twice"
        case ScoresNeeded():
            problem = f"lacks a score, and {error.system} rates by scores"
        case _:
            raise AssertionError(error)
    return GamesFileError(f"game {filed.name!r} {problem}", filed.line)
