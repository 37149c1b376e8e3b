"""A game's message: what is claimed, what is awaited, and what it did to the ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.game_buttons import GameButton, buttons_of
from bot.display.text import number, outcome_for, safe, score_line, signed
from bot.model import Answer, Cause, Confirmation, EventKind, Outcome, Status, UserId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import Claim, GameRecord, Participant, RatingChange
    from bot.services.game_view import GameView

_SHOWN_ADJUSTMENTS = 8


@dataclass(frozen=True, slots=True)
class GameMessage:
    """What to send or to edit.

    Attributes:
        content: The text.
        buttons: Under it.
        pings: Whom a new message may notify.
    """

    content: str
    buttons: tuple[GameButton, ...]
    pings: tuple[UserId, ...]

    def view(self) -> discord.ui.View:
        """Return the buttons as Discord wants them; presses are handled by their custom ids."""
        view = discord.ui.View(timeout=None)
        for button in self.buttons:
            view.add_item(
                discord.ui.Button(
                    label=button.label, style=button.style, custom_id=button.custom_id
                )
            )
        return view

    def allowed_mentions(self) -> discord.AllowedMentions:
        """Return who may be notified: the people in `pings` alone."""
        return discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user) for user in self.pings]
        )


def game_message(view: GameView) -> GameMessage:
    """Return the message of a game as it stands."""
    game = view.game
    lines: list[str] = []
    if view.made_room:
        lines.append(
            f"This server's first room was made: **{safe(view.room.name)}**, "
            f"rated by `{view.room.system}`. `/room create` makes others."
        )
    lines.append(f"**#{game.number}** · {_headline(game)}")
    pings: tuple[UserId, ...] = ()
    claim = game.claim
    if game.status is Status.REPORTED and claim is not None:
        lines.extend(_awaiting(view, claim))
        pings = _asked(game, claim)
    elif game.status is Status.DISPUTED and claim is not None:
        lines.extend(_dispute(game))
    own = [change for change in view.changes if change.cause is Cause.GAME]
    lines.extend(_change_line(view, change) for change in own)
    lines.extend(_adjustments(view))
    return GameMessage("\n".join(lines), buttons_of(view), pings)


def described(game: GameRecord, results: Sequence[Participant]) -> str:
    """Return a result in words: `Ann beat Bob 412–388`."""
    if len(results) > len("ab"):
        ordered = sorted(results, key=lambda result: result.placing)
        return ", ".join(
            f"{result.placing}. {safe(game.player(result.player).name)}"
            + (f" {number(result.score)}" if result.score is not None else "")
            for result in ordered
        )
    first, second = sorted(results, key=lambda result: result.placing)
    is_draw = outcome_for(results, first.player) is Outcome.DRAW
    verb = "drew with" if is_draw else "beat"
    names = [safe(game.player(each.player).name) for each in (first, second)]
    return f"{names[0]} {verb} {names[1]} {score_line(results, first.player)}".strip()


def _headline(game: GameRecord) -> str:
    claim = game.claim
    names = " and ".join(safe(player.name) for player in game.players)
    match game.status:
        case Status.RATED:
            return described(game, game.results)
        case Status.REPORTED if claim is not None:
            return f"{safe(game.player(claim.author).name)} reports: " + described(
                game, claim.results
            )
        case Status.DISPUTED:
            return f"Disputed: {names}. Nothing is rated."
        case Status.WITHDRAWN:
            return f"Withdrawn: {names}. Nothing is rated."
        case Status.VOID:
            return f"Does not count: {names}."
        case _:
            return f"{names}: {game.status}"


def _asked(game: GameRecord, claim: Claim) -> tuple[UserId, ...]:
    return tuple(
        player.user
        for player in game.players
        if player.id != claim.author and player.id not in claim.answers and player.user is not None
    )


def _awaiting(view: GameView, claim: Claim) -> list[str]:
    game = view.game
    asked = " ".join(f"<@{user}>" for user in _asked(game, claim))
    if view.room.confirmation is Confirmation.REFEREE:
        return [f"{asked} A referee must confirm this.".strip()]
    text = f"{asked}, is this right?"
    if view.confirms_at is not None:
        text += f" Without an answer it counts {format_dt(view.confirms_at, 'R')}."
    return [text]


def _dispute(game: GameRecord) -> list[str]:
    lines: list[str] = []
    meant = {claim.author: claim for claim in game.claims}
    for claim in meant.values():
        author = safe(game.player(claim.author).name)
        lines.append(f"• {author} says: {described(game, claim.results)}")
        for player, answer in claim.answers.items():
            words = {
                Answer.WRONG: "the result is wrong",
                Answer.NOT_PLAYED: "we did not play",
                Answer.CONFIRM: "that is right",
                Answer.UNCOUNTED: "it should not count",
            }
            lines.append(f"• {safe(game.player(player).name)} says: {words[answer]}")
    lines.append("Go on playing; whoever was wrong may say so here, or a referee decides.")
    return lines


def _change_line(view: GameView, change: RatingChange) -> str:
    name = safe(view.names[change.player])
    if view.event_kind is EventKind.SEASON:
        return f"{name} {_in_season(change)}"
    assert change.before is not None, change
    assert change.after is not None, change
    before = change.before.quantize(view.shown_quantum)
    after = change.after.quantize(view.shown_quantum)
    if change.contribution is not None:
        return f"{name} {number(before)}, {signed(change.contribution)} when the tournament closes"
    text = f"{name} {number(before)} → **{number(after)}** ({signed(after - before)})"
    rank = view.ranks.get(change.player)
    return f"{text} · {rank} of {view.ranked}" if rank is not None else text


def _adjustments(view: GameView) -> list[str]:
    adjusted = [change for change in view.changes if change.cause is Cause.RECALCULATION]
    if not adjusted:
        return []
    shown = [
        f"{safe(view.names[change.player])} {signed(change.delta)}"
        for change in adjusted[:_SHOWN_ADJUSTMENTS]
        if change.delta is not None
    ]
    more = len(adjusted) - len(shown)
    text = "Earlier games rated again: " + ", ".join(shown)
    return [f"{text} and {more} more" if more else text]


def _in_season(change: RatingChange) -> str:
    grade = "has no grade yet" if change.before is None else number(change.before)
    if change.contribution is None:
        return f"{grade}; the game's worth is known when the season closes"
    return f"{grade}, performance **{number(change.contribution)}** this season"
