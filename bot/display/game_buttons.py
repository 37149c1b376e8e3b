"""The buttons under a game's message: what is written in them and what they stand for.

A button carries the game's id and the version of the claim that it belongs to, so that it outlives
restarts and can never answer a claim that its reader did not see.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import discord
from discord import ButtonStyle

from bot.display.components import new_view
from bot.display.text import outcome_for, plain, score_line
from bot.model import Answer, ClaimKind, Confirmation, Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import Claim, GameId, GameRecord
    from bot.services.game_view import GameView


class ClaimPress(StrEnum):
    """What a press says about a claim."""

    CONFIRM = "confirm"
    WRONG = "wrong"
    NOT_PLAYED = "not-played"
    WITHDRAW = "withdraw"
    ANNUL = "annul"


class PlayPress(StrEnum):
    """What a press does to a game that is not settled."""

    SCORE = "score"
    REPORT = "report"
    ABORT = "abort"
    AGREE = "agree"
    UNCOUNTED = "uncounted"
    KEEP_OPEN = "keep-open"


class GameButton(NamedTuple):
    """A button.

    Attributes:
        custom_id: What Discord hands back at a press; the patterns below read it.
        label: What is written on it.
        style: Its colour.
    """

    custom_id: str
    label: str
    style: ButtonStyle


CLAIM = re.compile(
    r"game:(?P<press>confirm|wrong|not-played|withdraw|annul):(?P<game>[0-9]+):(?P<version>[0-9]+)"
)
PLAY = re.compile(
    r"play:(?P<press>score|report|agree|uncounted|keep-open):(?P<game>[0-9]+):(?P<version>[0-9]+)"
)
ABORT = re.compile(r"play:abort:(?P<game>[0-9]+):(?P<version>[0-9]+)")
WHY = re.compile(r"why:(?P<game>[0-9]+)")
_LONGEST_LABEL = 80


def claim_id(press: ClaimPress, game: GameId, version: int) -> str:
    """Return what stands for an answer to a version of a game's claim; `CLAIM` reads it."""
    return f"game:{press}:{game}:{version}"


def play_id(press: PlayPress, game: GameId, version: int) -> str:
    """Return what stands for a press on a game under way; `PLAY` and `ABORT` read it."""
    return f"play:{press}:{game}:{version}"


def view_of(buttons: Sequence[GameButton]) -> discord.ui.View:
    """Return buttons as Discord wants them; presses are handled by their custom ids."""
    view = new_view()
    for button in buttons:
        view.add_item(
            discord.ui.Button(label=button.label, style=button.style, custom_id=button.custom_id)
        )
    return view


def buttons_of(view: GameView) -> tuple[GameButton, ...]:
    """Return the buttons of a game as it stands."""
    game = view.game
    claim = game.claim
    match game.status:
        case Status.OPEN:
            return _while_open(game)
        case Status.REPORTED if claim is not None and claim.kind is ClaimKind.ABORT:
            return _while_abort_waits(view, claim)
        case Status.REPORTED if claim is not None:
            return _while_reported(view, claim)
        case Status.DISPUTED if claim is not None:
            return _while_disputed(game, claim)
        case Status.RATED | Status.ABORTED if view.changes:
            return (GameButton(f"why:{game.id}", "Why?", ButtonStyle.secondary),)
        case _:
            return ()


def uncounted_button(game: GameRecord) -> GameButton:
    """Return the button by which a participant says that a game should not count."""
    return GameButton(
        play_id(PlayPress.UNCOUNTED, game.id, game.version),
        "We agree not to count it",
        ButtonStyle.secondary,
    )


