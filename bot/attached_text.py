"""The text of files that people send, plain or compressed as a large export is."""

from __future__ import annotations

import asyncio
import zlib
from typing import TYPE_CHECKING

from bot.errors import Refusal, RequestRefused

if TYPE_CHECKING:
    import discord

_LARGEST_FILE = 25_000_000
"""Bytes of a file that somebody sends."""
_LARGEST_TEXT = 200_000_000
"""Bytes of its text: three million games."""
_GZIP = 16 + zlib.MAX_WBITS


async def text_of(file: discord.Attachment) -> str:
    """Return the text of a file that somebody sent.

    Raises:
        RequestRefused: It is too large, or no text.
    """
    if file.size > _LARGEST_FILE:
        raise RequestRefused(Refusal.FILE_TOO_LARGE, file.filename)
    content = await file.read()
    try:
        return await asyncio.to_thread(_text, file.filename, content)
    except (UnicodeDecodeError, zlib.error) as error:
        raise RequestRefused(Refusal.FILE_NO_TEXT, file.filename) from error


def _text(name: str, content: bytes) -> str:
    if name.endswith(".gz"):
        # A small file may unpack to more than there is memory.
        unpacking = zlib.decompressobj(_GZIP)
        content = unpacking.decompress(content, _LARGEST_TEXT)
        if unpacking.unconsumed_tail:
            raise RequestRefused(Refusal.FILE_TOO_LARGE, name)
    return content.decode("utf-8-sig")
