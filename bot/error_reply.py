"""One funnel from any exception to a person's text and a line in the log."""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING, Any

import discord
from discord.utils import escape_markdown, escape_mentions

from bot.display.text import fitted, listed, safe
from bot.errors import (
    GamesFileError,
    IllegalMove,
    InvalidSetting,
    NotAllowed,
    ParlourError,
    PlayerTwice,
    RatingError,
    Refusal,
    RequestRefused,
    ScoresNeeded,
    StandingsProblem,
    StandingsUnreadable,
    TableUnreadable,
    UnknownSystem,
    UnratableGame,
    WrongPlayerCount,
)
from bot.model import Status

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bot.model import GameRecord, Player

_log = logging.getLogger(__name__)

_REFUSALS = {
    Refusal.OWN_OPPONENT: "You cannot play against yourself: choose your opponent.",
    Refusal.BOT_OPPONENT: "{} is a bot, and bots are not rated.",
    Refusal.PLAYER_TWICE: "{} is named twice.",
    Refusal.ONE_SCORE_MISSING: "Give both scores or none.",
    Refusal.SCORES_CONTRADICT: (
        "You reported a {}, but the scores {}–{} say otherwise. Yours comes first. "
        "Nothing was reported."
    ),
    Refusal.CLAIM_REPLACED: "#{} was reported again since: answer the newer report.",
    Refusal.SEVERAL_WAIT: (
        "Several results wait between you two ({}): answer or withdraw them with the buttons "
        "on their messages, or report with `another_game`."
    ),
    Refusal.ALREADY_DONE: "That was done already.",
    Refusal.ALREADY_ANSWERED: "You have said so already; it waits for the others.",
    Refusal.NO_SUCH_GAME: "There is no such game here.",
    Refusal.NO_ROOM: "There is no room here yet: `/report` a game and one is made.",
    Refusal.SEVERAL_ROOMS: "This server has several rooms ({}): go to a channel of one of "
    "them, or name it with `room`.",
    Refusal.NO_GAMES_YET: "{} has no rated game in {} yet.",
    Refusal.ROOM_NAME_TAKEN: "There is a room called {} already.",
    Refusal.CHANNEL_TAKEN: "That channel belongs to another room.",
    Refusal.MANAGERS_ONLY: "That is for those who may manage this server.",
    Refusal.REFEREES_ONLY: "That is for referees.",
    Refusal.NO_EVENTS: (
        "There are no {} in {}, whose rating system is `{}`: `simplified-elo` has tournaments, "
        "`ecf` has seasons."
    ),
    Refusal.EVENT_RUNNING: "{} is running: close it or call it off first.",
    Refusal.NO_EVENT_RUNNING: "No tournament is running in {}: `/tournament open` begins one.",
    Refusal.NO_SUCH_EVENT: "There is no event {} here.",
    Refusal.NO_EVENT_CLOSED: "No {} was closed in {} yet.",
    Refusal.EVENT_CHANGED: (
        "Something was played or decided since that was shown, so nothing was done: look again."
    ),
    Refusal.EVENT_NAME_TAKEN: "There is an event called {} already: choose another name.",
    Refusal.NAME_EMPTY: "A name needs something that can be read.",
    Refusal.EVENT_EMPTY: "No game counts in this {} yet, so there is nothing to close.",
    Refusal.GAMES_WAIT: (
        "Some games still wait for a decision ({}): confirm, withdraw or settle them first, with "
        "the buttons on their messages."
    ),
    Refusal.NO_OPEN_GAME: (
        "You have no open game in this room. A game that was never opened here is aborted with "
        "`/abort opponent:@name`, and its score, if it had one."
    ),
    Refusal.SEVERAL_OPEN: "Several of your games are open ({}): say which with `game`.",
    Refusal.OPEN_BETWEEN: (
        "A game between you is still open ({}): report that one with its button or with `game`, "
        "or this one with `another_game`. Nothing was reported."
    ),
    Refusal.GAME_CHANGED: "#{} changed since that was shown, so nothing was done: look again.",
    Refusal.NOT_IDLE: "#{} is open, and nobody asks any more.",
    Refusal.NO_RESULT: "Say how it stands: both scores, or `standing`.",
    Refusal.ONLY_FOR_TWO: (
        "{} play in that game: give `standing` with everybody, such as `@Ann 412 @Bob 388 @Cy 350`."
    ),
    Refusal.OTHER_PLAYERS: "That game is between {}, nobody else and nobody less.",
    Refusal.NUMBER_UNREADABLE: (
        "“{}” is not the number that is wanted for each player: a score such as 412, or a place "
        "such as 1. Nothing was recorded."
    ),
    Refusal.STATED_TOO_LONG: "That is too long for a button: use `/score` first, then `/abort`.",
    Refusal.STATED_TWICE: "Give either the two scores or a standing of everybody, not both.",
    Refusal.GAME_AND_OPPONENT: (
        "Give either `game`, for one that was opened here, or `opponent`, for one that was not."
    ),
    Refusal.NO_SUCH_ROOM: "There is no room {} here.",
    Refusal.SEVERAL_SUCH_ROOMS: (
        "Several rooms are called {}: name its server with --guild, or the room by its number."
    ),
    Refusal.ROOM_NOT_EMPTY: "{} has games already: import into a room without any, or a new one.",
    Refusal.OTHER_SYSTEM: "{} is rated by `{}`, with its own settings: import with just these.",
    Refusal.ROOM_CHANGED: (
        "Something was rated since that was shown, so nothing was done: look again."
    ),
    Refusal.OWN_GAME: "You played in #{}: another referee corrects it.",
    Refusal.NOTHING_TO_RESTORE: "#{} never had a result that counted: `/report` it again.",
    Refusal.REASON_EMPTY: "Say why: the players will read it.",
    Refusal.UNKNOWN_PERSON: "Discord knows nobody with the number {}.",
    Refusal.ROOM_ARCHIVED: "{} is archived: `/room restore` brings it back.",
    Refusal.NO_SUCH_ARCHIVED_ROOM: "There is no archived room {} here.",
    Refusal.NOTHING_TO_CHANGE: "Say what shall be changed: each option is one setting.",
    Refusal.NOT_ITS_CHANNEL: "That channel does not belong to {}.",
    Refusal.TIME_UNREADABLE: "“{}” is no time: write `2026-01-05` or `2026-01-05 18:30`, in UTC.",
    Refusal.TIME_TO_COME: "{} is still to come.",
    Refusal.NO_SUCH_PLAYER: (
        "Nobody called {} has played here: mention the member, or write `guest:` and the name for "
        "somebody who is not on Discord."
    ),
    Refusal.SEVERAL_SUCH_PLAYERS: "Several players are called {}: mention the one you mean.",
    Refusal.PROPOSAL_GONE: "That was done already, or it is more than a day old: look again.",
    Refusal.PROPOSAL_OF_OTHER: "That was shown to somebody else.",
    Refusal.NOT_SETTLED: "#{} has no result that counts: only such a game is edited.",
    Refusal.NOT_WAITING: "#{} waits for no decision: `/game edit` corrects a game that counts.",
    Refusal.NOTHING_CHANGES: "#{} stands so already.",
    Refusal.OWN_RESULT: "You played in it: report it, or another referee enters it.",
    Refusal.TABLE_EMPTY: "There is no game in that table.",
    Refusal.ABORTER_NOT_IN_GAME: "{} does not play in that game, so it is not theirs to abort.",
    Refusal.FILE_TOO_LARGE: "{} is too large: 25 MB are the most.",
    Refusal.NEVER_PLAYED: "{} has never played here.",
    Refusal.NO_SUCH_GUEST: "There is no guest called {} here.",
    Refusal.SAME_PLAYER: "{} is one player already.",
    Refusal.PLAYED_EACH_OTHER: (
        "They played each other ({}), so they are two people, or these games are wrong: nothing "
        "was done."
    ),
    Refusal.NOTHING_KNOWN: "Nothing is known of you in this server.",
    Refusal.NEVER_MET: "{} and {} have no rated game together in {}.",
    Refusal.NOT_IN_FILE: "Nobody in the file is called {}.",
    Refusal.SYSTEM_NEEDED: "{} would be a new room: say by `system` how its games are rated.",
    Refusal.FILE_LOST: "The file is gone from that message: import it again.",
    Refusal.MEMBERS_UNREADABLE: (
        "“{}” does not say who is who: write `Maria=@Ann, Bo B=@Bob`, with members that Discord "
        "offers."
    ),
    Refusal.FILE_NO_TEXT: "{} is no text file (UTF-8).",
    Refusal.RULES_ALONE: "Change the rating system by itself: first it is shown what that does.",
    Refusal.SAME_RULES: "{} has these rules already.",
    Refusal.NOT_A_PARTICIPANT: "You took no part in that game: who played reports it.",
}

