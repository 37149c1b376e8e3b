"""Reading games files, good and bad."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO, TextIOBase, TextIOWrapper
from typing import TextIO, cast

import pytest

from bot.errors import GamesFileError
from bot.games_file import FiledGame, GamesFile
from bot.model import Game, GameId, Participant, PlayerId

HEADER = "game,played_at,event,player,placing,score,aborted\n"


def opened(content: str | bytes) -> GamesFile:
    data = content if isinstance(content, bytes) else content.encode()
    return GamesFile(TextIOWrapper(BytesIO(data), encoding="utf-8-sig", errors="surrogateescape"))


def read(content: str | bytes) -> list[FiledGame]:
    return list(opened(content).games())


def names(content: str) -> list[str]:
    file = opened(content)
    (game,) = file.games()
    return [file.names[each.player] for each in game.game.participants]


def test_a_game_a_row_a_participant() -> None:
    games = read(
        HEADER + "1,2010-04-01T18:00:00Z,Spring,Ann,1,400.5,\n"
        "1,2010-04-01T18:00:00Z,Spring,Bob,2,-3,by\n"
    )
    participants = (
        Participant(PlayerId(0), 1, Decimal("400.5")),
        Participant(PlayerId(1), 2, Decimal(-3)),
    )
    assert games == [
        FiledGame(
            name="1",
            line=2,
            played_at=datetime(2010, 4, 1, 18, tzinfo=UTC),
            event="Spring",
            game=Game(GameId(0), participants, PlayerId(1)),
            has_action=True,
        )
    ]


def test_a_file_longer_than_a_piece_is_read_whole() -> None:
    rows = "".join(f"{each},,,Ann é,1,,\n{each},,,Bob,2,,\n" for each in range(20_000))
    games = read(HEADER + rows)
    assert [game.name for game in games] == [str(each) for each in range(20_000)]
    assert games[-1].line == 40_000
    assert {len(game.game.participants) for game in games} == {2}


def test_a_game_without_action_needs_no_placings() -> None:
    (game,) = read(HEADER + "1,,,Ann,,,no-action\n1,,,Bob,,,no-action\n")
    assert not game.has_action


GAME = HEADER + "1,,,Ann,1,,\n1,,,Žofie 🎲,2,,\n"


@pytest.mark.parametrize(
    "content",
    [
        GAME,
        "\ufeff" + GAME,
        GAME.replace("\n", "\r\n"),
        GAME.rstrip("\n"),
        GAME + "\n\n",
        GAME.replace("Ann", '"Ann"'),
    ],
    ids=["plain", "byte-order mark", "Windows", "unfinished", "empty lines", "quoted"],
)
def test_what_is_harmless_is_read(content: str) -> None:
    assert names(content) == ["Ann", "Žofie 🎲"]


def test_a_quoted_name_may_hold_a_comma() -> None:
    text = HEADER + '1,,,"Ann, the ""first""",1,,\n1,,,Bob,2,,\n'
    assert names(text) == ['Ann, the "first"', "Bob"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", None),
        ("game,player\n", 1),
        ("\n" + HEADER, 1),
        (HEADER + "1,,,Ann,1,\n", 2),
        (HEADER + "1,,,Ann,1,,,\n", 2),
        (HEADER + "1,,,Ann,1,,\n1,,,Bob,last,,\n", 3),
        (HEADER + "1,,,Ann,0,,\n", 2),
        (HEADER + "1,,,Ann,-1,,\n", 2),
        (HEADER + "1,,,Ann,,,\n", 2),
        (HEADER + "1,,,Ann,1,nan,\n", 2),
        (HEADER + "1,,,Ann,1,Infinity,\n", 2),
        (HEADER + "1,,,Ann,1,-inf,\n", 2),
        (HEADER + "1,,,Ann,1,sNaN,\n", 2),
        (HEADER + "1,,,Ann,1,1e999999999,\n", 2),
        (HEADER + "1,,,Ann,1,0.0000001,\n", 2),
        (HEADER + "1,,,Ann,1,many,\n", 2),
        (HEADER + "1,,,Ann,1,,perhaps\n", 2),
        (HEADER + "1,,,Ann,1,,by\n1,,,Bob,2,,by\n", 2),
        (HEADER + "1,,,Ann,1,,no-action\n1,,,Bob,2,,\n", 2),
        (HEADER + "1,,,,1,,\n", 2),
        (HEADER + ",,,Ann,1,,\n", 2),
        (HEADER + "1,yesterday,,Ann,1,,\n", 2),
        (HEADER + "1,2010-04-01T18:00:00,,Ann,1,,\n", 2),
        (HEADER + "1,,,Ann,1,,\n1,,Spring,Bob,2,,\n", 3),
        (HEADER + "1,,,A,1,,\n1,,,B,2,,\n2,,,A,1,,\n2,,,B,2,,\n1,,,C,3,,\n", 6),
        (HEADER + "1,,S,A,1,,\n2,,,A,1,,\n3,,S,A,1,,\n", 4),
        (HEADER + '1,,,"Ann,1,,\n', 2),
        (HEADER + '1,,,"A\nnn",1,,\n', 2),
        (HEADER + "1,,,A\0nn,1,,\n", 2),
        (HEADER.encode() + b"1,,,Ann,1,,\n1,,,B\xffb,2,,\n", 3),
        (HEADER + "1,,,Ann,1,,\n1,,,Bob,2,," + "x" * 5000, 3),
        (HEADER + "".join(f"1,,,player {each},1,,\n" for each in range(1000)), 1001),
    ],
)
def test_what_is_wrong_is_told_with_its_line(content: str | bytes, line: int | None) -> None:
    with pytest.raises(GamesFileError) as refusal:
        read(content)
    assert refusal.value.line == line
    assert "\n" not in refusal.value.problem


def test_a_line_without_end_is_refused_before_it_is_read() -> None:
    class Endless(BytesIO):
        """Two gigabytes of one line, of which a few thousand bytes may be read."""

        given = 0

        def read1(self, size: int | None = -1, /) -> bytes:
            assert self.given < 1_000_000
            part = b"x" * min(size or 8192, 8192) if size != -1 else b"x" * 8192
            self.given += len(part)
            return part

    file = TextIOWrapper(Endless(), encoding="utf-8-sig", errors="surrogateescape")
    with pytest.raises(GamesFileError) as refusal:
        next(GamesFile(file).games())
    assert refusal.value.line == 1


class EndlessLine(TextIOBase):
    """A file that is one line without an end, and knows how much of it was read."""

    def __init__(self) -> None:
        self.read_characters = 0

    def read(self, size: int | None = -1, /) -> str:
        assert size is not None
        assert size > 0, "the whole of it fits into no memory"
        self.read_characters += size
        return "x" * size


def test_a_line_of_gigabytes_is_refused_at_its_beginning() -> None:
    endless = EndlessLine()

    with pytest.raises(GamesFileError) as error:
        next(GamesFile(cast("TextIO", endless)).games())

    assert error.value.problem == "the line is longer than 4096 characters"
    assert error.value.line == 1
    assert endless.read_characters <= 1_000_000
