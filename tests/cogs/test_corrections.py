"""Games that referees void and restore, as people see it in a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.sandbox import Member
    from bot.sandbox.people import Answer
    from tests.conftest import Club

WHY = "Why? The players will read it"


async def ladder(club: Club) -> tuple[Member, Member, Member]:
    """Make a room where results count at once, and return who manages it and who plays."""
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Ladder", system="simplified-elo")
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    return owner, club.member("Ann"), club.member("Bob")


async def beats(club: Club, winner: Member, loser: Member) -> Answer:
    return await winner.slash(club.channel, "report", opponent=loser, result="win")


async def goes_on(owner: Member, preview: Answer, button: str, reason: str) -> Answer:
    assert preview.message is not None
    form = await owner.press(preview.message, button)
    return await owner.submit(form.modal, {WHY: reason})


async def test_a_voided_game_counts_no_more_and_says_why(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    first = await beats(club, ann, bob)
    await beats(club, bob, ann)
    message = first.message
    assert message is not None
    assert "Ann 1600 → **1608** (+8)" in first.text
    board_before = (await ann.slash(club.channel, "leaderboard")).text

    preview = await owner.slash(club.channel, "game void", number=1)
    assert preview.is_ephemeral
    assert preview.text.splitlines()[:2] == [
        "**#1** in Ladder would no longer count.",
        "1 later entry rated again, 2 ratings move.",
    ]
    assert (await ann.slash(club.channel, "leaderboard")).text == board_before
    await goes_on(owner, preview, "Void #1", "played twice by mistake")

    await club.sandbox.until(lambda: "Voided" in message.text)
    assert message.text == (
        f"**#1** · Does not count: Ann and Bob.\nVoided by <@{owner.id}>: played twice by mistake"
    )
    board = (await ann.slash(club.channel, "leaderboard")).text
    assert "1  Bob  1608" in board
    assert "2  Ann  1592" in board
    shown = await bob.slash(club.channel, "game show", number=1)
    assert f"void game by <@{owner.id}>: played twice by mistake" in shown.text

    again = await owner.slash(club.channel, "game restore", number=1)
    await goes_on(owner, again, "Restore #1", "it was another game")
    await club.sandbox.until(lambda: "Restored" in message.text)
    assert "Ann 1600 → **1608** (+8)" in message.text
    assert (await ann.slash(club.channel, "leaderboard")).text == board_before


async def test_who_may_not_correct_changes_nothing(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await beats(club, ann, bob)
    await beats(club, owner, ann)

    assert (await ann.slash(club.channel, "game void", number=1)).text == "That is for referees."
    own = await owner.slash(club.channel, "game void", number=2)
    assert own.text == "You played in #2: another referee corrects it."
    assert (await owner.slash(club.channel, "game void", number=9)).text == (
        "There is no such game here."
    )
    rated = await owner.slash(club.channel, "game restore", number=1)
    assert rated.is_ephemeral
    assert "#1" in rated.text


async def test_nobody_corrects_what_was_not_shown(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await beats(club, ann, bob)
    preview = await owner.slash(club.channel, "game void", number=1)
    await beats(club, bob, ann)

    answer = await goes_on(owner, preview, "Void #1", "too late")

    assert answer.text == (
        "Something was rated since that was shown, so nothing was done: look again."
    )
    empty = await owner.slash(club.channel, "game void", number=1)
    assert (await goes_on(owner, empty, "Void #1", "  ")).text == (
        "Say why: the players will read it."
    )
    assert "1600 → **1608**" in (await ann.slash(club.channel, "game show", number=1)).text


async def test_a_game_of_a_closed_tournament_can_be_voided(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await owner.slash(club.channel, "tournament open", name="Cup")
    for _ in range(3):
        await beats(club, ann, bob)
    closing = await owner.slash(club.channel, "tournament close")
    assert closing.message is not None
    await owner.press(closing.message, "Close Cup")
    assert "**1624**" in (await ann.slash(club.channel, "rating")).text

    preview = await owner.slash(club.channel, "game void", number=2)
    await goes_on(owner, preview, "Void #2", "not in the cup")

    # Two games of 1600 against 1600 in a tournament: twice +8, worked out at the closing.
    assert "**1616**" in (await ann.slash(club.channel, "rating")).text
