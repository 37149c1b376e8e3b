"""Games, their participants, and what was claimed and answered."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bot.errors import IllegalMove
from bot.ledger.encoding import (
    from_moment,
    score_from_millionths,
    to_millionths,
    to_moment,
)
from bot.ledger.players import player_of
from bot.model import (
    Answer,
    ChannelId,
    Claim,
    ClaimKind,
    Game,
    GameId,
    GameRecord,
    GuildId,
    MessageId,
    Participant,
    PlayerId,
    RoomId,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Row, Transaction
    from bot.model import Player, Room


async def add(
    tx: Transaction,
    room: Room,
    players: Sequence[Player],
    channel: ChannelId,
    *,
    status: Status,
    now: datetime,
) -> GameId:
    """Add a game with the guild's next number.

    Args:
        tx: The transaction.
        room: Where it counts.
        players: The participants in the order of their seats.
        channel: Where its message will be.
        status: Open, or reported where a claim is added at once.
        now: When.
    """
    numbers = await tx.fetch(
        "UPDATE guilds SET next_game = next_game + 1 WHERE id = ?1 RETURNING next_game - 1",
        room.guild,
    )
    rows = await tx.fetch(
        """
        INSERT INTO games
            (guild_id, number, room_id, status, created_at, touched_at, opened, channel_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7)
        RETURNING id
        """,
        room.guild,
        numbers[0][0],
        room.id,
        status,
        to_moment(now),
        int(status is Status.OPEN),
        channel,
    )
    game = GameId(rows[0][0])
    await tx.execute_many(
        "INSERT INTO participants (game_id, player_id, seat) VALUES (?1, ?2, ?3)",
        [(game, player.id, seat) for seat, player in enumerate(players)],
    )
    return game


async def get(tx: Transaction, game: GameId) -> GameRecord | None:
    """Return a game with all that is known of it, None where there is none."""
    rows = await tx.fetch(
        """
        SELECT id, guild_id, number, room_id, status, version, aborted_by, counts, opened,
            created_at, final_at, channel_id, message_id
        FROM games WHERE id = ?1
        """,
        game,
    )
    if not rows:
        return None
    row = rows[0]
    seats = await tx.fetch(
        """
        SELECT players.id, players.user_id, players.name, participants.placing, participants.score
        FROM participants JOIN players ON players.id = participants.player_id
        WHERE participants.game_id = ?1 ORDER BY participants.seat
        """,
        game,
    )
    return GameRecord(
        id=GameId(row[0]),
        guild=GuildId(row[1]),
        number=row[2],
        room=RoomId(row[3]),
        status=Status(row[4]),
        version=row[5],
        players=tuple(player_of(seat) for seat in seats),
        results=tuple(
            Participant(PlayerId(seat[0]), seat[3], score_from_millionths(seat[4]))
            for seat in seats
            if seat[3] is not None
        ),
        aborted_by=None if row[6] is None else PlayerId(row[6]),
        counts=bool(row[7]),
        was_opened=bool(row[8]),
        created_at=from_moment(row[9]),
        final_at=None if row[10] is None else from_moment(row[10]),
        channel=ChannelId(row[11]),
        message=None if row[12] is None else MessageId(row[12]),
        claims=await _claims(tx, game) if row[5] else (),
    )


async def numbered(tx: Transaction, guild: GuildId, number: int) -> GameRecord | None:
    """Return a guild's game by the number that people see, None where there is none."""
    rows = await tx.fetch("SELECT id FROM games WHERE guild_id = ?1 AND number = ?2", guild, number)
    return await get(tx, GameId(rows[0][0])) if rows else None


async def waiting_between(
    tx: Transaction, room: RoomId, players: Sequence[PlayerId]
) -> tuple[GameRecord, ...]:
    """Return a room's reported games of exactly these players, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT games.id FROM games
        JOIN participants ON participants.game_id = games.id
        WHERE games.room_id = ?1 AND games.status = 'reported' AND participants.player_id = ?2
        ORDER BY games.id
        """,
        room,
        players[0],
    )
    found: list[GameRecord] = []
    for row in rows:
        game = await get(tx, GameId(row[0]))
        if game is not None and {player.id for player in game.players} == set(players):
            found.append(game)
    return tuple(found)


async def of_player(
    tx: Transaction, room: RoomId, player: PlayerId, statuses: Sequence[Status]
) -> tuple[GameRecord, ...]:
    """Return a player's games in a room that stand where asked, the newest first."""
    rows = await tx.fetch(
        """
        SELECT games.id, games.status FROM games
        JOIN participants ON participants.game_id = games.id
        WHERE games.room_id = ?1 AND games.status IN ('open', 'reported', 'disputed')
            AND participants.player_id = ?2
        ORDER BY games.id DESC
        """,
        room,
        player,
    )
    found = [await get(tx, GameId(row[0])) for row in rows if Status(row[1]) in statuses]
    return tuple(game for game in found if game is not None)


