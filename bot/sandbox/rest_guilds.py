"""Requests about the bot itself, its commands, guilds, members and roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.errors import bad_form, missing_permissions, put_error, unknown
from bot.sandbox.permissions import BITS
from bot.sandbox.routes import ApiRequest, route
from bot.sandbox.snowflakes import snowflake

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject

_GLOBAL = ""


@route("GET", "/users/@me")
async def get_bot(request: ApiRequest) -> JsonObject:
    """Return the bot's own account."""
    return request.discord.world.bot


@route("GET", "/users/{user_id}")
async def get_user(request: ApiRequest) -> JsonObject:
    """Return an account."""
    users = request.discord.world.users
    if request.path["user_id"] not in users:
        raise unknown(10013, "User")
    return users[request.path["user_id"]]


@route("GET", "/gateway")
async def get_gateway(request: ApiRequest) -> JsonObject:
    """Return where the gateway is."""
    return {"url": request.discord.gateway.url}


@route("GET", "/gateway/bot")
async def get_gateway_bot(request: ApiRequest) -> JsonObject:
    """Return where the gateway is, and how often the bot may identify."""
    limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    return {"url": request.discord.gateway.url, "shards": 1, "session_start_limit": limit}


async def _application(request: ApiRequest) -> JsonObject:
    bot = request.discord.world.bot
    return {
        "id": bot["id"],
        "name": bot["global_name"],
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": bot,
        "team": None,
        "bot": bot,
    }


route("GET", "/applications/@me")(_application)
route("GET", "/oauth2/applications/@me")(_application)


async def _get_commands(request: ApiRequest) -> list[JsonObject]:
    return request.discord.commands.get(request.path.get("guild_id", _GLOBAL), [])


async def _put_commands(request: ApiRequest) -> list[JsonObject]:
    scope = request.path.get("guild_id", _GLOBAL)
    old = {
        (each["name"], each["type"]): each["id"] for each in request.discord.commands.get(scope, [])
    }
    made: dict[tuple[str, int], JsonObject] = {}
    for index, command in enumerate(request.body):
        key = (command["name"], command.get("type", 1))
        if key in made:
            tree: JsonObject = {}
            put_error(
                tree,
                [index, "name"],
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
            raise bad_form(tree)
        made[key] = {
            "type": 1,
            "description": "",
            "options": [],
            "default_member_permissions": None,
            "nsfw": False,
            **command,
            "id": old.get(key) or snowflake(),
            "application_id": request.discord.world.bot["id"],
            "version": snowflake(),
        }
    request.discord.commands[scope] = list(made.values())
    return request.discord.commands[scope]


for _path in (
    "/applications/{application_id}/commands",
    "/applications/{application_id}/guilds/{guild_id}/commands",
):
    route("GET", _path)(_get_commands)
    route("PUT", _path)(_put_commands)


@route("GET", "/guilds/{guild_id}")
async def get_guild(request: ApiRequest) -> JsonObject:
    """Return a guild."""
    return request.discord.world.guild(request.path["guild_id"])


@route("GET", "/guilds/{guild_id}/roles")
async def get_roles(request: ApiRequest) -> list[JsonObject]:
    """Return a guild's roles."""
    return request.discord.world.guild(request.path["guild_id"])["roles"]


@route("GET", "/guilds/{guild_id}/channels")
async def get_channels(request: ApiRequest) -> list[JsonObject]:
    """Return a guild's channels."""
    return request.discord.world.guild(request.path["guild_id"])["channels"]


@route("GET", "/guilds/{guild_id}/members/{user_id}")
async def get_member(request: ApiRequest) -> JsonObject:
    """Return a member of a guild."""
    return request.discord.world.member(request.path["guild_id"], request.path["user_id"])


async def _change_role(request: ApiRequest) -> JsonObject:
    world, path = request.discord.world, request.path
    guild = world.guild(path["guild_id"])
    member = world.member(guild["id"], path["user_id"])
    roles = {role["id"]: role for role in guild["roles"]}
    if path["role_id"] not in roles:
        raise unknown(10011, "Role")
    own = [roles[role] for role in world.member(guild["id"], world.bot["id"])["roles"]]
    highest = max(role["position"] for role in own)
    may = any(
        int(role["permissions"]) & (BITS["manage_roles"] | BITS["administrator"]) for role in own
    )
    if not may or roles[path["role_id"]]["position"] >= highest:
        raise missing_permissions()
    return member


@route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", status=204)
async def add_role(request: ApiRequest) -> None:
    """Give a member a role."""
    member = await _change_role(request)
    member["roles"] = sorted({*member["roles"], request.path["role_id"]})
    await request.discord.gateway.emit(
        "GUILD_MEMBER_UPDATE", {**member, "guild_id": request.path["guild_id"]}
    )


@route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", status=204)
async def remove_role(request: ApiRequest) -> None:
    """Take a role from a member."""
    member = await _change_role(request)
    member["roles"] = sorted({*member["roles"]} - {request.path["role_id"]})
    await request.discord.gateway.emit(
        "GUILD_MEMBER_UPDATE", {**member, "guild_id": request.path["guild_id"]}
    )
