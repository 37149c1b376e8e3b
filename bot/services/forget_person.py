"""`/forget me`: a person's name and number go, the games that others need stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import audit, forgetting, merging, outbox, players
from bot.services.acting import take_up

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import Player
    from bot.services.acting import Act


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What forgetting a person does.

    Attributes:
        player: Who, as known now.
        pseudonym: What stands in the games instead.
        games: In how many games.
    """

    player: Player
    pseudonym: str
    games: int


async def preview_forgetting(ledger: Ledger, act: Act) -> Forgetting:
    """Return what forgetting the person who acts would do.

    Raises:
        RequestRefused: Nothing is known of the person here.
    """
    async with ledger.reading() as tx:
        return await _forgetting(tx, act)


async def forget_person(ledger: Ledger, act: Act, *, now: datetime) -> Forgetting:
    """Forget the person who acts in this guild: nobody's rating changes.

    Raises:
        RequestRefused: Nothing is known of the person here.
    """
    async with ledger.transaction(act.guild) as tx:
        await take_up(tx, act, now)
        found = await _forgetting(tx, act)
        player, user = found.player, act.person.user
        for name in {player.name, act.person.name}:
            await forgetting.forget_acts(tx, act.guild, user, name, found.pseudonym)
        if await forgetting.is_needed(tx, player):
            await forgetting.forget_player(tx, player)
            await outbox.show_games_again(tx, act.guild, player.id, now)
        else:
            await forgetting.delete_player(tx, player)
        details = {"player": found.pseudonym}
        await audit.note(tx, audit.Entry(act.guild, "forget-player", None, details=details), now)
        return found


async def _forgetting(tx: Transaction, act: Act) -> Forgetting:
    player = await players.of_user(tx, act.guild, act.person.user)
    if player is None:
        raise RequestRefused(Refusal.NOTHING_KNOWN)
    games = await merging.game_count(tx, player.id)
    return Forgetting(player, forgetting.pseudonym_of(player), games)
