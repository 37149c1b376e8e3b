"""PGN files: chess games as all chess programs write them. Only who played, when, and the result.

Source: Portable Game Notation Specification and Implementation Guide (1994), sections 5 to 8 and
17. A game is its tag pairs, such as `[White "Ann"]`, and then its moves, which end with the result.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

from bot.errors import GamesFileError
from bot.games_file import FiledGame
from bot.model import Game, GameId, Participant, PlayerId

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG = re.compile(r'\s*\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]\s*')
_ESCAPED = re.compile(r"\\(.)")
_DATE = re.compile(r"(?P<year>\d{4})[./-](?P<month>\d{1,2})[./-](?P<day>\d{1,2})")
_TIME = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?")
_MOVES = re.compile(r"\{|\}|;|\(|\)|1-0|0-1|1/2-1/2|\*")
_PLACINGS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
_UNFINISHED = "*"
_LONGEST_NAME = 255


class PgnFile:
    """Reads a file game by game, without ever holding more than one.

    Attributes:
        names: The names of the players by number, of those who were read so far.
        unfinished: How many games without a result were left out so far.
    """

    def __init__(self, file: TextIO) -> None:
        """Begin at the beginning.

        Args:
            file: Open for reading with the encoding `utf-8-sig` and the error handler
                `surrogateescape`, so that a wrong byte is told with its line.
        """
        self.names: list[str] = []
        self.unfinished = 0
        self._numbers: dict[str, PlayerId] = {}
        self._file = file

    def games(self) -> Iterator[FiledGame]:
        """Yield the games that have a result.

        Raises:
            GamesFileError: At the first thing that is wrong with the file.
        """
        found = 0
        for found, written in enumerate(_games(self._file), start=1):
            result = written.result()
            if result == _UNFINISHED:
                self.unfinished += 1
                continue
            if result not in _PLACINGS:
                raise written.fault(f"has the result {result!r}", found)
            white, black = (self._player(written, found, side) for side in ("White", "Black"))
            first, second = _PLACINGS[result]
            participants = (Participant(white, first, None), Participant(black, second, None))
            game = Game(GameId(found - 1), participants, None)
            yield FiledGame(
                str(found), written.line, written.time(found), "", game, has_action=True
            )
        if not found:
            raise GamesFileError("there is no game in it")

    def _player(self, written: _Written, number: int, side: str) -> PlayerId:
        name = " ".join(written.tags.get(side, "").split())
        if name in {"", "?", "-"}:
            raise written.fault(f"does not say who played {side}", number)
        if len(name) > _LONGEST_NAME:
            raise written.fault(f"has a name of more than {_LONGEST_NAME} characters", number)
        known = self._numbers.get(name)
        if known is None:
            known = self._numbers[name] = PlayerId(len(self.names))
            self.names.append(name)
        return known


def is_pgn(file: TextIO) -> bool:
    """Tell whether a file that can be read again looks like PGN, and go back to its beginning."""
    beginning = file.read(4096)
    file.seek(0)
    return beginning.lstrip("\ufeff \t\r\n").startswith(("[", "%", ";"))


class _Written:
    """One game as it is written."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.tags: dict[str, str] = {}
        self.has_moves = False
        self.moves = _Moves()

    def result(self) -> str:
        """Return the tag, or where it says nothing, what the moves end with."""
        tag = self.tags.get("Result", "").strip()
        return tag if tag not in {"", "?", _UNFINISHED} else self.moves.result

    def time(self, number: int) -> datetime | None:
        """Return when it was played, None where the day is not known."""
        text = self.tags.get("UTCDate", "")
        is_utc = _DATE.fullmatch(text.strip()) is not None
        date = _DATE.fullmatch(text.strip() if is_utc else self.tags.get("Date", "").strip())
        if date is None:
            return None
        clock = _TIME.fullmatch(self.tags.get("UTCTime" if is_utc else "Time", "").strip())
        hour, minute, second = (0, 0, 0)
        if clock is not None:
            hour, minute = int(clock["hour"]), int(clock["minute"])
            second = int(clock["second"] or 0)
        try:
            return datetime(
                int(date["year"]),
                int(date["month"]),
                int(date["day"]),
                hour,
                minute,
                second,
                tzinfo=UTC,
            )
        except ValueError:
            raise self.fault("has a date that no calendar has", number) from None

    def fault(self, problem: str, number: int) -> GamesFileError:
        return GamesFileError(f"game {number} {problem}", self.line)


class _Moves:
    """The moves read so far: only where comments and variations are, and the result at the end."""

    def __init__(self) -> None:
        self.is_in_comment = False
        self.result = _UNFINISHED
        self._depth = 0

    def read(self, line: str) -> None:
        for symbol in _MOVES.findall(line):
            if self.is_in_comment:
                self.is_in_comment = symbol != "}"
            elif symbol == "{":
                self.is_in_comment = True
            elif symbol == ";":
                return
            elif symbol == "(":
                self._depth += 1
            elif symbol == ")":
                self._depth = max(0, self._depth - 1)
            elif not self._depth and symbol != "}":
                self.result = symbol


def _games(file: TextIO) -> Iterator[_Written]:
    game: _Written | None = None
    for number, line in enumerate(file, start=1):
        _check_text(line, number)
        # A line that begins with a percent sign is for some program alone (section 6).
        if line.startswith("%") or not line.strip():
            continue
        is_in_comment = game is not None and game.moves.is_in_comment
        tag = None if is_in_comment else _TAG.fullmatch(line)
        if tag is None:
            if game is None:
                if line.lstrip().startswith(";"):
                    continue
                raise GamesFileError("the moves come before any tag such as [White …]", number)
            game.has_moves = True
            game.moves.read(line)
            continue
        if game is None or game.has_moves:
            if game is not None:
                yield game
            game = _Written(number)
        game.tags[tag["name"]] = _ESCAPED.sub(r"\1", tag["value"])
    if game is not None:
        yield game


def _check_text(line: str, number: int) -> None:
    try:
        line.encode()
    except UnicodeEncodeError:
        raise GamesFileError("the line is not UTF-8", number) from None
    if "\0" in line:
        raise GamesFileError("the line has a zero byte", number)
