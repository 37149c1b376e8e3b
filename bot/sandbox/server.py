"""The sandbox: a small Discord on loopback, and the people in it."""

from __future__ import annotations

import asyncio
import copy
import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from aiohttp import BodyPartReader, web

from bot.sandbox import rest_channels, rest_guilds, rest_interactions
from bot.sandbox.errors import ApiError, bad_form, error_paths
from bot.sandbox.gateway import Gateway, joined
from bot.sandbox.interactions import Interactions
from bot.sandbox.limits import breaches_of_limits
from bot.sandbox.openapi import OpenApi
from bot.sandbox.people import Channel, Guild, Member
from bot.sandbox.rate_limits import RateLimits
from bot.sandbox.routes import ApiRequest, Discord, Route, find_route
from bot.sandbox.world import Upload, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bot.sandbox.errors import JsonObject

MODULES_OF_REQUESTS = (rest_channels, rest_guilds, rest_interactions)
"""Importing them fills the table of routes."""

_TOKEN = "sandbox.not-a-discord-token"  # noqa: S105 - opens this sandbox alone
_LARGEST_BODY = 26 * 1024 * 1024
_NOT_IMPLEMENTED, _TOO_MANY = 501, 429
_RETRY_SECONDS = 0.05
_PART = re.compile(r"\{\w+\}")
_HEADERS = {"Via": "1.1 sandbox"}


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A request of the bot, as it was answered.

    Attributes:
        method: The HTTP method.
        path: Under the API's base.
        status: That of the answer.
        json: The JSON that was sent.
        milliseconds: How long the answer took.
        breaches: Where it broke Discord's limits or its description.
    """

    method: str
    path: str
    status: int
    json: Any
    milliseconds: float
    breaches: tuple[str, ...]


@dataclass
class _Failure:
    method: str
    template: str
    status: int
    times: int
    after_effect: bool

    def fits(self, template: str) -> bool:
        """Tell whether a route's template is, or ends with, the one that fails."""
        return _PART.sub("{}", template).endswith(_PART.sub("{}", self.template))

    def error(self) -> ApiError:
        """Return what is answered instead."""
        error = ApiError(self.status, 0, "The sandbox was told to fail here")
        if self.status == _TOO_MANY:
            error.body.update(retry_after=_RETRY_SECONDS, **{"global": False})
            error.headers["Retry-After"] = "1"
        return error


