"""A room's settings."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.display.text import fitted, listed, safe
from bot.model import Confirmation, ManyConfirmation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.model import Room
    from bot.services.view_rooms import RoomOverview

_CONFIRMED_BY = {
    Confirmation.OPPONENT: "the opponent confirms each result",
    Confirmation.REFEREE: "a referee confirms each result",
    Confirmation.NOBODY: "results count at once",
}
_MANY = {
    ManyConfirmation.ONE: "one of the others confirms",
    ManyConfirmation.MAJORITY: "a majority confirms",
    ManyConfirmation.ALL: "all the others confirm",
}


def overview_text(overview: RoomOverview) -> str:
    """Return all that is set about a room, its channels and its size."""
    return f"{room_text(overview.room)}\n{_size(overview)}"


def list_text(overviews: Sequence[RoomOverview]) -> str:
    """Return a server's rooms, one a line."""
    if not overviews:
        return "There is no room here yet: `/room create` makes one, or the first `/report` does."
    return fitted([_list_line(each) for each in overviews])


def _list_line(overview: RoomOverview) -> str:
    room = overview.room
    archived = " · archived" if room.is_archived else ""
    return f"**{safe(room.name)}** · `{room.system}`{archived} · {_size(overview)}"


def _size(overview: RoomOverview) -> str:
    games = "1 game" if overview.games == 1 else f"{overview.games} games"
    players = "1 player" if overview.players == 1 else f"{overview.players} players"
    channels = listed([f"<#{channel}>" for channel in overview.channels])
    return f"{games}, {players}" + (f" · {channels}" if channels else "")


def room_text(room: Room) -> str:
    """Return what is set about a room."""
    lines = [
        f"**{safe(room.name)}** is rated by `{room.system}`; {_CONFIRMED_BY[room.confirmation]}."
    ]
    if room.settings:
        changed = ", ".join(f"{name} {value}" for name, value in sorted(room.settings.items()))
        lines.append(f"Its rules with {changed}.")
    if room.confirmation is Confirmation.OPPONENT:
        lines.append(
            f"An unanswered report counts after {room.confirm_after // timedelta(hours=1)} hours."
            if room.confirm_after
            else "An unanswered report waits for ever."
        )
    if room.confirmation is Confirmation.OPPONENT:
        lines.append(f"In a game of three and more, {_MANY[room.many_confirmation]}.")
    if room.close_idle_after:
        lines.append(f"An open game is closed after {room.close_idle_after.days} idle days.")
    if room.abort_notice:
        lines.append("Referees are told of players who abort more than a third of their games.")
    if room.minimum_games:
        lines.append(f"It takes {room.minimum_games} games to be ranked.")
    if room.hide_idle_after:
        lines.append(f"Who does not play for {room.hide_idle_after.days} days is not shown.")
    if room.referee_role is not None:
        lines.append(f"Referees: <@&{room.referee_role}>, and those who manage the server.")
    return "\n".join(lines)
