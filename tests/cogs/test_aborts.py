"""No gain, no loss: games that are aborted, as people see it in a channel."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.cogs.test_plays import labels, played, room

if TYPE_CHECKING:
    from bot.sandbox import Answer, Member, Message
    from tests.conftest import Club


AT_ANN_AHEAD = "**#1** · Aborted by Ann at Ann ahead of Bob. "
RULE = "Who aborts gains nothing, the others lose nothing."


async def recorded(club: Club, author: Member, agreeing: Member, **standing: object) -> Message:
    """Record a standing that both stand behind, and return the game's message."""
    answer = await author.slash(club.channel, "score", **standing)
    assert answer.message is not None, answer.text
    await agreeing.press(answer.message, "That is how it stands")
    return answer.message


def newest(club: Club) -> Message:
    return club.channel.messages[-1]


async def aborted(club: Club, aborter: Member, **options: object) -> Answer:
    """Abort by the command and the press that seals it, and return what was shown before."""
    preview = await aborter.slash(club.channel, "abort", **options)
    assert preview.is_ephemeral
    assert preview.message is not None
    await aborter.press(preview.message, "Abort")
    return preview


async def test_no_action_no_change(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)

    preview = await ann.slash(club.channel, "abort")
    assert preview.message is not None
    assert "nobody's rating changes and it counts as no game" in preview.text
    assert labels(preview.message) == ["Abort #1", "We agree not to count it"]
    await ann.press(preview.message, "Abort #1")

    assert newest(club).text == (
        "**#1** · Aborted by Ann: Ann and Bob. No score or standing was recorded, so nobody's "
        "rating changes and it counts as no game."
    )
    await club.sandbox.until(lambda: preview.text == "Done: see **#1**.")
    rating = await ann.slash(club.channel, "rating")
    assert "Ann has no rated game" in rating.text


async def test_a_win_turns_to_nothing_for_who_aborts(club: Club) -> None:
    await room(club, "eternament")
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    await recorded(club, ann, bob, standing="ahead")

    preview = await aborted(club, ann)

    assert newest(club).text.splitlines() == [
        AT_ANN_AHEAD + RULE,
        "Ann 100 → **100** (+50 → 0, aborted) · 1 of 2",
        "Bob 100 → **100** (−50 → 0) · 1 of 2",
    ]
    await club.sandbox.until(lambda: preview.text == "Done: see **#1**.")
    profile = await ann.slash(club.channel, "rating")
    assert "1 game: 0 won, 0 drawn, 0 lost, 1 aborted" in profile.text


async def test_a_loss_turns_to_nothing_by_the_opponents_abort(club: Club) -> None:
    await room(club, "eternament")
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    await recorded(club, ann, bob, standing="behind")

    preview = await ann.slash(club.channel, "abort")
    assert preview.message is not None
    assert preview.text.splitlines()[1:3] == ["• You: −50", "• Bob: +50"]
    await ann.press(preview.message, "Abort #1")
    assert newest(club).text.splitlines()[1:] == [
        "Ann 100 → **50** (−50, aborted) · 2 of 2",
        "Bob 100 → **150** (+50) · 1 of 2",
    ]

    await played(club, ann, opponent=bob)
    await recorded(club, bob, ann, standing="ahead")
    await aborted(club, bob)
    # Bob, 150, would have beaten Ann, 50: 110 + 50 and 90 - 50 by the 40-point rule.
    assert newest(club).text.splitlines()[1:] == [
        "Ann 50 → **50** (−10 → 0) · 2 of 2",
        "Bob 150 → **150** (+10 → 0, aborted) · 1 of 2",
    ]


