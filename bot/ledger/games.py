"""Games and their participants."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.errors import IllegalMove
from bot.ledger import claims
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
    Game,
    GameId,
    GameRecord,
    GuildId,
    MessageId,
    Outcome,
    Participant,
    PlayerId,
    RoomId,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.ledger.connection import Transaction
    from bot.model import Player, Room


class Met(NamedTuple):
    """A game of two players, and how it ended for the first of them; None for an aborted one."""

    game: GameId
    outcome: Outcome | None


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
            created_at, final_at, channel_id, message_id, asked_at
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
    answers = await claims.answers(tx, game)
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
        claims=await claims.of_game(tx, game, answers) if row[5] else (),
        uncounted_by=frozenset(
            player
            for player, answer in answers.get(row[5], {}).items()
            if answer is Answer.UNCOUNTED
        ),
        asked_at=None if row[13] is None else from_moment(row[13]),
    )


async def numbered(tx: Transaction, guild: GuildId, number: int) -> GameRecord | None:
    """Return a guild's game by the number that people see, None where there is none."""
    rows = await tx.fetch("SELECT id FROM games WHERE guild_id = ?1 AND number = ?2", guild, number)
    return await get(tx, GameId(rows[0][0])) if rows else None


async def between(
    tx: Transaction, room: RoomId, players: Sequence[PlayerId], statuses: Sequence[Status]
) -> tuple[GameRecord, ...]:
    """Return the games of exactly these players that stand where asked, the oldest first.

    Args:
        tx: The transaction.
        room: In which room.
        players: All who play, nobody else.
        statuses: Open, reported or disputed.
    """
    found = await of_player(tx, room, players[0], statuses)
    return tuple(
        game for game in reversed(found) if {player.id for player in game.players} == set(players)
    )


async def of_message(tx: Transaction, guild: GuildId, message: MessageId) -> GameRecord | None:
    """Return a guild's game whose message this is, None where it is none."""
    rows = await tx.fetch(
        "SELECT id FROM games WHERE guild_id = ?1 AND message_id = ?2", guild, message
    )
    return await get(tx, GameId(rows[0][0])) if rows else None


async def meetings(
    tx: Transaction, room: RoomId, first: PlayerId, second: PlayerId
) -> tuple[Met, ...]:
    """Return the games of two players that count in a room, in their order."""
    rows = await tx.fetch(
        """
        SELECT games.id, games.aborted_by, one.placing, other.placing FROM participants AS one
        JOIN participants AS other ON other.game_id = one.game_id AND other.player_id = ?3
        JOIN games ON games.id = one.game_id AND games.room_id = ?1 AND games.counts = 1
        WHERE one.player_id = ?2 ORDER BY games.final_at
        """,
        room,
        first,
        second,
    )
    return tuple(Met(GameId(row[0]), _of_first(row[1], row[2], row[3])) for row in rows)


def _of_first(aborted_by: int | None, own: int, other: int) -> Outcome | None:
    if aborted_by is not None:
        return None
    return Outcome.DRAW if own == other else Outcome.WIN if own < other else Outcome.LOSS


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


async def replace_result(
    tx: Transaction,
    game: GameId,
    results: Sequence[Participant],
    *,
    aborted_by: PlayerId | None,
) -> None:
    """Give a game another result, and those of it as its participants, in their order."""
    await tx.execute("DELETE FROM participants WHERE game_id = ?1", game)
    await tx.execute_many(
        """
        INSERT INTO participants (game_id, player_id, seat, placing, score)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """,
        [
            (game, each.player, seat, each.placing, to_millionths(each.score))
            for seat, each in enumerate(results)
        ],
    )
    await tx.execute("UPDATE games SET aborted_by = ?2 WHERE id = ?1", game, aborted_by)


