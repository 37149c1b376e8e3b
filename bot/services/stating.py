"""What somebody says of a game, become one entry a participant."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

from bot.errors import Refusal, RequestRefused, UnratableGame
from bot.ledger import players, rooms
from bot.model import Game, GameId, Outcome, Participant, PlayerId
from bot.ratings.registry import make_system, suitable_systems
from bot.ratings.replay import check_game, check_players
from bot.services.acting import DEFAULT_SYSTEM, find_room
from bot.standings_text import read_standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.ledger.connection import Ledger, Transaction
    from bot.model import Player, Room
    from bot.ratings.system import RatingSystem
    from bot.services.acting import Act, Person
    from bot.standings_text import Stated


@dataclass(frozen=True, slots=True)
class OwnView:
    """What one of two says of their game, from its own side.

    Attributes:
        outcome: How it stands for the speaker; None where the scores say.
        score: The speaker's, where the game has scores.
        opponent_score: The other's.
    """

    outcome: Outcome | None
    score: Decimal | None = None
    opponent_score: Decimal | None = None


Statement: TypeAlias = "OwnView | tuple[Stated, ...]"
"""How a game stands or ended: from one side of a game of two, or an entry for each participant."""


_OWN_WORDS = {"ahead": Outcome.WIN, "level": Outcome.DRAW, "behind": Outcome.LOSS}

OWN_WORDS = tuple(_OWN_WORDS)
"""What one of two may say of how their game stands."""


def read_statement(
    standing: str | None, score: int | None, opponent_score: int | None
) -> Statement | None:
    """Return what somebody typed about how a game stands, None for nothing.

    Args:
        standing: `ahead`, `level`, `behind`, or a standing as `read_standings` takes it.
        score: The speaker's in a game of two.
        opponent_score: The other's.

    Raises:
        StandingsUnreadable: The text is neither.
        RequestRefused: Only one score is given, or scores beside a standing of all.
    """
    word = None if standing is None else standing.strip().casefold()
    if word is None and score is None and opponent_score is None:
        return None
    if standing is None or word in _OWN_WORDS:
        outcome = None if word is None else _OWN_WORDS[word]
        return OwnView(outcome, _decimal(score), _decimal(opponent_score))
    if score is not None or opponent_score is not None:
        raise RequestRefused(Refusal.STATED_TWICE)
    return read_standings(standing)


async def remember_participants(
    tx: Transaction, act: Act, others: Sequence[Person]
) -> tuple[Player, ...]:
    """Return who takes part in a game: the person who acts, then the others.

    Raises:
        RequestRefused: One of the others is a bot, the person who acts, or named twice.
    """
    check_people(act, others)
    return tuple(
        [
            await players.remember(tx, act.guild, person.user, person.name)
            for person in (act.person, *others)
        ]
    )


def check_people(act: Act, others: Sequence[Person]) -> None:
    """Refuse others with whom the person who acts cannot play.

    Raises:
        RequestRefused: One of them is a bot, the person who acts, or named twice.
    """
    seen = {act.person.user}
    for person in others:
        if person.user == act.person.user:
            raise RequestRefused(Refusal.OWN_OPPONENT)
        if person.is_bot:
            raise RequestRefused(Refusal.BOT_OPPONENT, person.name)
        if person.user in seen:
            raise RequestRefused(Refusal.PLAYER_TWICE, person.name)
        seen.add(person.user)


def results_of(
    players: Sequence[Player], author: Player, statement: Statement
) -> tuple[Participant, ...]:
    """Return what a statement says of each participant, in the order of their seats.

    Raises:
        RequestRefused: It says nothing, contradicts itself, or speaks of other people.
    """
    if isinstance(statement, OwnView):
        return _of_two(players, author, statement)
    said = {each.user: each for each in statement}
    if said.keys() != {player.user for player in players}:
        raise RequestRefused(Refusal.OTHER_PLAYERS, ", ".join(player.name for player in players))
    return tuple(
        Participant(player.id, said[player.user].placing, said[player.user].score)
        for player in players
        if player.user is not None
    )


def read_everybody(act: Act, standings: str) -> tuple[Stated, ...]:
    """Return what a person typed about a game of its own, an entry for each participant.

    Raises:
        StandingsUnreadable: The text is no standing.
        RequestRefused: The person does not take part.
    """
    statement = read_standings(standings)
    if act.person.user not in {each.user for each in statement}:
        raise RequestRefused(Refusal.NOT_A_PARTICIPANT)
    return statement


async def scores_needed(ledger: Ledger, act: Act, participants: int) -> bool:
    """Tell whether the room that is meant needs the scores of a game of so many.

    Raises:
        RequestRefused: No room is meant.
        UnratableGame: The room's system does not rate games of so many.
    """
    async with ledger.reading() as tx:
        key, settings = DEFAULT_SYSTEM, dict[str, str]()
        if await rooms.of_guild(tx, act.guild):
            room = await find_room(tx, act)
            key, settings = room.system, dict(room.settings)
    system = make_system(key, settings)
    _check_count(system, [PlayerId(seat) for seat in range(participants)])
    return system.needs_scores


def _of_two(
    players: Sequence[Player], author: Player, view: OwnView
) -> tuple[Participant, Participant]:
    if len(players) != len(("author", "opponent")):
        raise RequestRefused(Refusal.ONLY_FOR_TWO, len(players))
    placings = {Outcome.WIN: (1, 2), Outcome.DRAW: (1, 1), Outcome.LOSS: (2, 1)}
    own, other = placings[_outcome(view)]
    (opponent,) = (player for player in players if player.id != author.id)
    said = {
        author.id: Participant(author.id, own, view.score),
        opponent.id: Participant(opponent.id, other, view.opponent_score),
    }
    first, second = (said[player.id] for player in players)
    return first, second


def _outcome(view: OwnView) -> Outcome:
    own, other = view.score, view.opponent_score
    if (own is None) != (other is None):
        raise RequestRefused(Refusal.ONE_SCORE_MISSING)
    if own is None or other is None:
        if view.outcome is None:
            raise RequestRefused(Refusal.NO_RESULT)
        return view.outcome
    by_score = Outcome.DRAW if own == other else Outcome.WIN if own > other else Outcome.LOSS
    if view.outcome not in {None, by_score}:
        raise RequestRefused(Refusal.SCORES_CONTRADICT, view.outcome, own, other)
    return by_score


def check_ratable(room: Room, results: Sequence[Participant]) -> None:
    """Refuse results that the room's system cannot rate, naming systems that could.

    Raises:
        UnratableGame: It cannot.
    """
    try:
        check_game(make_system(room.system, room.settings), Game(GameId(0), tuple(results)))
    except UnratableGame as error:
        has_scores = all(result.score is not None for result in results)
        error.suitable = suitable_systems(len(results), has_scores=has_scores)
        raise


def check_playable(room: Room, participants: Sequence[Player]) -> None:
    """Refuse participants whose game the room's system could not rate, however it ends.

    Raises:
        UnratableGame: There are too few or too many, with the systems that would do.
    """
    _check_count(make_system(room.system, room.settings), [player.id for player in participants])


def _check_count(system: RatingSystem, participants: Sequence[PlayerId]) -> None:
    try:
        check_players(system, participants)
    except UnratableGame as error:
        error.suitable = suitable_systems(len(participants), has_scores=system.needs_scores)
        raise


def _decimal(score: int | None) -> Decimal | None:
    return None if score is None else Decimal(score)


def agree(first: Sequence[Participant], second: Sequence[Participant]) -> bool:
    """Tell whether two claims say the same: the same placings, and scores where both have them."""
    other = {result.player: result for result in second}
    return all(
        result.placing == other[result.player].placing
        and (
            result.score is None
            or other[result.player].score is None
            or result.score == other[result.player].score
        )
        for result in first
    )


def fuller(first: Sequence[Participant], second: Sequence[Participant]) -> Sequence[Participant]:
    """Return of two claims that agree the one that has scores."""
    return second if any(result.score is None for result in first) else first
