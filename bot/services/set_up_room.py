"""`/room create` and `/room edit`: what those who manage a server decide about a room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, rooms
from bot.ratings.registry import make_system, system_keys
from bot.services.acting import find_room, take_up

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from bot.ledger.connection import Ledger
    from bot.model import ChannelId, Confirmation, ManyConfirmation, RoleId, Room
    from bot.services.acting import Act


SYSTEMS = system_keys()
"""The keys of the rating systems that a room can have."""


@dataclass(frozen=True, slots=True)
class CreateRoom:
    """A new room.

    Attributes:
        act: Who makes it, and where.
        name: What it is called.
        system: The key of its rating system.
        channel: The channel to bind, None for none.
        settings: Those of the system that differ from the usual, as typed: `start=1200`.
    """

    act: Act
    name: str
    system: str
    channel: ChannelId | None
    settings: str = ""


@dataclass(frozen=True, slots=True)
class EditRoom:
    """New settings for the room that is meant; None leaves one as it is."""

    act: Act
    confirmation: Confirmation | None = None
    many_confirmation: ManyConfirmation | None = None
    confirm_after: timedelta | None = None
    close_idle_after: timedelta | None = None
    minimum_games: int | None = None
    hide_idle_after: timedelta | None = None
    referee_role: RoleId | None = None
    abort_notice: bool | None = None


async def create_room(ledger: Ledger, command: CreateRoom, *, now: datetime) -> Room:
    """Make a room.

    Raises:
        RequestRefused: Not for this person, or the name or the channel is taken.
        UnknownSystem: There is no such rating system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    act = command.act
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    settings = read_settings(command.settings)
    make_system(command.system, settings)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        if await rooms.named(tx, act.guild, command.name) is not None:
            raise RequestRefused(Refusal.ROOM_NAME_TAKEN, command.name)
        room = await rooms.add(tx, act.guild, command.name, command.system, now)
        room = replace(room, settings=settings)
        await rooms.update(tx, room)
        if command.channel is not None and not await rooms.bind(tx, room.id, command.channel):
            raise RequestRefused(Refusal.CHANNEL_TAKEN)
        await audit.note(
            tx, audit.Entry(act.guild, "create-room", act.person.user, room=room.id), now
        )
        return room


def read_settings(text: str) -> dict[str, str]:
    """Return the settings in a text such as `start=1200 recalculation=off`.

    What stands there without a value has an empty one, which no setting takes.
    """
    settings: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        settings[name] = value
    return settings


async def edit_room(ledger: Ledger, command: EditRoom, *, now: datetime) -> Room:
    """Change a room's settings that do not move a rating.

    Raises:
        RequestRefused: Not for this person, or no room is meant.
    """
    act = command.act
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room = await find_room(tx, act)
        given = {
            name: value
            for name in (
                "confirmation",
                "many_confirmation",
                "confirm_after",
                "close_idle_after",
                "minimum_games",
                "hide_idle_after",
                "referee_role",
                "abort_notice",
            )
            if (value := getattr(command, name)) is not None
        }
        room = replace(room, **given)
        await rooms.update(tx, room)
        details = {name: str(value) for name, value in given.items()}
        entry = audit.Entry(act.guild, "edit-room", act.person.user, room.id, details=details)
        await audit.note(tx, entry, now)
        return room
