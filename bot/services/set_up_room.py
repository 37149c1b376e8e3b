"""`/room create` and `/room edit`: what those who manage a server decide about a room."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, rooms
from bot.ratings.registry import make_system, system_keys
from bot.services.acting import find_room, take_up

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import ChannelId, Confirmation, GuildId, ManyConfirmation, RoleId, Room
    from bot.services.acting import Act


SYSTEMS = system_keys()
"""The keys of the rating systems that a room can have."""

_CHANNELS = {"channel", "drop_channel"}


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
    """New settings for the room that is meant; None leaves one as it is.

    Attributes:
        act: Who edits it, and where.
        name: What it is called from now on.
        channel: A channel that belongs to it from now on.
        drop_channel: A channel that does not any more.
        confirmation: Who must confirm a result.
        many_confirmation: How many must confirm a game of three and more.
        confirm_after: When an unanswered claim confirms itself; zero for never.
        close_idle_after: When an open game that nobody touches is closed; zero for never.
        minimum_games: How many games it takes to be ranked.
        hide_idle_after: When an idle player leaves the leaderboard; zero for never.
        referee_role: Who may settle, beside those who manage the server.
        abort_notice: Whether referees are told of players who abort more than a third.
    """

    act: Act
    name: str | None = None
    channel: ChannelId | None = None
    drop_channel: ChannelId | None = None
    confirmation: Confirmation | None = None
    many_confirmation: ManyConfirmation | None = None
    confirm_after: timedelta | None = None
    close_idle_after: timedelta | None = None
    minimum_games: int | None = None
    hide_idle_after: timedelta | None = None
    referee_role: RoleId | None = None
    abort_notice: bool | None = None

    def given(self) -> dict[str, object]:
        """Return what shall be changed, by name."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in every.items() if name != "act" and value is not None}


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
        await check_name_free(tx, act.guild, command.name)
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
        RequestRefused: Not for this person, no room is meant, nothing is given, the name or the
            channel is taken, or the channel to drop is not the room's.
    """
    act, given = command.act, command.given()
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    if not given:
        raise RequestRefused(Refusal.NOTHING_TO_CHANGE)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        room = await find_room(tx, act)
        if command.name is not None:
            await check_name_free(tx, act.guild, command.name, but=room)
        if command.channel is not None and not await rooms.bind(tx, room.id, command.channel):
            raise RequestRefused(Refusal.CHANNEL_TAKEN)
        if command.drop_channel is not None:
            await _drop_channel(tx, room, command.drop_channel)
        own = {name: value for name, value in given.items() if name not in _CHANNELS}
        room = replace(room, **own)
        await rooms.update(tx, room)
        details: dict[str, object] = {name: str(value) for name, value in given.items()}
        entry = audit.Entry(act.guild, "edit-room", act.person.user, room.id, details=details)
        await audit.note(tx, entry, now)
        return room


async def check_name_free(
    tx: Transaction, guild: GuildId, name: str, *, but: Room | None = None
) -> None:
    """Refuse a name that another room in use has.

    Raises:
        RequestRefused: It is taken, or nothing in it can be read.
    """
    if not rooms.name_key(name):
        raise RequestRefused(Refusal.NAME_EMPTY)
    other = await rooms.named(tx, guild, name)
    if other is not None and (but is None or other.id != but.id):
        raise RequestRefused(Refusal.ROOM_NAME_TAKEN, name)


async def _drop_channel(tx: Transaction, room: Room, channel: ChannelId) -> None:
    if not await rooms.unbind(tx, room.id, channel):
        raise RequestRefused(Refusal.NOT_ITS_CHANNEL, room.name)