async def test_a_stated_score_must_be_accepted(club: Club) -> None:
    await room(club, "game-room")
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    await played(club, ann, opponent=bob)
    await recorded(club, ann, bob, score=100, opponent_score=100)

    preview = await ann.slash(club.channel, "abort", score=100, opponent_score=150)
    assert preview.message is not None
    assert "**#1** as you say: Bob 150, Ann 100." in preview.text
    assert "Bob will be asked whether that was the standing." in preview.text
    await ann.press(preview.message, "Abort #1")

    proposal = newest(club)
    assert proposal.pings == [bob.id]
    assert labels(proposal) == [
        "Accept 150–100",
        "Dispute",
        "Withdraw",
        "We agree not to count it",
    ]
    # (100² / (100² + 150²) - 1/2) · 1500 · 0.3 = -86.538461…
    assert "It would give: Ann −86.54, Bob +86.54" in proposal.text
    refused = await cy.press(proposal, "Accept")
    assert refused.text == "That is not for you to say: #1 waits for Bob."
    await bob.press(proposal, "Accept")
    assert "Ann 1500 → **1413** (−86.54, aborted)" in proposal.text
    assert "Bob 1500 → **1587** (+86.54)" in proposal.text


async def test_an_unanswered_abort_counts_after_the_rooms_time(club: Club) -> None:
    await room(club, "eternament")
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    await ann.slash(club.channel, "score", standing="behind")
    await aborted(club, ann)
    proposal = newest(club)
    assert "was that the standing?" in proposal.text

    club.clock.move(timedelta(hours=25))

    await club.sandbox.until(lambda: "Ann 100 → **50** (−50, aborted)" in proposal.text)


async def test_a_disputed_abort_rates_nothing_until_somebody_decides(club: Club) -> None:
    await room(club, "eternament")
    ann, bob = club.member("Ann"), club.member("Bob")
    referee = club.member("Rita", manager=True)
    await played(club, ann, opponent=bob)
    await ann.slash(club.channel, "score", standing="level")
    await aborted(club, ann)
    proposal = newest(club)

    await bob.press(proposal, "Dispute")
    assert "Ann says: aborted at Ann and Bob level" in proposal.text
    await referee.press(proposal, "Ann is right")

    assert proposal.text.splitlines()[1:] == [
        "Ann 100 → **100** (0, aborted) · 1 of 2",
        "Bob 100 → **100** (0) · 1 of 2",
    ]


