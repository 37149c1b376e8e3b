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
from typing import TYPE_CHECKING, NamedTuple, TextIO

from bot.errors import GamesFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMNS = ("game", "played_at", "event", "player", "placing", "score", "aborted")
LONGEST_LINE = 4096
"""In characters; nothing that people call themselves or their events needs more."""
MOST_ROWS = 999
"""How many participants a game may have at most."""
HIGHEST_SCORE = Decimal(1_000_000_000)
FINEST_SCORE = Decimal("0.000001")

BY = "by"
NO_ACTION = "no-action"


class FiledParticipant(NamedTuple):
    """One player's part in a game.

    Attributes:
        player: The player's name.
        placing: 1 is best; 0 where a game aborted without action has none.
        score: Points in the game, None where it has none.
    """

    player: str
    placing: int
    score: Decimal | None


class FiledGame(NamedTuple):
    """A game as it stands in a file.

    Attributes:
        name: What the file calls it.
        line: Where it begins, counted from 1.
        played_at: When it was played, None where the file does not say.
        event: The tournament or season, empty for none.
        participants: In the order of the rows.
        aborted_by: The name of the player who aborted it, None for a finished game.
        has_action: Whether anything happened in it; if not, it counts for nothing.
    """

    name: str
    line: int
    played_at: datetime | None
    event: str
    participants: tuple[FiledParticipant, ...]
    aborted_by: str | None
    has_action: bool


def read_games(file: TextIO) -> Iterator[FiledGame]:
    """Read a file game by game, without ever holding more than one.

    Args:
        file: Open for reading with the encoding `utf-8-sig` and the error handler
            `surrogateescape`, so that a wrong byte is told with its line.

    Raises:
        GamesFileError: At the first thing that is wrong with the file.
    """
    names: set[str] = set()
    events: set[str] = set()
    event = ""
    for game in _games(_rows(file)):
        if game.name in names:
            raise GamesFileError(f"the rows of game {game.name!r} do not stand together", game.line)
        names.add(game.name)
        if game.event != event:
            if game.event in events:
                problem = f"the games of event {game.event!r} do not stand together"
                raise GamesFileError(problem, game.line)
            event = game.event
            if event:
                events.add(event)
        yield game


class _Row(NamedTuple):
    line: int
    fields: list[str]


def _rows(file: TextIO) -> Iterator[_Row]:
    header = _line(file, 1)
    if not header:
        raise GamesFileError("the file is empty")
    if tuple(_fields(header, 1)) != COLUMNS:
        raise GamesFileError(f"the first line must be {','.join(COLUMNS)}", 1)
    number = 1
    width = len(COLUMNS)
    while True:
        number += 1
        line = _line(file, number)
        if not line:
            return
        fields = _fields(line, number)
        if len(fields) == width:
            yield _Row(number, fields)
        elif line != "\n":
            problem = f"{len(fields)} fields in place of {width}"
            raise GamesFileError(problem, number)


def _line(file: TextIO, number: int) -> str:
    """Return the next line, empty at the end of the file."""
    line = file.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise GamesFileError(f"the line is longer than {LONGEST_LINE} characters", number)
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError:
            raise GamesFileError("the line is not UTF-8", number) from None
    if "\0" in line:
        raise GamesFileError("the line has a zero byte", number)
    return line


def _fields(line: str, number: int) -> list[str]:
    if '"' not in line:
        return line.rstrip("\n").split(",")
    try:
        (fields,) = csv.reader([line], strict=True)
    except csv.Error:
        raise GamesFileError("the quotation marks do not match", number) from None
    return fields


def _games(rows: Iterator[_Row]) -> Iterator[FiledGame]:
    """Put the rows of each game together."""
    together: list[_Row] = []
    name = ""
    for row in rows:
        if row.fields[0] != name and together:
            yield _game(together)
            together = []
        name = row.fields[0]
        if not name.strip():
            raise GamesFileError("the game has no name", row.line)
        together.append(row)
        if len(together) > MOST_ROWS:
            raise GamesFileError(f"game {name!r} has more than {MOST_ROWS} players", row.line)
    if together:
        yield _game(together)


def _game(rows: Sequence[_Row]) -> FiledGame:
    line, (name, played_at, event, *_) = rows[0]
    participants: list[FiledParticipant] = []
    aborters: list[str] = []
    without_action = 0
    for number, (_, moment, of, player, placing, score, aborted) in rows:
        if moment != played_at or of != event:
            raise GamesFileError(f"game {name!r} has two times or two events", number)
        if aborted:
            if aborted == BY:
                aborters.append(player)
            elif aborted == NO_ACTION:
                without_action += 1
            else:
                problem = f"aborted is {aborted!r}, not {BY}, {NO_ACTION} or empty"
                raise GamesFileError(problem, number)
        if not player or player.isspace():
            raise GamesFileError("the player has no name", number)
        participants.append(
            FiledParticipant(
                player,
                _placing(placing, number, may_be_missing=aborted == NO_ACTION),
                _score(score, number) if score else None,
            )
        )
    if without_action not in {0, len(rows)} or (without_action and aborters):
        raise GamesFileError(f"{NO_ACTION} must stand on every row of game {name!r}", line)
    if len(aborters) > 1:
        raise GamesFileError(f"two players aborted game {name!r}", line)
    return FiledGame(
        name,
        line,
        _time(played_at, line) if played_at else None,
        event,
        tuple(participants),
        aborters[0] if aborters else None,
        has_action=not without_action,
    )


_PLACINGS = {str(placing): placing for placing in range(1, MOST_ROWS + 1)}


def _placing(text: str, number: int, *, may_be_missing: bool) -> int:
    placing = _PLACINGS.get(text)
    if placing is not None:
        return placing
    if may_be_missing and not text:
        return 0
    raise GamesFileError(f"the placing is {text!r}, not a number from 1", number)


def _score(text: str, number: int) -> Decimal:
    try:
        score = Decimal(text)
        # A comparison with what is no number raises.
        if score.copy_abs() <= HIGHEST_SCORE and score == score.quantize(FINEST_SCORE):
            return score
    except InvalidOperation:
        pass
    problem = f"the score is {text!r}, not a number up to a billion with at most six decimals"
    raise GamesFileError(problem, number)


def _time(text: str, number: int) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        problem = f"the time is {text!r}, not one like 2010-04-01T18:00:00Z"
        raise GamesFileError(problem, number)
    return time
