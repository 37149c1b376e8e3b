"""Games under way, as people see them in a channel."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.sandbox import Member, Message
    from tests.conftest import Club


async def played(club: Club, author: Member, **others: object) -> Message:
    answer = await author.slash(club.channel, "play", **others)
    assert answer.message is not None, answer.text
    return answer.message


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def room(club: Club, system: str, **settings: object) -> Member:
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Table", system=system)
    if settings:
        await owner.slash(club.channel, "room edit", **settings)
    return owner


async def test_an_open_game_shows_its_newest_standing_and_who_set_it(club: Club) -> None:
    await room(club, "game-room")
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await played(club, ann, opponent=bob)
    assert message.text == "**#1** · Ann and Bob are playing"
    assert labels(message) == ["Score", "Report", "Abort"]

    opened = await bob.press(message, "Score")
    assert opened.modal is not None
    assert [field.label for field in opened.modal.fields] == ["Ann: score", "Bob: score"]
    await bob.submit(opened.modal, {"Ann: score": "120", "Bob: score": "95"})

    assert message.text.splitlines()[1].startswith("Standing: Ann 120, Bob 95 (Bob, <t:")
    answer = await ann.slash(club.channel, "score", score=160, opponent_score=95)
    assert "Standing: Ann 160, Bob 95 (Ann, <t:" in answer.text
    await club.sandbox.until(lambda: message.text == "**#1** · See the newer message.")


async def test_a_standing_is_agreed_to_by_a_press_or_by_saying_the_same(club: Club) -> None:
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    message = await played(club, ann, opponent=bob, opponent2=cy)
    standing = f"{ann.mention} > {bob.mention} = {cy.mention}"
    answer = await ann.slash(club.channel, "score", standing=standing)
    message = answer.message
    assert message is not None
    assert "Standing: 1. Ann, 2. Bob, 2. Cy" in message.text

    refused = await ann.press(message, "That is how it stands")
    assert "#1 waits for Bob or Cy" in refused.text
    await bob.press(message, "That is how it stands")
    assert "Agreed by Bob." in message.text
    answer = await cy.slash(club.channel, "score", standing=standing)
    assert "Agreed by Bob and Cy." in answer.text


async def test_an_open_game_is_reported_by_its_button(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await played(club, ann, opponent=bob)

    opened = await ann.press(message, "Report")
    answer = await ann.submit(opened.modal, {"ahead": [str(bob.id)]})

    assert answer.message is not None
    assert "#1** · Ann reports: Bob beat Ann" in answer.text
    assert answer.message.pings == [bob.id]
    await bob.press(answer.message, "Yes, I won")
    assert "Bob 1600 → **1608** (+8)" in answer.message.text


async def test_a_report_between_people_with_an_open_game_says_which_it_means(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)

    refused = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert refused.is_ephemeral
    assert "still open (#1)" in refused.text
    named = await ann.slash(club.channel, "report", opponent=bob, result="win", game=1)
    assert "#1** · Ann reports: Ann beat Bob" in named.text
    other = await ann.slash(club.channel, "report", opponent=bob, result="win", another_game=True)
    assert "#2** · Ann reports: Ann beat Bob" in other.text


async def test_a_withdrawn_report_of_an_open_game_leaves_it_open(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    answer = await ann.slash(club.channel, "report", opponent=bob, result="win", game=1)
    assert answer.message is not None

    await ann.press(answer.message, "Withdraw")

    assert answer.message.text == "**#1** · Ann and Bob are playing"
    assert labels(answer.message) == ["Score", "Report", "Abort"]


async def test_games_lists_what_is_open_and_what_waits(club: Club) -> None:
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    await played(club, ann, opponent=bob)
    await cy.slash(club.channel, "report", opponent=ann, result="win")

    answer = await ann.slash(club.channel, "games")

    assert answer.is_ephemeral
    first, second, third = answer.text.splitlines()
    assert first == "Your games in **ladder**:"
    assert second.startswith("**#2** with Cy: Cy beat Ann, waits for you · https://discord.com/")
    assert third.startswith("**#1** with Bob: open since <t:")


async def test_open_games_are_proposed_while_typing(club: Club) -> None:
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    await played(club, ann, opponent=bob)
    await played(club, ann, opponent=cy)

    found = await ann.autocomplete(club.channel, "score", focused="game", game="1")

    assert [name for name, _ in found] == ["#1 with Bob", "#2 with Cy"]


async def test_an_idle_game_without_action_is_closed(club: Club) -> None:
    message = await played(club, club.member("Ann"), opponent=club.member("Bob"))

    club.clock.move(timedelta(days=13))
    assert "are playing" in message.text
    club.clock.move(timedelta(days=1, minutes=1))

    await club.sandbox.until(lambda: "Closed, nobody touched it" in message.text)
    assert "nobody's rating changes" in message.text
    assert message.buttons == []


async def test_players_of_an_idle_game_with_action_are_asked_first(club: Club) -> None:
    ann, bob = club.member("Ann"), club.member("Bob")
    await played(club, ann, opponent=bob)
    answer = await ann.slash(club.channel, "score", standing="ahead")
    older = answer.message
    assert older is not None
    assert "Standing: Ann ahead of Bob (Ann" in older.text

    club.clock.move(timedelta(days=14, minutes=1))
    await club.sandbox.until(lambda: "See the newer message" in older.text)
    question = club.channel.messages[-1]
    assert "is this game still played?" in question.text
    assert sorted(question.pings) == sorted([ann.id, bob.id])

    await bob.press(question, "Still playing")
    assert "still played" not in question.text
    assert labels(question)[0] == "Score"

    club.clock.move(timedelta(days=14, minutes=1))
    await club.sandbox.until(lambda: "See the newer message" in question.text)
    last = club.channel.messages[-1]
    club.clock.move(timedelta(days=14, minutes=1))
    await club.sandbox.until(lambda: "nobody said that it is still played" in last.text)
    assert last.buttons == []


async def test_a_form_outlives_a_restart(club: Club) -> None:
    await room(club, "game-room")
    ann, bob = club.member("Ann"), club.member("Bob")
    message = await played(club, ann, opponent=bob)
    opened = await ann.press(message, "Score")

    await club.stop()
    await club.start()
    await ann.submit(opened.modal, {"Ann: score": "12", "Bob: score": "-3,5"})

    assert "Standing: Ann 12, Bob −3.5 (Ann" in message.text


async def test_what_makes_no_sense_in_a_form_is_said_and_changes_nothing(club: Club) -> None:
    await room(club, "game-room")
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")
    message = await played(club, ann, opponent=bob)
    opened = await ann.press(message, "Score")

    answer = await ann.submit(opened.modal, {"Ann: score": "many", "Bob: score": "1"})
    assert answer.is_ephemeral
    assert answer.text.startswith("“many” is not the number that is wanted")
    stranger = await cy.press(message, "Score")
    assert stranger.text == "That is not for you to say: #1 waits for Ann or Bob."
    assert message.text == "**#1** · Ann and Bob are playing"


async def test_too_many_for_the_system_names_one_that_would_do(club: Club) -> None:
    await room(club, "cif")
    ann, bob, cy = club.member("Ann"), club.member("Bob"), club.member("Cy")

    answer = await ann.slash(club.channel, "play", opponent=bob, opponent2=cy)

    assert answer.is_ephemeral
    assert answer.text == (
        "This room's games (`cif`) have 2 players, not 3. "
        "A room rated by `simplified-elo` could rate it."
    )


async def test_five_players_write_a_line_each(club: Club) -> None:
    people = [club.member(name) for name in ("Ann", "Bob", "Cy", "Dee", "Eve")]
    ann = people[0]
    others = {
        f"opponent{index or ''}": each for index, each in zip([0, 2, 3, 4], people[1:], strict=True)
    }
    message = await played(club, ann, **others)
    opened = await ann.press(message, "Score")
    assert opened.modal is not None
    numbers, lines = opened.modal.fields
    assert lines.value == "Ann: \nBob: \nCy: \nDee: \nEve: "

    await ann.submit(
        opened.modal,
        {
            numbers.custom_id: ["places"],
            lines.custom_id: "Ann: 2\nBob: 1\nCy: 2\nDee: 3\nEve: 4",
        },
    )

    assert "Standing: 1. Bob, 2. Ann, 2. Cy, 4. Dee, 5. Eve (Ann" in message.text
