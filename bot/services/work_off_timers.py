"""What happens by itself: claims nobody answered confirm themselves, idle games are closed."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ledger import audit, departures, games, outbox, timers
from bot.lifecycle import Move, after
from bot.model import ClaimKind, Status
from bot.services.game_view import load_game, many_aborted
from bot.services.leave_guild import delete_left_guilds
from bot.services.settling import settle

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import GameRecord, Room

_AT_ONCE = 100
_FIRST_RETRY = timedelta(minutes=1)
_LAST_RETRY = timedelta(hours=6)

_log = logging.getLogger(__name__)


async def work_off_timers(ledger: Ledger, *, now: datetime) -> int:
    """Do what is due, each in a transaction of its own, and return how much was done.

    One that fails is logged and tried again later; it never stops the others.
    """
    done = 0
    while True:
        async with ledger.reading() as tx:
            due = await timers.due(tx, now, _AT_ONCE)
        for timer in due:
            done += await _work_off(ledger, timer, now)
        if len(due) < _AT_ONCE:
            break
    done += await delete_left_guilds(ledger, now=now)
    async with ledger.transaction() as tx:
        await audit.forget_interactions(tx, now)
    return done


async def _work_off(ledger: Ledger, timer: timers.Timer, now: datetime) -> bool:
    try:
        async with ledger.transaction(timer.guild) as tx:
            return await timers.finish(tx, timer) and await _do(tx, timer, now)
    except Exception as error:  # noqa: BLE001 - concerns this row alone; the others go on
        _log.exception("timer %s of game %s failed", timer.id, timer.game)
        delay = min(_FIRST_RETRY * 2 ** min(timer.attempts, 20), _LAST_RETRY)
        async with ledger.transaction(timer.guild) as tx:
            await timers.postpone(tx, timer, now + delay, type(error).__name__)
        return False


async def _do(tx: Transaction, timer: timers.Timer, now: datetime) -> bool:
    game, room = await load_game(tx, timer.game)
    match timer.kind:
        case timers.TimerKind.CLAIM:
            if game.status is not Status.REPORTED or game.version != timer.version:
                return False
            what = await _confirm(tx, room, game, now)
        case timers.TimerKind.IDLE_GAME:
            if game.status is not Status.OPEN:
                return False
            what = await _close_or_ask(tx, room, game, now)
    await audit.note(tx, audit.Entry(timer.guild, what, None, room.id, game.id), now)
    return True


async def _confirm(tx: Transaction, room: Room, game: GameRecord, now: datetime) -> str:
    claim = game.claim_of(game.version)
    aborter = claim.author if claim.kind is ClaimKind.ABORT else None
    await settle(tx, room, game, claim.results, aborted_by=aborter, now=now)
    settled, _ = await load_game(tx, game.id)
    is_news = await many_aborted(tx, room, settled) is not None
    await outbox.add(tx, game.guild, game.id, now, anew=is_news)
    return "confirm-by-time"


async def _close_or_ask(tx: Transaction, room: Room, game: GameRecord, now: datetime) -> str:
    """Close a game that nobody touches; one with action only after its players were asked."""
    if game.standing is not None and game.asked_at is None:
        await games.asked(tx, game.id, now)
        if room.close_idle_after:
            due_at = now + room.close_idle_after
            kind = timers.TimerKind.IDLE_GAME
            await timers.start(tx, room.guild, kind, game.id, game.version, due_at)
        # An edited message notifies nobody.
        await outbox.add(tx, game.guild, game.id, now, anew=True)
        return "ask-idle"
    move = Move.ABORT if game.standing is None else Move.EXPIRE
    await games.move(tx, game, after(game.status, move), move=move, now=now)
    await outbox.add(tx, game.guild, game.id, now)
    return "close-idle"


async def next_wake(ledger: Ledger) -> datetime | None:
    """Return when something is due next: a timer, the outbox, a left guild; None for nothing."""
    async with ledger.reading() as tx:
        moments = (
            await timers.next_due(tx),
            await outbox.next_due(tx),
            await departures.next_over(tx),
        )
    return min((moment for moment in moments if moment), default=None)
