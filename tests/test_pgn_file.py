"""Chess games in PGN: who played, when, and how it ended."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import GamesFileError
from bot.pgn_file import PgnFile, is_pgn

CLUB = """[Event "Club championship"]
[Site "?"]
[Date "2024.03.01"]
[Round "1"]
[White "Piggy, Miss"]
[Black "Ducky \\"the Duck\\""]
[Result "1-0"]

1. e4 e5 {[%clk 0:01] a comment
[Black "nobody"] over lines} 2. Nf3 (2. f4 exf4 0-1) Nc6 ; 0-1 to the end
% [Result "0-1"]
3. Bb5 1-0

[White "Ducky \\"the Duck\\""]
[Black "Piggy, Miss"]
[UTCDate "2024.03.02"]
[UTCTime "18:30:15"]
[Date "2024.03.03"]
1. d4 1/2-1/2
[White "Cy"]
[Black "Piggy, Miss"]
[Date "2024.??.??"]
[Result "*"]

*
"""


def read(text: str) -> PgnFile:
    return PgnFile(io.StringIO(text, newline=""))


def test_tags_and_results_are_read_and_moves_are_not() -> None:
    file = read(CLUB)
    first, second = file.games()
    assert file.names == ["Piggy, Miss", 'Ducky "the Duck"']
    assert file.unfinished == 1
    assert (first.name, first.line) == ("1", 1)
    assert first.played_at == datetime(2024, 3, 1, tzinfo=UTC)
    assert [(each.player, each.placing, each.score) for each in first.game.participants] == [
        (0, 1, None),
        (1, 2, None),
    ]
    assert second.played_at == datetime(2024, 3, 2, 18, 30, 15, tzinfo=UTC)
    assert [(each.player, each.placing) for each in second.game.participants] == [(1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("", "there is no game in it", None),
        ("1. e4 1-0\n", "the moves come before any tag such as [White …]", 1),
        ('\n[White "Ann"]\n[Result "1-0"]\n', "game 1 does not say who played Black", 2),
        ('[White "?"]\n[Black "Bo"]\n1-0', "game 1 does not say who played White", 1),
        ('[White "A"]\n[Black "B"]\n[Result "2-0"]\n', "game 1 has the result '2-0'", 1),
        (
            '[White "A"]\n[Black "B"]\n[Date "2024.02.30"]\n1-0\n',
            "game 1 has a date that no calendar has",
            1,
        ),
        ('[White "\udcff"]\n', "the line is not UTF-8", 1),
    ],
)
def test_what_is_wrong_is_told_with_the_game_and_the_line(
    text: str, problem: str, line: int | None
) -> None:
    with pytest.raises(GamesFileError) as refusal:
        list(read(text).games())
    assert (refusal.value.problem, refusal.value.line) == (problem, line)


def test_pgn_is_told_from_a_games_file() -> None:
    for text, expected in (
        (CLUB, True),
        ("\n\n% made by a program\n[White", True),
        ("game,played_at,event,player,placing,score,aborted\n", False),
        ("", False),
    ):
        file = io.StringIO(text)
        assert is_pgn(file) is expected
        assert file.read() == text


comments = st.text('abc[]"();1-0/2*\n ', max_size=30).map(lambda text: f"{{x{text}}}")
variations = st.text("abc 1-0*", max_size=20).map(lambda text: f"({text})")
moves = st.lists(st.one_of(st.sampled_from(["1. e4", "Nf3", "O-O"]), comments, variations))
names = st.text(min_size=1, max_size=20).map(lambda text: f"N{''.join(text.split())}")
results = st.sampled_from(["1-0", "0-1", "1/2-1/2"])


@given(st.lists(st.tuples(names, names, results, moves, st.booleans()), min_size=1, max_size=6))
def test_what_is_written_is_read(
    games: list[tuple[str, str, str, list[str], bool]],
) -> None:
    text = ""
    for white, black, result, played, has_tag in games:
        tags = {"White": white, "Black": black, **({"Result": result} if has_tag else {})}
        for name, value in tags.items():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            text += f'[{name} "{escaped}"]\n'
        text += f"\n{' '.join(played)} {result}\n\n"
    try:
        file = read(text)
        found = list(file.games())
    except GamesFileError as error:
        # Names of surrogates and of zero bytes cannot be kept.
        assert error.problem in {"the line is not UTF-8", "the line has a zero byte"}  # noqa: PT017
        return
    placings = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
    assert [
        (
            tuple(file.names[each.player] for each in filed.game.participants),
            tuple(each.placing for each in filed.game.participants),
        )
        for filed in found
    ] == [((white, black), placings[result]) for white, black, result, *_ in games]
