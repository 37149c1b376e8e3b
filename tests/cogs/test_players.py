"""Guests who become members, and accounts of one person."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.services.check_ledger import check_ledger

if TYPE_CHECKING:
    from bot.sandbox import Member
    from bot.sandbox.people import Answer
    from tests.conftest import Club

WHY = "Why? The players will read it"


async def goes_on(owner: Member, preview: Answer, button: str, reason: str) -> Answer:
    assert preview.message is not None, preview.text
    form = await owner.press(preview.message, button)
    return await owner.submit(form.modal, {WHY: reason})


async def cafe(club: Club) -> tuple[Member, Member, Member]:
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Cafe", system="simplified-elo")
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    return owner, club.member("Ann"), club.member("Bob")


async def test_a_guests_games_become_a_members(club: Club) -> None:
    owner, ann, bob = await cafe(club)
    maria = club.member("Maria K")
    preview = await owner.slash(club.channel, "game add", standing=f"guest:Maria > <@{ann.id}>")
    await goes_on(owner, preview, "Enter", "at the club")
    await maria.slash(club.channel, "report", opponent=bob, result="win")
    await club.sandbox.until(
        lambda: any("Maria beat" in each.text for each in club.channel.messages)
    )
    message = next(each for each in club.channel.messages if "Maria beat" in each.text)

    proposed = await owner.autocomplete(
        club.channel, "player claim", "guest", guest="mar", member=maria
    )
    assert proposed == [("Maria", "Maria")]
    look = await owner.slash(club.channel, "player claim", guest="guest:maria", member=maria)
    assert look.is_ephemeral
    assert look.text.splitlines() == [
        "The 1 game of Maria would become Maria K's.",
        "**Cafe**:",
        "2 later entries rated again, 2 ratings move.",
        "• Maria 1608 → –",
        "• Maria K 1608 → 1616",
    ]
    done = await goes_on(owner, look, "Maria is Maria K", "she joined")
    assert done.text.startswith("The 1 game of Maria is now Maria K's.")
    # The messages of a player's games follow one another.
    club.clock.move(timedelta(seconds=10))
    await club.sandbox.until(lambda: "Maria K beat Ann" in message.text)
    board = await ann.slash(club.channel, "leaderboard")
    assert board.text.splitlines()[2] == "1  Maria K  1616"
    assert (await check_ledger(club.ledger, repair=False)).is_well
    again = await owner.slash(club.channel, "player claim", guest="Maria", member=maria)
    assert again.text == "There is no guest called Maria here."


async def test_two_accounts_become_one_in_every_room(club: Club) -> None:
    owner, ann, bob = await cafe(club)
    second = club.member("Ann again")
    words = club.guild.add_channel("words")
    await owner.slash(words, "room create", name="Words", system="cif")
    await owner.slash(words, "room edit", confirmation="nobody")
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    await second.slash(club.channel, "report", opponent=bob, result="win")
    await second.slash(words, "report", opponent=bob, result="win")

    look = await owner.slash(club.channel, "player merge", account=second, into=ann)
    lines = look.text.splitlines()
    assert lines[0] == "The 2 games of Ann again would become Ann's."
    assert "**Cafe**:" in lines
    assert "**Words**:" in lines
    await goes_on(owner, look, "Ann again is Ann", "her phone")
    for channel in (club.channel, words):
        board = await ann.slash(channel, "leaderboard")
        assert "Ann again" not in board.text
        log = await owner.slash(channel, "room log")
        assert "merge players (player Ann again, into Ann)" in log.text
    assert (await check_ledger(club.ledger, repair=False)).is_well


async def test_who_played_each_other_is_not_one_person(club: Club) -> None:
    owner, ann, bob = await cafe(club)
    await ann.slash(club.channel, "report", opponent=bob, result="win")

    refused = await owner.slash(club.channel, "player merge", account=ann, into=bob)
    assert refused.text == (
        "They played each other (#1), so they are two people, or these games are wrong: nothing "
        "was done."
    )
    same = await owner.slash(club.channel, "player merge", account=ann, into=ann)
    assert same.text == "Ann is one player already."
    never = await owner.slash(club.channel, "player merge", account=owner, into=ann)
    assert never.text == "Olga has never played here."