_LONGEST_PROBLEM = 300

_LISTED = {
    Refusal.PLAYED_EACH_OTHER,
    Refusal.SEVERAL_WAIT,
    Refusal.GAMES_WAIT,
    Refusal.SEVERAL_ROOMS,
    Refusal.SEVERAL_OPEN,
    Refusal.OPEN_BETWEEN,
}

_STANDINGS_PROBLEMS = {
    StandingsProblem.PLAYER_EXPECTED: (
        "A player is expected there: type @ and choose one from the list that Discord offers."
    ),
    StandingsProblem.SCORE_EXPECTED: "A score is expected there, or `>` or `=` after each player.",
    StandingsProblem.SIGN_EXPECTED: "`>` (better than) or `=` (a tie) is expected there.",
    StandingsProblem.PLAYER_TWICE: "That player is named twice.",
    StandingsProblem.TOO_FEW: "It takes two players or more.",
    StandingsProblem.TOO_MANY: "Sixteen players are the most.",
    StandingsProblem.NOTHING_MORE: "One player is enough there.",
}

_SETTLED = {
    Status.RATED: "is rated already",
    Status.ABORTED: "was aborted",
    Status.WITHDRAWN: "was withdrawn",
    Status.UNRATED: "was agreed not to count",
    Status.VOID: "does not count",
    Status.DISPUTED: "is disputed: a referee decides, or whoever was wrong says so",
    Status.OPEN: "is still being played",
    Status.REPORTED: "waits for an answer",
}


