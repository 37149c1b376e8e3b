"""Guilds and rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.ledger.encoding import from_duration, settings_from_json, to_duration, to_json, to_moment
from bot.model import ChannelId, Confirmation, GuildId, ManyConfirmation, RoleId, Room, RoomId

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction

_COLUMNS = """
    rooms.id, rooms.guild_id, rooms.name, rooms.system, rooms.settings, rooms.confirmation,
    rooms.many_confirmation, rooms.confirm_after, rooms.close_idle_after, rooms.minimum_games,
    rooms.hide_idle_after, rooms.abort_notice, rooms.referee_role_id, rooms.archived_at
"""


def name_key(name: str) -> str:
    """Return what two names have in common that people would call the same."""
    return " ".join(name.casefold().split())


async def add_guild(tx: Transaction, guild: GuildId) -> None:
    """Know a guild from now on."""
    await tx.execute("INSERT INTO guilds (id) VALUES (?1) ON CONFLICT (id) DO NOTHING", guild)


async def add(tx: Transaction, guild: GuildId, name: str, system: str, now: datetime) -> Room:
    """Add a room with the usual settings to a guild that is known."""
    rows = await tx.fetch(
        """
        INSERT INTO rooms (guild_id, name, name_key, system, last_used_at, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5)
        RETURNING id
        """,
        guild,
        name,
        name_key(name),
        system,
        to_moment(now),
    )
    return await get(tx, RoomId(rows[0][0]))


async def get(tx: Transaction, room: RoomId) -> Room:
    """Return a room that is there."""
    rows = await tx.fetch(f"SELECT {_COLUMNS} FROM rooms WHERE id = ?1", room)
    return _room(rows[0])


async def of_guild(tx: Transaction, guild: GuildId) -> tuple[Room, ...]:
    """Return a guild's rooms that are in use, the last used first."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM rooms
        WHERE guild_id = ?1 AND archived_at IS NULL
        ORDER BY last_used_at DESC, id DESC
        """,
        guild,
    )
    return tuple(_room(row) for row in rows)


async def of_channel(tx: Transaction, channel: ChannelId) -> Room | None:
    """Return the room that a channel is bound to, if any."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM rooms
        JOIN room_channels ON room_channels.room_id = rooms.id
        WHERE room_channels.channel_id = ?1 AND rooms.archived_at IS NULL
        """,
        channel,
    )
    return _room(rows[0]) if rows else None


async def named(tx: Transaction, guild: GuildId, name: str) -> Room | None:
    """Return a guild's room in use by its name, however it is capitalised."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM rooms
        WHERE guild_id = ?1 AND name_key = ?2 AND archived_at IS NULL
        """,
        guild,
        name_key(name),
    )
    return _room(rows[0]) if rows else None


async def everywhere(tx: Transaction) -> tuple[Room, ...]:
    """Return all rooms, in every guild, the archived too."""
    rows = await tx.fetch(f"SELECT {_COLUMNS} FROM rooms ORDER BY guild_id, id")
    return tuple(_room(row) for row in rows)


async def channels(tx: Transaction, room: RoomId) -> tuple[ChannelId, ...]:
    """Return the channels bound to a room."""
    rows = await tx.fetch(
        "SELECT channel_id FROM room_channels WHERE room_id = ?1 ORDER BY channel_id", room
    )
    return tuple(ChannelId(row[0]) for row in rows)


async def archived(tx: Transaction, guild: GuildId) -> tuple[Room, ...]:
    """Return a guild's archived rooms, the last archived first."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM rooms
        WHERE guild_id = ?1 AND archived_at IS NOT NULL
        ORDER BY archived_at DESC, id DESC
        """,
        guild,
    )
    return tuple(_room(row) for row in rows)


async def set_archived(tx: Transaction, room: RoomId, at: datetime | None) -> None:
    """Put a room away, or back in use where no moment is given."""
    moment = None if at is None else to_moment(at)
    await tx.execute("UPDATE rooms SET archived_at = ?2 WHERE id = ?1", room, moment)


async def size(tx: Transaction, room: RoomId) -> tuple[int, int]:
    """Return how many games count in a room, and how many players have a standing there."""
    rows = await tx.fetch(
        """
        SELECT (SELECT COUNT(*) FROM games WHERE room_id = ?1 AND counts = 1),
            (SELECT COUNT(*) FROM standings WHERE room_id = ?1)
        """,
        room,
    )
    return int(rows[0][0]), int(rows[0][1])


async def bind(tx: Transaction, room: RoomId, channel: ChannelId) -> bool:
    """Bind a channel to a room; False where it is bound to another room in use."""
    await tx.execute(
        """
        DELETE FROM room_channels WHERE channel_id = ?1 AND room_id IN
            (SELECT id FROM rooms WHERE archived_at IS NOT NULL OR id = ?2)
        """,
        channel,
        room,
    )
    changed = await tx.execute(
        """
        INSERT INTO room_channels (channel_id, room_id) VALUES (?1, ?2)
        ON CONFLICT (channel_id) DO NOTHING
        """,
        channel,
        room,
    )
    return changed == 1


async def unbind(tx: Transaction, room: RoomId, channel: ChannelId) -> bool:
    """Take a channel from a room; False where it is not the room's."""
    changed = await tx.execute(
        "DELETE FROM room_channels WHERE channel_id = ?1 AND room_id = ?2", channel, room
    )
    return changed == 1


