"""Reports and the buttons under them, as people see them in a channel."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.sandbox import Member, Message
    from tests.conftest import Club


async def reported(club: Club, author: Member, opponent: Member, result: str = "win") -> Message:
    answer = await author.slash(club.channel, "report", opponent=opponent, result=result)
    assert answer.message is not None
    return answer.message


async def test_a_report_asks_the_opponent_alone(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")

    answer = await ann.slash(
        club.channel, "report", opponent=bob, result="win", score=412, opponent_score=388
    )

    message = answer.message
    assert message is not None
    assert "Ann reports: Ann beat Bob 412–388" in message.text
    assert message.pings == [bob.id]
    assert [button.label for button in message.buttons] == [
        "Yes, I lost 388–412",
        "Wrong result",
        "We did not play",
        "Withdraw",
    ]


async def test_a_first_report_makes_and_announces_a_room(club: Club) -> None:
    message = await reported(club, club.member("Ann"), club.member("Bob"))

    assert "first room was made: **ladder**, rated by `simplified-elo`" in message.text


async def test_a_confirmed_game_shows_before_after_change_and_rank(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await reported(club, ann, bob)

    await bob.press(message, "Yes, I lost")

    assert message.text.splitlines()[-3:] == [
        "**#1** · Ann beat Bob",
        "Ann 1600 → **1608** (+8) · 1 of 2",
        "Bob 1600 → **1592** (−8) · 2 of 2",
    ]
    assert [button.label for button in message.buttons] == ["Why?"]


async def test_the_same_result_from_both_is_one_game_confirmed(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    first = await reported(club, ann, bob, "win")

    second = await reported(club, bob, ann, "loss")

    assert "#1" in second.text
    assert "Ann 1600 → **1608**" in second.text
    await club.sandbox.until(lambda: "See the newer message" in first.text)
    board = await ann.slash(club.channel, "leaderboard")
    assert "2 players" in board.text


async def test_contradicting_reports_are_one_disputed_game(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await reported(club, ann, bob, "win")

    message = await reported(club, bob, ann, "win")

    assert "#1** · Disputed: Ann and Bob. Nothing is rated." in message.text
    assert "Ann says: Ann beat Bob" in message.text
    assert "Bob says: Bob beat Ann" in message.text
    # Both go on freely: the next report is another game.
    assert "#2" in (await reported(club, ann, bob, "draw")).text


async def test_who_gives_in_settles_a_dispute(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await reported(club, ann, bob, "win")
    message = await reported(club, bob, ann, "win")

    refused = await ann.press(message, "Ann is right")
    assert refused.is_ephemeral
    assert "#1 waits for Bob" in refused.text
    await bob.press(message, "Ann is right")

    assert "Ann 1600 → **1608**" in message.text


async def test_a_referee_settles_games_of_others_only(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob", manager=True)
    referee = club.member("Rita", manager=True)
    message = await reported(club, ann, bob)
    await bob.press(message, "Wrong result")
    assert "Bob says: the result is wrong" in message.text

    own = await bob.press(message, "Does not count")
    assert own.is_ephemeral
    assert "a referee who did not play" in own.text
    await referee.press(message, "Does not count")

    assert "Does not count: Ann and Bob." in message.text


async def test_a_second_report_by_the_same_person_replaces_the_first(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    first = await reported(club, ann, bob, "win")
    old_button = first.buttons[0].custom_id

    second = await reported(club, ann, bob, "loss")

    assert "#1** · Ann reports: Bob beat Ann" in second.text
    await club.sandbox.until(lambda: first.buttons == [])
    assert old_button != second.buttons[0].custom_id
    await bob.press(second, "Yes, I won")
    assert "Bob 1600 → **1608**" in second.text


async def test_another_game_may_wait_beside_the_first(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await reported(club, ann, bob, "win")

    answer = await ann.slash(club.channel, "report", opponent=bob, result="win", another_game=True)

    assert "#2" in answer.text


async def test_the_author_may_withdraw(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await reported(club, ann, bob)

    refused = await bob.press(message, "Withdraw")
    assert refused.is_ephemeral
    assert "#1 waits for Ann" in refused.text
    await ann.press(message, "Withdraw")

    assert message.text.endswith("**#1** · Withdrawn: Ann and Bob. Nothing is rated.")


async def test_what_makes_no_sense_is_refused_to_the_person_alone(club: Club) -> None:
    ann, bob, robot = club.member("Ann"), club.member("Bob"), club.guild.add_member("R2", bot=True)

    own = await ann.slash(club.channel, "report", opponent=ann, result="win")
    program = await ann.slash(club.channel, "report", opponent=robot, result="win")
    scores = await ann.slash(
        club.channel, "report", opponent=bob, result="win", score=300, opponent_score=400
    )
    one_score = await ann.slash(club.channel, "report", opponent=bob, result="win", score=300)

    assert own.text == "You cannot play against yourself: choose your opponent."
    assert program.text == "R2 is a bot, and bots are not rated."
    assert scores.text.startswith("You reported a win, but the scores 300–400 say otherwise.")
    assert one_score.text == "Give both scores or none."
    assert club.channel.messages == []


async def test_only_the_opponent_confirms_and_only_once(club: Club) -> None:
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    message = await reported(club, ann, bob)

    for somebody in (ann, cy):
        refused = await somebody.press(message, "Yes, I lost")
        assert refused.is_ephemeral
        assert refused.text == "That is not for you to say: #1 waits for Bob."
    yes = message.buttons[0].custom_id
    first, second = await asyncio.gather(
        bob.press(message, custom_id=yes), bob.press(message, custom_id=yes)
    )

    assert {first.is_ephemeral, second.is_ephemeral} == {False, True}
    assert "#1 is rated already." in first.text + second.text
    assert "Ann 1600 → **1608** (+8)" in message.text


async def test_a_button_outlives_a_restart(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await reported(club, ann, bob)

    await club.stop()
    await club.start()
    await bob.press(message, "Yes, I lost")

    assert "Ann 1600 → **1608**" in message.text


async def test_an_unanswered_report_counts_after_a_day(club: Club) -> None:
    message = await reported(club, club.member("Ann"), club.member("Bob"))

    club.clock.move(timedelta(hours=23, minutes=59))
    assert "is this right?" in message.text
    club.clock.move(timedelta(minutes=2))

    await club.sandbox.until(lambda: "Ann 1600 → **1608**" in message.text)


async def test_a_bot_that_was_down_catches_up(club: Club) -> None:
    message = await reported(club, club.member("Ann"), club.member("Bob"))

    await club.stop()
    club.clock.move(timedelta(days=3))
    await club.start()

    await club.sandbox.until(lambda: "Ann 1600 → **1608**" in message.text)


async def test_a_lost_answer_is_shown_by_the_outbox(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await reported(club, ann, bob)

    club.sandbox.fail_next("POST", "/callback", status=404)
    await bob.press(message, "Yes, I lost")
    club.clock.move(timedelta(seconds=30))

    await club.sandbox.until(lambda: "Ann 1600 → **1608**" in message.text)
    club.sandbox.unanswered.clear()


async def test_a_report_whose_answer_was_lost_is_posted_once(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")

    club.sandbox.fail_next("POST", "/callback", status=404)
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    club.clock.move(timedelta(seconds=30))

    await club.sandbox.until(lambda: bool(club.channel.messages))
    assert "Ann reports: Ann beat Bob" in club.channel.messages[0].text
    assert club.channel.messages[0].pings == [bob.id]
    club.sandbox.unanswered.clear()


async def test_names_neither_ping_nor_format(club: Club) -> None:
    ann, loud = club.member("Ann"), club.member("@everyone **x**`")

    message = await reported(club, ann, loud)

    assert "@everyone" not in message.text
    assert "\\*\\*x\\*\\*" in message.text


async def test_a_thread_belongs_to_its_channel(club: Club) -> None:
    manager = club.member("Max", manager=True)
    thread = club.channel.add_thread("Ann v Bob")
    await manager.slash(club.channel, "room create", name="Ladder", system="eternament")
    await manager.slash(
        club.guild.add_channel("words"), "room create", name="Words", system="simplified-elo"
    )

    answer = await manager.slash(thread, "report", opponent=club.member("Bob"), result="win")
    assert answer.message is not None
    await club.member("Cy").slash(club.channel, "leaderboard")
    assert "Max reports: Max beat Bob" in answer.text
