"""Asked too often, the sandbox answers as Discord does, and discord.py waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord
import pytest

from bot.sandbox.errors import ApiError
from bot.sandbox.rate_limits import RateLimits
from bot.sandbox.routes import find_route

if TYPE_CHECKING:
    from tests.sandbox.conftest import Scene

Interaction = discord.Interaction[discord.Client]
MESSAGES = "/channels/{channel_id}/messages"


class Seconds:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def refused(limits: RateLimits, path: str) -> ApiError:
    route, parts = find_route("POST", path)
    with pytest.raises(ApiError) as error:
        limits.take(route, parts)
    return error.value


def test_fifty_requests_a_second_and_no_more() -> None:
    seconds = Seconds()
    limits = RateLimits(seconds)
    route, parts = find_route("POST", "/channels/1/messages")
    for _ in range(50):
        limits.take(route, parts)
    seconds.now = 0.4

    error = refused(limits, "/channels/2/messages")

    assert error.status == 429
    assert error.body == {
        "code": 0,
        "message": "You are being rate limited.",
        "retry_after": 0.6,
        "global": True,
    }
    assert error.headers["Retry-After"] == "0.600"
    assert error.headers["X-RateLimit-Global"] == "true"
    seconds.now = 1.0
    limits.take(route, parts)


def test_answers_to_interactions_are_not_counted() -> None:
    limits = RateLimits(Seconds())
    route, parts = find_route("POST", "/interactions/1/token/callback")
    for _ in range(200):
        limits.take(route, parts)


def test_each_channel_has_a_window_of_its_own() -> None:
    seconds = Seconds()
    limits = RateLimits(seconds)
    limits.limit("POST", MESSAGES, 2, 5)
    route, parts = find_route("POST", "/channels/1/messages")
    assert limits.take(route, parts)["X-RateLimit-Remaining"] == "1"
    seconds.now = 1
    headers = limits.take(route, parts)
    assert headers["X-RateLimit-Remaining"] == "0"
    assert headers["X-RateLimit-Reset-After"] == "4.000"

    error = refused(limits, "/channels/1/messages")
    assert error.body["retry_after"] == 4
    assert error.body["global"] is False
    limits.take(*find_route("POST", "/channels/2/messages"))
    seconds.now = 5
    limits.take(route, parts)


async def started(scene: Scene) -> discord.PartialMessageable:
    @scene.bot.tree.command(description="Say something")
    async def ping(interaction: Interaction) -> None:
        await interaction.response.send_message("pong")

    del ping
    bot = await scene.start()
    return bot.get_partial_messageable(scene.channel.id)


async def test_a_burst_comes_through_since_the_library_waits(scene: Scene) -> None:
    scene.sandbox.rate_limits.limit("POST", MESSAGES, 2, 0.2)
    channel = await started(scene)

    for number in range(5):
        await channel.send(str(number))

    assert [message.content for message in scene.channel.messages] == [*"01234"]


async def test_old_messages_are_edited_seldom(scene: Scene) -> None:
    channel = await started(scene)
    sent = await channel.send("board")
    world = scene.sandbox.world
    known = world.messages[str(scene.channel.id)]
    # As if it had been posted in 2020.
    old = known.pop(str(sent.id))
    old["id"] = "700000000000000000"
    known[old["id"]] = old
    for number in range(3):
        await channel.get_partial_message(700000000000000000).edit(content=str(number))

    async with (
        aiohttp.ClientSession() as session,
        session.patch(
            f"{scene.sandbox.api_base}/channels/{scene.channel.id}/messages/{old['id']}",
            headers={"Authorization": f"Bot {scene.sandbox.token}"},
            json={"content": "once more"},
        ) as response,
    ):
        assert response.status == 429
        assert (await response.json())["code"] == 30046
