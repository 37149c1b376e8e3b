"""People and servers that want to be forgotten."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ledger import departures
from bot.services.check_ledger import check_ledger

if TYPE_CHECKING:
    from bot.sandbox import Member
    from tests.conftest import Club


async def cafe(club: Club) -> tuple[Member, Member, Member]:
    owner = club.member("Olga", manager=True)
    await owner.slash(club.channel, "room create", name="Cafe", system="simplified-elo")
    await owner.slash(club.channel, "room edit", confirmation="nobody")
    return owner, club.member("Ann"), club.member("Bob")


async def every_text(club: Club) -> str:
    """Return all that the tables hold, in one text."""
    async with club.ledger.reading() as tx:
        tables = await tx.fetch(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        rows = [
            (name, await tx.fetch(f"SELECT * FROM {name}"))  # noqa: S608 - names of tables
            for (name,) in tables
        ]
    return "\n".join(f"{name} {tuple(row)}" for name, found in rows for row in found)


async def test_a_person_is_forgotten_and_the_others_keep_their_ratings(club: Club) -> None:
    owner, ann, bob = await cafe(club)
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    message = report.message
    assert message is not None
    preview = await owner.slash(
        club.channel, "game add", standing=f"<@{ann.id}> > guest:Maria", played="2026-01-05"
    )
    assert preview.message is not None
    form = await owner.press(preview.message, "Enter")
    await owner.submit(form.modal, {"Why? The players will read it": "Ann told me, not Anna"})
    # A proposal that nobody carries out names her too.
    await owner.slash(club.channel, "game add", standing=f"<@{ann.id}> > <@{bob.id}>")

    look = await ann.slash(club.channel, "forget me")
    assert look.is_ephemeral
    assert look.text.startswith(
        "In 2 games that others still need, **Player 1** would stand in place of your name"
    )
    assert look.message is not None
    done = await ann.press(look.message, "Forget me for good")
    assert done.text.startswith("Done: you are **Player 1** in your old games.")
    club.clock.move(timedelta(seconds=10))
    await club.sandbox.until(lambda: "Player 1 beat Bob" in message.text)

    held = await every_text(club)
    assert str(ann.id) not in held
    assert "'Ann'" not in held
    assert "Player 1 told me, not Anna" in held
    board = await bob.slash(club.channel, "leaderboard")
    assert board.text.splitlines()[2:5] == [
        "1  Player 1  1616",
        "2  Bob       1592",
        "2  Maria     1592",
    ]
    assert (await check_ledger(club.ledger, repair=False)).is_well
    log = await owner.slash(club.channel, "room log")
    assert "report #1 by Player 1" in log.text

    again = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert "Ann 1600 → **1608**" in again.text


async def test_who_stands_in_no_game_leaves_nothing(club: Club) -> None:
    _, ann, bob = await cafe(club)
    nothing = await ann.slash(club.channel, "forget me")
    assert nothing.text == "Nothing is known of you in this server."
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    look = await bob.slash(club.channel, "forget me")
    assert look.text.startswith("In 1 game that others still need, **Player 2**")


async def test_a_server_that_removed_the_bot_is_deleted_after_thirty_days(club: Club) -> None:
    _, ann, bob = await cafe(club)
    await ann.slash(club.channel, "report", opponent=bob, result="win")

    club.guild.remove_bot()
    await until_held(club, "left")
    club.clock.move(timedelta(days=29, hours=23))
    assert "Ann" in await every_text(club)
    club.clock.move(timedelta(hours=2))
    await until_held(club, "gone")

    lines = (await every_text(club)).splitlines()
    assert {line.split()[0] for line in lines} <= {"migrations", "interactions", "marks"}


async def test_a_removal_is_noticed_at_the_start_and_undone_by_coming_back(club: Club) -> None:
    _, ann, bob = await cafe(club)
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    await club.stop()
    world = club.sandbox.world.guilds
    guild = world.pop(str(club.guild.id))
    await club.start()
    await until_held(club, "left")
    await club.stop()
    world[str(club.guild.id)] = guild
    await club.start()
    await until_held(club, "there")
    club.clock.move(timedelta(days=40))
    assert "Ann" in await every_text(club)


async def until_held(club: Club, how: str) -> None:
    """Wait until the club's data is held as is said."""
    async with asyncio.timeout(20):
        while await state_of(club) != how:  # noqa: ASYNC110 - the ledger tells nobody of changes
            await asyncio.sleep(0)


async def state_of(club: Club) -> str:
    async with club.ledger.reading() as tx:
        (held,) = await departures.held(tx) or (None,)
    return "gone" if held is None else "there" if held.until is None else "left"