async def test_a_withdrawn_abort_leaves_the_game_open(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    await ann.slash(club.channel, "score", standing="level")
    await aborted(club, ann)

    await ann.press(newest(club), "Withdraw")

    assert "Ann and Bob are playing" in newest(club).text
    assert "Standing: Ann and Bob level (Ann" in newest(club).text


async def test_all_may_agree_that_a_game_does_not_count(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    await ann.slash(club.channel, "score", standing="ahead")
    preview = await ann.slash(club.channel, "abort")
    assert preview.message is not None

    await ann.press(preview.message, "We agree not to count it")
    message = newest(club)
    assert f"Ann wants this game not to count. <@{bob.id}>: do you agree?" in message.text
    assert message.pings == [bob.id]
    again = await ann.press(message, "We agree not to count it")
    assert again.text == "You have said so already; it waits for the others."
    await bob.press(message, "We agree not to count it")

    assert message.text == "**#1** · Agreed not to count: Ann and Bob. Nothing is rated."
    assert message.buttons == []


async def test_several_open_games_are_offered_in_a_menu(club: Club) -> None:
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    await played(club, ann, opponent=bob)
    await played(club, ann, opponent=cy)

    answer = await ann.slash(club.channel, "abort")
    assert answer.message is not None
    assert answer.text == "Several of your games are open."
    (menu,) = answer.message.selects
    assert [option["label"] for option in menu["options"]] == ["#2 with Cy", "#1 with Bob"]
    await ann.choose(answer.message, [menu["options"][1]["value"]])
    await ann.press(answer.message, "Abort #1")

    assert "**#1** · Aborted by Ann: Ann and Bob." in newest(club).text


async def test_a_game_never_opened_is_aborted_in_one_step(club: Club) -> None:
    await room(club, "eternament")
    ann, bob = club.member("Ann"), club.member("Bob")

    nothing = await ann.slash(club.channel, "abort")
    assert nothing.text.startswith("You have no open game in this room.")
    preview = await ann.slash(club.channel, "abort", opponent=bob, standing="ahead")
    assert preview.message is not None
    assert preview.text.splitlines()[1:3] == ["• You: +50 → 0", "• Bob: −50 → 0"]
    await ann.press(preview.message, "Abort this game")

    proposal = newest(club)
    assert "**#1** · Ann aborts at Ann ahead of Bob" in proposal.text
    await bob.press(proposal, "Accept")
    assert "Ann 100 → **100** (+50 → 0, aborted)" in proposal.text


async def test_in_a_tournament_the_rule_limits_the_games_own_points(club: Club) -> None:
    owner = await room(club, "simplified-elo")
    ann, bob = club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "tournament open", name="Spring")
    await played(club, ann, opponent=bob)
    await recorded(club, ann, bob, standing="ahead")

    await aborted(club, ann)

    assert newest(club).text.splitlines()[1:] == [
        "Ann 1600, +8 → 0, aborted when the tournament closes",
        "Bob 1600, −8 → 0 when the tournament closes",
    ]


async def test_in_a_season_the_rule_limits_the_performance(club: Club) -> None:
    owner = await room(club, "ecf", confirmation="nobody")
    ann, bob = club.member("Ann"), club.member("Bob")
    await ann.slash(club.channel, "report", opponent=bob, result="draw")
    closing = await owner.slash(club.channel, "season close", name="One")
    assert closing.message is not None
    await owner.press(closing.message, "Close")
    await played(club, ann, opponent=bob)
    await ann.slash(club.channel, "score", standing="ahead")

    await aborted(club, ann)

    assert newest(club).text.splitlines()[1:] == [
        "Ann 100, performance **150** → **100** this season, aborted",
        "Bob 100, performance **50** → **100** this season",
    ]


async def test_who_leaves_a_table_of_three_gains_nothing(club: Club) -> None:
    await room(club, "simplified-elo")
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    await played(club, ann, opponent=bob, opponent2=cy)
    standing = f"{ann.mention} 30 {bob.mention} 20 {cy.mention} 10"
    await recorded(club, ann, bob, standing=standing)

    await aborted(club, ann)

    assert newest(club).text.splitlines()[1:] == [
        "1. 30 · Ann 1600 → **1600** (+16 → 0, aborted) · 1 of 3",
        "2. 20 · Bob 1600 → **1600** (0) · 1 of 3",
        "3. 10 · Cy 1600 → **1600** (−16 → 0) · 1 of 3",
    ]


async def test_of_two_who_abort_at_once_one_is_told_to_be_late(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    first = await ann.slash(club.channel, "abort")
    second = await bob.slash(club.channel, "abort")
    assert first.message is not None
    assert second.message is not None

    answers = await asyncio.gather(
        ann.press(first.message, "Abort"), bob.press(second.message, "Abort")
    )

    texts = [answer.text for answer in answers]
    late = [text for text in texts if "already" in text]
    assert len(late) == 1
    assert late[0] in {"#1 was aborted by Ann already.", "#1 was aborted by Bob already."}
    assert sum("Aborted by" in message.text for message in club.channel.messages) == 1


async def test_a_game_that_changed_since_the_look_is_not_aborted(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    preview = await ann.slash(club.channel, "abort")
    assert preview.message is not None

    await bob.slash(club.channel, "score", standing="ahead")
    answer = await ann.press(preview.message, "Abort")

    assert answer.text.endswith("#1 changed since that was shown, so nothing was done: look again.")
    assert "are playing" in newest(club).text


async def test_referees_are_told_of_who_aborts_too_much(club: Club) -> None:
    referees = club.guild.add_role("Referees")
    owner = await room(club, "eternament", confirmation="nobody")
    await owner.slash(club.channel, "room edit", referees=referees, abort_notice=True)
    ann, bob = club.member("Ann"), club.member("Bob")
    for _ in range(10):
        await played(club, ann, opponent=bob)
        await aborted(club, ann)
    assert "of the last 30" not in newest(club).text

    await played(club, ann, opponent=bob)
    await aborted(club, ann)

    assert newest(club).text.endswith(f"<@&{referees.id}> Ann aborted 11 of the last 30 games.")
