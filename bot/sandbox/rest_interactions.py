"""Requests that answer interactions, and follow them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.errors import unknown
from bot.sandbox.interactions import DEFER, DEFER_UPDATE, REPLY, UPDATE
from bot.sandbox.rest_channels import publish
from bot.sandbox.routes import ApiRequest, route
from bot.sandbox.world import EPHEMERAL, LOADING

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.interactions import Interaction

_FOLLOW_UP = "/webhooks/{application_id}/{webhook_token}"
_MESSAGE = _FOLLOW_UP + "/messages/{message_id}"


@route("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
async def respond(request: ApiRequest) -> JsonObject | None:
    """Take the first answer to an interaction."""
    interactions, path = request.discord.interactions, request.path
    interaction = interactions.awaiting(path["interaction_id"], path["interaction_token"])
    message = interactions.respond(interaction, request.body, request.files)
    kind = request.body["type"]
    if message is not None and kind in {REPLY, DEFER}:
        await publish(request.discord, message, "MESSAGE_CREATE")
    elif message is not None and kind == UPDATE:
        await publish(request.discord, message, "MESSAGE_UPDATE")
    interaction.answered.set()
    if kind not in {DEFER, DEFER_UPDATE}:
        interaction.settled.set()
    if request.query.get("with_response") not in {"1", "true"}:
        return None
    about: JsonObject = {"id": interaction.id, "type": interaction.type}
    resource: JsonObject = {"type": kind}
    if message is not None:
        about["response_message_id"] = message["id"]
        about["response_message_loading"] = bool(message["flags"] & LOADING)
        about["response_message_ephemeral"] = bool(message["flags"] & EPHEMERAL)
        resource["message"] = message
    return {"interaction": about, "resource": resource}


def _interaction(request: ApiRequest) -> Interaction:
    if request.path["application_id"] != request.discord.world.bot["id"]:
        raise unknown(10015, "Webhook")
    return request.discord.interactions.answered(request.path["webhook_token"])


def _message(request: ApiRequest, interaction: Interaction) -> JsonObject:
    message_id = request.path["message_id"]
    if message_id == "@original":
        if interaction.original is None:
            raise unknown(10008, "Message")
        message_id = interaction.original["id"]
    return request.discord.world.message(interaction.channel_id, message_id)


@route("POST", _FOLLOW_UP)
async def follow_up(request: ApiRequest) -> JsonObject:
    """Add a message to an answer."""
    interaction = _interaction(request)
    before = interaction.original
    message = request.discord.interactions.follow_up(interaction, request.body, request.files)
    event = "MESSAGE_UPDATE" if message is before else "MESSAGE_CREATE"
    await publish(request.discord, message, event)
    interaction.settled.set()
    return message


@route("GET", _MESSAGE)
async def get_answer(request: ApiRequest) -> JsonObject:
    """Return a message of an answer."""
    return _message(request, _interaction(request))


@route("PATCH", _MESSAGE)
async def edit_answer(request: ApiRequest) -> JsonObject:
    """Change a message of an answer."""
    interaction = _interaction(request)
    message = _message(request, interaction)
    request.discord.world.edit_message(message, request.body, request.files)
    await publish(request.discord, message, "MESSAGE_UPDATE")
    interaction.settled.set()
    return message


@route("DELETE", _MESSAGE, status=204)
async def delete_answer(request: ApiRequest) -> None:
    """Delete a message of an answer."""
    interaction = _interaction(request)
    message = _message(request, interaction)
    del request.discord.world.messages[message["channel_id"]][message["id"]]
