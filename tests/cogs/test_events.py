"""Tournaments and seasons, as people run them in a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.sandbox import Member
    from tests.conftest import Club


async def room(club: Club, system: str, *, confirmation: str = "nobody") -> Member:
    """Make a room, and return who manages the server."""
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Ladder", system=system)
    await owner.slash(club.channel, "room edit", confirmation=confirmation)
    return owner


async def beats(club: Club, winner: Member, loser: Member) -> str:
    answer = await winner.slash(club.channel, "report", opponent=loser, result="win")
    return answer.text


def rows(text: str) -> list[str]:
    """Return the lines of the table in a message, without their titles."""
    return [" ".join(line.split()) for line in text.split("```")[1].strip("\n").splitlines()[1:]]


async def test_a_tournament_rates_its_games_with_the_ratings_before_it(club: Club) -> None:
    owner, ann, bob = await room(club, "simplified-elo"), club.member("Ann"), club.member("Bob")
    opened = await owner.slash(club.channel, "tournament open", name="Spring Cup")
    assert "**Spring Cup** is open in Ladder" in opened.text

    texts = [await beats(club, ann, bob) for _ in range(3)]

    assert "Ann 1600, +8 when the tournament closes" in texts[2]
    running = await bob.slash(club.channel, "tournament standings")
    assert rows(running.text) == ["1 Ann 3–0–0 +24 1600 → 1624", "2 Bob 0–0–3 −24 1600 → 1576"]
    assert "1600" in (await ann.slash(club.channel, "rating")).text

    preview = await owner.slash(club.channel, "tournament close")
    assert "Closing **Spring Cup** now would rate 3 games of 2 players" in preview.text
    assert preview.message is not None
    refused = await ann.press(preview.message, "Close Spring Cup")
    assert refused.is_ephemeral
    assert refused.text == "That is for referees."
    await owner.press(preview.message, "Close Spring Cup")

    assert preview.message.text.startswith("**Spring Cup** · Ladder · 3 games of 2 players\nClosed")
    assert rows(preview.message.text)[0] == "1 Ann 3–0–0 +24 1600 → 1624"
    rating = (await ann.slash(club.channel, "rating")).text
    assert "**1624**" in rating
    assert "Spring Cup closed (+24)" in rating


async def test_a_closing_waits_for_games_that_wait(club: Club) -> None:
    owner = await room(club, "simplified-elo", confirmation="opponent")
    ann, bob = club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "tournament open", name="Cup")
    first = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert first.message is not None
    await bob.press(first.message, "Yes, I lost")
    second = await bob.slash(club.channel, "report", opponent=ann, result="win")
    assert second.message is not None

    preview = (await owner.slash(club.channel, "tournament close")).message

    assert preview is not None
    assert "These games must be decided first:\n• #2 Bob – Ann, reported: https://" in preview.text
    assert [button.label for button in preview.buttons] == ["Look again"]
    await ann.press(second.message, "Yes, I lost")
    await owner.press(preview, "Look again")
    assert [button.label for button in preview.buttons] == ["Close Cup", "Look again"]


async def test_nothing_is_closed_that_was_not_shown(club: Club) -> None:
    owner, ann, bob = await room(club, "simplified-elo"), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "tournament open", name="Cup")
    await beats(club, ann, bob)
    preview = (await owner.slash(club.channel, "tournament close")).message
    assert preview is not None
    await beats(club, ann, bob)

    refused = await owner.press(preview, "Close Cup")

    assert refused.text == (
        "Something was played or decided since that was shown, so nothing was done: look again."
    )
    assert "1600" in (await ann.slash(club.channel, "rating")).text


async def test_a_tournament_called_off_leaves_its_games_to_themselves(club: Club) -> None:
    owner, ann, bob = await room(club, "simplified-elo"), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "tournament open", name="Cup")
    for _ in range(3):
        await beats(club, ann, bob)

    message = (await owner.slash(club.channel, "tournament cancel")).message
    assert message is not None
    await owner.press(message, "Call Cup off")

    assert message.text == "**Cup** was called off; its games count one by one."
    # 8 and 8, and 7 with 32 points between the two.
    assert "**1623**" in (await ann.slash(club.channel, "rating")).text


async def test_the_last_tournament_can_be_opened_again(club: Club) -> None:
    owner, ann, bob = await room(club, "simplified-elo"), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "tournament open", name="Cup")
    await beats(club, ann, bob)
    preview = (await owner.slash(club.channel, "tournament close")).message
    assert preview is not None
    await owner.press(preview, "Close Cup")
    await beats(club, ann, bob)

    message = (await owner.slash(club.channel, "tournament reopen")).message
    assert message is not None
    await owner.press(message, "Open Cup again")

    assert rows(message.text) == ["1 Ann 2–0–0 +16 1600 → 1616", "2 Bob 0–0–2 −16 1600 → 1584"]
    assert "**1600**" in (await ann.slash(club.channel, "rating")).text
    again = await owner.slash(club.channel, "tournament open", name="Other")
    assert again.text == "Cup is running: close it or call it off first."


async def test_what_has_no_tournaments_says_so(club: Club) -> None:
    owner = await room(club, "eternament")

    answer = await owner.slash(club.channel, "tournament open", name="Cup")

    assert answer.is_ephemeral
    assert answer.text == (
        "There are no tournaments in Ladder, whose rating system is `eternament`: "
        "`simplified-elo` has tournaments, `ecf` has seasons."
    )


async def test_seasons_give_grades(club: Club) -> None:
    owner, ann, bob = await room(club, "ecf"), club.member("Ann"), club.member("Bob")
    text = await beats(club, ann, bob)
    assert "Ann has no grade yet; the game's worth is known when the season closes" in text

    await close_season(club, owner, "2026 spring")

    # From 100 each, half-way to 125 and 75, where they stay; then 85 + 50 and 115 - 50.
    grades = await bob.slash(club.channel, "season grades")
    assert rows(grades.text) == ["1 Ann – 135 1 –", "2 Bob – 65 1 –"]
    assert "first grade 135" in (await ann.slash(club.channel, "rating")).text

    text = await beats(club, bob, ann)
    assert "Bob 65, performance **155** this season" in text
    board = await ann.slash(club.channel, "leaderboard")
    assert rows(board.text) == ["1 Ann 135 45.0 (1)", "2 Bob 65 155.0 (1)"]
    rating = await ann.slash(club.channel, "rating")
    assert "This season: average 45.0 over 1 game" in rating.text

    await close_season(club, owner, "2026 autumn")
    # Two seasons of one game each: (45 + 135) / 2 and (155 + 65) / 2.
    grades = await bob.slash(club.channel, "season grades")
    assert rows(grades.text) == ["1 Bob 65 110 1 –", "2 Ann 135 90 1 –"]
    older = await bob.slash(club.channel, "season grades", name="2026 Spring")
    assert rows(older.text) == ["1 Ann – 135 1 –", "2 Bob – 65 1 –"]


async def close_season(club: Club, owner: Member, name: str) -> None:
    message = (await owner.slash(club.channel, "season close", name=name)).message
    assert message is not None
    await owner.press(message, f"Close {name}")
    assert message.text.startswith(f"**{name}** · Ladder")


async def test_the_closing_of_a_season_can_be_taken_back(club: Club) -> None:
    owner, ann, bob = await room(club, "ecf"), club.member("Ann"), club.member("Bob")
    await beats(club, ann, bob)
    await close_season(club, owner, "Spring")

    message = (await owner.slash(club.channel, "season reopen")).message
    assert message is not None
    await owner.press(message, "Open Spring again")

    assert "no rating yet" in (await ann.slash(club.channel, "rating")).text
    await close_season(club, owner, "Spring")
    assert "**135**" in (await ann.slash(club.channel, "rating")).text


async def test_who_established_themselves_adjusts_their_first_opponents(club: Club) -> None:
    owner, ann = await room(club, "cif"), club.member("Ann")
    others = [club.member(f"Opponent {number}") for number in range(1, 25)]
    del owner
    for other in others:
        await beats(club, ann, other)

    text = await beats(club, ann, others[0])

    # Ann rose by 150 (1 - 0.9^n); to lose to her cost the first 13 more than the least of 1.
    assert "Opponent 6 +4.86" in text
    assert text.endswith("and 5 more")
    rating = await others[5].slash(club.channel, "rating")
    assert (
        "#25 established an opponent: your games together were rated again (+4.86)" in rating.text
    )
