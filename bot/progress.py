"""How far long work has come, for those who wait for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """Work under way: whoever does it counts, whoever waits looks.

    Attributes:
        done: How much is done.
        total: How much there is, 0 while that is not known.
    """

    done: int = 0
    total: int = 0

    @property
    def percent(self) -> int:
        """How much of the work is done, 0 to 100."""
        return 100 * self.done // self.total if self.total else 0
