"""Rating a games file from the command line."""

from __future__ import annotations

import argparse
import csv
import json
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.rate_file import add_rate_arguments, run_rate

HEADER = "game,played_at,event,player,placing,score,aborted\n"
VECTORS = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text("utf-8"))
PLACINGS = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}


class Answer(NamedTuple):
    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout, parse_float=Decimal)


class Rate:
    """Writes a games file and rates it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "games.csv"

    def __call__(self, content: str, *options: str) -> Answer:
        self.file.write_bytes(content.encode())
        return self.run(str(self.file), *options)

    @staticmethod
    def run(*arguments: str) -> Answer:
        parser = argparse.ArgumentParser()
        add_rate_arguments(parser)
        stdout, stderr = StringIO(), StringIO()
        status = run_rate(parser.parse_args(arguments), stdout=stdout, stderr=stderr)
        return Answer(status, stdout.getvalue(), stderr.getvalue())


@pytest.fixture
def rate(tmp_path: Path) -> Rate:
    return Rate(tmp_path)


def nine_games() -> str:
    rows = [
        f"{number},2010-04-{number:02}T18:00:00Z,,{player},{placing},,\n"
        for number, (first, second, result) in enumerate(
            VECTORS["eternament"]["end_to_end"]["games_in_order"], 1
        )
        for player, placing in zip((first, second), PLACINGS[result], strict=True)
    ]
    return HEADER + "".join(rows)


def test_the_nine_games_of_2010(rate: Rate) -> None:
    answer = rate(nine_games(), "--system", "eternament", "--format", "json")
    assert (answer.status, answer.stderr) == (0, "")
    assert set(answer.json) == {"system", "ratings", "games"}
    assert answer.json["system"] == "eternament"
    assert answer.json["ratings"] == VECTORS["eternament"]["end_to_end"]["final"]
    assert answer.json["games"]["Ducky"] == 2
    assert sum(answer.json["games"].values()) == 18


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(rate: Rate) -> None:
    plain = rate(nine_games(), "--system", "eternament")
    other = rate("\ufeff" + nine_games().replace("\n", "\r\n"), "--system", "eternament")
    assert plain == other


def test_the_table_has_shared_ranks(rate: Rate) -> None:
    lines = rate(nine_games(), "--system", "eternament").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [
        "rank", "1", "2", "2", "2", "2", "2", "7", "8", "9", "10", "10", "10", "10", "10", "15"
    ]  # fmt: skip
    assert lines[1].split() == ["1", "Piggy", "160", "2"]


def test_csv(rate: Rate) -> None:
    answer = rate(nine_games(), "--system", "eternament", "--format", "csv")
    rows = list(csv.reader(answer.stdout.splitlines()))
    assert rows[:2] == [["player", "rating", "games"], ["Piggy", "160", "2"]]
    assert len(rows) == 16


SCORED = HEADER + "1,,,Ann,1,400,\n1,,,Bob,2,350,\n"


def test_ratings_have_the_digits_of_their_quantum(rate: Rate) -> None:
    answer = rate(SCORED, "--system", "game-room", "--format", "json")
    assert '"Ann": 1529.867257' in answer.stdout
    answer = rate(SCORED, "--system", "cif", "--format", "json")
    assert '"Ann": 1515.00' in answer.stdout
    answer = rate(SCORED, "--system", "game-room", "--set", "start=1000", "--format", "json")
    assert answer.json["ratings"]["Ann"] == Decimal("1019.911504")


def test_a_tournament_is_applied_after_its_last_game(rate: Rate) -> None:
    vector = VECTORS["simplified-elo"]["tournament"]
    rows = [
        f"{game},,Cup,{'ABCD'[player]},{placing},,\n"
        for game, places in enumerate(vector["games_places"])
        for player, placing in enumerate(places)
    ]
    answer = rate(HEADER + "".join(rows), "--system", "simplified-elo", "--format", "json")
    # All four begin at 1600: each game gives 24, 8, -8, -24 in the order of the places.
    assert answer.json["ratings"] == {"A": 1600, "B": 1632, "C": 1600, "D": 1568}


def test_games_without_an_event_are_a_season(rate: Rate) -> None:
    text = HEADER + "1,,,Ann,1,,\n1,,,Bob,2,,\n2,,S,Ann,1,,\n2,,S,Cy,1,,\n"
    answer = rate(text, "--system", "ecf", "--format", "json")
    # First season: 125 - 40 + 50 = 135 and 65. Second: Cy starts and stays at 135, the opponent's;
    # Ann has one game of 135 now and the one of 135 from before.
    assert answer.json["ratings"] == {"Ann": 135, "Bob": 65, "Cy": 135}
    assert answer.json["games"] == {"Ann": 2, "Bob": 1, "Cy": 1}


def test_aborted_games(rate: Rate) -> None:
    text = HEADER + "1,,,Ann,1,,by\n1,,,Bob,2,,\n2,,,Ann,,,no-action\n2,,,Cy,,,no-action\n"
    answer = rate(text, "--system", "eternament", "--format", "json")
    assert answer.json["ratings"] == {"Ann": 100, "Bob": 100}
    assert answer.json["games"] == {"Ann": 1, "Bob": 1}


@pytest.mark.parametrize("system", ["eternament", "game-room", "simplified-elo", "ecf", "cif"])
def test_a_history_tells_each_change_with_its_reasons(rate: Rate, system: str) -> None:
    text = SCORED + "2,,Cup,Ann,1,30,\n2,,Cup,Bob,1,30,by\n"
    lines = rate(text, "--system", system, "--history").stdout.splitlines()
    assert lines[0].startswith("game 1: Ann ")
    assert any("no-gain-no-loss (regular" in line for line in lines)
    rows = list(csv.reader(StringIO(rate(
        text, "--system", system, "--history", "--format", "csv"
    ).stdout)))  # fmt: skip
    assert {len(row) for row in rows} == {8}
    answer = rate(text, "--system", system, "--history", "--format", "json")
    history = answer.json["history"]
    assert len(history) == len(rows) - 1 >= 4
    assert all(change["reasons"] for change in history)
    assert history[0]["player"] == "Ann"
    opponents = [
        reason["terms"]["opponent"]
        for change in history
        for reason in change["reasons"]
        if "opponent" in reason["terms"]
    ]
    assert set(opponents) <= {"Ann", "Bob"}


TWO = "1,,,Ann,1,,\n1,,,Bob,2,,\n"


@pytest.mark.parametrize(
    ("content", "system", "words"),
    [
        ("", "eternament", "empty"),
        ("player,game\n", "eternament", "line 1: the first line must be game,played_at"),
        (HEADER + "1,,,Ann,first,,\n", "eternament", "line 2: the placing is 'first'"),
        (HEADER + TWO, "game-room", "line 2: game '1' lacks a score"),
        (
            HEADER + "".join(f"1,,,{name},1,5,\n" for name in "ABCDE"),
            "game-room",
            "line 2: game '1' has 5 players, and game-room takes 2 to 4",
        ),
        (HEADER + TWO + "1,,,Cy,3,,\n", "eternament", "has 3 players, and eternament takes 2"),
        (HEADER + "1,,,Ann,1,,\n", "eternament", "has 1 player, and"),
        (HEADER + "1,,,Ann,1,,\n1,,,Ann,2,,\n", "simplified-elo", "has a player twice"),
        (HEADER + "1,,,Ann,1,nan,\n1,,,Bob,2,3,\n", "game-room", "line 2: the score is 'nan'"),
        (HEADER + TWO + "2,,,Ann,1,,\n2,,,Bob," + "9" * 5000, "eternament", "line 5: the line is"),
        (HEADER + TWO, "elo", "there is no rating system 'elo'; there are eternament"),
    ],
)
@pytest.mark.parametrize("style", ["table", "json", "csv"])
def test_what_is_wrong_is_one_line_and_nothing_is_printed(
    rate: Rate, content: str, system: str, words: str, style: str
) -> None:
    answer = rate(content, "--system", system, "--format", style, "--history")
    assert answer.status == 2
    assert answer.stdout == ""
    assert words in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("setting", ["start=many", "start", "speed=3", "=", ""])
def test_a_wrong_setting_is_answered_with_the_right_ones(rate: Rate, setting: str) -> None:
    answer = rate(SCORED, "--system", "game-room", "--set", setting)
    assert answer.status == 2
    assert answer.stdout == ""
    assert "settings: start: a number from 1 to 10000" in answer.stderr


def test_a_file_that_cannot_be_read_is_told(rate: Rate, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.csv", tmp_path):
        answer = rate.run(str(path), "--system", "eternament")
        assert (answer.status, answer.stdout) == (2, "")
        assert answer.stderr.startswith("parlour: cannot read ")
        assert answer.stderr.count("\n") == 1


def test_a_name_cannot_command_the_terminal(rate: Rate) -> None:
    answer = rate(HEADER + "1,,,\x1b[2JAnn,1,,\n1,,,Bob,2,,\n", "--system", "eternament")
    assert "\x1b" not in answer.stdout
