"""Forgetting a person: what it does, and the press that does it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from bot.display.components import new_view

if TYPE_CHECKING:
    from bot.services.forget_person import Forgetting

FORGET = re.compile(r"forget:me")


def forget_preview_text(forgetting: Forgetting) -> str:
    """Return what forgetting would do."""
    if not forgetting.games:
        return (
            "All that is known of you in this server would be deleted, for good. You stand in no "
            "game here."
        )
    games = "1 game" if forgetting.games == 1 else f"{forgetting.games} games"
    return (
        f"In {games} that others still need, **{forgetting.pseudonym}** would stand in place of "
        "your name, and nothing would say who that was. Nobody's rating changes, yours stays with "
        "the pseudonym, and what waits for your answer waits for others. If you play here again, "
        "you begin anew. **This cannot be taken back**, and it holds for this server alone. "
        "Backups that the bot's owner made keep your name until they are deleted."
    )


def forget_button() -> discord.ui.View:
    """Return the button that forgets."""
    view = new_view()
    view.add_item(
        discord.ui.Button(
            label="Forget me for good", style=discord.ButtonStyle.danger, custom_id="forget:me"
        )
    )
    return view


def forgotten_text(forgetting: Forgetting) -> str:
    """Return what forgetting did."""
    if not forgetting.games:
        return "Done: nothing here knows you any more."
    return (
        f"Done: you are **{forgetting.pseudonym}** in your old games. Their messages follow within "
        "some minutes."
    )
