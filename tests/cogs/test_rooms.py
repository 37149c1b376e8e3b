"""Setting rooms up, as those who manage a server do."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.sandbox.errors import SandboxError
from bot.services.check_ledger import check_ledger

if TYPE_CHECKING:
    from bot.sandbox import Channel
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


async def test_a_room_is_named_where_no_channel_means_one(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    chess, words = club.guild.add_channel("chess"), club.guild.add_channel("words")
    await owner.slash(chess, "room create", name="Chess", system="cif")
    await owner.slash(words, "room create", name="Words", system="game-room")

    lost = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert lost.text == (
        "This server has several rooms (Words, Chess): go to a channel of one of them, or name it "
        "with `room`."
    )
    proposed = await ann.autocomplete(
        club.channel, "report", "room", opponent=bob, result="win", room="c"
    )
    assert proposed == [("Chess", "Chess")]
    club.clock.move(timedelta(minutes=1))
    for room in ("Chess", "chess"):
        report = await ann.slash(club.channel, "report", opponent=bob, result="win", room=room)
        assert report.message is not None
        await bob.press(report.message, "Yes, I lost")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win", room="Gym")
    assert report.text == "There is no room Gym here."

    board = await ann.slash(words, "leaderboard", room="Chess")
    assert "1  Ann  15" in board.text
    assert (await ann.slash(words, "rating", room="Chess")).text.startswith("**Ann**")
    assert "Nobody is ranked yet" in (await ann.slash(words, "leaderboard")).text
    # The room that was used last is proposed first.
    proposed = await ann.autocomplete(club.channel, "leaderboard", "room")
    assert proposed == [("Chess", "Chess"), ("Words", "Words")]


async def test_the_forms_remember_the_room_that_was_named(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    chess, words = club.guild.add_channel("chess"), club.guild.add_channel("words")
    await owner.slash(chess, "room create", name="Chess", system="cif")
    await owner.slash(words, "room create", name="Words", system="game-room")

    preview = await ann.slash(
        chess, "abort", opponent=bob, score=10, opponent_score=20, room="Words"
    )
    assert preview.message is not None
    await ann.press(preview.message, "Abort this game")
    report = await ann.slash(chess, "multi", room="Words")
    assert report.message is not None
    form = await ann.choose(report.message, [bob, owner])
    assert form.modal is not None
    await ann.submit(form.modal, {"Ann: score": "30", "Bob: score": "20", "Olga: score": "10"})
    await club.sandbox.until(lambda: "#2" in club_text(chess))

    games = (await ann.slash(chess, "games", room="Words")).text
    assert games.startswith("Your games in **Words**:\n**#2** with Bob and Olga")


def club_text(channel: Channel) -> str:
    return "\n".join(message.text for message in channel.messages)


async def test_a_room_gets_another_name_and_other_channels(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    other, third = club.guild.add_channel("other"), club.guild.add_channel("third")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    await owner.slash(third, "room create", name="Club", system="cif")

    edited = await owner.slash(
        club.channel, "room edit", name="Tea", channel=other, drop_channel=club.channel
    )
    assert edited.text.startswith("**Tea** is rated by `cif`")
    shown = await owner.slash(other, "room show")
    assert shown.text.splitlines()[-1] == f"0 games, 0 players · <#{other.id}>"
    assert shown.is_ephemeral
    for options, text in (
        ({"name": "club"}, "There is a room called club already."),
        ({"channel": third}, "That channel belongs to another room."),
        ({"drop_channel": third}, "That channel does not belong to Tea."),
        ({}, "Say what shall be changed: each option is one setting."),
    ):
        refused = await owner.slash(other, "room edit", **options)
        assert refused.text == text
    report = await ann.slash(other, "report", opponent=bob, result="win")
    assert "#1" in report.text


async def test_an_archived_room_keeps_all_and_comes_back(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    refused = await owner.slash(club.channel, "room archive")
    assert "Some games still wait for a decision (#1)" in refused.text
    assert report.message is not None
    await bob.press(report.message, "Yes, I lost")

    archived = await owner.slash(club.channel, "room archive")
    assert archived.text == "**Cafe** is archived: `/room restore` brings it back."
    assert "There is no room here yet" in (await ann.slash(club.channel, "leaderboard")).text
    assert (await owner.slash(club.channel, "room list")).text == (
        f"**Cafe** · `cif` · archived · 1 game, 2 players · <#{club.channel.id}>"
    )
    # Another room may take its name and its channel meanwhile.
    await owner.slash(club.channel, "room create", name="Cafe", system="game-room")
    refused = await owner.slash(club.channel, "room restore", room="Cafe")
    assert refused.text == "There is a room called Cafe already."
    proposed = await owner.autocomplete(club.channel, "room restore", "room", room="")
    assert proposed == [("Cafe", "Cafe")]
    restored = await owner.slash(club.channel, "room restore", room="Cafe", name="Old cafe")
    assert restored.text.startswith("**Old cafe** is rated by `cif`")
    assert "1  Ann  15" in (await ann.slash(club.channel, "leaderboard", room="Old cafe")).text


async def test_an_archived_rooms_games_take_no_press(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    await bob.press(report.message, "Yes, I lost")
    preview = await owner.slash(club.channel, "game void", number=1)
    assert preview.message is not None
    await owner.slash(club.channel, "room archive")

    form = await owner.press(preview.message, "Void #1")
    assert form.modal is not None
    answer = await owner.submit(form.modal, {"Why? The players will read it": "twice"})
    assert answer.text == "Cafe is archived: `/room restore` brings it back."


async def test_export_gives_the_games_and_the_standings(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Tea & cake", system="simplified-elo")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    await bob.press(report.message, "Yes, I lost")

    answer = await owner.slash(club.channel, "room export")
    assert answer.is_ephemeral
    assert answer.text.startswith("**Tea & cake**: 1 game and the standings.")
    assert answer.message is not None
    games, standings = answer.message.attachments
    assert (games.filename, standings.filename) == (
        "tea--cake-games.csv",
        "tea--cake-standings.csv",
    )
    assert games.data.decode() == (
        "game,played_at,event,player,placing,score,aborted\n"
        "1,2026-01-10T12:00:00Z,,Ann,1,,\n"
        "1,2026-01-10T12:00:00Z,,Bob,2,,\n"
    )
    assert standings.data.decode() == "player,rating,games\nAnn,1608,1\nBob,1592,1\n"


async def test_the_log_says_who_did_what(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    await owner.slash(club.channel, "room edit", minimum_games=2)
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    await bob.press(report.message, "Yes, I lost")
    for _ in range(5):
        await owner.slash(club.channel, "room edit", minimum_games=1)
        await owner.slash(club.channel, "room edit", minimum_games=2)

    log = await owner.slash(club.channel, "room log")
    now = "<t:1768046400:f>"
    lines = log.text.splitlines()
    assert lines[:2] == [
        "**Cafe** · page 1 of 2",
        f"{now} edit room (minimum games 2) by <@{owner.id}>",
    ]
    assert lines[-2:] == [f"{now} confirm #1 by <@{bob.id}>", f"{now} report #1 by <@{ann.id}>"]
    assert log.message is not None
    older = await owner.press(log.message, "Older")
    assert older.text.splitlines() == [
        "**Cafe** · page 2 of 2",
        f"{now} edit room (minimum games 2) by <@{owner.id}>",
        f"{now} create room by <@{owner.id}>",
    ]


async def test_other_rules_are_shown_first_and_then_rate_every_game(club: Club) -> None:
    owner, ann, bob, cy = (
        club.member("Olga", manager=True),
        club.member("Ann"),
        club.member("Bob"),
        club.member("Cy"),
    )
    await owner.slash(club.channel, "room create", name="Cafe", system="game-room")
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    await ann.slash(club.channel, "report", opponent=bob, result="win", score=2, opponent_score=1)
    await ann.slash(club.channel, "multi", standings=f"<@{cy.id}> 3 <@{bob.id}> 2 <@{ann.id}> 1")
    board = (await ann.slash(club.channel, "leaderboard")).text

    preview = await owner.slash(club.channel, "room edit", system="cif")
    assert preview.is_ephemeral
    assert preview.text.startswith(
        "**Cafe**, all 2 games ever played in it, by `cif` instead of `game-room`:"
    )
    assert "`cif` cannot rate #2: they would stay, unrated." in preview.text
    assert "1  Cy   1639  │  1  Ann   1515.00" in preview.text
    assert (await ann.slash(club.channel, "leaderboard")).text == board
    assert preview.message is not None
    done = await owner.press(preview.message, "Rate by cif")
    assert done.text == "**Cafe** is rated by `cif` now."
    assert (await ann.slash(club.channel, "leaderboard")).text.splitlines()[2:4] == [
        "1  Ann  1515.00",
        "2  Bob  1488.00",
    ]
    shown = await ann.slash(club.channel, "game show", number=2)
    assert "Not rated: `cif` cannot rate a game like this." in shown.text

    assert (await check_ledger(club.ledger, repair=False)).is_well

    back = await owner.slash(club.channel, "room edit", system="game-room")
    assert back.message is not None
    await owner.press(back.message, "Rate by game-room")
    assert (await ann.slash(club.channel, "leaderboard")).text == board
    log = await owner.slash(club.channel, "room log")
    assert "change rules (from cif, to game-room)" in log.text


async def test_other_rules_wait_until_they_can_be_decided(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None

    refused = await owner.slash(club.channel, "room edit", system="ecf")
    assert "Some games still wait for a decision (#1)" in refused.text
    await bob.press(report.message, "Yes, I lost")
    refused = await owner.slash(club.channel, "room edit", system="cif")
    assert refused.text == "Cafe has these rules already."
    refused = await owner.slash(club.channel, "room edit", system="ecf", minimum_games=2)
    assert refused.text == ("Change the rating system by itself: first it is shown what that does.")
    preview = await owner.slash(club.channel, "room edit", settings="start=1200")
    assert "by `cif` with start 1200 instead of `cif`:" in preview.text
    await ann.slash(club.channel, "report", opponent=bob, result="draw")
    await bob.slash(club.channel, "report", opponent=ann, result="draw")
    assert preview.message is not None
    late = await owner.press(preview.message, "Rate by cif")
    assert late.text == "Something was rated since that was shown, so nothing was done: look again."


async def test_systems_are_compared_where_there_are_games_enough(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    few = await owner.slash(club.channel, "room compare")
    assert few.text == (
        "**Cafe** has too few games to compare rating systems by: 1 of 60, a game of three and "
        "more counting once for every two players."
    )

    table = "\n".join(["Ann 2 Bob 1"] * 60)
    opened = await owner.slash(club.channel, "game paste")
    preview = await owner.submit(opened.modal, {"table": table})
    assert preview.message is not None, preview.text
    form = await owner.press(preview.message, "Enter 60 games")
    await owner.submit(form.modal, {"Why? The players will read it": "a season"})
    found = await owner.slash(club.channel, "room compare")
    assert found.is_ephemeral
    lines = found.text.splitlines()
    assert lines[2].split() == ["System", "Higher", "rated", "won", "Error"]
    assert {line.split()[-6:-5][0] for line in lines[3:7]} <= {
        "cif",
        "eternament",
        "game-room",
        "simplified-elo",
    }
    assert lines[7].split() == ["ecf", "–", "0.250"]
