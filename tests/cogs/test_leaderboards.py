"""Leaderboards as people see them: pages, shared ranks, who is hidden and why."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ledger.encoding import to_moment
from tests.conftest import START

if TYPE_CHECKING:
    from bot.sandbox import Member
    from tests.conftest import Club


async def owner_of_a_room(club: Club) -> Member:
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Ladder", system="simplified-elo")
    return owner


async def rated(club: Club, ratings: list[int], *, games: int = 1) -> None:
    """Give so many players of the only room their ratings: P1, P2 and so on."""
    async with club.ledger.transaction() as tx:
        await tx.execute_many(
            "INSERT INTO players (id, guild_id, user_id, name) VALUES (?1, ?2, ?1, ?3)",
            [(number, club.guild.id, f"P{number}") for number in range(1, len(ratings) + 1)],
        )
        await tx.execute_many(
            "INSERT INTO standings (room_id, player_id, rating, shown, games, wins, draws, "
            "losses, last_game_at) VALUES (1, ?1, ?2, ?2, ?3, 0, 0, 0, ?4)",
            [
                (number, rating * 1_000_000, games, to_moment(START))
                for number, rating in enumerate(ratings, start=1)
            ],
        )


def table(text: str) -> list[str]:
    return text.split("```")[1].strip("\n").splitlines()


async def test_an_empty_room_says_how_to_begin(club: Club) -> None:
    owner = await owner_of_a_room(club)

    answer = await owner.slash(club.channel, "leaderboard")

    assert answer.text == (
        "**Ladder** · 0 players\nNobody is ranked yet. `/report` a game to begin."
    )


async def test_one_player_has_one_page(club: Club) -> None:
    owner = await owner_of_a_room(club)
    await rated(club, [1600])

    answer = await owner.slash(club.channel, "leaderboard")

    assert answer.text == "**Ladder** · 1 player\n```\n1  P1  1600\n```"
    assert answer.message is not None
    assert answer.message.buttons == []


async def test_equals_share_a_rank_and_keep_their_order(club: Club) -> None:
    owner = await owner_of_a_room(club)
    await rated(club, [1500, 1700, 1600, 1600])

    answer = await owner.slash(club.channel, "leaderboard")

    assert table(answer.text) == [
        "1  P2  1700",
        "2  P3  1600",
        "2  P4  1600",
        "4  P1  1500",
    ]


async def test_pages_are_turned_by_buttons(club: Club) -> None:
    owner = await owner_of_a_room(club)
    # A tie of three across the end of the first page.
    await rated(club, [2000 - number for number in range(18)] + [1000] * 3 + [900] * 24)

    answer = await owner.slash(club.channel, "leaderboard")
    message = answer.message
    assert message is not None
    assert [(button.label, button.disabled) for button in message.buttons] == [
        ("First", True),
        ("Back", True),
        ("Next", False),
        ("Last", False),
    ]
    assert table(message.text)[-1] == "19  P20  1000"
    await owner.press(message, "Next")
    assert table(message.text)[:2] == ["19  P21  1000", "22  P22   900"]
    assert "Page 2 of 3" in message.text
    await owner.press(message, "Last")
    assert table(message.text)[-1] == "22  P45  900"
    assert [button.disabled for button in message.buttons] == [False, False, True, True]
    await owner.press(message, "First")
    assert table(message.text)[0] == " 1  P1   2000"


async def test_fifty_thousand_players(club: Club) -> None:
    owner = await owner_of_a_room(club)
    await rated(club, [100_000 - number for number in range(50_000)])

    first = await owner.slash(club.channel, "leaderboard")
    middle = await owner.slash(club.channel, "leaderboard", page=1251)
    last = await owner.slash(club.channel, "leaderboard", page=1_000_000)

    assert table(first.text)[0] == " 1  P1   100000"
    assert table(middle.text)[0] == "25001  P25001  75000"
    assert table(last.text)[-1] == "50000  P50000  50001"
    assert "**Ladder** · 50000 players" in last.text
    assert "Page 2500 of 2500" in last.text


async def test_who_is_hidden_is_counted_with_the_reason(club: Club) -> None:
    owner = await owner_of_a_room(club)
    await rated(club, [1500, 1700, 1600], games=2)
    await owner.slash(club.channel, "room edit", minimum_games=3)
    few = await owner.slash(club.channel, "leaderboard")
    assert "Nobody is ranked yet." in few.text
    assert "Not shown: 3 with fewer than 3 games" in few.text

    await owner.slash(club.channel, "room edit", minimum_games=2, hide_after_days=30)
    club.clock.move(timedelta(days=31))
    idle = await owner.slash(club.channel, "leaderboard")
    assert "Not shown: 3 who did not play for long" in idle.text


async def test_who_left_keeps_the_last_seen_name(club: Club) -> None:
    owner = await owner_of_a_room(club)
    ann, gone = club.member("Ann"), club.member("Gone")
    report = await ann.slash(club.channel, "report", opponent=gone, result="win")
    assert report.message is not None
    await gone.press(report.message, "Yes")
    world = club.sandbox.world
    members = world.guild(str(club.guild.id))["members"]
    members[:] = [each for each in members if each["user"]["id"] != str(gone.id)]

    board = await owner.slash(club.channel, "leaderboard")

    assert table(board.text)[1].split() == ["2", "Gone", "1592"]
