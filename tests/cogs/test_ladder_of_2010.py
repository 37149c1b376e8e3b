"""The main job on real input: nine games end on the ladder's printed table of 17 April 2010."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Club

VECTORS = Path(__file__).parent.parent / "data" / "vectors.json"

TABLE = """\
 1  Piggy             160
 2  bookgirl_me       150
 2  Jakob Wonkychair  150
 2  peary_moppins     150
 2  cromwell          150
 2  Purple Panda      150
 7  Ducky             140
 8  Keiffer           100
 9  SudoRandom         90
10  mas0n              50
10  TMFA               50
10  RoseQuartz         50
10  Tesseract          50
10  Pseudonym          50
15  Kiga               10"""


async def test_nine_games_end_on_the_printed_table(club: Club) -> None:
    games = json.loads(VECTORS.read_text("utf-8"))["eternament"]["end_to_end"]["games_in_order"]
    manager = club.member("Max", manager=True)
    await manager.slash(club.channel, "room create", name="Ladder", system="eternament")
    names = sorted({name for first, second, _ in games for name in (first, second)})
    members = {name: club.member(name) for name in names}
    assert len(members) == 15

    for first, second, points in games:
        result = {1: "win", 0.5: "draw", 0: "loss"}[points]
        answer = await members[first].slash(
            club.channel, "report", opponent=members[second], result=result
        )
        assert answer.message is not None
        await members[second].press(answer.message, "Yes")

    board = await manager.slash(club.channel, "leaderboard")
    assert board.text == f"**Ladder** · 15 players\n```\n{TABLE}\n```"

    profile = await manager.slash(club.channel, "rating", player=members["SudoRandom"])
    assert profile.text.splitlines()[:3] == [
        "**SudoRandom** in **Ladder**: **90**",
        "Rank 9 of 15",
        "2 games: 0 won, 1 drawn, 1 lost",
    ]
    assert profile.text.splitlines()[-2:] == [
        "#8 Piggy beat SudoRandom (−10)",
        "#7 Keiffer drew with SudoRandom (±0)",
    ]
