"""`python -m bot rate`: rating a games file without Discord and without a database."""

from __future__ import annotations

import contextlib
import csv
import gc
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from bot.errors import (
    GamesFileError,
    InvalidSetting,
    RatingError,
    UnknownSystem,
)
from bot.games_file import GamesFile, check_filed_game
from bot.model import EventId, EventKind, Game, PlayerId, Standing
from bot.ratings.registry import make_system, system_keys
from bot.ratings.replay import EventClosed, EventOpened, Fact, replay

if TYPE_CHECKING:
    import argparse
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
    from decimal import Decimal

    from bot.games_file import FiledGame
    from bot.model import RatingChange, Reason
    from bot.ratings.system import RatingSystem

FAULT = 2
"""The exit status for whatever is wrong with the file or with what was asked for."""


def add_rate_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what `rate` takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a games file")
    parser.add_argument("--system", required=True, metavar="KEY", help=", ".join(system_keys()))
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a setting of the system; may be given several times",
    )
    parser.add_argument("--format", choices=["table", "json", "csv"], default="table")
    parser.add_argument(
        "--history", action="store_true", help="also print each change with its reason"
    )


def run_rate(arguments: argparse.Namespace, *, stdout: TextIO, stderr: TextIO) -> int:
    """Rate a file and print the ratings, or one line about what is wrong and nothing else.

    Args:
        arguments: As parsed by what `add_rate_arguments` added.
        stdout: Where the ratings go.
        stderr: Where the line goes.

    Returns:
        The exit status: 0, or 2 where something is wrong.
    """
    # A file is refused whole: what is printed as one reads waits until the end is reached.
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as waiting:
        history = _HISTORIES[arguments.format](waiting) if arguments.history else None
        try:
            system = make_system(arguments.system, _settings(arguments.set))
            with arguments.file.open(encoding="utf-8-sig", errors="surrogateescape") as file:
                table = rate_games(system, file, history)
        except (GamesFileError, RatingError) as error:
            print(f"parlour: {_text(error)}", file=stderr)
            return FAULT
        except OSError as error:
            print(f"parlour: cannot read {str(arguments.file)!r}: {error.strerror}", file=stderr)
            return FAULT
        waiting.seek(0)
        _PRINTERS[arguments.format](table, waiting if arguments.history else None, stdout)
    return 0


class Rated(NamedTuple):
    """A player's standing at the end of the file."""

    player: str
    standing: Standing


class Table(NamedTuple):
    """What rating a file gives: the system, and the players from the highest rating down."""

    system: RatingSystem
    players: Sequence[Rated]


class History:
    """Writes down each change of a rating while a file is rated."""

    def __init__(self, file: TextIO) -> None:
        """Make an empty history.

        Args:
            file: Where it is written.
        """
        self._file = file

    def add(self, filing: _Filing, changes: Iterable[RatingChange]) -> None:
        """Write down what one game or one closing did."""
        raise NotImplementedError


def rate_games(system: RatingSystem, file: TextIO, history: History | None) -> Table:
    """Rate the games of a file in the order of the file.

    Args:
        system: By which system.
        file: An open games file, as `GamesFile` wants it.
        history: Where each change is written down, None for nowhere.

    Raises:
        GamesFileError: The file is at fault, or a game in it that the system cannot rate.
    """
    with _without_collecting():
        return _rated(system, _Filing(system, file), history)


