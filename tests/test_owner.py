"""What an owner does from the command line, on a database that the bot may be using."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from bot.cli import main

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "game,played_at,event,player,placing,score,aborted\n"

# The first three rows of games of the ladder of 2010, with the ratings of its printed table.
ONE_GAME = HEAD + "1,2010-04-01T18:00:00Z,,Piggy,1,,\n1,2010-04-01T18:00:00Z,,Ducky,2,,\n"

MIXED = HEAD + (
    "1,2010-04-01T18:00:00Z,,Ann,1,400,\n1,2010-04-01T18:00:00Z,,Bob,2,350,\n"
    "2,2010-04-01T18:00:00Z,,Bob,1,300,\n2,2010-04-01T18:00:00Z,,Ann,2,250,by\n"
    "3,2010-04-02T18:00:00Z,,Cy,,,no-action\n3,2010-04-02T18:00:00Z,,Ann,,,no-action\n"
    "4,2010-04-03T18:00:00Z,Cup,Ann,1,10,\n4,2010-04-03T18:00:00Z,Cup,Bob,1,10,\n"
    "5,2010-04-04T18:00:00Z,Cup,Cy,1,9,by\n5,2010-04-04T18:00:00Z,Cup,Bob,2,8,\n"
    "6,2010-04-05T18:00:00Z,,Cy,1,9,\n6,2010-04-05T18:00:00Z,,Ann,2,8,\n"
)


class Owner:
    """Somebody at a terminal, with a database."""

    def __init__(self, folder: Path, output: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.database = folder / "parlour.db"
        self._output = output

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        command, *others = arguments
        status = main([command, *others, "--db", str(self.database)])
        out, err = self._output.readouterr()
        return status, out, err

    def brings(self, text: str, room: str, system: str) -> tuple[int, str, str]:
        file = self.folder / "games.csv"
        file.write_text(text, encoding="utf-8")
        return self("import", str(file), "--guild", "1", "--room", room, "--system", system)


@pytest.fixture
def owner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Owner:
    return Owner(tmp_path, capsys)


@pytest.mark.parametrize("system", ["eternament", "game-room", "simplified-elo", "cif", "ecf"])
def test_an_export_brought_into_an_empty_room_gives_equal_ratings(
    owner: Owner, system: str
) -> None:
    assert owner.brings(MIXED, "Ladder", system)[0] == 0
    _, games, _ = owner("export", "Ladder")
    _, standings, _ = owner("export", "Ladder", "--standings")

    status, out, _ = owner.brings(games, "Copy", system)

    assert status == 0
    assert out == "6 games in Copy\n", "everybody is known by name"
    assert owner("export", "Copy", "--standings")[1] == standings
    assert [row.split(",", 1)[1] for row in owner("export", "Copy")[1].splitlines()] == [
        row.split(",", 1)[1] for row in games.splitlines()
    ]


@pytest.mark.parametrize("system", ["eternament", "game-room", "simplified-elo", "cif", "ecf"])
def test_rating_an_export_gives_what_the_room_has(
    owner: Owner, system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    owner.brings(MIXED, "Ladder", system)
    file = owner.folder / "export.csv"
    _, said, _ = owner("export", "ladder", "--out", str(file))
    assert said == f"6 games of Ladder in {file}\n"

    assert main(["rate", str(file), "--system", system, "--format", "csv"]) == 0

    rated = capsys.readouterr().out
    table = owner("export", "Ladder", "--standings")[1]
    # A season that runs has moved no grade; the file cannot say that it runs, and so closes it.
    if system != "ecf":
        assert sorted(rated.splitlines()) == sorted(table.splitlines())


def test_a_known_result_is_rated(owner: Owner) -> None:
    owner.brings(ONE_GAME, "Ladder", "simplified-elo")
    assert owner("export", "Ladder", "--standings")[1] == (
        "player,rating,games\nPiggy,1608,1\nDucky,1592,1\n"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (ONE_GAME + "2,,,Piggy,1,,\n", "line 4: game '2' has 1 player"),
        (ONE_GAME.replace("Ducky", "Piggy"), "line 2: game '1' has a player twice"),
        (
            HEAD + "1,,,A,1,,\n1,,,B,2,,\n1,,,C,3,,\n",
            "line 2: game '1' has 3 players, and cif takes 2",
        ),
    ],
)
def test_a_faulty_file_changes_nothing(owner: Owner, text: str, fault: str) -> None:
    status, out, err = owner.brings(text, "Ladder", "cif")
    assert (status, out) == (2, "")
    assert err.startswith(f"parlour: {fault}")
    assert owner("export", "Ladder")[0] == 2, "the room was not made"


def test_games_are_brought_into_empty_rooms_alone(owner: Owner) -> None:
    owner.brings(ONE_GAME, "Ladder", "cif")
    status, _, err = owner.brings(ONE_GAME, "Ladder", "cif")
    assert status == 2
    assert err.startswith("parlour: Ladder has games already")


def test_what_is_not_there_is_said_in_one_line(owner: Owner) -> None:
    assert owner("export", "Ladder") == (
        2,
        "",
        f"parlour: there is no database {owner.database}\n",
    )
    assert not owner.database.exists()
    owner.brings(ONE_GAME, "Ladder", "cif")
    assert owner("export", "Cellar") == (2, "", "parlour: There is no room Cellar here.\n")
    assert owner.brings(ONE_GAME, "Other", "chess960")[0] == 2


def test_a_check_finds_and_repairs_a_standing_that_no_game_made(owner: Owner) -> None:
    owner.brings(MIXED, "Ladder", "cif")
    well = (
        "Ladder (room 1): as its games say\n"
        "held for server 1: rooms 1, games 6, members 0, guests 3\n"
        "all is well\n"
    )
    assert owner("check") == (0, well, "")
    before = owner("export", "Ladder", "--standings")[1]
    with closing(sqlite3.connect(owner.database)) as database, database:
        database.execute("UPDATE standings SET rating = rating + 1000000 WHERE player_id = 1")

    status, out, _ = owner("check")
    assert status == 1
    assert "entries differ from a replay; --repair rebuilds them" in out
    assert out.endswith("not all is well\n")
    assert owner("export", "Ladder", "--standings")[1] != before, "a look changes nothing"

    status, out, _ = owner("check", "--repair")
    assert status == 0
    assert "rebuilt" in out
    assert owner("export", "Ladder", "--standings")[1] == before


def test_a_check_finds_what_waits_for_nothing_and_deletes_it(owner: Owner) -> None:
    owner.brings(ONE_GAME, "Ladder", "cif")
    with closing(sqlite3.connect(owner.database)) as database, database:
        database.execute("INSERT INTO outbox (guild_id, game_id, due_at) VALUES (1, 1, 0)")
        database.execute(
            "INSERT INTO timers (guild_id, kind, game_id, version, due_at) "
            "VALUES (1, 'claim', 1, 1, 0)"
        )
        database.execute("UPDATE guilds SET left_at = 1767225600000000")

    status, out, _ = owner("check")
    assert status == 1
    assert "1 timers of games that are settled: --repair deletes them\n" in out
    assert "1 messages for servers that the bot left: --repair deletes them\n" in out
    assert "guests 2; left, deleted on 2026-01-31\n" in out
    status, out, _ = owner("check", "--repair")
    assert (status, out.count(": deleted\n")) == (0, 3)
    assert owner("check")[0] == 0


def test_a_check_finds_rows_that_refer_to_nothing(owner: Owner) -> None:
    owner.brings(ONE_GAME, "Ladder", "cif")
    with closing(sqlite3.connect(owner.database)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("DELETE FROM players WHERE name = 'Ducky'")
    status, out, _ = owner("check")
    assert status == 1
    assert "refers to nothing in players" in out


def test_a_backup_is_whole_and_writes_over_nothing(owner: Owner) -> None:
    owner.brings(ONE_GAME, "Ladder", "cif")
    copy = owner.folder / "copy.db"
    with closing(sqlite3.connect(owner.database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        assert owner("backup", str(copy))[0] == 0
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (1,)
    status, _, err = owner("backup", str(copy))
    assert status == 2
    assert "is there already" in err
