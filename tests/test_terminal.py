"""`make sandbox`: a game played by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.terminal import run_terminal

if TYPE_CHECKING:
    from tests.conftest import Club


async def test_a_game_is_played_by_typing(club: Club) -> None:
    lines = iter(
        [
            "/report opponent:@Bob result:win score:412 opponent_score:388",
            "as Bob",
            "press 1",
            "/leaderboard",
            "/nothing",
            "press 9",
            "/help",
            "quit",
        ]
    )
    shown: list[str] = []

    async def read_line() -> str | None:
        return next(lines, None)

    members = [club.member("Ann"), club.member("Bob")]
    await run_terminal(club.sandbox, club.channel, members, read_line=read_line, write=shown.append)

    text = "\n".join(shown)
    assert "#1 · Ann reports: Ann beat Bob 412–388" in text
    assert "[1] Yes, I lost 388–412   [2] Wrong result" in text
    assert "You are Bob." in text
    assert "Ann 1600 → 1608 (+8) · 1 of 2" in text
    assert "1  Ann  1608" in text
    assert "! /nothing is not registered" in text
    assert "! there is no button 9" in text
    assert "/report opponent result [score] [opponent_score] [game] [another_game]" in text
