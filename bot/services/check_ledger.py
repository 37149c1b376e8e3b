"""Checking a database: is it whole, and do the standings follow from the facts?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.ledger import departures, orphans, rooms, steps
from bot.services.replay_room import replay_room

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.ledger.connection import Ledger
    from bot.model import Room


@dataclass(frozen=True, slots=True)
class RoomCheck:
    """How a room's standings compare with a replay of its facts.

    Attributes:
        room: Which room.
        facts: How many changes and standings a replay gives.
        differing: How many of them are kept otherwise, or not at all, or too much.
        is_repaired: Whether the replay was kept in their place.
    """

    room: Room
    facts: int
    differing: int
    is_repaired: bool


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """What a check found.

    Attributes:
        faults: What the database itself finds wrong with its file.
        rooms: Every room, the archived too.
        held: What is held for which server.
        orphans: How many rows wait for what can never come, by what they are.
        are_orphans_gone: Whether these were deleted.
    """

    faults: tuple[str, ...]
    rooms: tuple[RoomCheck, ...]
    held: tuple[departures.Held, ...] = ()
    orphans: Mapping[str, int] = field(default_factory=dict[str, int])
    are_orphans_gone: bool = False

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong, or nothing any more."""
        if self.faults or (self.orphans and not self.are_orphans_gone):
            return False
        return all(not each.differing or each.is_repaired for each in self.rooms)


async def check_ledger(ledger: Ledger, *, repair: bool) -> LedgerCheck:
    """Check a database, and rebuild from the facts what does not follow from them.

    Without repair, check a copy: the replay writes, and a bot at work would have to wait for it.

    Args:
        ledger: The database, or a copy of it.
        repair: Whether what differs stays rebuilt; if not, the database stays as it was.
    """
    faults = tuple(await ledger.faults())
    if faults:
        return LedgerCheck(faults, ())
    async with ledger.reading() as tx:
        known = await rooms.everywhere(tx)
        held = await departures.held(tx)
        found = await orphans.orphans(tx)
    if found and repair:
        async with ledger.transaction() as tx:
            await orphans.drop_orphans(tx)
    checked = [await _check(ledger, room, repair=repair) for room in known]
    return LedgerCheck((), tuple(checked), held, found, are_orphans_gone=repair)


class _NotKept(Exception):
    """Takes a replay back that was only for a look."""


async def _check(ledger: Ledger, room: Room, *, repair: bool) -> RoomCheck:
    differing = facts = 0
    try:
        async with ledger.transaction(room.guild) as tx:
            kept = await steps.snapshot(tx, room.id)
            await replay_room(tx, room.id)
            right = await steps.snapshot(tx, room.id)
            facts = len(right)
            differing = len(set(kept) ^ set(right)) or int(kept != right)
            _keep_if(bool(differing) and repair)
    except _NotKept:
        return RoomCheck(room, facts, differing, is_repaired=False)
    return RoomCheck(room, facts, differing, is_repaired=True)


def _keep_if(wanted: bool) -> None:  # noqa: FBT001 - reads as a sentence
    if not wanted:
        raise _NotKept
