"""The fold: the facts of a room, in their order, become standings and changes.

The ledger takes one step at a time, a correction or an offline rating takes them all; both run
the same functions, so a stored standing always equals a replay.
"""

from __future__ import annotations

from collections import ChainMap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from bot.errors import PlayerTwice, ScoresNeeded, UnratableGame, WrongPlayerCount
from bot.model import EventId, EventKind, Game, PlayerId, RatingChange, Standing
from bot.ratings.abort import no_gain_no_loss

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bot.ratings.system import RatingSystem


class EventOpened(NamedTuple):
    """A tournament began: the games that follow belong to it."""

    event: EventId


class EventClosed(NamedTuple):
    """An event ended: its games are rated together now."""

    event: EventId


Fact: TypeAlias = Game | EventOpened | EventClosed


class Step(NamedTuple):
    """What one fact did.

    Attributes:
        changes: Each change of a rating, participants first.
        standings: The standing afterwards of everybody whom the fact touched.
    """

    changes: tuple[RatingChange, ...]
    standings: dict[PlayerId, Standing]


class Beginning(NamedTuple):
    """Where a replay begins: what the facts before it come to.

    Attributes:
        standings: Everybody's.
        games: Those of the event that runs, which wait for its closing.
        in_event: Whether an event runs.
        ordinal: How many events were closed.
    """

    standings: Mapping[PlayerId, Standing]
    games: tuple[Game, ...]
    in_event: bool
    ordinal: int


def check_game(system: RatingSystem, game: Game) -> None:
    """Refuse a game that the system cannot rate.

    Raises:
        WrongPlayerCount: Too few or too many participants.
        PlayerTwice: Somebody takes part twice.
        ScoresNeeded: The system rates by scores, and one is missing.
    """
    participants = game.participants
    check_players(system, [participant.player for participant in participants])
    if system.needs_scores and any(participant.score is None for participant in participants):
        raise ScoresNeeded(system.key)


def is_ratable(system: RatingSystem, game: Game) -> bool:
    """Tell whether the system can rate a game; a room that changed its system may have others."""
    try:
        check_game(system, game)
    except UnratableGame:
        return False
    return True


def check_players(system: RatingSystem, players: Sequence[PlayerId]) -> None:
    """Refuse participants whose game the system could not rate, however it ends.

    Raises:
        WrongPlayerCount: There are too few or too many.
        PlayerTwice: Somebody takes part twice.
    """
    if len(players) not in system.players:
        raise WrongPlayerCount(system.key, len(players), system.players)
    if len(set(players)) < len(players):
        raise PlayerTwice(system.key)


def players_concerned(
    system: RatingSystem, game: Game, standings: Mapping[PlayerId, Standing]
) -> frozenset[PlayerId]:
    """Return everybody beside the participants whose standing `rate_game` needs.

    Args:
        system: The room's system.
        game: The game about to be rated.
        standings: Those of the participants; a missing one is a newcomer's.
    """
    return system.concerned(game, _with_newcomers(system, game, standings))


def rate_game(
    system: RatingSystem,
    game: Game,
    standings: Mapping[PlayerId, Standing],
    *,
    in_event: bool,
    explain: bool = True,
) -> Step:
    """Rate one game: the system's rule, then no gain, no loss where it was aborted.

    Args:
        system: The room's system.
        game: A game that `check_game` lets pass.
        standings: Those before the game, of the participants and `players_concerned`; a missing
            one is a newcomer's.
        in_event: Whether an event is running; then no rating moves before its closing.
        explain: Whether the changes get their reasons.
    """
    before = _with_newcomers(system, game, standings)
    changes = system.rate(game, before, in_event=in_event, explain=explain)
    if game.aborted_by is not None:
        neutral = system.neutral_contributions(game, before)
        changes = no_gain_no_loss(changes, game.aborted_by, neutral)
    after: dict[PlayerId, Standing] = {}
    for change, memory in zip(changes, system.remember(game, changes, before), strict=True):
        games = before[change.player].games + 1
        after[change.player] = Standing(change.after, games, memory)
    if not system.concerned(game, before):
        return Step(changes, after)
    recalculations = system.recalculate(
        game, ChainMap(after, cast("dict[PlayerId, Standing]", before))
    )
    for change in recalculations:
        standing = after.get(change.player) or before[change.player]
        after[change.player] = standing._replace(rating=change.after)
    return Step(changes + recalculations, after)


def close_event(
    system: RatingSystem,
    games: Sequence[Game],
    standings: Mapping[PlayerId, Standing],
    *,
    ordinal: int,
) -> Step:
    """Rate the games of an event together.

    Args:
        system: The room's system, one that has events.
        games: The event's games in their order.
        standings: Those in force, of at least all who played in the event.
        ordinal: How many events of the room were closed before.
    """
    changes: list[RatingChange] = []
    after: dict[PlayerId, Standing] = {}
    for change, memory in system.close(games, standings, ordinal=ordinal):
        changes.append(change)
        after[change.player] = Standing(change.after, standings[change.player].games, memory)
    return Step(tuple(changes), after)


def replay(
    system: RatingSystem,
    facts: Iterable[Fact],
    *,
    beginning: Beginning | None = None,
    explain: bool = True,
) -> Iterator[tuple[Fact, Step]]:
    """Work the facts of a room off, one step a fact.

    A system without events ignores their opening and closing. A season's games are all since the
    season before was closed; a tournament's are those between its opening and its closing.

    Args:
        system: The room's system.
        facts: In the order in which they count; each game passes `check_game`.
        beginning: What came before them, None for nothing.
        explain: Whether the changes get their reasons.
    """
    if beginning is None:
        beginning = Beginning({}, (), rates_every_game_in_event(system), 0)
    standings = dict(beginning.standings)
    games = list(beginning.games)
    in_event, ordinal = beginning.in_event, beginning.ordinal
    for fact in facts:
        step = _NOTHING
        if isinstance(fact, Game):
            step = rate_game(system, fact, standings, in_event=in_event, explain=explain)
            if in_event:
                games.append(fact)
        elif isinstance(fact, EventOpened):
            in_event = system.event_kind is not None
        elif system.event_kind is not None:
            step = close_event(system, games, standings, ordinal=ordinal)
            games, ordinal = [], ordinal + 1
            in_event = rates_every_game_in_event(system)
        standings.update(step.standings)
        yield fact, step


def rates_every_game_in_event(system: RatingSystem) -> bool:
    """Tell whether some event is always running: a season is, a tournament is not."""
    return system.event_kind is EventKind.SEASON


_NOTHING = Step((), {})


def _with_newcomers(
    system: RatingSystem, game: Game, standings: Mapping[PlayerId, Standing]
) -> Mapping[PlayerId, Standing]:
    """Return the standings with a newcomer's for each participant who has none."""
    missing = {
        participant.player: system.start
        for participant in game.participants
        if participant.player not in standings
    }
    # Chained, not copied: a replay passes the standings of the whole room.
    return ChainMap(missing, cast("dict[PlayerId, Standing]", standings)) if missing else standings
