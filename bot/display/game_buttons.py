"""The buttons under a game's message: what is written in them and what they stand for.

A button carries the game's id and the version of the claim that it belongs to, so that it outlives
restarts and can never answer a claim that its reader did not see.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from discord import ButtonStyle

from bot.display.text import outcome_for, plain, score_line
from bot.model import ClaimKind, Confirmation, GameId, Outcome, Status

if TYPE_CHECKING:
    from bot.model import Claim, GameRecord
    from bot.services.game_view import GameView


class Press(StrEnum):
    """What a press means."""

    CONFIRM = "confirm"
    WRONG = "wrong"
    NOT_PLAYED = "not-played"
    WITHDRAW = "withdraw"
    ANNUL = "annul"


class GameButton(NamedTuple):
    """A button of a game's message."""

    press: Press
    game: GameId
    version: int
    label: str
    style: ButtonStyle

    @property
    def custom_id(self) -> str:
        """What Discord hands back at a press; `PATTERN` reads it."""
        return f"game:{self.press}:{self.game}:{self.version}"


PATTERN = re.compile(
    r"game:(?P<press>confirm|wrong|not-played|withdraw|annul):(?P<game>[0-9]+):(?P<version>[0-9]+)"
)
_LONGEST_LABEL = 80


def buttons_of(view: GameView) -> tuple[GameButton, ...]:
    """Return the buttons of a game as it stands, none where it is settled."""
    game = view.game
    claim = game.claim
    if claim is None:
        return ()
    if game.status is Status.REPORTED:
        return _while_reported(view, claim)
    if game.status is Status.DISPUTED:
        return _while_disputed(game, claim)
    return ()


def _while_reported(view: GameView, claim: Claim) -> tuple[GameButton, ...]:
    game = view.game
    if view.room.confirmation is Confirmation.REFEREE:
        confirm = "Confirm as referee"
    else:
        confirm = _yes(game, claim)
    return (
        GameButton(Press.CONFIRM, game.id, claim.version, confirm, ButtonStyle.success),
        GameButton(Press.WRONG, game.id, claim.version, "Wrong result", ButtonStyle.danger),
        GameButton(Press.NOT_PLAYED, game.id, claim.version, "We did not play", ButtonStyle.danger),
        GameButton(Press.WITHDRAW, game.id, claim.version, "Withdraw", ButtonStyle.secondary),
    )


def _while_disputed(game: GameRecord, claim: Claim) -> tuple[GameButton, ...]:
    disputed = [each for each in game.claims if each.kind is not ClaimKind.STANDING]
    # Of one author's versions only the last is still meant.
    meant = {each.author: each for each in disputed}
    accept = [
        GameButton(
            Press.CONFIRM,
            game.id,
            each.version,
            f"{plain(game.player(each.author).name)} is right",
            ButtonStyle.success,
        )
        for each in meant.values()
    ]
    return (
        *accept,
        GameButton(Press.ANNUL, game.id, claim.version, "Does not count", ButtonStyle.danger),
        GameButton(Press.WITHDRAW, game.id, claim.version, "Withdraw", ButtonStyle.secondary),
    )


def _yes(game: GameRecord, claim: Claim) -> str:
    others = [player for player in game.players if player.id != claim.author]
    if len(others) > 1:
        return "Yes, that is right"
    (other,) = others
    words = {Outcome.WIN: "I won", Outcome.DRAW: "we drew", Outcome.LOSS: "I lost"}
    score = score_line(claim.results, other.id)
    text = f"Yes, {words[outcome_for(claim.results, other.id)]} {score}"
    return text.strip()[:_LONGEST_LABEL]
