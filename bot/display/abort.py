"""What somebody sees before an abort is sealed, and the buttons to go on."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import discord
from discord import ButtonStyle

from bot.display.components import new_view
from bot.display.game_buttons import GameButton, uncounted_button
from bot.display.game_changes import change_text
from bot.display.game_message import names_of, standing_text
from bot.display.packing import PACKED_USERS, packed
from bot.display.text import listed, plain, safe
from bot.errors import Refusal, RequestRefused
from bot.standings_text import Stated, by_places, by_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import GameRecord, Participant, UserId
    from bot.services.abort_game import AbortPreview

SEAL = re.compile(r"abort:seal:(?P<game>[0-9]+):(?P<version>[0-9]+):(?P<stated>[sp0-9,.\-]*)")
SEAL_UNOPENED = re.compile(
    rf"abort:new:(?P<room>[0-9]+):(?P<users>{PACKED_USERS}):(?P<stated>[sp0-9,.\-]*)"
)
WHICH = re.compile(r"abort:which")
_LONGEST_ID = 100
_LONGEST_MENU = 25


def preview_text(preview: AbortPreview) -> str:
    """Return what an abort would do."""
    game = preview.game
    which = f"#{game.number}" if game.number else "This game"
    if not preview.results:
        return (
            f"**{which}**, {names_of(game)}: no score or standing was recorded. "
            "If you abort it, nobody's rating changes and it counts as no game."
        )
    said = "as you say" if preview.is_stated else "as recorded"
    lines = [f"**{which}** {said}: {standing_text(game, preview.results)}. If you abort it:"]
    for change in preview.changes:
        is_aborter = change.player == preview.aborter.id
        name = "You" if is_aborter else safe(game.player(change.player).name)
        moved = change_text(change, preview.event_kind, preview.change_quantum)
        lines.append(f"• {name}: {moved}")
    lines.append("Who aborts gains nothing, the others lose nothing; it counts as a game played.")
    if preview.needs_referee:
        lines.append("A referee must confirm it first.")
    elif preview.asked:
        asked = listed([safe(player.name) for player in preview.asked])
        lines.append(f"{asked} will be asked whether that was the standing.")
    return "\n".join(lines)


def preview_buttons(preview: AbortPreview) -> tuple[GameButton, ...]:
    """Return the buttons to go on with an abort, or to agree that the game does not count.

    Raises:
        RequestRefused: What is stated is too long for a button to carry.
    """
    game = preview.game
    stated = _written(preview.results) if preview.is_stated else ""
    if game.number:
        custom_id = f"abort:seal:{game.id}:{game.version}:{stated}"
    else:
        others = [player.user for player in game.players if player.id != preview.aborter.id]
        users = packed([user for user in others if user is not None])
        custom_id = f"abort:new:{game.room}:{users}:{stated}"
    if len(custom_id) > _LONGEST_ID:
        raise RequestRefused(Refusal.STATED_TOO_LONG)
    label = f"Abort #{game.number}" if game.number else "Abort this game"
    seal = GameButton(custom_id, label, ButtonStyle.danger)
    return (seal, uncounted_button(game)) if game.number else (seal,)


def which_menu(games: Sequence[GameRecord], user: UserId) -> discord.ui.View:
    """Return a menu of the games that somebody may mean.

    Args:
        games: Those games, the newest first.
        user: Who aborts.
    """
    menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        custom_id="abort:which", placeholder="Which game?"
    )
    for game in games[:_LONGEST_MENU]:
        others = [plain(player.name) for player in game.players if player.user != user]
        label = f"#{game.number} with {listed(others)}"[:100]
        menu.add_option(label=label, value=str(game.id))
    view = new_view()
    view.add_item(menu)
    return view


def read_written(text: str, users: Sequence[UserId]) -> tuple[Stated, ...] | None:
    """Return what a button carries of how a game stands, None for nothing.

    Args:
        text: What it carries.
        users: The participants in the order of their seats.
    """
    if not text:
        return None
    values = text[1:].split(",")
    if text.startswith("s"):
        return by_scores(users, [Decimal(value) for value in values])
    return by_places(users, [int(value) for value in values])


def _written(results: Sequence[Participant]) -> str:
    """Return how a game stands so short that a button can carry it, in the order of the seats."""
    if all(each.score is not None for each in results):
        return "s" + ",".join(f"{each.score:f}" for each in results if each.score is not None)
    return "p" + ",".join(str(each.placing) for each in results)
