"""Showing what must appear by itself: messages of games that changed without anybody's press."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import discord

from bot.display.game_message import game_message
from bot.model import ChannelId, MessageId
from bot.services.show_game import (
    due_messages,
    message_edited,
    message_failed,
    message_lost,
    message_posted,
)

if TYPE_CHECKING:
    from datetime import datetime

    from bot.client import Parlour
    from bot.ledger.outbox import Outgoing
    from bot.services.game_view import GameView

_log = logging.getLogger(__name__)


async def work_off_outbox(client: Parlour, now: datetime) -> None:
    """Post or edit every game message that is behind; one that fails is tried again later."""
    for outgoing, view in await due_messages(client.ledger, now=now):
        try:
            await _show(client, outgoing, view)
        except (discord.NotFound, discord.Forbidden) as error:
            _log.warning("game %s has nowhere to be shown: %s", view.game.number, error)
            await message_lost(client.ledger, outgoing)
        except (discord.HTTPException, OSError) as error:
            _log.warning("game %s could not be shown: %s", view.game.number, error)
            await message_failed(client.ledger, outgoing, str(error), now=now)


async def _show(client: Parlour, outgoing: Outgoing, view: GameView) -> None:
    message = game_message(view)
    channel = client.get_partial_messageable(view.game.channel, guild_id=view.game.guild)
    older = view.game.message
    if older is not None and not outgoing.anew:
        try:
            await channel.get_partial_message(older).edit(
                content=message.content,
                view=message.view(),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.NotFound:
            _log.info("the message of game %s is gone: posting it again", view.game.number)
        else:
            await message_edited(client.ledger, view)
            return
    # The nonce lets Discord tell a second attempt after a crash from a second message.
    sent = await channel.send(
        content=message.content,
        view=message.view(),
        nonce=f"game-{outgoing.id}",
        allowed_mentions=message.allowed_mentions(),
    )
    await message_posted(client.ledger, view, ChannelId(sent.channel.id), MessageId(sent.id))
    if older is not None and outgoing.anew:
        await retire_message(client, view)


async def retire_message(client: Parlour, view: GameView) -> None:
    """Take the buttons off a game's earlier message, which would answer an older version.

    Args:
        client: The client.
        view: The game before the newer message was posted.
    """
    assert view.game.message is not None
    channel = client.get_partial_messageable(view.game.channel, guild_id=view.game.guild)
    try:
        await channel.get_partial_message(view.game.message).edit(
            content=f"**#{view.game.number}** · See the newer message.", view=None
        )
    except discord.HTTPException as error:
        _log.info("the earlier message of game %s stays: %s", view.game.number, error)
