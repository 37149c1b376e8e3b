"""`/room import`: a games file that somebody sent becomes a room, after a look at what it brings.

The file stays with the message that shows the look; the proposal keeps what was asked for.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import proposals, rooms
from bot.model import UserId
from bot.services.acting import Person, find_room, take_up
from bot.services.import_games import ImportGames, import_games, preview_import
from bot.services.set_up_room import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import ProposalId
    from bot.progress import Progress
    from bot.services.acting import Act
    from bot.services.import_games import Imported, ImportPreview


@dataclass(frozen=True, slots=True)
class AskedImport:
    """What somebody asks to import.

    Attributes:
        act: Who asks, and where.
        name: What the room is called, None for the room that is meant.
        system: The key of its rating system, None for that of the room.
        settings: Those of the system that differ from the usual, as typed.
        members: The members whom names in the file stand for.
        text: The games file.
    """

    act: Act
    name: str | None
    system: str | None
    settings: str
    members: Mapping[str, Person]
    text: str


@dataclass(frozen=True, slots=True)
class ProposedImport:
    """What an import would bring, and what carries it out."""

    preview: ImportPreview
    proposal: ProposalId


async def propose_import(ledger: Ledger, asked: AskedImport, *, now: datetime) -> ProposedImport:
    """Return what an import would bring, and keep the proposal.

    Raises:
        RequestRefused: Not for this person, no room is meant, or it has games or another system.
        GamesFileError: The file is at fault.
        UnknownSystem: There is no such system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    act = asked.act
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.reading() as tx:
        command = await _command(tx, asked)
    preview = await preview_import(ledger, command)
    content = {
        "name": preview.room,
        "system": command.system,
        "settings": dict(command.settings),
        "members": [[name, person.user, person.name] for name, person in command.members.items()],
    }
    async with ledger.transaction(act.guild) as tx:
        await rooms.add_guild(tx, act.guild)
        proposal = await proposals.add(
            tx, act.guild, None, act.person.user, content, seal=0, now=now
        )
    return ProposedImport(preview, proposal)


async def carry_out_import(
    ledger: Ledger,
    act: Act,
    which: ProposalId,
    text: str,
    *,
    now: datetime,
    progress: Progress | None = None,
) -> Imported:
    """Import what was proposed.

    Args:
        ledger: The ledger.
        act: Who does it.
        which: The proposal.
        text: The games file, as it was proposed.
        now: When.
        progress: Counts the games that are rated.

    Raises:
        RequestRefused: It was done already, it was shown to somebody else, or the room has games
            by now.
    """
    if not act.manages_guild:
        raise RequestRefused(Refusal.MANAGERS_ONLY)
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        proposal = await proposals.take(tx, which)
        if proposal is None or proposal.guild != act.guild:
            raise RequestRefused(Refusal.PROPOSAL_GONE)
        if proposal.user != act.person.user:
            raise RequestRefused(Refusal.PROPOSAL_OF_OTHER)
    content = proposal.content
    members = {
        name: Person(UserId(user), shown, is_bot=False) for name, user, shown in content["members"]
    }
    command = ImportGames(
        act.guild,
        content["name"],
        content["system"],
        content["settings"],
        io.StringIO(text, newline=""),
        members,
        act.person.user,
    )
    return await import_games(ledger, command, now=now, progress=progress)


async def _command(tx: Transaction, asked: AskedImport) -> ImportGames:
    act = asked.act
    if asked.name is None:
        room = await find_room(tx, act)
    else:
        room = await rooms.named(tx, act.guild, asked.name)
    name = asked.name if room is None else room.name
    assert name is not None, asked
    system = asked.system or (room.system if room else None)
    if system is None:
        raise RequestRefused(Refusal.SYSTEM_NEEDED, name)
    keeps = room is not None and asked.system is None and not asked.settings
    settings = dict(room.settings) if room and keeps else read_settings(asked.settings)
    file = io.StringIO(asked.text, newline="")
    return ImportGames(act.guild, name, system, settings, file, asked.members, act.person.user)
