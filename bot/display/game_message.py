"""A game's message: how it stands, what is awaited, and what it did to the ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord
from discord.utils import format_dt

from bot.display.correction import correction_line
from bot.display.game_buttons import GameButton, buttons_of, view_of
from bot.display.game_changes import adjustment_lines, change_lines, change_text
from bot.display.text import fitted, listed, number, outcome_for, safe, score_line
from bot.model import Answer, ClaimKind, Confirmation, Outcome, RoleId, Status, UserId
from bot.services.game_view import LAST_GAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bot.model import GameRecord, Participant, PlayerId
    from bot.services.game_view import GameView

_ANSWERS = {
    Answer.WRONG: "the result is wrong",
    Answer.NOT_PLAYED: "we did not play",
    Answer.CONFIRM: "that is right",
    Answer.UNCOUNTED: "it should not count",
}


_HOW_DISPUTES_END = "Go on playing; whoever was wrong may say so here, or a referee decides."


@dataclass(frozen=True, slots=True)
class GameMessage:
    """What to send or to edit.

    Attributes:
        content: The text.
        buttons: Under it.
        pings: Whom a new message may notify.
        role_pings: The roles that a new message may notify.
    """

    content: str
    buttons: tuple[GameButton, ...]
    pings: tuple[UserId, ...]
    role_pings: tuple[RoleId, ...] = ()

    def view(self) -> discord.ui.View:
        """Return the buttons as Discord wants them."""
        return view_of(self.buttons)

    def allowed_mentions(self) -> discord.AllowedMentions:
        """Return who may be notified: those in `pings` and `role_pings` alone."""
        return discord.AllowedMentions(
            everyone=False,
            roles=[discord.Object(role) for role in self.role_pings],
            users=[discord.Object(user) for user in self.pings],
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
    match game.status:
        case Status.OPEN:
            more, pings = _open(view)
        case Status.REPORTED:
            more, pings = _awaiting(view)
        case Status.DISPUTED:
            more, pings = [*dispute_lines(game), _HOW_DISPUTES_END], ()
        case _:
            more, pings = [], ()
    lines.extend(more)
    if not game.status.is_settled and game.status is not Status.OPEN:
        asked, asked_pings = _uncounted(game)
        lines.extend(asked)
        pings = pings or asked_pings
    if view.correction is not None:
        lines.append(correction_line(view.correction))
    lines.extend(change_lines(view))
    lines.extend(adjustment_lines(view))
    roles: tuple[RoleId, ...] = ()
    if view.aborted_of_last is not None:
        notice, roles = _abort_notice(view)
        lines.append(notice)
    return GameMessage(fitted(lines), buttons_of(view), pings, roles)


def described(game: GameRecord, results: Sequence[Participant]) -> str:
    """Return a result in words: `Ann beat Bob 412–388`."""
    if len(results) > len("ab"):
        return standing_text(game, results)
    first, second = sorted(results, key=lambda result: result.placing)
    is_draw = outcome_for(results, first.player) is Outcome.DRAW
    verb = "drew with" if is_draw else "beat"
    names = [safe(game.player(each.player).name) for each in (first, second)]
    return f"{names[0]} {verb} {names[1]} {score_line(results, first.player)}".strip()


def standing_text(game: GameRecord, results: Sequence[Participant]) -> str:
    """Return how a game stands: `Ann 412, Bob 388`, or `1. Ann, 2. Bob` without scores."""
    ordered = sorted(results, key=lambda result: result.placing)
    if len(results) == len("ab") and all(result.score is None for result in results):
        first, second = (safe(game.player(each.player).name) for each in ordered)
        is_level = ordered[0].placing == ordered[1].placing
        return f"{first} and {second} level" if is_level else f"{first} ahead of {second}"
    places = len(results) > len("ab")
    return ", ".join(
        (f"{result.placing}. " if places else "")
        + safe(game.player(result.player).name)
        + ("" if result.score is None else f" {number(result.score)}")
        for result in ordered
    )


def names_of(game: GameRecord, players: Collection[PlayerId] | None = None) -> str:
    """Return the names of those who play, or of some of them: `Ann, Bob and Cy`."""
    return listed(
        [safe(each.name) for each in game.players if players is None or each.id in players]
    )


def _headline(game: GameRecord) -> str:
    names = names_of(game)
    match game.status:
        case Status.OPEN:
            text = f"{names} are playing"
        case Status.REPORTED:
            text = _claimed(game)
        case Status.RATED:
            # Three and more have a line each, with place and score.
            text = names if len(game.players) > len("ab") else described(game, game.results)
        case Status.DISPUTED:
            text = f"Disputed: {names}. Nothing is rated."
        case Status.WITHDRAWN:
            text = f"Withdrawn: {names}. Nothing is rated."
        case Status.VOID:
            text = f"Does not count: {names}."
        case Status.ABORTED:
            text = _aborted(game)
        case Status.UNRATED:
            text = _unrated(game)
    return text


def _claimed(game: GameRecord) -> str:
    claim = game.claim
    assert claim is not None, game
    author = safe(game.player(claim.author).name)
    if claim.kind is ClaimKind.ABORT:
        return f"{author} aborts at {standing_text(game, claim.results)}"
    return f"{author} reports: {described(game, claim.results)}"


def _aborted(game: GameRecord) -> str:
    names = names_of(game)
    if game.counts and game.aborted_by is not None:
        aborter = safe(game.player(game.aborted_by).name)
        return (
            f"Aborted by {aborter} at {standing_text(game, game.results)}. "
            "Who aborts gains nothing, the others lose nothing."
        )
    nothing = (
        "No score or standing was recorded, so nobody's rating changes and it counts as no game."
    )
    if game.aborted_by is None:
        return f"Closed, nobody touched it for long: {names}. {nothing}"
    return f"Aborted by {safe(game.player(game.aborted_by).name)}: {names}. {nothing}"


def _unrated(game: GameRecord) -> str:
    if len(game.uncounted_by) == len(game.players):
        return f"Agreed not to count: {names_of(game)}. Nothing is rated."
    return f"Closed, nobody said that it is still played: {names_of(game)}. Nothing is rated."


def _open(view: GameView) -> tuple[list[str], tuple[UserId, ...]]:
    game = view.game
    lines: list[str] = []
    pings: tuple[UserId, ...] = ()
    standing = game.standing
    if standing is not None:
        author = safe(game.player(standing.author).name)
        lines.append(
            f"Standing: {standing_text(game, standing.results)} "
            f"({author}, {format_dt(standing.made_at, 'R')})"
        )
        agreed = {player for player, answer in standing.answers.items() if answer is Answer.CONFIRM}
        if agreed:
            lines.append(f"Agreed by {names_of(game, agreed)}.")
    asked, asked_pings = _uncounted(game)
    lines.extend(asked)
    if game.asked_at is not None:
        pings = tuple(player.user for player in game.players if player.user is not None)
        text = f"{_mentions(pings)}: is this game still played?"
        if view.idle_until is not None:
            text += f" Without an answer it ends unrated {format_dt(view.idle_until, 'R')}."
        lines.append(text)
    return lines, pings or asked_pings


def _uncounted(game: GameRecord) -> tuple[list[str], tuple[UserId, ...]]:
    if not game.uncounted_by:
        return [], ()
    pings = tuple(
        player.user
        for player in game.players
        if player.id not in game.uncounted_by and player.user is not None
    )
    who = names_of(game, game.uncounted_by)
    verb = "wants" if len(game.uncounted_by) == 1 else "want"
    return [f"{who} {verb} this game not to count. {_mentions(pings)}: do you agree?"], pings


def _awaiting(view: GameView) -> tuple[list[str], tuple[UserId, ...]]:
    game, claim = view.game, view.game.claim
    assert claim is not None, game
    pings = tuple(
        player.user
        for player in game.players
        if player.id != claim.author and player.id not in claim.answers and player.user is not None
    )
    lines: list[str] = []
    if view.expected:
        effects = [
            f"{safe(game.player(change.player).name)} "
            + change_text(change, view.event_kind, view.change_quantum)
            for change in view.expected
        ]
        lines.append(f"It would give: {', '.join(effects)}")
    confirmed = {player for player, answer in claim.answers.items() if answer is Answer.CONFIRM}
    if confirmed:
        lines.append(f"Confirmed by {names_of(game, confirmed)}.")
    if view.room.confirmation is Confirmation.REFEREE:
        lines.append(f"{_mentions(pings)} A referee must confirm this.".strip())
        return lines, pings
    question = "was that the standing" if claim.kind is ClaimKind.ABORT else "is this right"
    text = f"{_mentions(pings)}, {question}?"
    if view.confirms_at is not None:
        text += f" Without an answer it counts {format_dt(view.confirms_at, 'R')}."
    lines.append(text)
    return lines, pings


def dispute_lines(game: GameRecord) -> list[str]:
    """Return what each side of a disputed game says."""
    lines: list[str] = []
    meant = {claim.author: claim for claim in game.claims if claim.kind is not ClaimKind.STANDING}
    for claim in meant.values():
        author = safe(game.player(claim.author).name)
        if claim.kind is ClaimKind.ABORT:
            lines.append(f"• {author} says: aborted at {standing_text(game, claim.results)}")
        else:
            lines.append(f"• {author} says: {described(game, claim.results)}")
        lines.extend(
            f"• {safe(game.player(player).name)} says: {_ANSWERS[answer]}"
            for player, answer in claim.answers.items()
        )
    return lines


def _abort_notice(view: GameView) -> tuple[str, tuple[RoleId, ...]]:
    aborter = view.game.aborted_by
    assert aborter is not None, view.game
    name = safe(view.game.player(aborter).name)
    role = view.room.referee_role
    text = f"{name} aborted {view.aborted_of_last} of the last {LAST_GAMES} games."
    return (f"<@&{role}> {text}", (role,)) if role is not None else (f"Referees: {text}", ())


def _mentions(users: Sequence[UserId]) -> str:
    return " ".join(f"<@{user}>" for user in users)
