"""A player's profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot.display.game_message import described
from bot.display.text import number, safe, signed
from bot.model import Cause

if TYPE_CHECKING:
    from decimal import Decimal

    from bot.ledger.standings import SeasonSoFar
    from bot.model import RatingChange
    from bot.services.view_standings import HistoryEntry, Profile


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
    if profile.season is not None:
        lines.append(season_text(profile.season))
    if profile.history:
        lines.append("Last changes:")
        has_seasons = profile.season is not None
        lines.extend(entry_text(each, quantum, has_seasons=has_seasons) for each in profile.history)
    return "\n".join(lines)


def season_text(season: SeasonSoFar) -> str:
    """Return what a player's season comes to so far."""
    if season.average is None:
        return f"This season: {_games(season.games)}, no performance known yet"
    text = f"This season: average {number(season.average)} over {_games(season.games)}"
    return f"{text}, {season.unknown} of them still unknown" if season.unknown else text


def entry_text(entry: HistoryEntry, quantum: Decimal, *, has_seasons: bool) -> str:
    """Return what changed a rating, and by how much.

    Args:
        entry: The change.
        quantum: The step of a rating shown.
        has_seasons: Whether ratings move at the close of a season alone.
    """
    change = entry.stored.change
    return f"{_what(entry, change)}{_how_much(change, quantum, has_seasons=has_seasons)}"


def _what(entry: HistoryEntry, change: RatingChange) -> str:
    if entry.event is not None:
        return f"{safe(entry.event.name)} closed"
    game = entry.game
    assert game is not None, entry
    if change.cause is Cause.RECALCULATION:
        return f"#{game.number} established an opponent: your games together were rated again"
    return f"#{game.number} {described(game, game.results)}"


def _how_much(change: RatingChange, quantum: Decimal, *, has_seasons: bool) -> str:
    if change.cause is Cause.GAME and has_seasons:
        worth = change.contribution
        return "" if worth is None else f" (performance {number(worth)})"
    if change.contribution is not None:
        return f" ({signed(change.contribution)} when the tournament closes)"
    if change.before is None and change.after is not None:
        return f" (first grade {number(change.after)})"
    return "" if change.delta is None else f" ({signed(change.delta.quantize(quantum))})"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