async def unsettled(
    tx: Transaction, room: RoomId, statuses: Sequence[Status]
) -> tuple[GameRecord, ...]:
    """Return a room's games that stand where asked and are not settled, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT id, status FROM games
        WHERE room_id = ?1 AND status IN ('open', 'reported', 'disputed') ORDER BY id
        """,
        room,
    )
    found = [await get(tx, GameId(row[0])) for row in rows if Status(row[1]) in statuses]
    return tuple(game for game in found if game is not None)


async def move(
    tx: Transaction, game: GameRecord, status: Status, *, move: str, now: datetime
) -> None:
    """Let a game stand elsewhere, if it still stands as it was read.

    Raises:
        IllegalMove: Somebody else was faster.
    """
    changed = await tx.execute(
        """
        UPDATE games SET status = ?2, touched_at = ?5
        WHERE id = ?1 AND status = ?3 AND version = ?4
        """,
        game.id,
        status,
        game.status,
        game.version,
        to_moment(now),
    )
    if changed != 1:
        raise IllegalMove(game.status, move, game)


async def add_claim(
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


async def add_answer(
    tx: Transaction, game: GameId, version: int, player: PlayerId, answer: Answer, now: datetime
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
        answer,
        to_moment(now),
    )
    return changed == 1


async def settle(
    tx: Transaction,
    game: GameId,
    results: Sequence[Participant],
    *,
    aborted_by: PlayerId | None,
    final_at: int,
) -> None:
    """Keep what was agreed and let the game count from a moment on."""
    await tx.execute_many(
        "UPDATE participants SET placing = ?3, score = ?4 WHERE game_id = ?1 AND player_id = ?2",
        [(game, result.player, result.placing, to_millionths(result.score)) for result in results],
    )
    await tx.execute(
        "UPDATE games SET counts = 1, aborted_by = ?2, final_at = ?3 WHERE id = ?1",
        game,
        aborted_by,
        final_at,
    )


async def abort_without_action(tx: Transaction, game: GameId, player: PlayerId | None) -> None:
    """Keep who aborted a game that rates nobody, None where it was closed for being idle."""
    await tx.execute("UPDATE games SET aborted_by = ?2 WHERE id = ?1", game, player)


async def set_message(
    tx: Transaction, game: GameId, channel: ChannelId, message: MessageId
) -> None:
    """Keep where a game's message is."""
    await tx.execute(
        "UPDATE games SET channel_id = ?2, message_id = ?3 WHERE id = ?1", game, channel, message
    )


async def counted(
    tx: Transaction, room: RoomId, *, after: int = -1, until: int | None = None
) -> tuple[tuple[int, Game], ...]:
    """Return the games that count in a room in their order, each with its moment.

    Args:
        tx: The transaction.
        room: Which room.
        after: Only those later than this moment.
        until: Only those up to this moment.
    """
    values: list[object] = [room, after]
    condition = "games.room_id = ?1 AND games.counts = 1 AND games.final_at > ?2"
    if until is not None:
        values.append(until)
        condition += " AND games.final_at <= ?3"
    rows = await tx.fetch(
        f"""
        SELECT games.id, games.final_at, games.aborted_by, participants.player_id,
            participants.placing, participants.score
        FROM games JOIN participants ON participants.game_id = games.id
        WHERE {condition}
        ORDER BY games.final_at, games.id, participants.seat
        """,
        *values,
    )
    found: list[tuple[int, Game]] = []
    participants: list[Participant] = []
    for index, row in enumerate(rows):
        participants.append(Participant(PlayerId(row[3]), row[4], score_from_millionths(row[5])))
        if index + 1 == len(rows) or rows[index + 1][0] != row[0]:
            aborter = None if row[2] is None else PlayerId(row[2])
            found.append((row[1], Game(GameId(row[0]), tuple(participants), aborter)))
            participants = []
    return tuple(found)


async def aborted_count(tx: Transaction, room: RoomId, player: PlayerId) -> int:
    """Return how many games of a room a player aborted, with action or without."""
    rows = await tx.fetch(
        "SELECT count(*) FROM games WHERE room_id = ?1 AND aborted_by = ?2 AND status = 'aborted'",
        room,
        player,
    )
    return int(rows[0][0])


async def _claims(tx: Transaction, game: GameId) -> tuple[Claim, ...]:
    results: defaultdict[int, list[Participant]] = defaultdict(list)
    rows: Sequence[Row] = await tx.fetch(
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
    answers: defaultdict[int, dict[PlayerId, Answer]] = defaultdict(dict)
    rows = await tx.fetch(
        "SELECT version, player_id, answer FROM answers WHERE game_id = ?1 ORDER BY given_at", game
    )
    for row in rows:
        answers[row[0]][PlayerId(row[1])] = Answer(row[2])
    rows = await tx.fetch(
        "SELECT version, kind, author_id, made_at FROM claims WHERE game_id = ?1 ORDER BY version",
        game,
    )
    return tuple(_claim(row, results[row[0]], answers[row[0]]) for row in rows)


def _claim(
    row: Sequence[Any], results: list[Participant], answers: dict[PlayerId, Answer]
) -> Claim:
    return Claim(
        version=row[0],
        kind=ClaimKind(row[1]),
        author=PlayerId(row[2]),
        made_at=from_moment(row[3]),
        results=tuple(results),
        answers=answers,
    )
