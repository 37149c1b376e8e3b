"""What was claimed about a game, version by version, and what the others answered."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bot.ledger.encoding import (
    from_moment,
    score_from_millionths,
    to_millionths,
    to_moment,
)
from bot.model import Answer, Claim, ClaimKind, GameId, Participant, PlayerId

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction


async def add(
    tx: Transaction,
    game: GameId,
    kind: ClaimKind,
    author: PlayerId,
    results: Sequence[Participant],
    now: datetime,
) -> int:
    """Add the next version of what is claimed, and return it."""
    rows = await tx.fetch(
        "UPDATE games SET version = version + 1, touched_at = ?2 WHERE id = ?1 RETURNING version",
        game,
        to_moment(now),
    )
    version = int(rows[0][0])
    await tx.execute(
        "INSERT INTO claims (game_id, version, kind, author_id, made_at) "
        "VALUES (?1, ?2, ?3, ?4, ?5)",
        game,
        version,
        kind,
        author,
        to_moment(now),
    )
    await tx.execute_many(
        "INSERT INTO claimed_results (game_id, version, player_id, placing, score) "
        "VALUES (?1, ?2, ?3, ?4, ?5)",
        [
            (game, version, result.player, result.placing, to_millionths(result.score))
            for result in results
        ],
    )
    return version


async def answer(
    tx: Transaction, game: GameId, version: int, player: PlayerId, given: Answer, now: datetime
) -> bool:
    """Keep a participant's answer to a claim; False where it is the answer given before."""
    changed = await tx.execute(
        """
        INSERT INTO answers (game_id, version, player_id, answer, given_at)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (game_id, version, player_id)
            DO UPDATE SET answer = excluded.answer, given_at = excluded.given_at
            WHERE answers.answer <> excluded.answer
        """,
        game,
        version,
        player,
        given,
        to_moment(now),
    )
    return changed == 1


async def answers(tx: Transaction, game: GameId) -> dict[int, dict[PlayerId, Answer]]:
    """Return what was answered about a game, by version; 0 is before the first claim."""
    found: defaultdict[int, dict[PlayerId, Answer]] = defaultdict(dict)
    rows = await tx.fetch(
        "SELECT version, player_id, answer FROM answers WHERE game_id = ?1 ORDER BY given_at", game
    )
    for row in rows:
        found[row[0]][PlayerId(row[1])] = Answer(row[2])
    return found


async def of_game(
    tx: Transaction, game: GameId, answered: Mapping[int, Mapping[PlayerId, Answer]]
) -> tuple[Claim, ...]:
    """Return all claims about a game, the oldest first.

    Args:
        tx: The transaction.
        game: Which game.
        answered: What `answers` returned for it.
    """
    results: defaultdict[int, list[Participant]] = defaultdict(list)
    rows = await tx.fetch(
        """
        SELECT claimed_results.version, claimed_results.player_id, claimed_results.placing,
            claimed_results.score
        FROM claimed_results
        JOIN participants ON participants.game_id = claimed_results.game_id
            AND participants.player_id = claimed_results.player_id
        WHERE claimed_results.game_id = ?1
        ORDER BY participants.seat
        """,
        game,
    )
    for row in rows:
        results[row[0]].append(Participant(PlayerId(row[1]), row[2], score_from_millionths(row[3])))
    rows = await tx.fetch(
        "SELECT version, kind, author_id, made_at FROM claims WHERE game_id = ?1 ORDER BY version",
        game,
    )
    return tuple(
        Claim(
            version=row[0],
            kind=ClaimKind(row[1]),
            author=PlayerId(row[2]),
            made_at=from_moment(row[3]),
            results=tuple(results[row[0]]),
            answers=answered.get(row[0], {}),
        )
        for row in rows
    )
