"""`/games`: a player's games that are open or wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot.display.game_message import described, names_of, standing_text
from bot.display.text import safe
from bot.model import ClaimKind, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import GameRecord, Room, UserId

_SHOWN = 15


def game_list_text(room: Room, games: Sequence[GameRecord], user: UserId) -> str:
    """Return a person's games that are not settled, a line each, with a link to the message."""
    if not games:
        return (
            f"You have no open or waiting game in **{safe(room.name)}**. `/play` opens one, "
            "`/report` reports one that is finished."
        )
    lines = [f"Your games in **{safe(room.name)}**:"]
    lines.extend(_line(game, user) for game in games[:_SHOWN])
    if len(games) > _SHOWN:
        lines.append(f"and {len(games) - _SHOWN} more")
    return "\n".join(lines)


def _line(game: GameRecord, user: UserId) -> str:
    others = {player.id for player in game.players if player.user != user}
    which = f"**#{game.number}** with {names_of(game, others)}"
    link = ""
    if game.message is not None:
        link = f" · https://discord.com/channels/{game.guild}/{game.channel}/{game.message}"
    return f"{which}: {_state(game, user)}{link}"


def _state(game: GameRecord, user: UserId) -> str:
    claim = game.claim
    if game.status is Status.OPEN:
        since = f"open since {format_dt(game.created_at, 'd')}"
        standing = game.standing
        return f"{since}, {standing_text(game, standing.results)}" if standing else since
    if game.status is Status.DISPUTED or claim is None:
        return "disputed, a referee decides"
    own = game.player(claim.author).user == user
    waits = "waits for the others" if own else "waits for you"
    if claim.kind is ClaimKind.ABORT:
        return f"aborted at {standing_text(game, claim.results)}, {waits}"
    return f"{described(game, claim.results)}, {waits}"