def _while_open(game: GameRecord) -> tuple[GameButton, ...]:
    def button(press: PlayPress, label: str, style: ButtonStyle) -> GameButton:
        return GameButton(play_id(press, game.id, game.version), label, style)

    buttons = [
        button(PlayPress.SCORE, "Score", ButtonStyle.primary),
        button(PlayPress.REPORT, "Report", ButtonStyle.success),
        button(PlayPress.ABORT, "Abort", ButtonStyle.danger),
    ]
    standing = game.standing
    if standing is not None and not _is_agreed_by_all(game, standing):
        agree = play_id(PlayPress.AGREE, game.id, standing.version)
        buttons.insert(1, GameButton(agree, "That is how it stands", ButtonStyle.secondary))
    if game.asked_at is not None:
        buttons.insert(0, button(PlayPress.KEEP_OPEN, "Still playing", ButtonStyle.success))
    if game.uncounted_by:
        buttons.append(uncounted_button(game))
    return tuple(buttons)


def _is_agreed_by_all(game: GameRecord, standing: Claim) -> bool:
    return all(
        player.id == standing.author or standing.answers.get(player.id) is Answer.CONFIRM
        for player in game.players
    )


def _while_abort_waits(view: GameView, claim: Claim) -> tuple[GameButton, ...]:
    game = view.game
    if view.room.confirmation is Confirmation.REFEREE:
        accept = "Accept as referee"
    else:
        accept = f"Accept {_own_score(game, claim)}".strip()
    return (
        GameButton(claim_id(ClaimPress.CONFIRM, game.id, claim.version), accept, _YES),
        GameButton(claim_id(ClaimPress.WRONG, game.id, claim.version), "Dispute", _NO),
        GameButton(claim_id(ClaimPress.WITHDRAW, game.id, claim.version), "Withdraw", _QUIET),
        uncounted_button(game),
    )


def _while_reported(view: GameView, claim: Claim) -> tuple[GameButton, ...]:
    game = view.game
    if view.room.confirmation is Confirmation.REFEREE:
        confirm = "Confirm as referee"
    else:
        confirm = _yes(game, claim)
    return (
        GameButton(claim_id(ClaimPress.CONFIRM, game.id, claim.version), confirm, _YES),
        GameButton(claim_id(ClaimPress.WRONG, game.id, claim.version), "Wrong result", _NO),
        GameButton(claim_id(ClaimPress.NOT_PLAYED, game.id, claim.version), "We did not play", _NO),
        GameButton(claim_id(ClaimPress.WITHDRAW, game.id, claim.version), "Withdraw", _QUIET),
    )


def _while_disputed(game: GameRecord, claim: Claim) -> tuple[GameButton, ...]:
    # Of one author's versions only the last is still meant.
    meant = {each.author: each for each in game.claims if each.kind is not ClaimKind.STANDING}
    return (
        *(
            GameButton(
                claim_id(ClaimPress.CONFIRM, game.id, each.version),
                f"{plain(game.player(each.author).name)} is right",
                _YES,
            )
            for each in meant.values()
        ),
        GameButton(claim_id(ClaimPress.ANNUL, game.id, claim.version), "Does not count", _NO),
        GameButton(claim_id(ClaimPress.WITHDRAW, game.id, claim.version), "Withdraw", _QUIET),
        uncounted_button(game),
    )


_YES, _NO, _QUIET = ButtonStyle.success, ButtonStyle.danger, ButtonStyle.secondary


def _yes(game: GameRecord, claim: Claim) -> str:
    others = [player for player in game.players if player.id != claim.author]
    if len(others) > 1:
        return "Yes, that is right"
    (other,) = others
    words = {Outcome.WIN: "I won", Outcome.DRAW: "we drew", Outcome.LOSS: "I lost"}
    score = score_line(claim.results, other.id)
    text = f"Yes, {words[outcome_for(claim.results, other.id)]} {score}"
    return text.strip()[:_LONGEST_LABEL]


def _own_score(game: GameRecord, claim: Claim) -> str:
    others = [player for player in game.players if player.id != claim.author]
    return score_line(claim.results, others[0].id) if len(others) == 1 else ""
