"""`make sandbox`: a game played by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.terminal import run_terminal

if TYPE_CHECKING:
    from tests.conftest import Club


async def typed(club: Club, *lines: str) -> str:
    """Type lines as Ann, Bob and Cy, and return what was shown."""
    left = iter([*lines, "quit"])
    shown: list[str] = []

    async def read_line() -> str | None:
        return next(left, None)

    members = [club.member(name) for name in ("Ann", "Bob", "Cy")]
    await run_terminal(club.sandbox, club.channel, members, read_line=read_line, write=shown.append)
    return "\n".join(shown)


async def test_a_game_is_played_by_typing(club: Club) -> None:
    text = await typed(
        club,
        "/report opponent:@Bob result:win score:412 opponent_score:388",
        "as Bob",
        "press 1",
        "/leaderboard",
        "/nothing",
        "press 9",
        "/help",
    )

    assert "#1 · Ann reports: Ann beat Bob 412–388" in text
    assert "[1] Yes, I lost 388–412   [2] Wrong result" in text
    assert "You are Bob." in text
    assert "Ann 1600 → 1608 (+8) · 1 of 2" in text
    assert "1  Ann  1608" in text
    assert "! /nothing is not registered" in text
    assert "! there is no button 9" in text
    assert "/report opponent result [score] [opponent_score] [game] [another_game]" in text


async def test_forms_and_menus_are_used_by_typing(club: Club) -> None:
    text = await typed(
        club,
        "/play opponent:@Bob",
        "press 2",
        "fill Bob | 3 | 4",
        "/multi",
        "choose 8 Bob, Cy",
        "fill Places | 1 | 2 | 2",
        "/multi 'standings:@Ann 3 @Cy 5'",
    )

    assert "── Form: #1: the result\n   Who is ahead, or won?: Ann, Level, Bob" in text
    assert "#1 · Ann reports: Bob beat Ann 4–3" in text
    assert "[8] Who played with you?" in text
    assert "#2 · Ann reports: 1. Ann, 2. Bob, 2. Cy" in text
    assert "#3 · Ann reports: Cy beat Ann 5–3" in text
