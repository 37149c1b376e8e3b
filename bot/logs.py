"""Logging to standard error, where no line ever holds the token."""

from __future__ import annotations

import logging
import sys

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


class _WithoutSecret(logging.Formatter):
    def __init__(self, secret: str) -> None:
        super().__init__(_FORMAT)
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """Return the finished line, traceback included, with the secret blotted out."""
        return super().format(record).replace(self._secret, "[token]")


def set_up_logging(level: str, secret: str) -> None:
    """Log from a level on.

    Args:
        level: `DEBUG`, `INFO`, `WARNING` or `ERROR`.
        secret: What must appear in no line; not empty.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_WithoutSecret(secret))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # discord.py logs each rate limit that it waits out.
    logging.getLogger("discord").setLevel(max(logging.INFO, root.level))
