"""Games files that owners bring in, as people see it in a channel."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from bot.display.importing import read_members
from bot.errors import Refusal, RequestRefused
from bot.sandbox import Upload
from bot.services.check_ledger import check_ledger

if TYPE_CHECKING:
    from bot.sandbox import Member
    from tests.conftest import Club

HEAD = "game,played_at,event,player,placing,score,aborted\n"
GAMES = (
    HEAD
    + "1,2025-04-01T18:00:00Z,,Ann,1,,\n1,2025-04-01T18:00:00Z,,Maria,2,,\n"
    + "2,2025-04-02T18:00:00Z,,Bo B,1,,\n2,2025-04-02T18:00:00Z,,Ann,2,,\n"
    + "3,2025-04-03T18:00:00Z,,Bo B,,,no-action\n3,2025-04-03T18:00:00Z,,Ann,,,no-action\n"
)


def file(text: str = GAMES, name: str = "games.csv") -> Upload:
    return Upload(name, "text/csv", text.encode())


async def cafe(club: Club) -> tuple[Member, Member, Member]:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    await bob.press(report.message, "Yes, I lost")
    return owner, ann, bob


async def test_a_file_becomes_a_room_after_a_look(club: Club) -> None:
    owner, ann, bob = await cafe(club)

    look = await owner.slash(
        club.channel,
        "room import",
        file=file(),
        name="Old club",
        system="simplified-elo",
        members=f"Bo B = <@{bob.id}>",
    )
    assert look.is_ephemeral
    assert look.text == (
        "3 games would be imported into a new room **Old club**, rated by `simplified-elo`.\n"
        "Played <t:1743530400:D> to <t:1743703200:D>.\n"
        "1 of them had no result and rate nobody.\n"
        "2 of the names belong to players here.\n"
        "Nobody here is called Maria: they become guests. To say who is who, import again with "
        "`members:` such as `Maria=@Ann, Bo B=@Bob`."
    )
    assert look.message is not None
    await club.stop()
    await club.start()
    done = await owner.press(look.message, "Import 3 games")
    assert done.text == "3 games are imported into **Old club**, with 1 guest. See `/leaderboard`."
    assert done.message is not None
    assert not done.message.attachments
    board = await ann.slash(club.channel, "leaderboard", room="Old club")
    assert board.text.splitlines()[2:5] == ["1  Bob    1608", "2  Ann    1600", "3  Maria  1592"]
    assert (await check_ledger(club.ledger, repair=False)).is_well


async def test_an_export_comes_in_again_with_equal_ratings(club: Club) -> None:
    owner, ann, _ = await cafe(club)
    export = await owner.slash(club.channel, "room export")
    assert export.message is not None
    games = export.message.attachments[0].data

    packed = Upload("cafe.csv.gz", "application/gzip", gzip.compress(games))
    look = await owner.slash(club.channel, "room import", file=packed, name="Copy", system="cif")
    assert look.message is not None
    await owner.press(look.message, "Import 1 game")
    board = await ann.slash(club.channel, "leaderboard", room="Copy")
    assert board.text.splitlines()[2:4] == ["1  Ann  1515.00", "2  Bob  1488.00"]
    log = await owner.slash(club.channel, "room log", room="Copy")
    assert f"import (games 1, guests 0) by <@{owner.id}>" in log.text


async def test_chess_games_are_imported_in_the_order_of_their_dates(club: Club) -> None:
    owner, _, _ = await cafe(club)
    pgn = (
        '[White "Ann"]\n[Black "Maria"]\n[Date "2024.03.02"]\n[Result "0-1"]\n\n1. e4 0-1\n\n'
        '[White "Maria"]\n[Black "Ann"]\n[Date "2024.03.01"]\n[Result "0-1"]\n\n1. e4 0-1\n\n'
        '[White "Maria"]\n[Black "Ann"]\n[Date "2024.03.03"]\n[Result "*"]\n\n*\n'
    )
    look = await owner.slash(
        club.channel,
        "room import",
        file=file(pgn, "club.pgn"),
        name="Chess",
        system="simplified-elo",
    )
    assert "Without a result, and left out: 1 of the file's games." in look.text
    assert look.message is not None
    await owner.press(look.message, "Import 2 games")
    first = await owner.slash(club.channel, "game show", number=2)
    assert "**#2** · Ann beat Maria" in first.text


async def test_what_cannot_be_imported_is_told(club: Club) -> None:
    owner, _, bob = await cafe(club)
    unclear = (
        "“Maria is Ann” does not say who is who: write `Maria=@Ann, Bo B=@Bob`, with members that "
        "Discord offers."
    )
    for options, text in (
        ({}, "Cafe has games already: import into a room without any, or a new one."),
        ({"name": "New"}, "New would be a new room: say by `system` how its games are rated."),
        (
            {"name": "New", "system": "cif", "members": f"Zoe=<@{bob.id}>"},
            "Nobody in the file is called Zoe.",
        ),
        (
            {"name": "New", "system": "cif", "members": "Maria is Ann"},
            unclear,
        ),
    ):
        refused = await owner.slash(club.channel, "room import", file=file(), **options)
        assert refused.text == text
    wrong = await owner.slash(
        club.channel,
        "room import",
        file=file(HEAD + "1,,,Ann,first,,\n"),
        name="New",
        system="cif",
    )
    assert wrong.text.startswith("Line 2 of the file is at fault: ")
    binary = Upload("picture.png", "image/png", b"\x89PNG\xff")
    wrong = await owner.slash(club.channel, "room import", file=binary, name="New", system="cif")
    assert wrong.text == "picture.png is no text file (UTF-8)."
    assert "New" not in (await owner.slash(club.channel, "room list")).text


def test_who_is_who_is_read_to_the_end() -> None:
    user = 100_000_000_000_000_000
    assert read_members(f"Maria=<@{user}>, Bo B = <@!{user}>; ") == {"Maria": user, "Bo B": user}
    with pytest.raises(RequestRefused) as refusal:
        read_members(f"Maria=<@{user}>, and so on")
    assert refusal.value.why is Refusal.MEMBERS_UNREADABLE
