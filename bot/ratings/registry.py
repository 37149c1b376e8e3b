"""Which rating systems there are, and how to make one with a room's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import InvalidSetting, UnknownSystem
from bot.ratings.eternament import Eternament
from bot.ratings.simplified_elo import SimplifiedElo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.ratings.system import RatingSystem, Setting

_SETTINGS: dict[str, tuple[Setting, ...]] = {"eternament": (), "simplified-elo": ()}


def system_keys() -> tuple[str, ...]:
    """Return the keys of all systems."""
    return tuple(_SETTINGS)


def settings_of(key: str) -> tuple[Setting, ...]:
    """Return what can be set about a system.

    Raises:
        UnknownSystem: There is no such system.
    """
    if key not in _SETTINGS:
        raise UnknownSystem(key, system_keys())
    return _SETTINGS[key]


def make_system(key: str, settings: Mapping[str, str]) -> RatingSystem:
    """Return a system with a room's settings, the others as usual.

    Raises:
        UnknownSystem: There is no such system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    known = settings_of(key)
    for name, value in settings.items():
        if all(setting.name != name for setting in known):
            raise InvalidSetting(name, value, [f"{each.name}: {each.values}" for each in known])
    return Eternament() if key == "eternament" else SimplifiedElo()
