"""Every published value is looked at by some test: a new one in the file must get one."""

from __future__ import annotations

from typing import Any

LOOKED_AT = {
    "eternament": {"games": 9, "end_to_end": 6, "negative_controls": 1},
    "game-room": {"bracket": 9, "games": 13, "abort": 5},
    "simplified-elo": {"table": 9, "games": 7, "tournament": 7, "disagreements": 3},
    "ecf": {"points": 20, "new_player": 3, "season": 3, "window_2015": 8, "category_2020": 12},
    "cif": {"games": 21},
}
"""The sections that the tests beside this one go through, and how much is in each."""

NO_RULE = {"rules", "category_provenance", "conversion"}
"""The rules in words, where they are from, and a scale that no rule of the five systems uses."""


def test_every_vector_is_looked_at(vectors: dict[str, Any]) -> None:
    found = {
        system: {name: len(section) for name, section in sections.items() if name not in NO_RULE}
        for system, sections in vectors.items()
        if system != "meta"
    }
    assert found == LOOKED_AT


def test_the_scale_of_grades_is_a_straight_line(vectors: dict[str, Any]) -> None:
    for pair in vectors["ecf"]["conversion"]:
        assert pair["elo"] == 700 + 7.5 * pair["ecf"]
