"""What the doctor finds, each fault made on purpose."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.ledger import marks
from bot.sandbox.errors import SandboxError

if TYPE_CHECKING:
    from tests.conftest import Club

WELL = [
    "✅ 1 room in use.",
    "✅ I may do what I need in every channel of a room.",
    "✅ The last games' messages are there and up to date.",
    "✅ All commands are registered.",
    "✅ The timers ran <t:1768046400:R>.",
    "✅ The database is whole.",
]


async def test_a_healthy_server_needs_a_backup_alone(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    await ann.slash(club.channel, "report", opponent=bob, result="win")
    with pytest.raises(SandboxError, match="permissions are missing"):
        await ann.slash(club.channel, "doctor")

    found = await owner.slash(club.channel, "doctor")
    assert found.is_ephemeral
    assert found.text.splitlines() == [
        *WELL,
        "⚠️ The database was never backed up: `python -m bot backup FILE` makes one while I run.",
    ]
    async with club.ledger.transaction() as tx:
        await marks.mark(tx, marks.BACKUP, club.clock.now())
    found = await owner.slash(club.channel, "doctor")
    assert found.text.splitlines()[-1] == "✅ The last backup was made <t:1768046400:R>."
    club.clock.move(timedelta(days=8))
    found = await owner.slash(club.channel, "doctor")
    assert found.text.splitlines()[-1] == (
        "⚠️ The last backup was made <t:1768046400:R>: `python -m bot backup FILE` makes one while "
        "I run."
    )


async def test_faults_are_named_with_what_to_do(club: Club) -> None:
    owner, ann, bob = club.member("Olga", manager=True), club.member("Ann"), club.member("Bob")
    other = club.guild.add_channel("other")
    shut = club.guild.add_channel("shut")
    await owner.slash(club.channel, "room create", name="Cafe", system="cif")
    await owner.slash(club.channel, "room edit", channel=other)
    await owner.slash(club.channel, "room edit", channel=shut)
    report = await ann.slash(club.channel, "report", opponent=bob, result="win")
    assert report.message is not None
    await report.message.delete()
    shut.deny(club.guild.bot_role, "send_messages", "read_message_history")
    client = club.client
    assert client is not None
    deleted = asyncio.create_task(client.wait_for("guild_channel_delete", timeout=10))
    other.remove()
    await deleted

    found = await owner.slash(club.channel, "doctor")
    assert "\n".join(found.text.splitlines()[1:4]) == (
        f"⚠️ A channel of Cafe ({other.id}) is gone: give the room another one with "
        "`/room edit channel:`.\n"
        f"⚠️ In <#{shut.id}> I lack Send Messages and Read Message History: allow me that in the "
        "channel's settings, under *Permissions*.\n"
        "⚠️ The messages of #1 are gone, or I may not read them; the games are kept. `/game show` "
        "shows each."
    )
