"""Games of three and more, as people see them in a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cogs.test_plays import labels, room

if TYPE_CHECKING:
    from bot.sandbox import Member, Message
    from tests.conftest import Club


async def preset(club: Club, member: Member, rating: int, games: int = 300) -> None:
    """Give a member of the only room a rating and a number of games."""
    async with club.ledger.transaction() as tx:
        await tx.execute(
            "INSERT INTO players (guild_id, user_id, name) VALUES (?1, ?2, ?3)",
            club.guild.id,
            member.id,
            member.name,
        )
        await tx.execute(
            "INSERT INTO standings (room_id, player_id, rating, shown, games, wins, draws, "
            "losses, last_game_at) SELECT 1, id, ?2, ?2, ?3, 0, 0, 0, 0 FROM players "
            "WHERE user_id = ?1",
            member.id,
            rating * 1_000_000,
            games,
        )


async def multi(club: Club, author: Member, standings: str) -> Message:
    answer = await author.slash(club.channel, "multi", standings=standings)
    assert answer.message is not None, answer.text
    return answer.message


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ("A > B > C > D", "1. A 1600 → **1622** (+22)"),
        ("D > C > B > A", "4. A 1600 → **1574** (−26)"),
        ("D > A = C > B", "2. A 1600 → **1598** (−2)"),
    ],
)
async def test_the_worked_examples_of_the_table(club: Club, places: str, expected: str) -> None:
    # The tournament table's own examples: 1600 with 1650, 1570 and 1525.
    await room(club, "simplified-elo", confirmation="nobody")
    members = {name: club.member(name) for name in "ABCD"}
    for name, rating in zip("ABCD", (1600, 1650, 1570, 1525), strict=True):
        await preset(club, members[name], rating)
    text = places
    for name, member in members.items():
        text = text.replace(name, member.mention)

    message = await multi(club, members["A"], text)

    assert any(line.startswith(expected) for line in message.text.splitlines()), message.text


async def test_a_narrow_win_over_somebody_rated_much_lower_costs_rating(club: Club) -> None:
    await room(club, "game-room", confirmation="nobody")
    ann, bob = club.member("Ann"), club.member("Bob")
    await preset(club, ann, 1500)
    await preset(club, bob, 1000)

    message = await multi(club, ann, f"{ann.mention} 400 {bob.mention} 350")

    assert message.text.splitlines() == [
        "**#1** · Ann beat Bob 400–350",
        "Ann 1500 → **1495** (−5.04) · 1 of 2",
        "Bob 1000 → **1003** (+3.36) · 2 of 2",
    ]


@pytest.mark.parametrize(
    ("scores", "ratings", "changes"),
    [
        # Σ P² = 160000 + 90000 + 40000; Σ R = 4500: (16/29 - 1/3) · 1500 · 0.1 and so on.
        ((400, 300, 200), (1500, 1500, 1500), ("+32.76", "−3.45", "−29.31")),
        # Σ P² = 100000 + 40000 + 40000 + 10000 … shares 9, 4, 4, 1 of 18; ratings 4, 3, 2, 1 of 10.
        ((300, 200, 200, 100), (2000, 1500, 1000, 500), ("+20.00", "−11.67", "+2.22", "−2.22")),
    ],
)
async def test_three_and_four_in_the_word_game_room(
    club: Club, scores: tuple[int, ...], ratings: tuple[int, ...], changes: tuple[str, ...]
) -> None:
    await room(club, "game-room", confirmation="nobody")
    members = [club.member(name) for name in "ABCD"[: len(scores)]]
    for member, rating in zip(members, ratings, strict=True):
        await preset(club, member, rating)

    message = await multi(
        club,
        members[0],
        " ".join(
            f"{member.mention} {score}" for member, score in zip(members, scores, strict=True)
        ),
    )

    for member, change in zip(members, changes, strict=True):
        assert any(
            f"{member.name} " in line and f"({change})" in line
            for line in message.text.splitlines()
        ), message.text


async def test_a_majority_confirms(club: Club) -> None:
    await room(club, "simplified-elo")
    ann, bob, cy, dee = (club.member(name) for name in ("Ann", "Bob", "Cy", "Dee"))
    order = " > ".join(member.mention for member in (ann, bob, cy, dee))

    message = await multi(club, ann, order)
    assert "**#1** · Ann reports: 1. Ann, 2. Bob, 3. Cy, 4. Dee" in message.text
    assert sorted(message.pings) == sorted([bob.id, cy.id, dee.id])
    await bob.press(message, "Yes, that is right")
    assert "Confirmed by Bob." in message.text
    again = await bob.press(message, "Yes, that is right")
    assert again.text == "You have said so already; it waits for the others."
    await dee.press(message, "Yes, that is right")

    assert message.text.splitlines() == [
        "**#1** · Ann, Bob, Cy and Dee",
        "1. Ann 1600 → **1624** (+24) · 1 of 4",
        "2. Bob 1600 → **1608** (+8) · 2 of 4",
        "3. Cy 1600 → **1592** (−8) · 3 of 4",
        "4. Dee 1600 → **1576** (−24) · 4 of 4",
    ]


async def test_one_or_all_confirm_as_the_room_says(club: Club) -> None:
    owner = await room(club, "simplified-elo", many_confirmation="all")
    ann, bob, cy = (club.member(name) for name in ("Ann", "Bob", "Cy"))
    order = " > ".join(member.mention for member in (ann, bob, cy))
    message = await multi(club, ann, order)
    await bob.press(message, "Yes")
    assert "Confirmed by Bob." in message.text
    # The same report by another is a confirmation, as good as a press.
    second = await multi(club, cy, order)
    assert "1. Ann 1600 → **1616** (+16)" in second.text

    await owner.slash(club.channel, "room edit", many_confirmation="one")
    message = await multi(club, ann, order)
    await cy.press(message, "Yes")
    assert "1. Ann 1616" in message.text


async def test_any_participant_can_dispute(club: Club) -> None:
    ann, bob, cy = (club.member(name) for name in ("Ann", "Bob", "Cy"))
    message = await multi(club, ann, " > ".join(each.mention for each in (ann, bob, cy)))

    await cy.press(message, "Wrong result")

    assert "Disputed: Ann, Bob and Cy. Nothing is rated." in message.text
    assert "Cy says: the result is wrong" in message.text


async def test_every_pair_is_explained(club: Club) -> None:
    await room(club, "simplified-elo", confirmation="nobody")
    ann, bob, cy = (club.member(name) for name in ("Ann", "Bob", "Cy"))
    message = await multi(club, ann, " > ".join(each.mention for each in (ann, bob, cy)))
    assert labels(message) == ["Why?"]

    answer = await bob.press(message, "Why?")

    assert answer.is_ephemeral
    assert answer.text.splitlines()[:4] == [
        "**#1**, by the rules of `simplified-elo`:",
        "**Ann** +16",
        "• +8 with Bob (1600): difference 0 in the table",
        "• +8 with Cy (1600): difference 0 in the table",
    ]


async def test_a_mistake_is_answered_with_what_was_understood(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")

    async def said(standings: str) -> str:
        answer = await ann.slash(club.channel, "multi", standings=standings)
        assert answer.is_ephemeral
        return answer.text

    assert await said(f"{ann.mention} 412 {bob.mention} lots") == (
        f"I understood {ann.mention} 412 {bob.mention}, then stopped at “lots”. A score is "
        "expected there, or `>` or `=` after each player. Nothing was recorded."
    )
    assert (await said("@Ann 412")).startswith("I understood nothing, then stopped at “@Ann 412”.")
    assert "named twice" in await said(f"{ann.mention} > {ann.mention}")
    assert "It takes two players or more." in await said(f"{ann.mention} 412")
    assert club.channel.messages == []


async def test_who_did_not_play_reports_nothing(club: Club) -> None:
    ann, bob, cy, dee = (club.member(name) for name in ("Ann", "Bob", "Cy", "Dee"))

    answer = await dee.slash(
        club.channel, "multi", standings=" > ".join(each.mention for each in (ann, bob, cy))
    )

    assert answer.text == "You took no part in that game: who played reports it."


async def test_without_scores_the_word_game_room_names_another_system(club: Club) -> None:
    await room(club, "game-room")
    ann, bob, cy = (club.member(name) for name in ("Ann", "Bob", "Cy"))

    answer = await ann.slash(
        club.channel, "multi", standings=" > ".join(each.mention for each in (ann, bob, cy))
    )

    assert answer.text == (
        "This room rates by scores (`game-room`): give everybody's. "
        "A room rated by `simplified-elo` could rate it."
    )


async def test_the_form_asks_who_played_and_for_the_scores(club: Club) -> None:
    await room(club, "game-room", confirmation="nobody")
    ann, bob, cy, dee = (club.member(name) for name in ("Ann", "Bob", "Cy", "Dee"))

    asked = await ann.slash(club.channel, "multi")
    assert asked.is_ephemeral
    assert asked.message is not None
    opened = await ann.choose(asked.message, [bob, cy, dee])
    assert opened.modal is not None
    assert [field.label for field in opened.modal.fields] == [
        "Ann: score",
        "Bob: score",
        "Cy: score",
        "Dee: score",
    ]
    scores = {"Ann: score": "300", "Bob: score": "200", "Cy: score": "200", "Dee: score": "100"}
    answer = await ann.submit(opened.modal, scores)

    assert answer.message is not None
    lines = answer.message.text.splitlines()
    assert lines[0] == "**#1** · Ann, Bob, Cy and Dee"
    # (9/18 - 1/4) · 1500 · 0.3
    assert lines[1] == "1. 300 · Ann 1500 → **1612** (+112.50) · 1 of 4"
    await club.sandbox.until(lambda: asked.text == "Done: see **#1**.")


async def test_nobody_twice_and_no_bots(club: Club) -> None:
    ann, bob, robot = club.member("Ann"), club.member("Bob"), club.guild.add_member("R2", bot=True)

    answer = await ann.slash(
        club.channel, "multi", standings=f"{ann.mention} > {bob.mention} > {robot.mention}"
    )

    assert answer.text == "R2 is a bot, and bots are not rated."


async def test_a_table_of_sixteen_with_long_names_fits_into_a_message(club: Club) -> None:
    await room(club, "simplified-elo", confirmation="nobody")
    people = [club.member(f"{number:02}" + "*" * 30) for number in range(16)]

    message = await multi(club, people[0], " > ".join(each.mention for each in people))

    assert len(message.text) <= 2000
    assert message.text.endswith("…")
