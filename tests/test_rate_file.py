"""`python -m bot rate`, as its user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import main

HEADER = "game,played_at,event,player,placing,score,aborted\n"
VECTORS = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text("utf-8"))
PLACINGS = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return the file of the nine games that end on the ladder's table of 2010."""
    lines: list[str] = []
    history = VECTORS["eternament"]["end_to_end"]["games_in_order"]
    for number, (first, second, result) in enumerate(history, 1):
        for name, placing in zip((first, second), PLACINGS[result], strict=True):
            lines.append(f"{number},2010-04-01T18:00:00Z,,{name},{placing},,\n")
    file = tmp_path / "games.csv"
    file.write_text(HEADER + "".join(lines), "utf-8")
    return file


def rate(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["rate", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_nine_games_give_the_printed_ratings(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = rate(capsys, str(games), "--system", "eternament", "--format", "json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["system"] == "eternament"
    assert answer["ratings"] == VECTORS["eternament"]["end_to_end"]["final"]
    assert answer["games"]["Piggy"] == 2
    assert list(answer["ratings"])[:2] == ["Piggy", "bookgirl_me"]


def test_table_and_csv(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, table, _ = rate(capsys, str(games), "--system", "eternament")
    assert table.splitlines()[0] == "    1           160       2  Piggy"
    assert table.splitlines()[-1] == "   15            10       1  Kiga"
    _, text, _ = rate(capsys, str(games), "--system", "eternament", "--format", "csv")
    assert text.splitlines()[:2] == ["player,rating,games", "Piggy,160,2"]


def test_the_history_says_why(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = rate(capsys, str(games), "--system", "eternament", "--history")
    assert (
        "game 8: Piggy 150 -> 160 (clamped-opponent: opponent SudoRandom, rating 100, reach 40, "
        "counted 110; points-win: points 50)\n"
    ) in out


def test_a_tournament_is_rated_at_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.csv"
    rows = "1,,Spring,Ann,1,,\n1,,Spring,Bob,2,,\n2,,Spring,Ann,1,,\n2,,Spring,Bob,2,,\n"
    file.write_text(HEADER + rows, "utf-8")
    _, out, _ = rate(capsys, str(file), "--system", "simplified-elo", "--format", "json")
    assert json.loads(out)["ratings"] == {"Ann": 1616, "Bob": 1584}


def test_aborted_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.csv"
    rows = "1,,,Ann,1,,by\n1,,,Bob,2,,\n2,,,Ann,1,,no-action\n2,,,Bob,1,,no-action\n"
    file.write_text(HEADER + rows, "utf-8")
    _, out, _ = rate(capsys, str(file), "--system", "eternament", "--format", "json")
    assert json.loads(out) == {
        "system": "eternament",
        "ratings": {"Ann": 100, "Bob": 100},
        "games": {"Ann": 1, "Bob": 1},
    }


def test_a_byte_order_mark_and_windows_line_ends_just_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.csv"
    text = (HEADER + "1,,,Ann,1,,\n1,,,Bob,2,,\n").replace("\n", "\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    status, out, _ = rate(capsys, str(file), "--system", "eternament", "--format", "json")
    assert status == 0
    assert json.loads(out)["ratings"] == {"Ann": 150, "Bob": 50}


ONE = "1,,,Ann,1,,\n1,,,Bob,2,,\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        (HEADER, "the file holds no game"),
        ("player,score\n", "line 1: the first line must be game,played_at"),
        (HEADER + "1,,,Ann,first,,\n1,,,Bob,2,,\n", "line 2: the placing must be 1, 2 or so"),
        (HEADER + "1,,,Ann,0,,\n1,,,Bob,2,,\n", "line 2: the placing must be 1, 2 or so"),
        (HEADER + "1,,,Ann,1,nan,\n1,,,Bob,2,3,\n", "line 2: the score is no finite number"),
        (HEADER + "1,,,Ann,1,Infinity,\n1,,,Bob,2,3,\n", "line 2: the score is no finite number"),
        (HEADER + "1,,,Ann,1,x,\n1,,,Bob,2,3,\n", "line 2: the score is no number"),
        (HEADER + "1,,,Ann,1,,\n1,,,Ann,2,,\n", "line 3: Ann takes part twice in game 1"),
        (HEADER + ONE + "2,,,A,1,,\n2,,,B,2,,\n2,,,C,3,,\n", "line 4: game 2 has 3 players"),
        (HEADER + ONE + "2,,,A,1,,\n2,,,B,2,,\n1,,,C,3,,\n", "line 6: game 1 appeared before"),
        (HEADER + "1,,,Ann,1,,who\n1,,,Bob,2,,\n", "line 2: aborted is empty, by or no-action"),
        (HEADER + "1,soon,,Ann,1,,\n1,soon,,Bob,2,,\n", "line 2: the time is not like"),
        (HEADER + "1,,,Ann,1\n", "line 2: 7 columns are needed, not 5"),
        (HEADER + "1,,,Ann,1,,\n1,,,Bob,2,,\n2,,,Ann,1,,no-action\n2,,,Bob,1,,\n", "line 4: game"),
        (HEADER + f"1,,,{'A' * 20_000},1,,\n", "line 2: a line is longer than 10000 bytes"),
    ],
)
def test_a_bad_file_is_refused_whole(
    text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.csv"
    file.write_text(text, "utf-8")
    status, out, err = rate(capsys, str(file), "--system", "eternament", "--history")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert f"{file}: {problem}" in err


def test_what_is_not_known_is_refused_with_what_is(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = rate(capsys, str(games), "--system", "glicko")
    assert (status, out) == (2, "")
    assert err.startswith("parlour: no rating system glicko; one of eternament, ")
    status, out, err = rate(capsys, str(games), "--system", "eternament", "--set", "start=7")
    assert (status, out) == (2, "")
    assert err.startswith("parlour: no setting start=7")
    status, _, err = rate(capsys, "nowhere.csv", "--system", "eternament")
    assert (status, err) == (2, "parlour: nowhere.csv: No such file or directory\n")


def test_it_reads_standard_input(games: Path) -> None:
    command = [sys.executable, "-m", "bot", "rate", "-", "--system", "eternament"]
    done = subprocess.run(command, input=games.read_bytes(), capture_output=True, check=True)
    assert b"Piggy" in done.stdout
