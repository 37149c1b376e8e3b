"""What the owner sets: the environment and `.env` become one frozen value, checked at start."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dotenv import dotenv_values

from bot.errors import ParlourError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DISCORD_API = "https://discord.com/api/v10"

_KNOWN = ("DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL", "DISCORD_API_BASE", "TIMER_SECONDS")
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_CLOSE = 0.8
_LONGEST_WAIT = 3_600


class InvalidSettings(ParlourError):
    """Something is wrong with the settings: one line a fault."""

    def __init__(self, faults: list[str]) -> None:
        """Remember every fault, each in plain words."""
        super().__init__(*faults)
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the owner set.

    Attributes:
        token: The bot's token; never printed.
        database_url: Where the ledger is.
        log_level: From which level on to log.
        api_base: The address of Discord, or of something that speaks like it.
        timer_seconds: The longest pause between two looks at what is due.
    """

    token: str
    database_url: str = "sqlite:///parlour.db"
    log_level: str = "INFO"
    api_base: str = DISCORD_API
    timer_seconds: int = 30

    def __repr__(self) -> str:
        """Return everything but the token."""
        return f"Settings(database_url={self.database_url!r}, api_base={self.api_base!r})"


def read_environment(file: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what `.env` says, overruled by the environment."""
    from_file = {name: value or "" for name, value in dotenv_values(file).items()}
    return {**from_file, **environment}


def check_settings(values: Mapping[str, str]) -> Settings:
    """Return the settings.

    Args:
        values: By the names of the variables; others than ours are ignored, unless one looks
            like a slip of ours.

    Raises:
        InvalidSettings: With everything that is wrong, at once.
    """
    faults = [
        f"{name} is not a setting: did you mean {close[0]}?"
        for name in sorted(values)
        if name not in _KNOWN
        and (close := difflib.get_close_matches(name.upper(), _KNOWN, 1, _CLOSE))
        and not values.get(close[0])
    ]
    token = values.get("DISCORD_TOKEN", "").strip()
    if not token:
        faults.append(
            "DISCORD_TOKEN is missing: copy it from https://discord.com/developers into .env"
        )
    level = (values.get("LOG_LEVEL") or "INFO").upper()
    if level not in _LEVELS:
        faults.append(f"LOG_LEVEL is {level}, and must be one of {', '.join(_LEVELS)}")
    url = values.get("DATABASE_URL") or "sqlite:///parlour.db"
    if not url.startswith("sqlite:///"):
        faults.append("DATABASE_URL must look like sqlite:///parlour.db")
    api_base = values.get("DISCORD_API_BASE") or DISCORD_API
    if not re.match(r"https?://[^/\s]+", api_base):
        faults.append(f"DISCORD_API_BASE is {api_base}, and must begin with https://")
    seconds = values.get("TIMER_SECONDS") or "30"
    if not (seconds.isascii() and seconds.isdigit() and 1 <= int(seconds) <= _LONGEST_WAIT):
        faults.append(f"TIMER_SECONDS is {seconds}, and must be a whole number from 1 to 3600")
    if faults:
        raise InvalidSettings(faults)
    return Settings(token, url, level, api_base.rstrip("/"), int(seconds))
