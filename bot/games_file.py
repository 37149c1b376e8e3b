"""Games files: a CSV with a row for each participant, the rows of one game together.

    game,played_at,event,player,placing,score,aborted

`event` names a tournament or a season, whose games stand together. `aborted` is empty, `by` on the
row of the player who aborted, or `no-action` on every row of a game that rates nobody.
"""

from __future__ import annotations

import csv
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, NamedTuple

from bot.errors import GamesFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

HEADER = ("game", "played_at", "event", "player", "placing", "score", "aborted")
LONGEST_LINE = 10_000
"""In bytes; a longer one is refused before it is read to its end."""
_FINEST = -6
_GREATEST = Decimal(10) ** 9


class FileRow(NamedTuple):
    """One participant of a game in a games file."""

    player: str
    placing: int
    score: Decimal | None
    aborted: str


class FileGame(NamedTuple):
    """A game in a games file.

    Attributes:
        name: What the file calls it.
        played_at: As written, empty or a time.
        event: The name of its tournament or season, empty for none.
        rows: One a participant, in the order of the file.
        line: The line on which it begins, counted from 1.
    """

    name: str
    played_at: str
    event: str
    rows: tuple[FileRow, ...]
    line: int

    @property
    def is_without_action(self) -> bool:
        """Whether it was aborted before any action, and rates nobody."""
        return self.rows[0].aborted == "no-action"

    @property
    def aborter(self) -> str | None:
        """Who aborted it after some action, if anybody."""
        return next((row.player for row in self.rows if row.aborted == "by"), None)


def read_games(file: BinaryIO) -> Iterator[FileGame]:
    """Read a games file, a game at a time.

    A byte-order mark and Windows line ends are welcome.

    Raises:
        GamesFileError: Something is wrong, with the line.
    """
    rows = _rows(file)
    seen_games: set[str] = set()
    ended_events: set[str] = set()
    event = ""
    pending: list[tuple[int, list[str]]] = []
    for line, row in rows:
        if pending and pending[0][1][0] != row[0]:
            game = _game(pending)
            event = _check_event(game, event, ended_events)
            yield game
            pending = []
        if not pending:
            if row[0] in seen_games:
                raise GamesFileError(f"game {row[0]} appeared before", line)
            seen_games.add(row[0])
        pending.append((line, row))
    if not pending:
        raise GamesFileError("the file holds no game")
    game = _game(pending)
    _check_event(game, event, ended_events)
    yield game


def _rows(file: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(_lines(file), strict=True)
    try:
        header = next(reader, None)
        if header is None:
            raise GamesFileError("the file is empty")
        if tuple(header) != HEADER:
            raise GamesFileError(f"the first line must be {','.join(HEADER)}", 1)
        for row in reader:
            if not row:
                continue
            if len(row) != len(HEADER):
                raise GamesFileError(
                    f"{len(HEADER)} columns are needed, not {len(row)}", reader.line_num
                )
            yield reader.line_num, row
    except csv.Error as error:
        raise GamesFileError(f"no CSV: {error}", reader.line_num) from error


def _lines(file: BinaryIO) -> Iterator[str]:
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise GamesFileError(f"a line is longer than {LONGEST_LINE} bytes", number)
        try:
            yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise GamesFileError("the text is not UTF-8", number) from error


def _game(rows: list[tuple[int, list[str]]]) -> FileGame:
    line, (name, played_at, event, *_) = rows[0]
    if not name:
        raise GamesFileError("a game needs a name or a number", line)
    _check_time(played_at, line)
    parsed: list[FileRow] = []
    for at, row in rows:
        if (row[1], row[2]) != (played_at, event):
            raise GamesFileError(f"game {name} has two times or two events", at)
        parsed.append(_row(row, at))
        if any(row[3] == each.player for each in parsed[:-1]):
            raise GamesFileError(f"{row[3]} takes part twice in game {name}", at)
    without_action = sum(row.aborted == "no-action" for row in parsed)
    if without_action not in {0, len(parsed)}:
        raise GamesFileError(f"game {name}: no-action must stand on every row", line)
    if sum(row.aborted == "by" for row in parsed) > 1:
        raise GamesFileError(f"game {name} was aborted by two players", line)
    return FileGame(name, played_at, event, tuple(parsed), line)


def _row(row: list[str], line: int) -> FileRow:
    player, placing, score, aborted = row[3:]
    if not player.strip():
        raise GamesFileError("a player needs a name", line)
    if not (placing.isascii() and placing.isdecimal() and int(placing) >= 1):
        raise GamesFileError(f"the placing must be 1, 2 or so, not {placing!r}", line)
    if aborted not in {"", "by", "no-action"}:
        raise GamesFileError(f"aborted is empty, by or no-action, not {aborted!r}", line)
    return FileRow(player, int(placing), _score(score, line), aborted)


def _score(text: str, line: int) -> Decimal | None:
    if not text:
        return None
    try:
        score = Decimal(text)
    except InvalidOperation as error:
        raise GamesFileError(f"the score is no number: {text!r}", line) from error
    if not score.is_finite() or abs(score) >= _GREATEST:
        raise GamesFileError(f"the score is no finite number below 10^9: {text!r}", line)
    exponent = score.as_tuple().exponent
    if isinstance(exponent, int) and exponent < _FINEST:
        raise GamesFileError(f"the score has more than six decimals: {text!r}", line)
    return score


def _check_time(text: str, line: int) -> None:
    if not text:
        return
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise GamesFileError(
            f"the time is not like 2010-04-01T18:00:00Z: {text!r}", line
        ) from error


def _check_event(game: FileGame, running: str, ended: set[str]) -> str:
    """Return the event that runs after a game; one that ended cannot go on."""
    if game.event != running:
        ended.add(running)
        if game.event and game.event in ended:
            raise GamesFileError(f"the games of {game.event} must stand together", game.line)
    return game.event
