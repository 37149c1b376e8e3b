"""Reports and the buttons under them, as people see them in a channel."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.sandbox import Sandbox

if TYPE_CHECKING:
    from tests.conftest import Club


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
