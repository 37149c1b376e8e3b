"""Interactions: what a person did, and how the bot answers it."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.sandbox.errors import ApiError, bad_form, items_of, object_of, put_error, unknown
from bot.sandbox.snowflakes import snowflake
from bot.sandbox.world import EPHEMERAL, LOADING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.errors import JsonObject
    from bot.sandbox.world import Upload, World

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
_ALLOWED = {
    COMMAND: {REPLY, DEFER, MODAL},
    COMPONENT: {REPLY, DEFER, DEFER_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    MODAL_SUBMIT: {REPLY, DEFER, DEFER_UPDATE, UPDATE},
}


@dataclass
class Interaction:
    """One thing that a person did, until its token expires."""

    type: int
    user_id: str
    channel_id: str
    payload: JsonObject
    source: JsonObject | None = None
    id: str = field(default_factory=snowflake)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    created: float = field(default_factory=time.monotonic)
    response_type: int | None = None
    original: JsonObject | None = None
    followups: list[JsonObject] = field(default_factory=list["JsonObject"])
    modal: JsonObject | None = None
    choices: list[JsonObject] = field(default_factory=list["JsonObject"])
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)


class Interactions:
    """All interactions, by id and by token."""

    def __init__(self, world: World, deadline: float, lifetime: float) -> None:
        """Give the bot so many seconds for its first answer, and a token so many to live."""
        self._world = world
        self._deadline = deadline
        self._lifetime = lifetime
        self._by_id: dict[str, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}

    def open(
        self,
        kind: int,
        user_id: str,
        channel_id: str,
        data: JsonObject,
        locale: str,
        message: JsonObject | None = None,
    ) -> Interaction:
        """Begin an interaction; its payload is what the gateway tells the bot."""
        world = self._world
        channel = world.channel(channel_id)
        interaction = Interaction(kind, user_id, channel_id, {}, message)
        guild_id: str = channel["guild_id"]
        granted = str(world.permissions(channel_id, user_id))
        interaction.payload = {
            "id": interaction.id,
            "application_id": world.bot["id"],
            "type": kind,
            "token": interaction.token,
            "version": 1,
            "channel_id": channel_id,
            "channel": {**channel, "permissions": granted},
            "guild_id": guild_id,
            "guild": {"id": guild_id, "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "member": {**world.member(guild_id, user_id), "permissions": granted},
            "data": data,
            "locale": locale,
            "entitlements": [],
            "attachment_size_limit": 10_485_760,
            "app_permissions": str(world.permissions(channel_id, world.bot["id"])),
            "context": 0,
            "authorizing_integration_owners": {"0": guild_id},
            **({"message": message} if message else {}),
        }
        self._by_id[interaction.id] = self._by_token[interaction.token] = interaction
        return interaction

    def awaiting(self, interaction_id: str, token: str) -> Interaction:
        """Return an interaction that may still be answered for the first time.

        Raises:
            ApiError: There is none, it is too late, or it was answered.
        """
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token:
            raise unknown(10062, "interaction")
        if interaction.response_type is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if time.monotonic() - interaction.created > self._deadline:
            raise unknown(10062, "interaction")
        return interaction

    def answered(self, token: str) -> Interaction:
        """Return an interaction that was answered and whose token still lives.

        Raises:
            ApiError: There is none, or its token has expired.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.response_type is None:
            raise unknown(10015, "Webhook")
        if time.monotonic() - interaction.created > self._lifetime:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return interaction

    def respond(
        self, interaction: Interaction, body: JsonObject, files: Mapping[int, Upload]
    ) -> JsonObject | None:
        """Take the first answer and return the message that it made or edited, if any.

        Raises:
            ApiError: The answer does not fit the interaction, or its message is refused.
        """
        kind, data = body["type"], object_of(body, "data")
        if kind not in _ALLOWED[interaction.type]:
            tree: JsonObject = {}
            put_error(tree, ["type"], "INTERACTION_TYPE", f"{kind} does not answer this")
            raise bad_form(tree)
        message: JsonObject | None = None
        if kind == REPLY:
            message = self._make(interaction, data, files, data.get("flags") or 0)
            interaction.original = message
        elif kind == DEFER:
            flags = LOADING | ((data.get("flags") or 0) & EPHEMERAL)
            message = interaction.original = self._make(interaction, {}, {}, flags)
        elif kind in {DEFER_UPDATE, UPDATE}:
            message = interaction.original = interaction.source
            if kind == UPDATE and message is not None:
                self._world.edit_message(message, data, files)
        elif kind == CHOICES:
            interaction.choices = items_of(data, "choices")
        else:
            interaction.modal = data
        interaction.response_type = kind
        return message

    def follow_up(
        self, interaction: Interaction, body: JsonObject, files: Mapping[int, Upload]
    ) -> JsonObject:
        """Add a message; the first one after a deferral takes the place of the placeholder."""
        original = interaction.original
        if original is not None and original["flags"] & LOADING:
            self._world.edit_message(original, body, files)
            return original
        message = self._make(interaction, body, files, body.get("flags") or 0)
        interaction.followups.append(message)
        return message

    def _make(
        self,
        interaction: Interaction,
        body: JsonObject,
        files: Mapping[int, Upload],
        flags: int,
    ) -> JsonObject:
        world = self._world
        extra: JsonObject = {
            "type": 20 if interaction.type == COMMAND else 19,
            "flags": flags,
            "application_id": world.bot["id"],
            "webhook_id": world.bot["id"],
            "interaction_metadata": {
                "id": interaction.id,
                "type": interaction.type,
                "user": world.users[interaction.user_id],
                "authorizing_integration_owners": {},
            },
        }
        message = world.make_message(interaction.channel_id, body, files, extra)
        if flags & EPHEMERAL:
            world.viewers[message["id"]] = interaction.user_id
        return message