def reply_text(error: ParlourError) -> str:
    """Return what to tell the person who caused an error."""
    match error:
        case RequestRefused():
            return _refusal(error)
        case IllegalMove():
            return _settled(error)
        case NotAllowed():
            return _awaited(error.game, error.awaited, referees=error.referees)
        case RatingError():
            return _rating_refusal(error)
        case StandingsUnreadable() | TableUnreadable() | GamesFileError():
            return _unreadable(error)
        case _:
            return unexpected_text(error)


def _settled(error: IllegalMove) -> str:
    game = error.game
    which = f"#{game.number}" if game else "The game"
    if game is not None and game.status is Status.ABORTED and game.aborted_by is not None:
        return f"{which} was aborted by {safe(game.player(game.aborted_by).name)} already."
    return f"{which} {_SETTLED[error.status]}."


def _unreadable(error: StandingsUnreadable | TableUnreadable | GamesFileError) -> str:
    if isinstance(error, GamesFileError):
        where = "The file" if error.line is None else f"Line {error.line} of the file"
        problem = escape_markdown(escape_mentions(error.problem[:_LONGEST_PROBLEM]))
        return f"{where} is at fault: {problem}. Nothing was imported."
    if isinstance(error, TableUnreadable):
        lines = [f"Line {line}: {reply_text(problem)}" for line, problem in error.problems]
        return fitted(["Nothing was entered.", *lines])
    understood = f"I understood {error.understood}" if error.understood else "I understood nothing"
    # A mention says more than its number; nobody is notified by it.
    rest = f", then stopped at “{escape_markdown(error.rest[:50])}”" if error.rest else ""
    return f"{understood}{rest}. {_STANDINGS_PROBLEMS[error.problem]} Nothing was recorded."


def _suitable(error: UnratableGame) -> str:
    if not error.suitable:
        return ""
    keys = listed([f"`{key}`" for key in error.suitable])
    return f" A room rated by {keys} could rate it."


def _rating_refusal(error: RatingError) -> str:
    match error:
        case WrongPlayerCount():
            low, high = error.allowed.start, error.allowed.stop - 1
            count = str(low) if low == high else f"{low} to {high}"
            return (
                f"This room's games (`{error.system}`) have {count} players, not {error.count}."
                + _suitable(error)
            )
        case ScoresNeeded():
            return f"This room rates by scores (`{error.system}`): give everybody's." + _suitable(
                error
            )
        case PlayerTwice():
            return "Nobody can take part twice in a game."
        case UnknownSystem():
            return f"There is no rating system {error.key}; there are {', '.join(error.known)}."
        case InvalidSetting():
            known = "; ".join(error.allowed) or "none"
            return f"{error.name}={error.value} is not a setting here. Settings: {known}."
        case _:
            return unexpected_text(error)


def unexpected_text(error: BaseException) -> str:
    """Log an error that nobody foresaw, and return a text with the reference to the log line."""
    reference = secrets.token_hex(4)
    _log.error("unexpected error, reference %s", reference, exc_info=error)
    return (
        "Something went wrong on my side, and nothing was lost that you were told is done. "
        f"Please tell the bot's owner this reference: {reference}"
    )


def _refusal(error: RequestRefused) -> str:
    text = _REFUSALS.get(error.why, error.why.name.lower().replace("_", " "))
    details = [safe(each) if isinstance(each, str) else str(each) for each in error.details]
    if error.why in _LISTED:
        hash_sign = "" if error.why is Refusal.SEVERAL_ROOMS else "#"
        return text.format(", ".join(f"{hash_sign}{each}" for each in details))
    return text.format(*details)


def _awaited(game: GameRecord, awaited: tuple[Player, ...], *, referees: bool) -> str:
    names = [safe(player.name) for player in awaited]
    if referees:
        names.append("a referee who did not play")
    who = " or ".join(names) if names else "somebody else"
    return f"That is not for you to say: #{game.number} waits for {who}."


async def answered(interaction: discord.Interaction[Any], work: Awaitable[None]) -> None:
    """Await the answer to a press or a form, and tell the person what goes wrong in it."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 - whatever it is, the person and the log hear of it
        await reply_to_error(interaction, error)


async def reply_to_error(interaction: discord.Interaction, error: BaseException) -> None:
    """Tell the person alone what is wrong, whether the interaction was answered or not."""
    text = reply_text(error) if isinstance(error, ParlourError) else unexpected_text(error)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=True)
    except discord.HTTPException as failure:
        _log.warning("could not tell a person about an error: %s", failure)
