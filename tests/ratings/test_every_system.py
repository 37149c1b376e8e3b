"""What holds in every rating system."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any, TypeAlias, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import (
    EventId,
    EventKind,
    Game,
    GameId,
    Memory,
    Participant,
    PlayerId,
    RatingChange,
    Standing,
)
from bot.ratings.registry import make_system, system_keys
from bot.ratings.replay import (
    EventClosed,
    EventOpened,
    Fact,
    check_game,
    close_event,
    players_concerned,
    rate_game,
    rates_every_game_in_event,
    replay,
)

EVERY = pytest.mark.parametrize("key", system_keys())
FLOORS = {"eternament": 0, "game-room": 1, "ecf": 0}

GAMES = st.tuples(
    st.permutations([1, 2, 3, 4]),
    st.integers(2, 4),
    st.lists(st.integers(-20, 40), min_size=4, max_size=4),
    st.sampled_from([None, None, 0, 1]),
    st.permutations([0, 1, 2, 3]),
)
"""Who plays, how many of them, their scores, who aborts, and an order to list them in."""
_Drawn: TypeAlias = "tuple[list[int], int, list[int], int | None, list[int]]"

FACTS = st.lists(
    st.one_of(GAMES, GAMES, GAMES, GAMES, GAMES, st.sampled_from(["open", "close"])), max_size=70
)


def facts_of(key: str, drawn: list[Any], *, shuffled: bool = False) -> list[Fact]:
    """Events open and close in turn; games have as many players as the system takes."""
    most = make_system(key, {}).players.stop - 1
    facts: list[Fact] = []
    is_open = False
    for each in drawn:
        if isinstance(each, str):
            if (each == "open") is not is_open:
                is_open = not is_open
                event = EventId(1)
                facts.append(EventOpened(event) if is_open else EventClosed(event))
            continue
        players, count, scores, aborter, order = cast("_Drawn", each)
        seats = list(zip(players, scores, strict=True))[: min(count, most)]
        participants = [
            Participant(PlayerId(player), 1 + sum(s > score for _, s in seats), Decimal(score))
            for player, score in seats
        ]
        if shuffled:
            participants = [participants[at] for at in order if at < len(participants)]
        aborted_by = None if aborter is None else PlayerId(players[aborter])
        facts.append(Game(GameId(len(facts)), tuple(participants), aborted_by))
    return facts


def run(key: str, facts: list[Fact]) -> tuple[dict[PlayerId, Standing], list[RatingChange]]:
    standings: dict[PlayerId, Standing] = {}
    changes: list[RatingChange] = []
    for _, step in replay(make_system(key, {}), facts):
        standings.update(step.standings)
        changes += step.changes
    return standings, changes


@EVERY
@given(drawn=FACTS)
def test_the_order_of_participants_never_matters(key: str, drawn: list[Any]) -> None:
    straight, _ = run(key, facts_of(key, drawn))
    shuffled, _ = run(key, facts_of(key, drawn, shuffled=True))
    assert straight == shuffled


@EVERY
@given(drawn=FACTS)
def test_a_replay_equals_rating_game_by_game(key: str, drawn: list[Any]) -> None:
    # As the ledger does it: with the standings of those concerned alone.
    system = make_system(key, {})
    kept: dict[PlayerId, Standing] = {}
    event: list[Game] = []
    ordinal = 0
    is_running = rates_every_game_in_event(system)
    for fact in facts_of(key, drawn):
        if isinstance(fact, Game):
            check_game(system, fact)
            own = {each.player for each in fact.participants}
            before = {player: kept[player] for player in own & kept.keys()}
            for player in players_concerned(system, fact, before) - own:
                before[player] = kept[player]
            kept.update(rate_game(system, fact, before, in_event=is_running).standings)
            if is_running:
                event.append(fact)
        elif system.event_kind is not None:
            is_running = isinstance(fact, EventOpened) or rates_every_game_in_event(system)
            if isinstance(fact, EventClosed):
                played = {each.player for game in event for each in game.participants}
                before = {player: kept[player] for player in played}
                kept.update(close_event(system, event, before, ordinal=ordinal).standings)
                event, ordinal = [], ordinal + 1
    assert kept == run(key, facts_of(key, drawn))[0]


@EVERY
@given(drawn=FACTS)
def test_ratings_stay_in_their_quantum_and_above_their_floor(key: str, drawn: list[Any]) -> None:
    system = make_system(key, {})
    standings, changes = run(key, facts_of(key, drawn))
    for rating in [each.rating for each in standings.values()] + [each.after for each in changes]:
        if rating is not None:
            assert rating == rating.quantize(system.quantum)
            assert rating >= FLOORS.get(key, -10_000)


@EVERY
@given(drawn=GAMES, before=FACTS)
def test_an_aborter_never_gains_and_the_others_never_lose(
    key: str, drawn: Any, before: list[Any]
) -> None:
    system = make_system(key, {})
    standings, _ = run(key, facts_of(key, before))
    (fact,) = facts_of(key, [drawn])
    assert isinstance(fact, Game)
    game = fact._replace(aborted_by=fact.participants[0].player)
    in_event = rates_every_game_in_event(system)
    step = rate_game(system, game, standings, in_event=in_event)
    for change in step.changes[: len(game.participants)]:
        gain = change.delta
        if in_event:
            if change.contribution is None or change.before is None:
                continue
            gain = change.contribution - change.before
        assert gain is not None
        assert gain <= 0 if change.player == game.aborted_by else gain >= 0


@EVERY
@given(count=st.integers(2, 4), score=st.integers(-20, 40))
def test_equals_who_tie_get_the_same(key: str, count: int, score: int) -> None:
    drawn = ([1, 2, 3, 4], count, [score] * 4, None, [0, 1, 2, 3])
    _, changes = run(key, facts_of(key, ["open", drawn, "close"]))
    assert len({change.after for change in changes if change.after is not None}) == 1


@EVERY
@given(drawn=FACTS)
def test_memories_are_plain_data(key: str, drawn: list[Any]) -> None:
    def is_plain(memory: Memory | int | str | None) -> bool:
        if isinstance(memory, tuple):
            return all(is_plain(each) for each in memory)
        return memory is None or type(cast("object", memory)) in {int, str}

    standings, _ = run(key, facts_of(key, drawn))
    assert all(is_plain(each.memory) for each in standings.values())


@EVERY
@given(drawn=FACTS)
def test_leaving_the_reasons_out_changes_nothing_else(key: str, drawn: list[Any]) -> None:
    facts = facts_of(key, drawn)
    explained = replay(make_system(key, {}), facts)
    bare = replay(make_system(key, {}), facts, explain=False)
    for (_, one), (_, other) in zip(explained, bare, strict=True):
        assert one.standings == other.standings
        assert all(change.reasons for change in one.changes)


@EVERY
@given(drawn=FACTS)
def test_a_tally_ends_where_a_replay_does(key: str, drawn: list[Any]) -> None:
    facts = facts_of(key, drawn)
    system = make_system(key, {})
    if rates_every_game_in_event(system):
        facts.append(EventClosed(EventId(1)))
    tally = system.tally()
    for fact in facts:
        if isinstance(fact, Game):
            tally.rate(fact)
        elif isinstance(fact, EventOpened):
            tally.open_event()
        else:
            tally.close_event()

    expected, _ = run(key, facts)
    assert {player: (each.rating, each.games) for player, each in tally.standings().items()} == {
        player: (each.rating, each.games) for player, each in expected.items()
    }


@EVERY
def test_a_tally_agrees_after_many_games(key: str) -> None:
    made_up = Random(7)  # noqa: S311 - nothing is secret
    most = make_system(key, {}).players.stop - 1
    drawn: list[Any] = []
    for number in range(2000):
        players = made_up.sample(range(1, 30), 4)
        scores = [made_up.randrange(-20, 500) for _ in range(4)]
        aborter = made_up.choice([None, None, None, 0, 1])
        drawn.append((players, made_up.randint(2, min(4, most)), scores, aborter, [0, 1, 2, 3]))
        if number % 97 == 0:
            drawn.append("close" if number % 2 else "open")
    facts = [*facts_of(key, drawn), EventClosed(EventId(1))]
    if make_system(key, {}).event_kind is EventKind.TOURNAMENT and not is_open_at_end(facts):
        facts.pop()

    tally = make_system(key, {}).tally()
    for fact in facts:
        if isinstance(fact, Game):
            tally.rate(fact)
        elif isinstance(fact, EventOpened):
            tally.open_event()
        else:
            tally.close_event()

    expected, _ = run(key, facts)
    found = tally.standings()
    assert {player: str(each.rating) for player, each in found.items()} == {
        player: str(each.rating) for player, each in expected.items()
    }


def is_open_at_end(facts: list[Fact]) -> bool:
    """Tell whether a tournament runs before the last fact."""
    events = [fact for fact in facts[:-1] if not isinstance(fact, Game)]
    return bool(events) and isinstance(events[-1], EventOpened)