@contextlib.contextmanager
def _without_collecting() -> Generator[None]:
    """Keep Python from searching for rings of objects: rating makes none, and much to search."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _rated(system: RatingSystem, filing: _Filing, history: History | None) -> Table:
    facts = filing.facts()
    standings = (
        _tallied(system, facts) if history is None else _told(system, facts, filing, history)
    )
    players = [Rated(filing.names[player], standing) for player, standing in standings.items()]
    players.sort(key=lambda rated: (-_sortable(rated.standing.rating), rated.player))
    return Table(system, players)


def _tallied(system: RatingSystem, facts: Iterator[Fact]) -> Mapping[PlayerId, Standing]:
    """Rate without a value for each change, which takes a third of the time."""
    tally = system.tally()
    for fact in facts:
        if isinstance(fact, Game):
            tally.rate(fact)
        elif isinstance(fact, EventOpened):
            tally.open_event()
        else:
            tally.close_event()
    return tally.standings()


def _told(
    system: RatingSystem, facts: Iterator[Fact], filing: _Filing, history: History
) -> Mapping[PlayerId, Standing]:
    """Rate and write each change down."""
    standings: dict[PlayerId, Standing] = {}
    for _, step in replay(system, facts):
        standings.update(step.standings)
        history.add(filing, step.changes)
    return standings


def _sortable(rating: Decimal | None) -> Decimal | int:
    return -1 if rating is None else rating


class _Filing:
    """Makes facts of a file's games, and knows the names behind the numbers.

    Attributes:
        names: Those of the players, by number.
        game: The name of the game that was the last fact, empty after a closing.
        event: The name of its event.
    """

    def __init__(self, system: RatingSystem, file: TextIO) -> None:
        self._games = GamesFile(file)
        self.names = self._games.names
        self.game = ""
        self.event = ""
        self._system = system
        self._takes_two = len("ab") in system.players
        self._needs_scores = system.needs_scores

    def facts(self) -> Iterator[Fact]:
        """Yield each game that counts, and where events begin and end.

        Where a system rates seasons, games without an event are a season of their own.
        """
        kind = self._system.event_kind
        events = 0
        is_running = has_begun = False
        for filed in self._games.games():
            self._check(filed)
            if not filed.has_action:
                continue
            if kind is not None and (filed.event != self.event or not has_begun):
                if is_running:
                    yield self._closing(events)
                is_running = filed.event != "" or kind is EventKind.SEASON
                events += is_running
                if is_running:
                    yield EventOpened(EventId(events))
            has_begun = True
            self.game, self.event = filed.name, filed.event
            yield filed.game
        if is_running:
            yield self._closing(events)

    def _closing(self, event: int) -> EventClosed:
        self.game = ""
        return EventClosed(EventId(event))

    def _check(self, filed: FiledGame) -> None:
        """Refuse a game that the system cannot rate."""
        participants = filed.game.participants
        if len(participants) == len("ab") and self._takes_two:
            # Nearly all games are of two, and asking for no more takes a fourth of the time.
            (first, _, one), (second, _, other) = participants
            has_scores = one is not None and other is not None
            if first != second and (has_scores or not self._needs_scores):
                return
        check_filed_game(self._system, filed)


def _settings(given: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    return {name.strip(): value.strip() for name, _, value in pairs}


def _text(error: GamesFileError | RatingError) -> str:
    match error:
        case GamesFileError(problem=problem, line=line):
            return problem if line is None else f"line {line}: {problem}"
        case UnknownSystem(key=key, known=known):
            return f"there is no rating system {key!r}; there are {', '.join(known)}"
        case InvalidSetting(name=name, value=value, allowed=allowed):
            settings = "; ".join(allowed) or "none"
            return f"{f'{name}={value}'!r} is not a setting here; settings: {settings}"
        case _:
            raise AssertionError(error)


class _TextHistory(History):
    """A line a change, for people."""

    def add(self, filing: _Filing, changes: Iterable[RatingChange]) -> None:
        for change in changes:
            where = f"game {filing.game}" if filing.game else f"event {filing.event}".rstrip()
            moved = f"{_number(change.before)} → {_number(change.after)}"
            if change.contribution is not None:
                moved = f"counts {_number(change.contribution)}"
            reasons = "; ".join(_reason(filing, reason) for reason in change.reasons)
            name = filing.names[change.player]
            line = f"{where}: {name} {moved} ({change.cause}): {reasons}"
            self._file.write(_printable(line) + "\n")


class _CsvHistory(History):
    """A row a change, for spreadsheets."""

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._writer = csv.writer(file, lineterminator="\n")
        self._writer.writerow(
            ["game", "event", "player", "cause", "before", "after", "contribution", "reasons"]
        )

    def add(self, filing: _Filing, changes: Iterable[RatingChange]) -> None:
        for change in changes:
            numbers = (change.before, change.after, change.contribution)
            self._writer.writerow(
                [
                    filing.game,
                    filing.event,
                    filing.names[change.player],
                    change.cause.value,
                    *("" if number is None else _number(number) for number in numbers),
                    "; ".join(_reason(filing, reason) for reason in change.reasons),
                ]
            )


class _JsonHistory(History):
    """An object a change, for programs; a comma after each but the last."""

    _separator = ""

    def add(self, filing: _Filing, changes: Iterable[RatingChange]) -> None:
        for change in changes:
            reasons = [
                {
                    "rule": reason.rule,
                    "terms": {name: str(_term(filing, name, each)) for name, each in reason.terms},
                }
                for reason in change.reasons
            ]
            texts = {
                "game": filing.game or None,
                "event": filing.event or None,
                "player": filing.names[change.player],
                "cause": change.cause.value,
            }
            numbers = {
                "before": change.before,
                "after": change.after,
                "contribution": change.contribution,
            }
            fields = [f"{json.dumps(name)}: {json.dumps(text)}" for name, text in texts.items()]
            fields += [f"{json.dumps(name)}: {_json(each)}" for name, each in numbers.items()]
            fields.append(f'"reasons": {json.dumps(reasons)}')
            self._file.write(f"{self._separator}{{{', '.join(fields)}}}")
            self._separator = ", "


_HISTORIES = {"table": _TextHistory, "csv": _CsvHistory, "json": _JsonHistory}


def _print_text(table: Table, history: TextIO | None, stdout: TextIO) -> None:
    if history is not None:
        shutil.copyfileobj(history, stdout)
        stdout.write("\n")
    rows = [("rank", "player", "rating", "games"), *_ranked(table)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    stdout.writelines(
        f"{rank:>{widths[0]}}  {player:<{widths[1]}}  {rating:>{widths[2]}}  {games:>{widths[3]}}\n"
        for rank, player, rating, games in rows
    )


def _ranked(table: Table) -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of the table; ratings shown alike share a rank."""
    rank, above = 0, ""
    for place, (player, standing) in enumerate(table.players, 1):
        rating = standing.rating
        shown = _number(None if rating is None else rating.quantize(table.system.shown_quantum))
        if shown != above:
            rank, above = place, shown
        yield str(rank), _printable(player), shown, str(standing.games)


