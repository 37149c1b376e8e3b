"""How well each rating system would have predicted a room's games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.display.text import safe, table
from bot.ratings.comparison import FEWEST_PAIRS

if TYPE_CHECKING:
    from bot.ratings.comparison import Prediction
    from bot.services.compare_systems import Comparison


_LEGEND = (
    "Won: of the decided games between differently rated players, of {} in all. Error: mean "
    "squared error of the expected score on the later half of the games, with a curve fitted to "
    "the earlier half; smaller is better, and a coin has 0.250. Small differences say little. "
    "`/room edit system:` shows what a change does."
)


def comparison_text(comparison: Comparison) -> str:
    """Return the systems, the best prediction first, and how to read the numbers."""
    _, first = comparison.predictions[0]
    name = safe(comparison.room.name)
    if all(each.error is None for _, each in comparison.predictions):
        return (
            f"**{name}** has too few games to compare rating systems by: {first.pairs} of "
            f"{2 * FEWEST_PAIRS}, a game of three and more counting once for every two players."
        )
    rows = [
        (_key(comparison, key), key, _share(each), _error(each))
        for key, each in comparison.predictions
    ]
    return "\n".join(
        (
            f"How well each system's ratings before a game tell how it ends, in **{name}**:",
            table(rows, ("", "System", "Higher rated won", "Error")),
            _LEGEND.format(first.pairs),
        )
    )


def _key(comparison: Comparison, key: str) -> str:
    return "•" if key == comparison.room.system else ""


def _share(prediction: Prediction) -> str:
    if not prediction.decisive:
        return "–"
    return f"{100 * prediction.to_higher / prediction.decisive:.0f} % of {prediction.decisive}"


def _error(prediction: Prediction) -> str:
    return "–" if prediction.error is None else f"{prediction.error:.3f}"
