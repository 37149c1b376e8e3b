"""Answering an interaction: who acts and where, and a game's message as the answer."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar, cast

import discord

from bot.display.components import new_view
from bot.display.game_message import game_message
from bot.errors import Refusal, RequestRefused
from bot.model import ChannelId, GuildId, InteractionId, MessageId, RoleId, UserId
from bot.outbox import retire_message
from bot.services.acting import Act, Person
from bot.services.show_game import message_edited, message_posted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from bot.client import Parlour
    from bot.model import RoomId
    from bot.progress import Progress
    from bot.services.game_view import GameView

_DEFER_AFTER = 1.5
"""Seconds until Discord is told that the answer will follow; it gives up after 3."""
_TOLD_EVERY = 2.0
"""Seconds between two looks at the progress of long work."""
_ALREADY_ACKNOWLEDGED = 40060

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)


def person_of(user: discord.User | discord.Member) -> Person:
    """Return a Discord user as the services know one."""
    return Person(UserId(user.id), user.display_name, user.bot)


def act_of(interaction: discord.Interaction[Parlour], room: str | RoomId | None = None) -> Act:
    """Return who acts and where, in a room that may be named; commands are for servers alone."""
    user, channel = interaction.user, interaction.channel
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    is_thread = isinstance(channel, discord.Thread)
    named = channel.parent if is_thread else channel
    roles = user.roles if isinstance(user, discord.Member) else []
    return Act(
        interaction=InteractionId(interaction.id),
        guild=GuildId(interaction.guild_id),
        channel=ChannelId(interaction.channel_id),
        parent=ChannelId(channel.parent_id) if is_thread else None,
        channel_name=getattr(named, "name", None) or "games",
        person=person_of(user),
        roles=frozenset(RoleId(role.id) for role in roles),
        manages_guild=interaction.permissions.manage_guild,
        room=room,
    )


async def people_of(
    interaction: discord.Interaction[Parlour], users: Sequence[UserId]
) -> tuple[Person, ...]:
    """Return who people are whom a text or a form names by their ids alone.

    Raises:
        RequestRefused: Discord knows nobody of that id.
    """
    return tuple([await _person(interaction, user) for user in users])


async def _person(interaction: discord.Interaction[Parlour], user: UserId) -> Person:
    assert interaction.guild is not None
    try:
        return person_of(
            interaction.guild.get_member(user) or await interaction.guild.fetch_member(user)
        )
    except discord.NotFound:
        _log.info("user %s is no member of guild %s", user, interaction.guild_id)
    try:
        # Whoever has left the server may still be named in a result.
        return person_of(await interaction.client.fetch_user(user))
    except discord.NotFound:
        raise RequestRefused(Refusal.UNKNOWN_PERSON, user) from None


async def done_in_time(
    interaction: discord.Interaction[Parlour],
    work: Awaitable[_Result],
    *,
    ephemeral: bool = False,
    anew: bool = False,
    progress: Progress | None = None,
) -> _Result:
    """Await work, and tell Discord that the answer will follow where it takes long.

    Cancelled work would leave nobody told of what is done, so it comes to its end.

    Args:
        interaction: What is answered.
        work: What is awaited.
        ephemeral: Whether the person alone will see the answer.
        anew: Whether the answer to a press will be a new message, not an edit of the old one.
        progress: How far the work has come, shown to those who wait where it takes long.
    """
    task = asyncio.ensure_future(work)
    finished, _ = await asyncio.wait({task}, timeout=_DEFER_AFTER)
    if not finished:
        await interaction.response.defer(ephemeral=ephemeral, thinking=anew)
    while progress is not None and not finished:
        finished, _ = await asyncio.wait({task}, timeout=_TOLD_EVERY)
        if not finished:
            await _tell_progress(interaction, progress)
    return await asyncio.shield(task)


async def _tell_progress(interaction: discord.Interaction[Parlour], progress: Progress) -> None:
    try:
        await interaction.edit_original_response(
            content=f"Rating games again: {progress.percent} % …", view=None
        )
    except discord.HTTPException as error:
        # The answer itself comes with the result.
        _log.info("progress could not be shown: %s", error)


async def answer(
    interaction: discord.Interaction[Parlour],
    content: str,
    *,
    view: discord.ui.View | None = None,
    files: Sequence[discord.File] = (),
    ephemeral: bool = False,
) -> None:
    """Answer a command, first or after a deferral."""
    view = view or new_view()
    if interaction.response.is_done():
        await interaction.edit_original_response(content=content, view=view, attachments=files)
    else:
        await interaction.response.send_message(
            content, view=view, files=list(files), ephemeral=ephemeral
        )


async def edit(
    interaction: discord.Interaction[Parlour], content: str, view: discord.ui.View | None = None
) -> None:
    """Answer a press by showing something else in its message."""
    view = view or new_view()
    if interaction.response.is_done():
        await interaction.edit_original_response(content=content, view=view, attachments=[])
    else:
        await interaction.response.edit_message(content=content, view=view, attachments=[])


async def answer_with_game(interaction: discord.Interaction[Parlour], view: GameView) -> None:
    """Answer a command with a game's message, and have an older message of it step back.

    Where Discord does not take the answer, the outbox shows the game.
    """
    client = interaction.client
    message = game_message(view)
    try:
        if interaction.response.is_done():
            sent = await interaction.edit_original_response(
                content=message.content,
                view=message.view(),
                allowed_mentions=message.allowed_mentions(),
            )
            message_id = sent.id
        else:
            response = await interaction.response.send_message(
                message.content,
                view=message.view(),
                allowed_mentions=message.allowed_mentions(),
            )
            message_id = response.message_id
    except discord.HTTPException as error:
        await _left_to_outbox(client, error)
        return
    assert message_id is not None
    assert interaction.channel_id is not None
    channel = ChannelId(interaction.channel_id)
    await message_posted(client.ledger, view, channel, MessageId(message_id))
    if view.game.message is not None:
        await retire_message(client, view)


async def tell_everybody(interaction: discord.Interaction[Parlour], view: GameView) -> None:
    """Answer a press in a message that one person sees with a game's message for everybody."""
    await answer_with_game(interaction, view)
    if interaction.message is not None and interaction.message.flags.ephemeral:
        await interaction.followup.edit_message(
            interaction.message.id, content=f"Done: see **#{view.game.number}**.", view=None
        )


