"""Taking what names a person out of a guild's tables, the games of others staying as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from bot.ledger.encoding import details_from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.ledger.connection import Transaction
    from bot.model import GuildId, Player, UserId


def pseudonym_of(player: Player) -> str:
    """Return what a forgotten player is called."""
    return f"Player {player.id}"


async def is_needed(tx: Transaction, player: Player) -> bool:
    """Tell whether a player stands in games of others."""
    rows = await tx.fetch("SELECT 1 FROM participants WHERE player_id = ?1 LIMIT 1", player.id)
    return bool(rows)


async def forget_player(tx: Transaction, player: Player) -> None:
    """Replace a player's name and Discord user by a pseudonym."""
    await tx.execute(
        "UPDATE players SET user_id = NULL, name = ?2 WHERE id = ?1",
        player.id,
        pseudonym_of(player),
    )


async def forget_acts(
    tx: Transaction, guild: GuildId, user: UserId, name: str, pseudonym: str
) -> None:
    """Replace a person's name and number in the log, and drop what was only proposed.

    Args:
        tx: The transaction.
        guild: Where.
        user: Who.
        name: As it stands there.
        pseudonym: What stands there from now on.
    """
    rows = await tx.fetch(
        """
        SELECT id, user_id, details, reason FROM audit
        WHERE guild_id = ?1 AND (user_id = ?2 OR instr(details, ?3) OR instr(reason, ?3)
            OR instr(details, ?4) OR instr(reason, ?4))
        """,
        guild,
        user,
        name,
        str(user),
    )
    mentions = re.compile(rf"<@!?{user}>|\b{user}\b|(?<!\w){re.escape(name)}(?!\w)")

    def unnamed(text: str) -> str:
        return mentions.sub(lambda _: pseudonym, text)

    changed: list[tuple[object, ...]] = []
    for number, actor, details, reason in rows:
        written = cast("dict[str, object]", _unnamed(details_from_json(details), unnamed))
        if actor == user:
            written["by"] = pseudonym
        changed.append(
            (
                number,
                None if actor == user else actor,
                to_json(written),
                None if reason is None else unnamed(reason),
            )
        )
    await tx.execute_many(
        "UPDATE audit SET user_id = ?2, details = ?3, reason = ?4 WHERE id = ?1", changed
    )
    await tx.execute(
        """
        DELETE FROM proposals WHERE guild_id = ?1
            AND (user_id = ?2 OR instr(content, ?3) OR instr(content, ?4))
        """,
        guild,
        user,
        name,
        str(user),
    )


def _unnamed(value: object, unnamed: Callable[[str], str]) -> object:
    """Return plain data with each of its texts unnamed; the names of its fields stay."""
    if isinstance(value, str):
        return unnamed(value)
    if isinstance(value, list):
        return [_unnamed(each, unnamed) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return {name: _unnamed(each, unnamed) for name, each in fields.items()}
    return value


async def delete_player(tx: Transaction, player: Player) -> None:
    """Drop a player who stands in no game."""
    await tx.execute("UPDATE players SET merged_into = NULL WHERE merged_into = ?1", player.id)
    await tx.execute("DELETE FROM players WHERE id = ?1", player.id)
