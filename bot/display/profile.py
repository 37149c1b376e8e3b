"""A player's profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot.display.game_message import described
from bot.display.text import number, safe, signed

if TYPE_CHECKING:
    from bot.services.view_standings import LastGame, Profile


def profile_text(profile: Profile) -> str:
    """Return a player's rating, rank, record and last games."""
    record = profile.record
    quantum = profile.shown_quantum
    rating = "no rating yet" if record.rating is None else number(record.rating.quantize(quantum))
    lines = [f"**{safe(record.player.name)}** in **{safe(profile.room.name)}**: **{rating}**"]
    if profile.rank is None:
        lines.append(f"Not ranked yet ({_games(record.games)})")
    else:
        lines.append(f"Rank {profile.rank} of {profile.ranked}")
    counts = (
        f"{_games(record.games)}: {record.wins} won, {record.draws} drawn, {record.losses} lost"
    )
    lines.append(f"{counts}, {profile.aborted} aborted" if profile.aborted else counts)
    if record.peak is not None and record.peak_at is not None:
        peak = number(record.peak.quantize(quantum))
        lines.append(f"Peak {peak}, {format_dt(record.peak_at, 'd')}")
    if profile.last_games:
        lines.append("Last games:")
        lines.extend(_last_game(profile, last) for last in profile.last_games)
    return "\n".join(lines)


def _last_game(profile: Profile, last: LastGame) -> str:
    delta = last.stored.change.delta
    change = "" if delta is None else f" ({signed(delta.quantize(profile.shown_quantum))})"
    return f"#{last.game.number} {described(last.game, last.game.results)}{change}"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
