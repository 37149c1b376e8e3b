"""Who does something, where, and in which room."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, rooms

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import ChannelId, GuildId, InteractionId, RoleId, Room, RoomId, UserId

DEFAULT_SYSTEM = "simplified-elo"
"""The rating system of the room that a guild's first report makes."""

SHOWN_BY_CALLER = timedelta(seconds=10)
"""How long whoever changes a game has to show it before the outbox sees to it."""


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user as seen in the guild.

    Attributes:
        user: Who.
        name: The name shown in the guild.
        is_bot: Whether it is a program.
    """

    user: UserId
    name: str
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Act:
    """Somebody doing something.

    Attributes:
        interaction: Discord's number for it, by which it counts once.
        guild: In which guild.
        channel: In which channel, thread or post.
        parent: The channel of a thread or post.
        channel_name: What the channel, or the parent of a thread, is called.
        person: Who.
        roles: The person's roles.
        manages_guild: Whether the person may manage the server.
        room: The room that is named, or known from before; None for that of the channel.
    """

    interaction: InteractionId
    guild: GuildId
    channel: ChannelId
    parent: ChannelId | None
    channel_name: str
    person: Person
    roles: frozenset[RoleId]
    manages_guild: bool
    room: str | RoomId | None = None

    def is_referee(self, room: Room) -> bool:
        """Tell whether the person may settle and correct in a room, games of others that is."""
        return self.manages_guild or room.referee_role in self.roles


async def take_up(tx: Transaction, act: Act, now: datetime) -> None:
    """Take an act up, once.

    Raises:
        RequestRefused: It was taken up before.
    """
    if not await audit.take(tx, act.interaction, now):
        raise RequestRefused(Refusal.ALREADY_DONE)
    await rooms.add_guild(tx, act.guild)


async def find_room(tx: Transaction, act: Act) -> Room:
    """Return the room that is named, or else meant by where somebody acts.

    That is the room of the channel, or of the channel that a thread belongs to; elsewhere the
    guild's only room.

    Raises:
        RequestRefused: The guild has no such room, none at all, or several and none is meant.
    """
    if act.room is not None:
        return await _named(tx, act.guild, act.room)
    for channel in (act.channel, act.parent):
        if channel is not None:
            room = await rooms.of_channel(tx, channel)
            if room is not None:
                return room
    of_guild = await rooms.of_guild(tx, act.guild)
    match of_guild:
        case ():
            raise RequestRefused(Refusal.NO_ROOM)
        case (only,):
            return only
        case _:
            raise RequestRefused(Refusal.SEVERAL_ROOMS, *(room.name for room in of_guild))


async def _named(tx: Transaction, guild: GuildId, which: str | RoomId) -> Room:
    if isinstance(which, str):
        room = await rooms.named(tx, guild, which)
    else:
        room = await rooms.get(tx, which)
        room = None if room.guild != guild or room.is_archived else room
    if room is None:
        raise RequestRefused(Refusal.NO_SUCH_ROOM, which)
    return room


async def find_or_make_room(tx: Transaction, act: Act, now: datetime) -> tuple[Room, bool]:
    """Return the room that is meant, and whether it was made just now: a guild's first.

    Raises:
        RequestRefused: There is no such room, or the guild has several and none is meant.
    """
    if act.room is not None or await rooms.of_guild(tx, act.guild):
        return await find_room(tx, act), False
    room = await rooms.add(tx, act.guild, act.channel_name, DEFAULT_SYSTEM, now)
    await audit.note(
        tx, audit.Entry(act.guild, "make-first-room", act.person.user, room=room.id), now
    )
    return room, True
