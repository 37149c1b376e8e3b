"""Buttons that any process of the bot can answer, whichever of them posted the message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.error_reply import answered

if TYPE_CHECKING:
    from bot.client import Parlour


class Press(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile(r"(?!)")
):
    """A press on a button whose custom id says all; each kind has a template of its own."""

    def __init__(self, match: re.Match[str]) -> None:
        """Stand for a button.

        Args:
            match: Its custom id, as the template reads it.
        """
        super().__init__(discord.ui.Button(label="…", custom_id=match.string))
        self.match = match

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read what Discord handed back."""
        del interaction, item
        return cls(match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the button says, or tell the person what is wrong."""
        await answered(interaction, self.do(interaction))

    async def do(self, interaction: discord.Interaction[Parlour]) -> None:
        """Do what the button says."""
        raise NotImplementedError
