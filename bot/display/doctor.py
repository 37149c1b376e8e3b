"""What is wrong with a server's rooms, and what to do about each."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot.display.text import fitted, listed, safe

if TYPE_CHECKING:
    from datetime import datetime

    from bot.diagnosis import DiscordHealth
    from bot.services.diagnose import LedgerHealth

_OLD_BACKUP = timedelta(days=7)
_WELL, _ILL = "✅", "⚠️"


def doctor_text(
    health: LedgerHealth,
    discord_health: DiscordHealth,
    *,
    timers_ran_at: datetime | None,
    now: datetime,
) -> str:
    """Return a line for each thing that was looked at.

    Args:
        health: What the ledger knows.
        discord_health: What Discord says.
        timers_ran_at: When the timers ran last, None for not yet.
        now: When.
    """
    return fitted(
        [
            *_rooms(health),
            *_channels(discord_health),
            *_messages(health, discord_health),
            *_commands(discord_health),
            *_timers(health, timers_ran_at),
            *_database(health),
            *_backup(health, now),
        ]
    )


def _rooms(health: LedgerHealth) -> list[str]:
    if not health.rooms:
        return [f"{_ILL} There is no room yet: `/room create` makes one."]
    unbound = [safe(each.room.name) for each in health.rooms if not each.channels]
    if unbound and len(health.rooms) > 1:
        return [f"{_ILL} No channel belongs to {listed(unbound)}: `/room edit channel:` gives one."]
    count = len(health.rooms)
    return [f"{_WELL} 1 room in use." if count == 1 else f"{_WELL} {count} rooms in use."]


def _channels(found: DiscordHealth) -> list[str]:
    lines = [
        f"{_ILL} A channel of {safe(name)} ({number}) is gone: give the room another one with "
        "`/room edit channel:`."
        for name, number in found.gone_channels
    ]
    for channel, lacking in found.missing:
        names = listed([name.replace("_", " ").title() for name in lacking])
        lines.append(
            f"{_ILL} In <#{channel}> I lack {names}: allow me that in the channel's settings, "
            "under *Permissions*."
        )
    return lines or [f"{_WELL} I may do what I need in every channel of a room."]


def _messages(health: LedgerHealth, found: DiscordHealth) -> list[str]:
    lines: list[str] = []
    if found.gone_messages:
        games = listed([f"#{number}" for number in found.gone_messages])
        lines.append(
            f"{_ILL} The messages of {games} are gone, or I may not read them; the games are kept. "
            "`/game show` shows each."
        )
    if health.late_messages:
        lines.append(
            f"{_ILL} {health.late_messages} game messages are behind for minutes: I try again, and "
            "the log says why they failed."
        )
    return lines or [f"{_WELL} The last games' messages are there and up to date."]


def _commands(found: DiscordHealth) -> list[str]:
    if not found.unregistered:
        return [f"{_WELL} All commands are registered."]
    names = listed([f"`/{name}`" for name in found.unregistered])
    return [f"{_ILL} Discord does not offer {names}: restart me, which registers them."]


def _timers(health: LedgerHealth, ran_at: datetime | None) -> list[str]:
    if ran_at is None:
        return [f"{_ILL} The timers have not run yet: if they do not in a minute, restart me."]
    when = format_dt(ran_at, "R")
    if health.late_timers:
        return [
            f"{_ILL} The timers ran {when}, and {health.late_timers} are late: the log says why."
        ]
    return [f"{_WELL} The timers ran {when}."]


def _database(health: LedgerHealth) -> list[str]:
    if not health.faults:
        return [f"{_WELL} The database is whole."]
    first = safe(health.faults[0])
    advice = "Stop me, keep the file, and go back to the last backup."
    return [f"{_ILL} The database has {len(health.faults)} faults, such as: {first}. {advice}"]


def _backup(health: LedgerHealth, now: datetime) -> list[str]:
    advice = "`python -m bot backup FILE` makes one while I run."
    if health.backup_at is None:
        return [f"{_ILL} The database was never backed up: {advice}"]
    when = format_dt(health.backup_at, "R")
    if now - health.backup_at > _OLD_BACKUP:
        return [f"{_ILL} The last backup was made {when}: {advice}"]
    return [f"{_WELL} The last backup was made {when}."]
