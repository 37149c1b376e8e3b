"""What is wrong with the settings is said at once, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.settings import InvalidSettings, Settings, check_settings, read_environment

if TYPE_CHECKING:
    from pathlib import Path


def test_only_the_token_is_needed() -> None:
    settings = check_settings({"DISCORD_TOKEN": "secret"})
    assert settings == Settings("secret", "sqlite:///parlour.db", "INFO")
    assert "secret" not in repr(settings)


def test_everything_wrong_is_listed() -> None:
    with pytest.raises(InvalidSettings) as refusal:
        check_settings(
            {"DISCORD_TOKN": "secret", "LOG_LEVEL": "loud", "TIMER_SECONDS": "1.5", "HOME": "/"}
        )
    assert refusal.value.faults == (
        "DISCORD_TOKN is not a setting: did you mean DISCORD_TOKEN?",
        "DISCORD_TOKEN is missing: copy it from https://discord.com/developers into .env",
        "LOG_LEVEL is LOUD, and must be one of DEBUG, INFO, WARNING, ERROR",
        "TIMER_SECONDS is 1.5, and must be a whole number from 1 to 3600",
    )


def test_the_environment_overrules_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=file\nLOG_LEVEL=DEBUG\n", "utf-8")
    values = read_environment(file, {"DISCORD_TOKEN": "environment"})
    assert check_settings(values) == Settings("environment", log_level="DEBUG")
