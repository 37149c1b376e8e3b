"""`python -m bot rate`: rating a games file without Discord or a database."""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from bot.errors import GamesFileError, InvalidSetting, RatingError, UnknownSystem, WrongPlayerCount
from bot.games_file import FileGame, read_games
from bot.model import EventId, EventKind, Game, GameId, Participant, PlayerId
from bot.ratings.registry import make_system
from bot.ratings.replay import EventClosed, EventOpened, check_game, replay

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from bot.model import RatingChange, Reason, Standing
    from bot.ratings.replay import Fact
    from bot.ratings.system import RatingSystem

FAULT = 2
"""The exit status for a file or an argument that is wrong."""


def add_rate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `rate` takes to its parser."""
    parser.add_argument("file", help="a games file; - for standard input")
    parser.add_argument("--system", required=True, help="the key of the rating system")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting"
    )
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table")
    parser.add_argument("--history", action="store_true", help="print each change, and why")


def run_rate(arguments: argparse.Namespace, *, stdout: TextIO, stderr: TextIO) -> int:
    """Rate a games file and print the ratings; return the exit status.

    Nothing is printed where the file is at fault, not even a history up to there.
    """
    try:
        system = make_system(arguments.system, _settings(arguments.set))
        with tempfile.TemporaryFile("w+", encoding="utf-8") as history:
            rated = _Rating(system, history if arguments.history else None)
            if arguments.file == "-":
                rated.rate(read_games(sys.stdin.buffer))
            else:
                with Path(arguments.file).open("rb") as file:
                    rated.rate(read_games(file))
            history.seek(0)
            stdout.writelines(history)
        _PRINTERS[arguments.format](rated, stdout)
    except GamesFileError as error:
        where = f"line {error.line}: " if error.line is not None else ""
        stderr.write(f"parlour: {arguments.file}: {where}{error.problem}\n")
        return FAULT
    except OSError as error:
        stderr.write(f"parlour: {arguments.file}: {error.strerror}\n")
        return FAULT
    except UnknownSystem as error:
        stderr.write(f"parlour: no rating system {error.key}; one of {', '.join(error.known)}\n")
        return FAULT
    except InvalidSetting as error:
        known = "; ".join(error.allowed) or "this system has none"
        stderr.write(f"parlour: no setting {error.name}={error.value}: {known}\n")
        return FAULT
    return 0


def _settings(given: Sequence[str]) -> dict[str, str]:
    return {name: value for name, _, value in (each.partition("=") for each in given)}


class _Rating:
    """The ratings of a file, and the names of its players."""

    def __init__(self, system: RatingSystem, history: IO[str] | None) -> None:
        self.system = system
        self.standings: dict[PlayerId, Standing] = {}
        self.names: list[str] = []
        self._numbers: dict[str, PlayerId] = {}
        self._history = history
        self._labels: dict[GameId | EventId, str] = {}

    def rate(self, games: Iterator[FileGame]) -> None:
        """Rate every game in the order of the file."""
        for fact, step in replay(self.system, self._facts(games)):
            self.standings.update(step.standings)
            if self._history is not None:
                for change in step.changes:
                    self._history.write(self._line(fact, change))

    def ranked(self) -> list[tuple[str, Standing]]:
        """Return names and standings, the highest rating first, then the first to play."""
        found = [(self.names[player], standing) for player, standing in self.standings.items()]
        return sorted(found, key=_rating_below)

    def _facts(self, games: Iterator[FileGame]) -> Iterator[Fact]:
        has_tournaments = self.system.event_kind is EventKind.TOURNAMENT
        event, number = "", EventId(0)
        game = None
        for index, game in enumerate(games, 1):
            if game.event != event:
                if event or not has_tournaments:
                    yield EventClosed(number)
                event, number = game.event, EventId(number + 1)
                self._labels[number] = event
                if event:
                    yield EventOpened(number)
            if not game.is_without_action:
                yield self._game(game, GameId(index))
        if game is not None and (event or not has_tournaments):
            yield EventClosed(number)

    def _game(self, game: FileGame, game_id: GameId) -> Game:
        participants = tuple(
            Participant(self._number(row.player), row.placing, row.score) for row in game.rows
        )
        aborter = self._number(game.aborter) if game.aborter is not None else None
        made = Game(game_id, participants, aborter)
        try:
            check_game(self.system, made)
        except RatingError as error:
            raise GamesFileError(_problem(error, game), game.line) from error
        if self._history is not None:
            self._labels[game_id] = game.name
        return made

    def _number(self, name: str) -> PlayerId:
        if name not in self._numbers:
            self._numbers[name] = PlayerId(len(self.names))
            self.names.append(name)
        return self._numbers[name]

    def _line(self, fact: Fact, change: RatingChange) -> str:
        what = (
            f"game {self._labels[fact.id]}"
            if isinstance(fact, Game)
            else f"closing {self._labels.get(fact.event, '')}".strip()
        )
        before = "-" if change.before is None else str(change.before)
        after = "-" if change.after is None else str(change.after)
        reasons = "; ".join(self._reason(reason) for reason in change.reasons)
        return f"{what}: {self.names[change.player]} {before} -> {after} ({reasons})\n"

    def _reason(self, reason: Reason) -> str:
        terms = ", ".join(
            f"{name} {self.names[value] if name == 'opponent' else value}"
            if isinstance(value, int)
            else f"{name} {value}"
            for name, value in reason.terms
        )
        return f"{reason.rule}: {terms}" if terms else reason.rule


def _rating_below(entry: tuple[str, Standing]) -> tuple[bool, Decimal | int]:
    rating = entry[1].rating
    return rating is None, 0 if rating is None else -rating


def _problem(error: RatingError, game: FileGame) -> str:
    if isinstance(error, WrongPlayerCount):
        low, high = error.allowed.start, error.allowed.stop - 1
        count = str(low) if low == high else f"{low} to {high}"
        return f"game {game.name} has {error.count} players, and {error.system} rates {count}"
    return f"game {game.name} cannot be rated: a score is missing"


def _print_table(rated: _Rating, stdout: TextIO) -> None:
    rank, last = 0, None
    for index, (name, standing) in enumerate(rated.ranked(), 1):
        if standing.rating is None or standing.rating != last:
            rank, last = index, standing.rating
        rating = "-" if standing.rating is None else str(standing.rating)
        stdout.write(f"{rank:>5}  {rating:>12}  {standing.games:>6}  {name}\n")


def _print_json(rated: _Rating, stdout: TextIO) -> None:
    ranked = rated.ranked()
    # Written by hand where json knows no exact numbers: a Decimal prints as the number it is.
    ratings = ", ".join(
        f"{json.dumps(name, ensure_ascii=False)}: {_json_number(each.rating)}"
        for name, each in ranked
    )
    games = ", ".join(
        f"{json.dumps(name, ensure_ascii=False)}: {each.games}" for name, each in ranked
    )
    key = json.dumps(rated.system.key)
    stdout.write(f'{{"system": {key}, "ratings": {{{ratings}}}, "games": {{{games}}}}}\n')


def _json_number(rating: Decimal | None) -> str:
    return "null" if rating is None else f"{rating:f}"


def _print_csv(rated: _Rating, stdout: TextIO) -> None:
    writer = csv.writer(stdout, lineterminator="\n")
    writer.writerow(("player", "rating", "games"))
    for name, standing in rated.ranked():
        writer.writerow((name, standing.rating, standing.games))


_PRINTERS = {"table": _print_table, "json": _print_json, "csv": _print_csv}
