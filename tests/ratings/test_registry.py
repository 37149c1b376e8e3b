"""Making the systems with a room's settings."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bot.errors import InvalidSetting, UnknownSystem
from bot.ratings.registry import make_system, settings_of, suitable_systems, system_keys


def test_each_system_has_its_key_and_its_settings_have_sound_defaults() -> None:
    for key in system_keys():
        defaults = {setting.name: setting.default for setting in settings_of(key)}
        assert make_system(key, defaults).key == key
        assert make_system(key, defaults).start == make_system(key, {}).start


def test_an_unknown_system_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownSystem) as refusal:
        make_system("elo", {})
    assert refusal.value.known == system_keys()


def test_a_start_can_be_set() -> None:
    assert make_system("game-room", {"start": "1200.5"}).start.rating == Decimal("1200.5")


@pytest.mark.parametrize(
    "value", ["", "many", "nan", "inf", "0", "10001", "1.0000001", "1e999999", "-1", "9" * 5000]
)
def test_a_wrong_value_is_refused_with_the_right_ones(value: str) -> None:
    with pytest.raises(InvalidSetting) as refusal:
        make_system("game-room", {"start": value})
    assert refusal.value.value == value
    assert refusal.value.allowed == ("start: a number from 1 to 10000, with at most six decimals",)


def test_a_switch_is_on_or_off() -> None:
    make_system("cif", {"recalculation": "off", "start": "1200.25"})
    with pytest.raises(InvalidSetting) as refusal:
        make_system("cif", {"recalculation": "yes"})
    assert refusal.value.allowed == (
        "start: a number from 1 to 10000, with at most two decimals",
        "recalculation: on or off",
    )


def test_an_unknown_setting_is_refused_with_the_right_ones() -> None:
    with pytest.raises(InvalidSetting) as refusal:
        make_system("game-room", {"begin": "1500"})
    assert refusal.value.name == "begin"
    assert len(refusal.value.allowed) == 1


def test_which_systems_suit_a_game() -> None:
    assert suitable_systems(2, has_scores=True) == system_keys()
    assert set(suitable_systems(3, has_scores=True)) == {"game-room", "simplified-elo"}
    assert suitable_systems(5, has_scores=True) == ("simplified-elo",)
    assert "game-room" not in suitable_systems(2, has_scores=False)
    assert suitable_systems(1, has_scores=True) == ()
