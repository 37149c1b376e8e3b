"""Setting rooms up, as those who manage a server do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Club


async def test_a_room_takes_settings_of_its_system(club: Club) -> None:
    owner, ann = club.member("Olga", manager=True), club.member("Ann")

    made = await owner.slash(
        club.channel, "room create", name="Cafe", system="cif", settings="start=1200"
    )

    assert "Its rules with start 1200." in made.text
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    report = await ann.slash(club.channel, "report", opponent=owner, result="win")
    assert "Ann 1200.00 → **1215.00** (+15.00)" in report.text


async def test_a_wrong_setting_is_refused_with_the_right_ones(club: Club) -> None:
    owner = club.member("Olga", manager=True)

    answer = await owner.slash(
        club.channel, "room create", name="Cafe", system="cif", settings="begin=1200"
    )

    assert answer.is_ephemeral
    assert answer.text == (
        "begin=1200 is not a setting here. Settings: "
        "start: a number from 1 to 10000, with at most two decimals; recalculation: on or off."
    )
    board = await owner.slash(club.channel, "leaderboard")
    assert "There is no room here yet" in board.text
