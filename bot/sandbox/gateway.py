"""The gateway: events to the bot over a WebSocket, with sessions that outlive their socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from aiohttp import WSMsgType, web

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.sandbox.errors import JsonObject
    from bot.sandbox.world import World

_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME, _RECONNECT, _MEMBERS = 0, 1, 2, 6, 7, 8
_INVALID_SESSION, _HELLO, _ACKNOWLEDGED = 9, 10, 11
_KEPT_EVENTS = 1_000
_HEARTBEAT_MS = 41_250
_LATE_SECONDS = 0.02
"""discord.py notes the time of a heartbeat after sending it; loopback would answer before."""
_AUTHENTICATION_FAILED = 4004
_CLEAN_CLOSES = {1000, 1001}


class Session:
    """One session of the bot: a numbered stream of events, kept for a resume."""

    def __init__(self, socket: web.WebSocketResponse, compressor: Any) -> None:  # noqa: ANN401 - zlib names no type
        """Speak over a socket, compressed where there is a compressor."""
        self.id = secrets.token_hex(16)
        self.sequence = 0
        self._events: deque[tuple[int, str]] = deque(maxlen=_KEPT_EVENTS)
        self.attach(socket, compressor)

    def attach(self, socket: web.WebSocketResponse, compressor: Any) -> None:  # noqa: ANN401 - zlib names no type
        """Go on over another socket."""
        self.socket = socket
        self._compressor = compressor

    async def send(self, frame: JsonObject) -> None:
        """Send a frame, if the socket is still open."""
        await self._send_text(json.dumps(frame))

    async def dispatch(self, name: str, data: JsonObject) -> None:
        """Send an event, and keep it for a resume as it is now."""
        self.sequence += 1
        text = json.dumps({"op": _DISPATCH, "t": name, "s": self.sequence, "d": data})
        self._events.append((self.sequence, text))
        await self._send_text(text)

    async def replay(self, sequence: int) -> None:
        """Send again what came after an event."""
        for number, text in list(self._events):
            if number > sequence:
                await self._send_text(text)

    async def _send_text(self, text: str) -> None:
        if self.socket.closed:
            return
        with contextlib.suppress(ConnectionError):
            if self._compressor is None:
                await self.socket.send_str(text)
            else:
                data = self._compressor.compress(text.encode())
                await self.socket.send_bytes(data + self._compressor.flush(zlib.Z_SYNC_FLUSH))


class Gateway:
    """All sessions of the bot."""

    def __init__(self, world: World, token: str, on_change: Callable[[], None]) -> None:
        """Serve the events of a world to whoever has the token, and tell of each new session."""
        self._on_change = on_change
        self._world = world
        self._token = token
        self.open: dict[str, Session] = {}
        self.url = ""
        self._cut: WeakSet[web.WebSocketResponse] = WeakSet()

    async def emit(self, name: str, data: JsonObject) -> None:
        """Send an event to every session."""
        for session in list(self.open.values()):
            await session.dispatch(name, data)

    async def emit_once(self, name: str, data: JsonObject) -> None:
        """Send an event to the newest session alone."""
        for session in list(self.open.values())[-1:]:
            await session.dispatch(name, data)

    async def drop(self) -> None:
        """Cut every connection; the sessions can be resumed."""
        for session in list(self.open.values()):
            # The bot answers the closing with a clean one of its own.
            self._cut.add(session.socket)
            await session.socket.close(code=4000)

    async def ask_reconnect(self) -> None:
        """Ask the bot to connect again, as Discord does before it takes a server down."""
        for session in list(self.open.values()):
            await session.send({"op": _RECONNECT, "d": None, "s": None, "t": None})

    async def invalidate(self) -> None:
        """End every session: the bot must identify again."""
        for session in list(self.open.values()):
            del self.open[session.id]
            await session.send({"op": _INVALID_SESSION, "d": False, "s": None, "t": None})

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        is_compressed = request.query.get("compress") == "zlib-stream"
        compressor = zlib.compressobj() if is_compressed else None
        session = Session(socket, compressor)
        hello: JsonObject = {"heartbeat_interval": _HEARTBEAT_MS, "_trace": []}
        await session.send({"op": _HELLO, "d": hello, "s": None, "t": None})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            frame = json.loads(message.data)
            if frame["op"] == _RESUME:
                resumed = await self._resume(session, frame["d"])
                if resumed is not None:
                    resumed.attach(socket, compressor)
                    session = resumed
                    await self._replay(session, frame["d"]["seq"])
            else:
                await self._take(session, frame["op"], frame.get("d"))
        is_latest = session.socket is socket
        if is_latest and socket.close_code in _CLEAN_CLOSES and socket not in self._cut:
            self.open.pop(session.id, None)
        return socket

    async def _take(self, session: Session, operation: int, data: Any) -> None:  # noqa: ANN401 - JSON
        if operation == _HEARTBEAT:
            frame: JsonObject = {"op": _ACKNOWLEDGED, "d": None, "s": None, "t": None}
            await asyncio.sleep(_LATE_SECONDS)
            await session.send(frame)
        elif operation == _IDENTIFY:
            await self._identify(session, data)
        elif operation == _MEMBERS:
            await self._send_members(session, data)

    async def _identify(self, session: Session, data: JsonObject) -> None:
        if data["token"] != self._token:
            await session.socket.close(code=_AUTHENTICATION_FAILED)
            return
        self.open[session.id] = session
        world = self._world
        await session.dispatch(
            "READY",
            {
                "v": 10,
                "user": world.bot,
                "guilds": [{"id": guild, "unavailable": True} for guild in world.guilds],
                "session_id": session.id,
                "resume_gateway_url": self.url,
                "shard": data.get("shard") or [0, 1],
                "application": {"id": world.bot["id"], "flags": 0},
                "_trace": [],
            },
        )
        for guild in world.guilds.values():
            await session.dispatch("GUILD_CREATE", joined(guild))
        self._on_change()

    async def _resume(self, fresh: Session, data: JsonObject) -> Session | None:
        session = self.open.get(data["session_id"])
        if session is None or data["token"] != self._token:
            await fresh.send({"op": _INVALID_SESSION, "d": False, "s": None, "t": None})
            return None
        return session

    async def _replay(self, session: Session, sequence: int) -> None:
        await session.replay(sequence)
        await session.dispatch("RESUMED", {"_trace": []})
        self._on_change()

    async def _send_members(self, session: Session, data: JsonObject) -> None:
        guild = self._world.guilds[str(data["guild_id"])]
        wanted: object = data.get("user_ids")
        several = cast("list[object]", wanted) if isinstance(wanted, list) else [wanted]
        ids = {str(each) for each in several if each}
        found = [each for each in guild["members"] if not ids or each["user"]["id"] in ids]
        await session.dispatch(
            "GUILD_MEMBERS_CHUNK",
            {
                "guild_id": guild["id"],
                "members": found,
                "chunk_index": 0,
                "chunk_count": 1,
                "nonce": data.get("nonce"),
            },
        )


def joined(guild: JsonObject) -> JsonObject:
    """Return a guild as the event of joining it tells it."""
    return {**guild, "member_count": len(guild["members"])}
