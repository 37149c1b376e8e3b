"""Proposals: what somebody was shown that it would do, kept until it is done or forgotten."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot.ledger.encoding import to_json, to_moment
from bot.model import GuildId, ProposalId, RoomId, UserId

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bot.ledger.connection import Transaction

_KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody may still carry out.

    Attributes:
        id: Which one.
        guild: Where.
        room: In which room; None where it may not be there yet.
        user: Whose it is; nobody else carries it out.
        content: Plain data: what is to be done, as it was typed.
        seal: That of the room when it was shown.
    """

    id: ProposalId
    guild: GuildId
    room: RoomId | None
    user: UserId
    content: Mapping[str, Any]
    seal: int


async def add(  # noqa: PLR0913 - what a proposal consists of
    tx: Transaction,
    guild: GuildId,
    room: RoomId | None,
    user: UserId,
    content: Mapping[str, object],
    *,
    seal: int,
    now: datetime,
) -> ProposalId:
    """Keep a proposal, and forget those that nobody carried out for a day."""
    await tx.execute("DELETE FROM proposals WHERE made_at < ?1", to_moment(now - _KEPT_FOR))
    rows = await tx.fetch(
        """
        INSERT INTO proposals (guild_id, room_id, user_id, content, seal, made_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id
        """,
        guild,
        room,
        user,
        to_json(dict(content)),
        seal,
        to_moment(now),
    )
    return ProposalId(rows[0][0])


async def take(tx: Transaction, proposal: ProposalId) -> Proposal | None:
    """Return a proposal and take it off, None where it is gone: each is carried out once."""
    rows = await tx.fetch(
        """
        DELETE FROM proposals WHERE id = ?1
        RETURNING id, guild_id, room_id, user_id, content, seal
        """,
        proposal,
    )
    if not rows:
        return None
    row = rows[0]
    content = json.loads(row[4])
    room = None if row[2] is None else RoomId(row[2])
    return Proposal(ProposalId(row[0]), GuildId(row[1]), room, UserId(row[3]), content, row[5])
