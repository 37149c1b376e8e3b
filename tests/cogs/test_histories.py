"""Looking back: a player's changes, two players' games, and why a rating is what it is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.sandbox import Member
    from tests.conftest import Club

DAY = "<t:1768046400:d>"


async def cafe(club: Club, system: str = "simplified-elo") -> tuple[Member, Member, Member]:
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Cafe", system=system)
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    return owner, club.member("Ann"), club.member("Bob")


async def test_a_history_has_every_game_and_turns_its_pages(club: Club) -> None:
    _, ann, bob = await cafe(club)
    none = await ann.slash(club.channel, "history")
    assert none.text == "Ann has no rated game in Cafe yet."
    for _ in range(11):
        await ann.slash(club.channel, "report", opponent=bob, result="draw")
    await ann.slash(club.channel, "report", opponent=bob, result="win")

    found = await bob.slash(club.channel, "history", player=ann)
    lines = found.text.splitlines()
    assert lines[0] == "**Ann** in **Cafe** · 12 changes, page 1 of 2"
    assert lines[1] == f"{DAY} #12 Ann beat Bob (+8) → 1608"
    assert lines[2] == f"{DAY} #11 Ann drew with Bob (±0) → 1600"
    assert len(lines) == 11
    assert found.message is not None
    older = await bob.press(found.message, "Older")
    assert older.text.splitlines() == [
        "**Ann** in **Cafe** · 12 changes, page 2 of 2",
        f"{DAY} #2 Ann drew with Bob (±0) → 1600",
        f"{DAY} #1 Ann drew with Bob (±0) → 1600",
    ]


async def test_a_history_of_seasons_tells_performances(club: Club) -> None:
    owner, ann, bob = await cafe(club, "ecf")
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    await owner.slash(club.channel, "season close", name="Spring")
    closing = club.channel.messages[-1]
    await owner.press(closing, "Close")
    await ann.slash(club.channel, "report", opponent=bob, result="draw")

    found = await ann.slash(club.channel, "history")
    lines = found.text.splitlines()
    assert lines[1].startswith(f"{DAY} #2 Ann drew with Bob (performance ")
    assert lines[2].startswith(f"{DAY} Spring closed (first grade ")


async def test_two_players_are_set_side_by_side(club: Club) -> None:
    _, ann, bob = await cafe(club)
    never = await ann.slash(club.channel, "headtohead", player=bob)
    assert never.text == "Bob and Ann have no rated game together in Cafe."
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    await ann.slash(club.channel, "report", opponent=bob, result="draw")
    club.clock.move(timedelta(days=1))
    await bob.slash(club.channel, "report", opponent=ann, result="win")

    found = await ann.slash(club.channel, "headtohead", player=bob)
    assert found.text.splitlines() == [
        "**Bob** and **Ann** in **Cafe** · 3 games",
        "Bob 1 · level 1 · Ann 1",
        "Before the first: Bob 1600, Ann 1600",
        "Now: Bob 1600, Ann 1600",
        "Last games:",
        "<t:1768132800:d> #3 Bob beat Ann",
        f"{DAY} #2 Ann drew with Bob",
        f"{DAY} #1 Ann beat Bob",
    ]
    same = await ann.slash(club.channel, "headtohead", player=ann)
    assert same.text == "Ann is one player already."


async def test_a_game_is_explained_by_number_and_by_its_message(club: Club) -> None:
    _, ann, bob = await cafe(club)
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None

    why = await bob.press(report.message, "Why?")
    by_number = await bob.slash(club.channel, "explain", game=1)
    by_message = await bob.context_menu(club.channel, "Explain this game", report.message)
    assert by_number.is_ephemeral
    assert by_number.text == by_message.text == why.text
    assert "by the rules of `simplified-elo`" in why.text
    none = await bob.slash(club.channel, "explain", game=7)
    assert none.text == "There is no such game here."
