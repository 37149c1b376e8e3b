"""Setting rooms up, as those who manage a server do."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.sandbox.errors import SandboxError

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


async def test_every_setting_can_be_changed(club: Club) -> None:
    owner = club.member("Olga", manager=True)
    role = club.guild.add_role("Referees")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")

    answer = await owner.slash(
        club.channel,
        "room edit",
        confirmation="opponent",
        many_confirmation="all",
        confirm_after_hours=0,
        close_idle_days=7,
        minimum_games=5,
        hide_after_days=90,
        referees=role,
        abort_notice=True,
    )

    assert answer.text.splitlines() == [
        "**Cafe** is rated by `cif`; the opponent confirms each result.",
        "An unanswered report waits for ever.",
        "In a game of three and more, all the others confirm.",
        "An open game is closed after 7 idle days.",
        "Referees are told of players who abort more than a third of their games.",
        "It takes 5 games to be ranked.",
        "Who does not play for 90 days is not shown.",
        f"Referees: <@&{role.id}>, and those who manage the server.",
    ]


async def test_only_who_manages_the_server_sets_rooms_up(club: Club) -> None:
    ann = club.member("Ann")
    with pytest.raises(SandboxError, match="permissions are missing"):
        await ann.slash(club.channel, "room create", name="Mine", system="cif")


async def test_in_a_referees_room_the_players_word_is_not_enough(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    referees = club.guild.add_role("Referees")
    rita = club.guild.add_member("Rita", roles=[referees])
    await owner.slash(club.channel, "room create", name="Cafe", system="eternament")
    await owner.slash(club.channel, "room edit", confirmation="referee", referees=referees)

    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    message = report.message
    assert message is not None
    assert "A referee must confirm this." in message.text
    await bob.press(message, "Confirm as referee")
    assert "Confirmed by Bob." in message.text
    assert "→" not in message.text
    club.clock.move(timedelta(days=3))
    assert "A referee must confirm this." in message.text
    await rita.press(message, "Confirm as referee")
    assert "Ann 100 → **150** (+50)" in message.text

    own = await rita.slash(club.channel, "report", opponent=ann, result="win")
    assert own.message is not None
    refused = await rita.press(own.message, "Confirm as referee")
    assert "waits for Ann or a referee who did not play" in refused.text


async def test_in_a_trusting_room_results_count_at_once(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="eternament")
    await owner.slash(club.channel, "room edit", confirmation="nobody")

    report = await ann.slash(club.channel, "report", opponent=bob, result="loss")

    assert "Bob 100 → **150** (+50)" in report.text


async def test_an_abort_in_a_referees_room_waits_for_one(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="eternament")
    await owner.slash(club.channel, "room edit", confirmation="referee")
    preview = await ann.slash(club.channel, "abort", opponent=bob, standing="behind")
    assert preview.message is not None
    assert "A referee must confirm it first." in preview.text

    await ann.press(preview.message, "Abort this game")
    await owner.press(club.channel.messages[-1], "Accept as referee")

    assert "Ann 100 → **50** (−50, aborted)" in club.channel.messages[-1].text
