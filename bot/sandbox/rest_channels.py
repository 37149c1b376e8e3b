"""Requests about channels, threads and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.errors import ApiError, missing_access, missing_permissions
from bot.sandbox.routes import ApiRequest, route
from bot.sandbox.world import EPHEMERAL

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.routes import Discord

_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = _MESSAGES + "/{message_id}"
_RECENT_NONCES = 100


async def publish(discord: Discord, message: JsonObject, event: str) -> None:
    """Tell the gateway of a message, unless only one person sees it."""
    if message["flags"] & EPHEMERAL:
        return
    channel = discord.world.channel(message["channel_id"])
    await discord.gateway.emit(event, {**message, "guild_id": channel.get("guild_id")})


def _check_access(request: ApiRequest, *, writes: bool) -> str:
    channel_id = request.path["channel_id"]
    request.discord.world.channel(channel_id)
    may_see, may_write = request.discord.world.may_send(channel_id)
    if not may_see:
        raise missing_access()
    if writes and not may_write:
        raise missing_permissions()
    return channel_id


@route("GET", "/channels/{channel_id}")
async def get_channel(request: ApiRequest) -> JsonObject:
    """Return a channel."""
    return request.discord.world.channel(_check_access(request, writes=False))


@route("POST", _MESSAGES)
async def create_message(request: ApiRequest) -> JsonObject:
    """Post a message, once for each nonce that must be unique."""
    channel_id = _check_access(request, writes=True)
    world, body = request.discord.world, request.body
    if body.get("enforce_nonce") and body.get("nonce") is not None:
        for known in list(world.messages[channel_id].values())[-_RECENT_NONCES:]:
            if str(known.get("nonce")) == str(body["nonce"]):
                return known
    message = world.make_message(channel_id, body, request.files, {})
    await publish(request.discord, message, "MESSAGE_CREATE")
    return message


@route("GET", _MESSAGES)
async def get_messages(request: ApiRequest) -> list[JsonObject]:
    """Return the newest messages, the newest first."""
    channel_id = _check_access(request, writes=False)
    found = [
        message
        for message in request.discord.world.messages[channel_id].values()
        if not message["flags"] & EPHEMERAL
    ]
    before, after = request.query.get("before"), request.query.get("after")
    if before:
        found = [message for message in found if int(message["id"]) < int(before)]
    if after:
        found = [message for message in found if int(message["id"]) > int(after)]
    return found[::-1][: int(request.query.get("limit", "50"))]


@route("GET", _MESSAGE)
async def get_message(request: ApiRequest) -> JsonObject:
    """Return a message."""
    channel_id = _check_access(request, writes=False)
    return request.discord.world.message(channel_id, request.path["message_id"])


@route("PATCH", _MESSAGE)
async def edit_message(request: ApiRequest) -> JsonObject:
    """Change a message of the bot's own."""
    channel_id = _check_access(request, writes=False)
    world = request.discord.world
    message = world.message(channel_id, request.path["message_id"])
    if message["author"]["id"] != world.bot["id"]:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    request.discord.rate_limits.take_edit(channel_id, message["id"])
    world.edit_message(message, request.body, request.files)
    await publish(request.discord, message, "MESSAGE_UPDATE")
    return message


@route("DELETE", _MESSAGE)
async def delete_message(request: ApiRequest) -> None:
    """Delete a message."""
    channel_id = _check_access(request, writes=False)
    event = request.discord.world.delete_message(channel_id, request.path["message_id"])
    await request.discord.gateway.emit("MESSAGE_DELETE", event)


@route("POST", "/channels/{channel_id}/typing", status=204)
async def type_in_channel(request: ApiRequest) -> None:
    """Show that the bot is writing."""
    _check_access(request, writes=True)