def form_values(interaction: discord.Interaction[Parlour]) -> tuple[str, dict[str, str]]:
    """Return a form's custom id and what was written or chosen, by its fields' custom ids.

    Both are empty where the interaction is no form.
    """
    if interaction.type is not discord.InteractionType.modal_submit:
        return "", {}
    data = cast("dict[str, Any]", interaction.data)
    fields = [label["component"] for label in data["components"] if "component" in label]
    return data["custom_id"], {
        field["custom_id"]: field.get("value") or "".join(field.get("values", ()))
        for field in fields
    }


async def edit_game(interaction: discord.Interaction[Parlour], view: GameView) -> None:
    """Answer a press by showing the game's newest state in its message."""
    message = game_message(view)
    try:
        if interaction.response.is_done():
            await interaction.edit_original_response(content=message.content, view=message.view())
        else:
            await interaction.response.edit_message(content=message.content, view=message.view())
    except discord.HTTPException as error:
        await _left_to_outbox(interaction.client, error)
        return
    if view.anew:
        interaction.client.wake.set()
    else:
        await message_edited(interaction.client.ledger, view)


async def _left_to_outbox(client: Parlour, error: discord.HTTPException) -> None:
    # Acknowledged: the answer had gone through and its confirmation was lost.
    level = logging.INFO if error.code == _ALREADY_ACKNOWLEDGED else logging.WARNING
    _log.log(level, "an answer was not taken, the outbox will show it: %s", error)
    client.wake.set()
