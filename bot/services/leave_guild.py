"""What happens to a server's data when the bot is removed from it, or comes back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from bot.ledger import departures

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from bot.ledger.connection import Ledger
    from bot.model import GuildId

_log = logging.getLogger(__name__)


async def guild_left(ledger: Ledger, guild: GuildId, *, now: datetime) -> None:
    """Keep a guild's data for 30 days more."""
    async with ledger.transaction(guild) as tx:
        if await departures.left(tx, guild, now):
            _log.info("removed from guild %s: its data stays for 30 days", guild)


async def guilds_present(ledger: Ledger, present: Collection[GuildId], *, now: datetime) -> None:
    """Note where the bot is: elsewhere it was removed while it was off, there it is back."""
    async with ledger.transaction() as tx:
        for guild in present:
            if await departures.returned(tx, guild):
                _log.info("back in guild %s: its data stays", guild)
        for guild in await departures.missed(tx, present):
            await departures.left(tx, guild, now)
            _log.info("no more in guild %s: its data stays for 30 days", guild)


async def delete_left_guilds(ledger: Ledger, *, now: datetime) -> int:
    """Delete the data of guilds whose time is over, and return of how many."""
    async with ledger.reading() as tx:
        over = await departures.over(tx, now)
    for guild in over:
        async with ledger.transaction(guild) as tx:
            await departures.delete_guild(tx, guild)
        _log.info("deleted the data of guild %s", guild)
    return len(over)
