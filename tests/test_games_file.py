"""Reading games files, good and bad."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO, TextIOWrapper

import pytest

from bot.errors import GamesFileError
from bot.games_file import FiledGame, FiledParticipant, read_games

HEADER = "game,played_at,event,player,placing,score,aborted\n"


def read(content: str | bytes) -> list[FiledGame]:
    data = content if isinstance(content, bytes) else content.encode()
    return list(
        read_games(TextIOWrapper(BytesIO(data), encoding="utf-8-sig", errors="surrogateescape"))
    )


def test_a_game_a_row_a_participant() -> None:
    games = read(
        HEADER + "1,2010-04-01T18:00:00Z,Spring,Ann,1,400.5,\n"
        "1,2010-04-01T18:00:00Z,Spring,Bob,2,-3,by\n"
    )
    assert games == [
        FiledGame(
            name="1",
            line=2,
            played_at=datetime(2010, 4, 1, 18, tzinfo=UTC),
            event="Spring",
            participants=(
                FiledParticipant("Ann", 1, Decimal("400.5")),
                FiledParticipant("Bob", 2, Decimal(-3)),
            ),
            aborted_by="Bob",
            has_action=True,
        )
    ]


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
    (game,) = read(content)
    assert [each.player for each in game.participants] == ["Ann", "Žofie 🎲"]


def test_a_quoted_name_may_hold_a_comma() -> None:
    (game,) = read(HEADER + '1,,,"Ann, the ""first""",1,,\n1,,,Bob,2,,\n')
    assert game.participants[0].player == 'Ann, the "first"'


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
            assert self.given < 100_000
            part = b"x" * min(size or 8192, 8192) if size != -1 else b"x" * 8192
            self.given += len(part)
            return part

    file = TextIOWrapper(Endless(), encoding="utf-8-sig", errors="surrogateescape")
    with pytest.raises(GamesFileError) as refusal:
        next(read_games(file))
    assert refusal.value.line == 1