async def used(tx: Transaction, room: RoomId, now: datetime) -> None:
    """Note that a room was used."""
    await tx.execute("UPDATE rooms SET last_used_at = ?2 WHERE id = ?1", room, to_moment(now))


async def next_fact_at(tx: Transaction, room: RoomId, now: datetime) -> int:
    """Return the moment of a room's next fact: now, or just after the fact before.

    The order of facts then never depends on clocks that jump or agree too well.
    """
    moment = max(to_moment(now), await last_fact_at(tx, room) + 1)
    await tx.execute("UPDATE rooms SET last_fact_at = ?2 WHERE id = ?1", room, moment)
    return moment


async def last_fact_at(tx: Transaction, room: RoomId) -> int:
    """Return the moment of a room's last fact, 0 before the first."""
    rows = await tx.fetch("SELECT last_fact_at FROM rooms WHERE id = ?1", room)
    return int(rows[0][0])


async def update(tx: Transaction, room: Room) -> None:
    """Keep a room's new name and settings."""
    await tx.execute(
        """
        UPDATE rooms SET name = ?2, name_key = ?3, system = ?4, settings = ?5, confirmation = ?6,
            many_confirmation = ?7, confirm_after = ?8, close_idle_after = ?9, minimum_games = ?10,
            hide_idle_after = ?11, abort_notice = ?12, referee_role_id = ?13
        WHERE id = ?1
        """,
        room.id,
        room.name,
        name_key(room.name),
        room.system,
        to_json(dict(room.settings)),
        room.confirmation,
        room.many_confirmation,
        to_duration(room.confirm_after),
        to_duration(room.close_idle_after),
        room.minimum_games,
        to_duration(room.hide_idle_after),
        int(room.abort_notice),
        room.referee_role,
    )


def _room(row: Sequence[Any]) -> Room:
    return Room(
        id=RoomId(row[0]),
        guild=GuildId(row[1]),
        name=row[2],
        system=row[3],
        settings=settings_from_json(row[4]),
        confirmation=Confirmation(row[5]),
        many_confirmation=ManyConfirmation(row[6]),
        confirm_after=from_duration(row[7]),
        close_idle_after=from_duration(row[8]),
        minimum_games=row[9],
        hide_idle_after=from_duration(row[10]),
        abort_notice=bool(row[11]),
        referee_role=None if row[12] is None else RoleId(row[12]),
        is_archived=row[13] is not None,
    )
