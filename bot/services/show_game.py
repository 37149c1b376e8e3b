"""Keeping a game's message in step with the game."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ledger import games, outbox
from bot.services.game_view import view_in

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger
    from bot.ledger.outbox import Outgoing
    from bot.model import ChannelId, GameId, MessageId
    from bot.services.game_view import GameView

_AT_ONCE = 20
_FIRST_RETRY = timedelta(seconds=30)
_LAST_RETRY = timedelta(hours=6)
_MOST_ATTEMPTS = 20


async def message_posted(
    ledger: Ledger, view: GameView, channel: ChannelId, message: MessageId
) -> None:
    """Note that a new message shows the state of a game."""
    async with ledger.transaction(view.game.guild) as tx:
        await games.set_message(tx, view.game.id, channel, message)
        await outbox.shown(tx, view.game.id, view.state)


async def message_edited(ledger: Ledger, view: GameView) -> None:
    """Note that the game's message shows its state."""
    async with ledger.transaction(view.game.guild) as tx:
        await outbox.shown(tx, view.game.id, view.state)


async def due_messages(ledger: Ledger, *, now: datetime) -> tuple[tuple[Outgoing, GameView], ...]:
    """Return the games whose messages are behind, with what they must show."""
    async with ledger.reading() as tx:
        due = await outbox.due(tx, now, _AT_ONCE)
        return tuple([(each, await view_in(tx, each.game, now)) for each in due])


async def message_failed(
    ledger: Ledger, outgoing: Outgoing, problem: str, *, now: datetime
) -> None:
    """Note that a message could not be shown; after many attempts it is given up."""
    async with ledger.transaction(outgoing.guild) as tx:
        if outgoing.attempts + 1 >= _MOST_ATTEMPTS:
            await outbox.drop(tx, outgoing.game)
        else:
            delay = min(_FIRST_RETRY * 2**outgoing.attempts, _LAST_RETRY)
            await outbox.postpone(tx, outgoing, now + delay, problem)


async def message_lost(ledger: Ledger, outgoing: Outgoing) -> None:
    """Note that a game's channel is gone: there is nowhere to show it."""
    async with ledger.transaction(outgoing.guild) as tx:
        await outbox.drop(tx, outgoing.game)


async def outgoing_of(ledger: Ledger, game: GameId) -> Outgoing | None:
    """Return what is behind of a game's message, None where it is up to date."""
    async with ledger.reading() as tx:
        return await outbox.of_game(tx, game)
