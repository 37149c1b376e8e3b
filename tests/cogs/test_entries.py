"""Results that referees enter: edits, late games, tables, and decided disputes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.sandbox import Upload
from bot.services.check_ledger import check_ledger

if TYPE_CHECKING:
    from bot.sandbox import Member
    from bot.sandbox.people import Answer
    from tests.conftest import Club

WHY = "Why? The players will read it"
NOON = "<t:1768046400:f>"


async def ladder(club: Club, system: str = "simplified-elo") -> tuple[Member, Member, Member]:
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Ladder", system=system)
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    return owner, club.member("Ann"), club.member("Bob")


async def goes_on(owner: Member, preview: Answer, button: str, reason: str) -> Answer:
    assert preview.message is not None, preview.text
    form = await owner.press(preview.message, button)
    return await owner.submit(form.modal, {WHY: reason})


async def test_an_edit_shows_what_moves_and_keeps_the_old_result(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    first = await ann.slash(club.channel, "report", opponent=bob, result="win")
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    message = first.message
    assert message is not None

    preview = await owner.slash(
        club.channel, "game edit", number=1, standing=f"<@{bob.id}> 3 <@{ann.id}> 1"
    )
    assert preview.is_ephemeral
    assert preview.text.splitlines() == [
        "**#1** in Ladder would read: Bob beat Ann 3–1.",
        "Before, it reads: Ann beat Bob.",
        "1 later entry rated again, 2 ratings move.",
        "• Ann 1616 → 1600",
        "• Bob 1584 → 1600",
    ]
    done = await goes_on(owner, preview, "Edit #1", "they mixed it up")
    assert done.text.startswith("**#1** in Ladder reads: Bob beat Ann 3–1.\nBefore, it read: Ann")
    await club.sandbox.until(lambda: "Edited" in message.text)
    assert message.text.splitlines() == [
        "**#1** · Bob beat Ann 3–1",
        f"Edited by <@{owner.id}>: they mixed it up",
        "Bob 1600 → **1608** (+8) · 1 of 2",
        "Ann 1600 → **1592** (−8) · 1 of 2",
    ]
    shown = await ann.slash(club.channel, "game show", number=1)
    assert shown.text.splitlines()[-1] == (
        f"{NOON} edit game by <@{owner.id}>: they mixed it up (before: 1. Ann, 2. Bob)"
    )
    assert (await check_ledger(club.ledger, repair=False)).is_well


async def test_an_edit_can_change_who_played_and_who_aborted(club: Club) -> None:
    owner, ann, bob = await ladder(club, "game-room")
    cy = club.member("Cy")
    await ann.slash(club.channel, "report", opponent=bob, result="win", score=40, opponent_score=9)

    preview = await owner.slash(
        club.channel,
        "game edit",
        number=1,
        standing=f"<@{ann.id}> 40 <@{cy.id}> 9",
        aborted_by=f"<@{ann.id}>",
    )
    assert preview.text.splitlines()[0] == (
        "**#1** in Ladder would read: Ann beat Cy 40–9, aborted by Ann."
    )
    await goes_on(owner, preview, "Edit #1", "it was Cy")
    board = await ann.slash(club.channel, "leaderboard")
    # Who aborts ahead gains nothing, and the other loses nothing.
    assert "1  Ann  1500" in board.text
    assert "Cy   1500" in board.text
    assert "Bob" not in board.text
    again = await owner.slash(
        club.channel,
        "game edit",
        number=1,
        standing=f"<@{ann.id}> 40 <@{cy.id}> 9",
        aborted_by="ann",
    )
    assert again.text == "#1 stands so already."


async def test_entering_is_for_referees_and_not_for_their_own_games(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await owner.slash(club.channel, "report", opponent=bob, result="win")
    own = f"<@{owner.id}> > <@{bob.id}>"
    nobody = (
        "Nobody called Nobody has played here: mention the member, or write `guest:` and the name "
        "for somebody who is not on Discord."
    )
    others = f"<@{ann.id}> > <@{bob.id}>"
    for command, options, text in (
        (
            "game edit",
            {"number": 1, "standing": f"<@{bob.id}> > <@{owner.id}>"},
            "You played in #1: another referee corrects it.",
        ),
        (
            "game add",
            {"standing": own},
            "You played in it: report it, or another referee enters it.",
        ),
        (
            "game settle",
            {"number": 1, "standing": own},
            "#1 waits for no decision: `/game edit` corrects a game that counts.",
        ),
        ("game edit", {"number": 9, "standing": own}, "There is no such game here."),
        ("game add", {"standing": "Nobody > Bob"}, nobody),
        (
            "game add",
            {"standing": others, "played": "2027-01-01"},
            "2027-01-01 is still to come.",
        ),
        (
            "game add",
            {"standing": others, "played": "yesterday"},
            "“yesterday” is no time: write `2026-01-05` or `2026-01-05 18:30`, in UTC.",
        ),
        (
            "game add",
            {"standing": others, "aborted_by": f"<@{owner.id}>"},
            "Olga does not play in that game, so it is not theirs to abort.",
        ),
    ):
        refused = await owner.slash(club.channel, command, **options)
        assert refused.text == text
        assert refused.is_ephemeral
    refused = await ann.slash(club.channel, "game add", standing=own)
    assert refused.text == "That is for referees."


async def test_a_late_game_takes_its_place_by_its_time(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    club.clock.move(timedelta(days=1))

    preview = await owner.slash(
        club.channel,
        "game add",
        standing=f"guest:Maria > <@{ann.id}>",
        played="2026-01-05 18:30",
    )
    assert preview.text.splitlines() == [
        "**#2** would be entered in Ladder, <t:1767637800:f>: Maria beat Ann.",
        "Not on Discord: Maria.",
        "1 later entry rated again, 2 ratings move.",
        "• Maria – → 1608",
        "• Ann 1608 → 1600",
    ]
    await goes_on(owner, preview, "Enter", "played at Maria's")
    await club.sandbox.until(lambda: club.channel.messages[-1].text.startswith("**#2**"))
    assert club.channel.messages[-1].text.splitlines()[:2] == [
        "**#2** · Maria beat Ann",
        f"Entered by <@{owner.id}>: played at Maria's",
    ]
    again = await owner.slash(club.channel, "game add", standing=f"Maria > <@{bob.id}>")
    assert again.text.startswith("**#3** would be entered in Ladder, <t:1768132800:f>: Maria beat")
    assert (await check_ledger(club.ledger, repair=False)).is_well


async def test_a_proposal_is_carried_out_once_and_as_it_was_shown(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    preview = await owner.slash(club.channel, "game add", standing=f"<@{ann.id}> > <@{bob.id}>")
    assert preview.message is not None
    form = await owner.press(preview.message, "Enter")
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    late = await owner.submit(form.modal, {WHY: "late"})
    assert late.text == "Something was rated since that was shown, so nothing was done: look again."

    preview = await owner.slash(club.channel, "game add", standing=f"<@{ann.id}> > <@{bob.id}>")
    assert preview.message is not None
    form = await owner.press(preview.message, "Enter")
    blank = await owner.submit(form.modal, {WHY: "  "})
    assert blank.text == "Say why: the players will read it."
    done = await owner.submit(form.modal, {WHY: "forgotten"})
    assert done.text.startswith("**#2** is entered in Ladder")
    twice = await owner.submit(form.modal, {WHY: "forgotten"})
    assert twice.text == "That was done already, or it is more than a day old: look again."


async def test_a_table_is_entered_whole_or_not_at_all(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    club.clock.move(timedelta(days=1))
    opened = await owner.slash(club.channel, "game paste")
    table = "2026-01-05 Ann > Bob\n\n# a round\n2026-01-40 Ann > Bob\nAnn beats Bob\nAnn 3 Cy 1"
    wrong = await owner.submit(opened.modal, {"table": table})
    assert wrong.text == (
        "Nothing was entered.\n"
        "Line 4: “2026-01-40” is no time: write `2026-01-05` or `2026-01-05 18:30`, in UTC.\n"
        "Line 5: I understood Ann, then stopped at “beats Bob”. A score is expected there, or `>` "
        "or `=` after each player. Nothing was recorded.\n"
        "Line 6: Nobody called Cy has played here: mention the member, or write `guest:` and the "
        "name for somebody who is not on Discord."
    )

    table = (
        "2026-01-05 18:30 Ann 3 guest:Cy 1\n"
        "2026-01-05 18:30; guest:Cy > Bob aborted by Bob\n"
        "Bob = Ann\n"
    )
    file = Upload("round.txt", "text/plain", table.encode())
    preview = await owner.slash(club.channel, "game paste", file=file)
    assert preview.text.splitlines()[:5] == [
        "3 games would be entered in Ladder:",
        "**#2** <t:1767637800:f>: Ann beat Cy 3–1",
        "**#3** <t:1767637800:f>: Cy beat Bob, aborted by Bob",
        "**#4** <t:1768132800:f>: Bob drew with Ann",
        "Not on Discord: Cy.",
    ]
    await goes_on(owner, preview, "Enter 3 games", "the winter round")
    assert (await check_ledger(club.ledger, repair=False)).is_well
    shown = await ann.slash(club.channel, "game show", number=3)
    assert "Entered by" in shown.text


async def test_disputes_are_decided_with_a_press_and_a_reason(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await owner.slash(club.channel, "room edit", confirmation="opponent")
    none = await owner.slash(club.channel, "disputes")
    assert none.text == "Nothing is disputed."
    first = await ann.slash(club.channel, "report", opponent=bob, result="win")
    second = await ann.slash(club.channel, "report", opponent=bob, result="win", another_game=True)
    for report in (first, second):
        assert report.message is not None
        await bob.press(report.message, "Wrong result")
    refused = await ann.slash(club.channel, "disputes")
    assert refused.text == "That is for referees."

    inbox = await owner.slash(club.channel, "disputes")
    assert inbox.is_ephemeral
    lines = inbox.text.splitlines()
    assert lines[:4] == [
        "2 open disputes",
        "**#1** Ann and Bob, <t:1768046400:R>",
        "• Ann says: Ann beat Bob",
        "• Bob says: the result is wrong",
    ]
    decided = await goes_on(owner, inbox, "#1: Ann is right", "the screenshot")
    assert decided.text == "**#1** is settled: Ann beat Bob."
    inbox = await owner.slash(club.channel, "disputes")
    decided = await goes_on(owner, inbox, "#2 does not count", "no such game")
    assert decided.text == "**#2** does not count."
    assert first.message is not None
    assert second.message is not None
    message, other = first.message, second.message
    await club.sandbox.until(lambda: "Settled" in message.text and "Decided" in other.text)
    assert f"Settled by <@{owner.id}>: the screenshot" in message.text
    assert f"Decided not to count by <@{owner.id}>: no such game" in other.text
    board = await ann.slash(club.channel, "leaderboard")
    assert "1  Ann  1608" in board.text


async def test_a_referee_settles_a_waiting_game_by_the_right_result(club: Club) -> None:
    owner, ann, bob = await ladder(club)
    await owner.slash(club.channel, "room edit", confirmation="opponent")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    message = report.message
    assert message is not None
    other = await owner.slash(club.channel, "game settle", number=1, standing="Ann > guest:Cy")
    assert other.text == "That game is between Ann, Bob, nobody else and nobody less."

    preview = await owner.slash(club.channel, "game settle", number=1, standing="Ann = Bob")
    assert preview.text.splitlines()[0] == ("**#1** in Ladder would be settled: Ann drew with Bob.")
    await goes_on(owner, preview, "Settle #1", "I watched it")
    await club.sandbox.until(lambda: "Settled" in message.text)
    assert message.text.startswith("**#1** · Ann drew with Bob\nSettled by")