class Sandbox:
    """A small Discord: start it, add a guild and people, start a bot against it."""

    def __init__(
        self,
        openapi: Path | None = None,
        *,
        response_deadline: float = 3.0,
        token_lifetime: float = 900.0,
    ) -> None:
        """Prepare a Discord.

        Args:
            openapi: Discord's own description, to check each request against; None for not.
            response_deadline: How many seconds the bot has for its first answer.
            token_lifetime: How many seconds it may follow up.
        """
        self.world = World()
        self.token = _TOKEN
        self.response_deadline = response_deadline
        self.sessions = Gateway(self.world, self.token, self.changed)
        self.interactions = Interactions(self.world, response_deadline, token_lifetime)
        self.rate_limits = RateLimits()
        self.requests: list[RequestRecord] = []
        # What people did to which there was no answer in time.
        self.unanswered: list[JsonObject] = []
        self.api_base = ""
        self.gateway = ""
        self._scopes: dict[str, list[JsonObject]] = {}
        self._openapi = OpenApi(openapi) if openapi else None
        self._failures: list[_Failure] = []
        self._change = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []
        self._background: set[asyncio.Task[None]] = set()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        await self.stop()

    async def start(self, port: int = 0) -> None:
        """Listen on loopback; port 0 is any that is free."""
        application = web.Application(client_max_size=_LARGEST_BODY)
        application.router.add_route("*", "/api/v10/{path:.*}", self._serve)
        application.router.add_get("/gateway", self.sessions.serve)
        application.router.add_get("/gateway/", self.sessions.serve)
        application.router.add_get("/cdn/{key:.*}", self._serve_file)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        host, port = self._runner.addresses[0][:2]
        self.api_base = f"http://{host}:{port}/api/v10"
        self.world.cdn = f"http://{host}:{port}/cdn"
        self.gateway = self.sessions.url = f"ws://{host}:{port}/gateway"

    async def stop(self) -> None:
        """Cut the bot off and stop listening."""
        for task in list(self._background):
            task.cancel()
        await self.sessions.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    def add_guild(self, name: str) -> Guild:
        """Add a guild that the bot has joined."""
        guild = self.world.add_guild(name)
        self.emit_later("GUILD_CREATE", joined(guild))
        return Guild(self, int(guild["id"]))

    @property
    def commands(self) -> list[JsonObject]:
        """The commands that the bot has registered."""
        return [command for scope in self._scopes.values() for command in scope]

    def commands_in(self, guild_id: int) -> list[JsonObject]:
        """The commands that people of a guild are offered."""
        return [*self._scopes.get("", []), *self._scopes.get(str(guild_id), [])]

    def channel(self, channel_id: int) -> Channel:
        """Return a channel by its id."""
        return Channel(self, channel_id)

    def member(self, guild_id: int, user_id: int) -> Member:
        """Return a member by the ids of guild and user."""
        return Member(self, guild_id, user_id)

    @property
    def breaches(self) -> list[str]:
        """Every breach of Discord's limits or description so far."""
        return [
            f"{record.method} {record.path} {breach}"
            for record in self.requests
            for breach in record.breaches
        ]

    def fail_next(
        self,
        method: str,
        template: str,
        *,
        status: int,
        times: int = 1,
        after_effect: bool = False,
    ) -> None:
        """Let the next requests of a kind fail.

        Args:
            method: The HTTP method.
            template: The route's template, such as `/channels/{channel_id}/messages`, or its end.
            status: What is answered.
            times: How often.
            after_effect: Whether what was asked for happens all the same.
        """
        self._failures.append(_Failure(method, template, status, times, after_effect))

    async def until(self, predicate: Callable[[], bool], timeout: float = 5.0) -> None:  # noqa: ASYNC109 - part of the waiting
        """Wait until something is so, looking at every change.

        Raises:
            TimeoutError: It did not come to be so.
        """
        async with asyncio.timeout(timeout):
            while not _holds(predicate):
                await self._change.wait()

    async def wait_for_bot(self) -> None:
        """Wait until the bot is connected and has registered its commands."""
        await self.until(lambda: bool(self.sessions.open and self.commands), timeout=30)

    async def drop_connections(self) -> None:
        """Cut the bot's connections; it can resume."""
        await self.sessions.drop()

    async def ask_reconnect(self) -> None:
        """Ask the bot to connect again and resume."""
        await self.sessions.ask_reconnect()

    async def invalidate_sessions(self) -> None:
        """End the bot's sessions: it must identify again."""
        await self.sessions.invalidate()

    async def emit(self, event: str, data: JsonObject) -> None:
        """Tell the bot of an event."""
        await self.sessions.emit(event, data)
        self.changed()

    def emit_later(self, event: str, data: JsonObject) -> None:
        """Tell the bot of an event as soon as it can be told, if it is there."""
        if self.sessions.open:
            self._keep(asyncio.get_running_loop().create_task(self.emit(event, data)))

    def add_listener(self, listener: Callable[[], None]) -> None:
        """Call a function after every change."""
        self._listeners.append(listener)

    def remove_listener(self, listener: Callable[[], None]) -> None:
        """Call a function no more."""
        self._listeners.remove(listener)

    def changed(self) -> None:
        """Let everybody who waits look again."""
        for listener in list(self._listeners):
            listener()
        self._change.set()
        self._change = asyncio.Event()

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _serve_file(self, request: web.Request) -> web.Response:
        upload = self.world.files.get(request.match_info["key"])
        if upload is None:
            return web.Response(status=404)
        return web.Response(body=upload.data, content_type=upload.content_type)

    async def _serve(self, request: web.Request) -> web.Response:
        started = time.perf_counter()
        path = "/" + request.match_info["path"]
        body, files = await _read(request)
        sent = copy.deepcopy(body)
        breaches: tuple[str, ...] = ()
        headers = dict(_HEADERS)
        try:
            route, parts = find_route(request.method, path)
            self._authorize(request, route)
            headers.update(self.rate_limits.take(route, parts))
            tree = self._breaches(route, body)
            breaches = error_paths(tree)
            if tree:
                raise bad_form(tree)
            discord = Discord(
                self.world, self.sessions, self.interactions, self.rate_limits, self._scopes
            )
            status, answer = await self._handle(
                route, ApiRequest(discord, parts, dict(request.query), body, files)
            )
        except ApiError as error:
            if error.status == _NOT_IMPLEMENTED:
                breaches = (f"no such route: {request.method} {path}",)
            status, answer = error.status, error.body
            headers.update(error.headers)
        milliseconds = (time.perf_counter() - started) * 1000
        self.requests.append(
            RequestRecord(request.method, path, status, sent, milliseconds, breaches)
        )
        self.changed()
        if answer is None:
            return web.Response(status=204, headers=headers)
        # discord.py compares the content type exactly: no charset may follow.
        headers["Content-Type"] = "application/json"
        return web.Response(status=status, body=json.dumps(answer).encode(), headers=headers)

    def _authorize(self, request: web.Request, route: Route) -> None:
        is_by_token = route.template.startswith(("/interactions/", "/webhooks/"))
        if not is_by_token and request.headers.get("Authorization") != f"Bot {self.token}":
            raise ApiError(401, 0, "401: Unauthorized")

    def _breaches(self, route: Route, body: Any) -> JsonObject:  # noqa: ANN401 - JSON
        if route.method not in {"POST", "PUT", "PATCH"} or body is None:
            return {}
        tree = self._openapi.breaches(route.method, route.template, body) if self._openapi else {}
        return tree or breaches_of_limits(route.method, route.template, body)

    async def _handle(self, route: Route, request: ApiRequest) -> tuple[int, Any]:
        failure = next(
            (
                each
                for each in self._failures
                if each.times and each.method == route.method and each.fits(route.template)
            ),
            None,
        )
        if failure is not None:
            failure.times -= 1
            if failure.after_effect:
                await route.handle(request)
            raise failure.error()
        return route.status, await route.handle(request)


def _holds(predicate: Callable[[], bool]) -> bool:
    try:
        return predicate()
    except LookupError:
        # A message that is asked for may not be there yet.
        return False


async def _read(request: web.Request) -> tuple[Any, dict[int, Upload]]:
    """Return the JSON of a request and its files by number."""
    files: dict[int, Upload] = {}
    if request.content_type != "multipart/form-data":
        text = await request.text()
        return (json.loads(text) if text else None), files
    body: Any = None
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        if part.name == "payload_json":
            body = json.loads(await part.text())
        elif part.name is not None:
            number = int(part.name.removeprefix("files[").removesuffix("]"))
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files[number] = Upload(part.filename or "file", kind, bytes(await part.read()))
    return body, files