def _print_csv(table: Table, history: TextIO | None, stdout: TextIO) -> None:
    if history is not None:
        shutil.copyfileobj(history, stdout)
        return
    writer = csv.writer(stdout, lineterminator="\n")
    writer.writerow(["player", "rating", "games"])
    for player, standing in table.players:
        rating = "" if standing.rating is None else _number(standing.rating)
        writer.writerow([player, rating, standing.games])


def _print_json(table: Table, history: TextIO | None, stdout: TextIO) -> None:
    # By hand, since the module json has no exact decimal numbers.
    ratings = ", ".join(
        f"{json.dumps(player)}: {_json(standing.rating)}" for player, standing in table.players
    )
    games = ", ".join(f"{json.dumps(player)}: {each.games}" for player, each in table.players)
    system = json.dumps(table.system.key)
    stdout.write(f'{{"system": {system}, "ratings": {{{ratings}}}, "games": {{{games}}}')
    if history is not None:
        stdout.write(', "history": [')
        shutil.copyfileobj(history, stdout)
        stdout.write("]")
    stdout.write("}\n")


_PRINTERS = {"table": _print_text, "csv": _print_csv, "json": _print_json}


def _reason(filing: _Filing, reason: Reason) -> str:
    terms = ", ".join(f"{name} {_term(filing, name, each)}" for name, each in reason.terms)
    return f"{reason.rule} ({terms})" if terms else reason.rule


def _term(filing: _Filing, name: str, value: Decimal | int | str) -> Decimal | int | str:
    """Return a term as people know it: an opponent by name."""
    return filing.names[value] if name == "opponent" and isinstance(value, int) else value


def _number(number: Decimal | None) -> str:
    return "–" if number is None else f"{number:f}"


def _json(number: Decimal | None) -> str:
    return "null" if number is None else f"{number:f}"


def _printable(text: str) -> str:
    """Return a text without what could command a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)
