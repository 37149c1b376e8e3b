"""One funnel from any exception to a person's text and a line in the log."""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING

import discord

from bot.display.text import safe
from bot.errors import (
    IllegalMove,
    InvalidSetting,
    NotAllowed,
    ParlourError,
    PlayerTwice,
    RatingError,
    Refusal,
    RequestRefused,
    ScoresNeeded,
    UnknownSystem,
    WrongPlayerCount,
)
from bot.model import Status

if TYPE_CHECKING:
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
    Refusal.SEVERAL_ROOMS: "This server has several rooms ({}): go to a channel of one of them.",
    Refusal.ROOM_ARCHIVED: "That room is archived and takes no more games.",
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
    Refusal.OWN_GAME: "You took part in that game: another referee must decide.",
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
            which = f"#{error.game.number}" if error.game else "The game"
            return f"{which} {_SETTLED[error.status]}."
        case NotAllowed():
            return _awaited(error.game, error.awaited, referees=error.referees)
        case RatingError():
            return _rating_refusal(error)
        case _:
            return unexpected_text(error)


def _rating_refusal(error: RatingError) -> str:
    match error:
        case WrongPlayerCount():
            low, high = error.allowed.start, error.allowed.stop - 1
            count = str(low) if low == high else f"{low} to {high}"
            return f"This room's games (`{error.system}`) have {count} players, not {error.count}."
        case ScoresNeeded():
            return f"This room rates by scores (`{error.system}`): give both scores."
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
    if error.why in {Refusal.SEVERAL_WAIT, Refusal.GAMES_WAIT, Refusal.SEVERAL_ROOMS}:
        hash_sign = "" if error.why is Refusal.SEVERAL_ROOMS else "#"
        return text.format(", ".join(f"{hash_sign}{each}" for each in details))
    return text.format(*details)


def _awaited(game: GameRecord, awaited: tuple[Player, ...], *, referees: bool) -> str:
    names = [safe(player.name) for player in awaited]
    if referees:
        names.append("a referee who did not play")
    who = " or ".join(names) if names else "somebody else"
    return f"That is not for you to say: #{game.number} waits for {who}."


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
