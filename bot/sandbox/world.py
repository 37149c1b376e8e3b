"""What there is: users, guilds, roles, channels and messages, as Discord's own JSON objects."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.sandbox.errors import ApiError, bad_form, items_of, object_of, put_error, unknown
from bot.sandbox.permissions import BITS, EVERYONE, permissions_in
from bot.sandbox.snowflakes import snowflake

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.errors import JsonObject

TEXT, DIRECT, ANNOUNCEMENT, PUBLIC_THREAD, FORUM = 0, 1, 5, 11, 15
EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 15
KINDS = {"text": TEXT, "announcement": ANNOUNCEMENT, "forum": FORUM}
_USER_MENTION = re.compile(r"<@!?(\d+)>")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came with a request."""

    name: str
    content_type: str
    data: bytes


def timestamp() -> str:
    """Return the time as Discord writes it."""
    return datetime.now(UTC).isoformat()


class World:
    """Everything that a small Discord remembers."""

    def __init__(self) -> None:
        """Begin with the bot's own account alone."""
        self.bot = self._user("Parlour", is_bot=True)
        self.users: dict[str, JsonObject] = {self.bot["id"]: self.bot}
        self.guilds: dict[str, JsonObject] = {}
        self.channels: dict[str, JsonObject] = {}
        self.messages: defaultdict[str, dict[str, JsonObject]] = defaultdict(dict)
        self.locales: dict[str, str] = {}
        self.viewers: dict[str, str] = {}
        self.pings: dict[str, list[str]] = {}
        self.files: dict[str, Upload] = {}
        self.cdn = ""

    def _user(self, name: str, *, is_bot: bool) -> JsonObject:
        return {
            "id": snowflake(),
            "username": name.lower(),
            "global_name": name,
            "discriminator": "0",
            "avatar": None,
            "bot": is_bot,
            "flags": 0,
            "public_flags": 0,
            "primary_guild": None,
        }

    def add_user(self, name: str, *, is_bot: bool = False) -> JsonObject:
        """Add an account."""
        user = self._user(name, is_bot=is_bot)
        self.users[user["id"]] = user
        return user

    def add_guild(self, name: str) -> JsonObject:
        """Add a guild that the bot has joined with the permissions of a role of its own."""
        owner = self.add_user(f"{name}'s owner")
        guild: JsonObject = {
            "id": snowflake(),
            "name": name,
            "icon": None,
            "splash": None,
            "discovery_splash": None,
            "owner_id": owner["id"],
            "afk_timeout": 300,
            "afk_channel_id": None,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "preferred_locale": "en-US",
            "features": [],
            "emojis": [],
            "stickers": [],
            "roles": [],
            "members": [],
            "channels": [],
            "threads": [],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "joined_at": timestamp(),
            "large": False,
            "unavailable": False,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "rules_channel_id": None,
            "vanity_url_code": None,
            "description": None,
            "banner": None,
            "public_updates_channel_id": None,
            "safety_alerts_channel_id": None,
            "premium_progress_bar_enabled": False,
        }
        self.guilds[guild["id"]] = guild
        self.add_role(guild["id"], "@everyone", EVERYONE, role_id=guild["id"])
        bot_role = self.add_role(guild["id"], "Parlour", EVERYONE)
        self.add_member(guild["id"], owner)
        self.add_member(guild["id"], self.bot, [bot_role["id"]])
        return guild

    def add_role(
        self, guild_id: str, name: str, permissions: int, *, role_id: str | None = None
    ) -> JsonObject:
        """Add a role on top of those there are."""
        roles = self.guilds[guild_id]["roles"]
        role: JsonObject = {
            "id": role_id or snowflake(),
            "name": name,
            "permissions": str(permissions),
            "position": len(roles),
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
            "icon": None,
            "unicode_emoji": None,
        }
        roles.append(role)
        return role

    def add_member(
        self, guild_id: str, user: JsonObject, roles: list[str] | None = None
    ) -> JsonObject:
        """Let a user join a guild."""
        member: JsonObject = {
            "user": user,
            "nick": None,
            "avatar": None,
            "roles": roles or [],
            "joined_at": timestamp(),
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "premium_since": None,
            "communication_disabled_until": None,
        }
        self.guilds[guild_id]["members"].append(member)
        return member

    def add_channel(self, guild_id: str, name: str, kind: int) -> JsonObject:
        """Add a channel."""
        channels = self.guilds[guild_id]["channels"]
        channel: JsonObject = {
            "id": snowflake(),
            "type": kind,
            "guild_id": guild_id,
            "name": name,
            "position": len(channels),
            "permission_overwrites": [],
            "topic": None,
            "nsfw": False,
            "parent_id": None,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "flags": 0,
        }
        channels.append(channel)
        self.channels[channel["id"]] = channel
        return channel

    def remove_channel(self, channel_id: str) -> JsonObject:
        """Delete a channel with its messages, and return what it was."""
        channel = self.channels.pop(channel_id)
        self.guilds[channel["guild_id"]]["channels"].remove(channel)
        self.messages.pop(channel_id, None)
        return channel

    def add_thread(self, parent_id: str, name: str) -> JsonObject:
        """Add a public thread to a channel, or a post to a forum."""
        parent = self.channel(parent_id)
        thread: JsonObject = {
            "id": snowflake(),
            "type": PUBLIC_THREAD,
            "guild_id": parent["guild_id"],
            "parent_id": parent_id,
            "owner_id": self.bot["id"],
            "name": name,
            "last_message_id": None,
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "flags": 0,
            "total_message_sent": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": timestamp(),
                "locked": False,
                "create_timestamp": timestamp(),
            },
        }
        self.channels[thread["id"]] = thread
        self.guilds[parent["guild_id"]]["threads"].append(thread)
        return thread

    def guild(self, guild_id: str) -> JsonObject:
        """Return a guild.

        Raises:
            ApiError: There is none.
        """
        if guild_id not in self.guilds:
            raise unknown(10004, "Guild")
        return self.guilds[guild_id]

    def member(self, guild_id: str, user_id: str) -> JsonObject:
        """Return a member of a guild.

        Raises:
            ApiError: There is none.
        """
        for member in self.guild(guild_id)["members"]:
            if member["user"]["id"] == user_id:
                return member
        raise unknown(10007, "Member")

    def channel(self, channel_id: str) -> JsonObject:
        """Return a channel or a thread.

        Raises:
            ApiError: There is none.
        """
        if channel_id not in self.channels:
            raise unknown(10003, "Channel")
        return self.channels[channel_id]

    def message(self, channel_id: str, message_id: str) -> JsonObject:
        """Return a message.

        Raises:
            ApiError: There is none.
        """
        if message_id not in self.messages[channel_id]:
            raise unknown(10008, "Message")
        return self.messages[channel_id][message_id]

    def permissions(self, channel_id: str, user_id: str) -> int:
        """Return a user's permissions in a channel, a thread having those of its parent."""
        channel = self.channel(channel_id)
        if "guild_id" not in channel:
            return EVERYONE
        parent = self.channel(channel["parent_id"]) if "thread_metadata" in channel else channel
        guild = self.guild(channel["guild_id"])
        return permissions_in(guild, parent, self.member(guild["id"], user_id))

    def may_send(self, channel_id: str) -> tuple[bool, bool]:
        """Return whether the bot sees a channel, and whether it may write there."""
        granted = self.permissions(channel_id, self.bot["id"])
        is_thread = "thread_metadata" in self.channel(channel_id)
        needed = "send_messages_in_threads" if is_thread else "send_messages"
        return bool(granted & BITS["view_channel"]), bool(granted & BITS[needed])

    def make_message(
        self, channel_id: str, body: JsonObject, files: Mapping[int, Upload], extra: JsonObject
    ) -> JsonObject:
        """Make a message of the bot's.

        Args:
            channel_id: Where.
            body: As Discord takes it.
            files: Those that came with the request, by number.
            extra: More fields of the message.

        Raises:
            ApiError: It is empty, or names a file that did not come.
        """
        flags = extra.get("flags", body.get("flags") or 0)
        is_empty = not (
            body.get("content") or body.get("embeds") or files or body.get("components")
        )
        if is_empty and not flags & LOADING:
            raise ApiError(400, 50006, "Cannot send an empty message")
        channel = self.channel(channel_id)
        content = body.get("content") or ""
        mentioned = [user for user in _USER_MENTION.findall(content) if user in self.users]
        message: JsonObject = {
            "id": snowflake(),
            "channel_id": channel_id,
            "author": self.bot,
            "content": content,
            "timestamp": timestamp(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [self.users[user] for user in mentioned],
            "mention_roles": [],
            "attachments": [],
            "embeds": [{"type": "rich", **embed} for embed in items_of(body, "embeds")],
            "pinned": False,
            "type": 0,
            "components": _numbered(items_of(body, "components")),
            **extra,
            "flags": flags,
        }
        if body.get("nonce") is not None:
            message["nonce"] = body["nonce"]
        self._attach(message, body, files)
        self.messages[channel_id][message["id"]] = message
        self.pings[message["id"]] = _pinged(mentioned, body.get("allowed_mentions"))
        channel["last_message_id"] = message["id"]
        return message

    def edit_message(
        self, message: JsonObject, body: JsonObject, files: Mapping[int, Upload]
    ) -> None:
        """Change a message; what the body does not name stays."""
        if "content" in body:
            message["content"] = body["content"] or ""
        if "embeds" in body:
            message["embeds"] = [{"type": "rich", **embed} for embed in items_of(body, "embeds")]
        if "components" in body:
            message["components"] = _numbered(items_of(body, "components"))
        message["flags"] = (message["flags"] | (body.get("flags") or 0)) & ~LOADING
        message["edited_timestamp"] = timestamp()
        self._attach(message, body, files)

    def delete_message(self, channel_id: str, message_id: str) -> JsonObject:
        """Delete a message and return the event that tells of it.

        Raises:
            ApiError: There is none.
        """
        self.message(channel_id, message_id)
        del self.messages[channel_id][message_id]
        guild_id = self.channel(channel_id).get("guild_id")
        return {"id": message_id, "channel_id": channel_id, "guild_id": guild_id}

    def keep_file(self, upload: Upload, place: str, description: str | None = None) -> JsonObject:
        """Keep a file and return the attachment that it is.

        Args:
            upload: The file.
            place: Where it is sent, for its address.
            description: What is said for those who cannot see it.
        """
        attachment_id = snowflake()
        key = f"attachments/{place}/{attachment_id}/{upload.name}"
        self.files[key] = upload
        return {
            "id": attachment_id,
            "filename": upload.name,
            "description": description,
            "size": len(upload.data),
            "url": f"{self.cdn}/{key}",
            "proxy_url": f"{self.cdn}/{key}",
            "content_type": upload.content_type,
        }

    def _attach(self, message: JsonObject, body: JsonObject, files: Mapping[int, Upload]) -> None:
        old = {each["id"]: each for each in message["attachments"]}
        wanted: list[JsonObject] | None = body.get("attachments")
        if wanted is None:
            wanted = [{"id": number} for number in files] + [{"id": each} for each in old]
        kept: list[JsonObject] = []
        for index, each in enumerate(wanted):
            if str(each["id"]) in old:
                kept.append(old[str(each["id"])])
                continue
            upload = files.get(int(each["id"]))
            if upload is None:
                tree: JsonObject = {}
                put_error(tree, ["attachments", index], "INVALID", "Unknown attachment")
                raise bad_form(tree)
            named = replace(upload, name=each.get("filename") or upload.name)
            kept.append(self.keep_file(named, message["channel_id"], each.get("description")))
        message["attachments"] = kept
        by_name = {each["filename"]: each["url"] for each in kept}
        for embed in message["embeds"]:
            for part in ("image", "thumbnail"):
                address: str = object_of(embed, part).get("url", "")
                if address.startswith("attachment://"):
                    embed[part]["url"] = by_name.get(address.removeprefix("attachment://"), address)


def _pinged(mentioned: list[str], allowed: JsonObject | None) -> list[str]:
    if allowed is None:
        return mentioned
    if "users" in (items_of(allowed, "parse")):
        return mentioned
    named = {str(user) for user in items_of(allowed, "users")}
    return [user for user in mentioned if user in named]


def _numbered(components: list[JsonObject]) -> list[JsonObject]:
    """Give each component a number where it has none, as Discord does."""
    count = 0

    def number(nodes: list[JsonObject]) -> None:
        nonlocal count
        for node in nodes:
            count += 1
            node.setdefault("id", count)
            number(items_of(node, "components"))
            number([node[key] for key in ("accessory", "component") if node.get(key)])

    number(components)
    return components