async def free_moment(tx: Transaction, room: RoomId, moment: int) -> int:
    """Return the first moment from one on at which a room has no fact."""
    while True:
        rows = await tx.fetch(
            """
            SELECT 1 FROM games WHERE room_id = ?1 AND final_at = ?2
            UNION ALL SELECT 1 FROM events WHERE room_id = ?1 AND ?2 IN (opened_at, closed_at)
            LIMIT 1
            """,
            room,
            moment,
        )
        if not rows:
            return moment
        moment += 1


async def set_counting(tx: Transaction, game: GameId, *, counts: bool) -> None:
    """Let a game with a result count at its place, or no more; its status must allow it."""
    await tx.execute("UPDATE games SET counts = ?2 WHERE id = ?1", game, int(counts))


async def touch(tx: Transaction, game: GameId, now: datetime) -> None:
    """Note that somebody does something about an open game: it is not idle."""
    await tx.execute(
        "UPDATE games SET touched_at = ?2, asked_at = NULL WHERE id = ?1", game, to_moment(now)
    )


async def asked(tx: Transaction, game: GameId, now: datetime) -> None:
    """Note that the players of an idle game were asked about it."""
    await tx.execute("UPDATE games SET asked_at = ?2 WHERE id = ?1", game, to_moment(now))


async def abort_without_action(tx: Transaction, game: GameId, player: PlayerId | None) -> None:
    """Keep who aborted a game that rates nobody, None where it was closed for being idle."""
    await tx.execute("UPDATE games SET aborted_by = ?2 WHERE id = ?1", game, player)


async def last_messages(
    tx: Transaction, room: RoomId, count: int
) -> tuple[tuple[int, ChannelId, MessageId], ...]:
    """Return number, channel and message of a room's newest games that have a message."""
    rows = await tx.fetch(
        """
        SELECT number, channel_id, message_id FROM games
        WHERE room_id = ?1 AND message_id IS NOT NULL ORDER BY id DESC LIMIT ?2
        """,
        room,
        count,
    )
    return tuple((int(row[0]), ChannelId(row[1]), MessageId(row[2])) for row in rows)


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
    # A room may have a million games: others must not wait until all are read.
    return await asyncio.to_thread(_counted, rows)


def _counted(rows: Sequence[Sequence[Any]]) -> tuple[tuple[int, Game], ...]:
    """Return the games in rows of id, moment, aborter, player, placing and score."""
    found: list[tuple[int, Game]] = []
    participants: list[Participant] = []
    for index, row in enumerate(rows):
        participants.append(Participant(PlayerId(row[3]), row[4], score_from_millionths(row[5])))
        if index + 1 == len(rows) or rows[index + 1][0] != row[0]:
            aborter = None if row[2] is None else PlayerId(row[2])
            found.append((row[1], Game(GameId(row[0]), tuple(participants), aborter)))
            participants = []
    return tuple(found)


async def abort_share(
    tx: Transaction, room: RoomId, player: PlayerId, *, until: GameId, last: int
) -> int:
    """Return how many of a player's last ended games in a room the player aborted.

    Args:
        tx: The transaction.
        room: In which room.
        player: Whose games.
        until: The newest game that is looked at.
        last: How many games are looked at.
    """
    rows = await tx.fetch(
        """
        SELECT count(*) FROM (
            SELECT games.aborted_by, games.status FROM games
            JOIN participants ON participants.game_id = games.id
            WHERE games.room_id = ?1 AND participants.player_id = ?2 AND games.id <= ?3
                AND games.status IN ('rated', 'aborted')
            ORDER BY games.id DESC LIMIT ?4
        ) AS ended WHERE status = 'aborted' AND aborted_by = ?2
        """,
        room,
        player,
        until,
        last,
    )
    return int(rows[0][0])


async def aborted_count(tx: Transaction, room: RoomId, player: PlayerId) -> int:
    """Return how many games of a room a player aborted, with action or without."""
    rows = await tx.fetch(
        "SELECT count(*) FROM games WHERE room_id = ?1 AND aborted_by = ?2 AND status = 'aborted'",
        room,
        player,
    )
    return int(rows[0][0])
