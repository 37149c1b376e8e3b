"""Who is meant where a referee names somebody: a member, a guest, or a player by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused
from bot.ledger import players
from bot.model import Participant
from bot.standings_text import Guest, Known, read_named_standings, read_person

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.ledger.connection import Transaction
    from bot.model import GuildId, Player, PlayerId
    from bot.services.acting import Person
    from bot.standings_text import Who


async def results_of_text(
    tx: Transaction, guild: GuildId, text: str, people: Sequence[Person]
) -> tuple[Participant, ...]:
    """Return what a referee's text says of each participant, in its order.

    Guests who are not known yet are added.

    Args:
        tx: The transaction.
        guild: Where.
        text: As `read_named_standings` takes it.
        people: Whom it mentions.

    Raises:
        StandingsUnreadable: The text is no standing.
        RequestRefused: It names a bot, nobody who is known, or somebody of whom there are several.
    """
    return tuple(
        [
            Participant(
                (await find_player(tx, guild, each.user, people)).id, each.placing, each.score
            )
            for each in read_named_standings(text)
        ]
    )


async def aborter_of_text(
    tx: Transaction,
    guild: GuildId,
    text: str,
    people: Sequence[Person],
    results: Sequence[Participant],
) -> PlayerId | None:
    """Return the participant whom a text names as the aborter, None for an empty text.

    Raises:
        StandingsUnreadable: The text names nobody.
        RequestRefused: Whom it names takes no part.
    """
    if not text:
        return None
    player = await find_player(tx, guild, read_person(text), people)
    if player.id not in {each.player for each in results}:
        raise RequestRefused(Refusal.ABORTER_NOT_IN_GAME, player.name)
    return player.id


async def find_player(
    tx: Transaction, guild: GuildId, who: Who, people: Sequence[Person]
) -> Player:
    """Return the player who is meant; a guest who is not known yet is added.

    Raises:
        RequestRefused: It is a bot, nobody is called so, or several are.
    """
    if isinstance(who, Guest):
        name = " ".join(who.name.split())
        known = [each for each in await players.named(tx, guild, name) if each.user is None]
        return known[0] if known else await players.add_guest(tx, guild, name)
    if isinstance(who, Known):
        match await players.named(tx, guild, who.name):
            case (only,):
                return only
            case ():
                raise RequestRefused(Refusal.NO_SUCH_PLAYER, who.name)
            case _:
                raise RequestRefused(Refusal.SEVERAL_SUCH_PLAYERS, who.name)
    person = next(each for each in people if each.user == who)
    if person.is_bot:
        raise RequestRefused(Refusal.BOT_OPPONENT, person.name)
    return await players.remember(tx, guild, person.user, person.name)
