"""`/player claim` and `/player merge`: two players turn out to be one person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, merging, outbox, players, proposals, rooms
from bot.model import PlayerId
from bot.services.acting import Person, take_up
from bot.services.rerating import rate_again

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GuildId, Player, ProposalId, Room
    from bot.progress import Progress
    from bot.services.acting import Act
    from bot.services.rerating import Rerating

Named: TypeAlias = "Person | str"
"""A member, or a guest by name."""


@dataclass(frozen=True, slots=True)
class RoomMerge:
    """What a merge does in a room: how many facts are rated again, and what that does."""

    room: Room
    rerating: Rerating


@dataclass(frozen=True, slots=True)
class MergeView:
    """A merge with all that it does.

    Attributes:
        source: Who goes.
        target: Who has all games then.
        games: How many games change hands.
        rooms: What it does in each room where the source played.
        proposal: What carries it out; None when it is done.
    """

    source: Player
    target: Player
    games: int
    rooms: tuple[RoomMerge, ...]
    proposal: ProposalId | None


class _NotKept(Exception):
    """Takes a merge back that was only for a look."""


async def guest_names(ledger: Ledger, guild: GuildId) -> tuple[str, ...]:
    """Return the names of a guild's guests."""
    async with ledger.reading() as tx:
        return await players.guests(tx, guild)


async def propose_merge(
    ledger: Ledger, act: Act, source: Named, target: Person, *, now: datetime
) -> MergeView:
    """Return what it would do if one player were another, and keep the proposal.

    Raises:
        RequestRefused: Not for this person, one of them never played or is a bot, they are the
            same, or they played each other.
    """
    if target.is_bot:
        raise RequestRefused(Refusal.BOT_OPPONENT, target.name)
    view: MergeView | None = None
    seal = 0
    try:
        async with ledger.transaction(act.guild) as tx:
            going = await _find(tx, act.guild, source)
            staying = await players.remember(tx, act.guild, target.user, target.name)
            seal = await _seal(tx, going.id)
            view = await _merge(tx, act, going, staying, now, None)
            raise _NotKept  # noqa: TRY301 - the transaction takes it back
    except _NotKept:
        assert view is not None
    content = {"source": view.source.id, "user": target.user, "name": target.name}
    async with ledger.transaction(act.guild) as tx:
        user = act.person.user
        proposal = await proposals.add(tx, act.guild, None, user, content, seal=seal, now=now)
    return replace(view, proposal=proposal)


async def carry_out_merge(
    ledger: Ledger,
    act: Act,
    which: ProposalId,
    reason: str,
    *,
    now: datetime,
    progress: Progress,
) -> MergeView:
    """Make one player another, as it was shown, and rate all rooms concerned again.

    Raises:
        RequestRefused: It was done already, it was shown to somebody else, something was rated
            since, or there is no reason.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise RequestRefused(Refusal.REASON_EMPTY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        proposal = await proposals.take(tx, which)
        if proposal is None or proposal.guild != act.guild:
            raise RequestRefused(Refusal.PROPOSAL_GONE)
        if proposal.user != act.person.user:
            raise RequestRefused(Refusal.PROPOSAL_OF_OTHER)
        content = proposal.content
        source = PlayerId(content["source"])
        if await _seal(tx, source) != proposal.seal:
            raise RequestRefused(Refusal.ROOM_CHANGED)
        going = (await players.of_ids(tx, [source]))[source]
        staying = await players.remember(tx, act.guild, content["user"], content["name"])
        view = await _merge(tx, act, going, staying, now, progress)
        await outbox.show_games_again(tx, act.guild, staying.id, now)
        for each in view.rooms:
            details: dict[str, object] = {"player": going.name, "into": staying.name}
            entry = audit.Entry(
                act.guild,
                "merge-players",
                act.person.user,
                each.room.id,
                details=details,
                reason=reason,
            )
            await audit.note(tx, entry, now)
        return view


async def _find(tx: Transaction, guild: GuildId, named: Named) -> Player:
    if isinstance(named, Person):
        player = await players.of_user(tx, guild, named.user)
        if player is None:
            raise RequestRefused(Refusal.NEVER_PLAYED, named.name)
        return player
    name = named.removeprefix("guest:")
    guests = [each for each in await players.named(tx, guild, name) if each.user is None]
    match guests:
        case (only,):
            return only
        case ():
            raise RequestRefused(Refusal.NO_SUCH_GUEST, name)
        case _:
            raise RequestRefused(Refusal.SEVERAL_SUCH_PLAYERS, name)


async def _seal(tx: Transaction, source: PlayerId) -> int:
    """Return what changes with every fact of the rooms where a player has games."""
    return sum([await rooms.last_fact_at(tx, room) for room in await merging.played_in(tx, source)])


async def _merge(
    tx: Transaction,
    act: Act,
    source: Player,
    target: Player,
    now: datetime,
    progress: Progress | None,
) -> MergeView:
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    if source.id == target.id:
        raise RequestRefused(Refusal.SAME_PLAYER, source.name)
    common = await merging.common_games(tx, source.id, target.id)
    if common:
        raise RequestRefused(Refusal.PLAYED_EACH_OTHER, *common)
    games = await merging.game_count(tx, source.id)
    done: list[RoomMerge] = []
    for room_id, since in (await merging.played_in(tx, source.id)).items():
        room = await rooms.get(tx, room_id)

        async def change(where: Room = room) -> None:
            await merging.hand_over(tx, where.id, source.id, target.id)

        rerating = await rate_again(tx, room, since, change, now=now, progress=progress)
        done.append(RoomMerge(room, rerating))
    await merging.mark_merged(tx, source.id, target.id)
    return MergeView(source, target, games, tuple(done), None)
