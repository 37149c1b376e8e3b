"""Which rating systems there are, and how to make one with a room's settings."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, NamedTuple

from bot.errors import InvalidSetting, UnknownSystem
from bot.ratings import cif, ecf, game_room
from bot.ratings.cif import ChessInFriendship
from bot.ratings.ecf import Ecf
from bot.ratings.eternament import Eternament
from bot.ratings.game_room import GameRoom
from bot.ratings.simplified_elo import SimplifiedElo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.ratings.system import RatingSystem, Setting


class _Settings:
    """A room's settings of one system, each read as what it must be."""

    def __init__(self, known: tuple[Setting, ...], given: Mapping[str, str]) -> None:
        self._known = {setting.name: setting for setting in known}
        self._given = given
        for name in given:
            if name not in self._known:
                raise self._invalid(name)

    def number(self, name: str, low: int, high: int, quantum: Decimal) -> Decimal:
        """Return a setting that is a number within limits and no finer than a quantum."""
        try:
            number = Decimal(self._text(name))
            # A comparison with what is no number raises, as does too long a number.
            if low <= number <= high and number == number.quantize(quantum):
                return number
        except InvalidOperation:
            pass
        raise self._invalid(name)

    def switch(self, name: str) -> bool:
        """Return a setting that is `on` or `off`."""
        text = self._text(name)
        if text not in {"on", "off"}:
            raise self._invalid(name)
        return text == "on"

    def _text(self, name: str) -> str:
        return self._given.get(name, self._known[name].default).strip()

    def _invalid(self, name: str) -> InvalidSetting:
        allowed = [f"{each.name}: {each.values}" for each in self._known.values()]
        return InvalidSetting(name, self._given[name], allowed)


class _Entry(NamedTuple):
    """A system: what can be set about it, and how it is made."""

    settings: tuple[Setting, ...]
    make: Callable[[_Settings], RatingSystem]


def _eternament(_settings: _Settings) -> RatingSystem:
    return Eternament()


def _game_room(settings: _Settings) -> RatingSystem:
    return GameRoom(settings.number("start", 1, 10_000, game_room.QUANTUM))


def _ecf(settings: _Settings) -> RatingSystem:
    return Ecf(settings.number("start", 0, 10_000, Decimal(1)))


def _cif(settings: _Settings) -> RatingSystem:
    start = settings.number("start", 1, 10_000, cif.QUANTUM)
    return ChessInFriendship(start, recalculation=settings.switch("recalculation"))


def _simplified_elo(_settings: _Settings) -> RatingSystem:
    return SimplifiedElo()


_SYSTEMS = {
    "eternament": _Entry((), _eternament),
    "game-room": _Entry((game_room.START,), _game_room),
    "simplified-elo": _Entry((), _simplified_elo),
    "ecf": _Entry((ecf.START,), _ecf),
    "cif": _Entry((cif.START, cif.RECALCULATION), _cif),
}


def system_keys() -> tuple[str, ...]:
    """Return the keys of all systems."""
    return tuple(_SYSTEMS)


def settings_of(key: str) -> tuple[Setting, ...]:
    """Return what can be set about a system.

    Raises:
        UnknownSystem: There is no such system.
    """
    if key not in _SYSTEMS:
        raise UnknownSystem(key, system_keys())
    return _SYSTEMS[key].settings


def make_system(key: str, settings: Mapping[str, str]) -> RatingSystem:
    """Return a system with a room's settings, the others as usual.

    Raises:
        UnknownSystem: There is no such system.
        InvalidSetting: The system has no such setting, or not with that value.
    """
    known = settings_of(key)
    return _SYSTEMS[key].make(_Settings(known, settings))


def suitable_systems(players: int, *, has_scores: bool) -> tuple[str, ...]:
    """Return the keys of the systems that can rate a game like this.

    Args:
        players: How many take part.
        has_scores: Whether everybody has a score.
    """
    systems = (make_system(key, {}) for key in _SYSTEMS)
    return tuple(
        system.key
        for system in systems
        if players in system.players and (has_scores or not system.needs_scores)
    )
