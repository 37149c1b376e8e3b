"""The forms in which people write how a game stands or ended.

A form's fields carry the users they are about, so that it can be read by any process of the bot.
Two players without scores choose who is ahead; up to four have a field each; more share one field
with a line each.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, NamedTuple

import discord

from bot.display.packing import packed, unpacked
from bot.display.text import plain
from bot.errors import Refusal, RequestRefused
from bot.model import UserId
from bot.standings_text import Stated, by_places, by_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.model import GameRecord

MOST_IN_FORM = 8
"""How many players the id of a field can carry."""

_MOST_FIELDS = 4
_LARGEST = 10_000_000
_MINUS = "\u2212"


class Seat(NamedTuple):
    """A participant in a form, with the score or place written there beforehand."""

    user: UserId
    name: str
    value: str = ""


def seats_of(game: GameRecord) -> tuple[Seat, ...]:
    """Return the participants of a game, with their scores as last recorded."""
    standing = game.standing
    results = standing.results if standing is not None else ()
    scores = {each.player: each.score for each in results if each.score is not None}
    return tuple(
        Seat(player.user, player.name, f"{scores[player.id]:f}" if player.id in scores else "")
        for player in game.players
        if player.user is not None
    )


def standing_form(
    custom_id: str, title: str, seats: Sequence[Seat], *, needs_scores: bool
) -> discord.ui.Modal:
    """Return a form that asks how a game stands.

    Args:
        custom_id: What the form is about.
        title: What stands above it.
        seats: Two to eight participants.
        needs_scores: Whether the room's system takes nothing but scores.
    """
    # Forgotten after as long as Discord would take it.
    form = discord.ui.Modal(title=title[:45], custom_id=custom_id, timeout=900)
    if needs_scores:
        _add_fields(form, seats, "score")
    elif len(seats) == len("ab"):
        form.add_item(_ahead(seats))
        _add_fields(form, seats, "score", required=False)
    else:
        form.add_item(_numbers())
        if len(seats) <= _MOST_FIELDS:
            _add_fields(form, seats, "score or place")
        else:
            form.add_item(_lines(seats))
    return form


def read_form(values: Mapping[str, str]) -> tuple[Stated, ...]:
    """Return what a form says.

    Args:
        values: What was written or chosen, by the fields' custom ids.

    Raises:
        RequestRefused: Something in it is no number, or says two things at once.
    """
    users, numbers = _numbers_in(values)
    ahead = values.get("ahead")
    if ahead is not None:
        return _of_two(ahead, users, numbers)
    if any(not each.strip() for each in numbers):
        raise RequestRefused(Refusal.NUMBER_UNREADABLE, "")
    if values.get("numbers") == "places":
        return by_places(users, [_place(each) for each in numbers])
    return by_scores(users, [_score(each) for each in numbers])


def _of_two(ahead: str, users: Sequence[UserId], numbers: Sequence[str]) -> tuple[Stated, ...]:
    first, second = users
    places = {"level": (1, 1), str(first): (1, 2), str(second): (2, 1)}[ahead]
    stated = by_places(users, places)
    given = [each for each in numbers if each.strip()]
    if not given:
        return stated
    if len(given) < len(users):
        raise RequestRefused(Refusal.ONE_SCORE_MISSING)
    scored = by_scores(users, [_score(each) for each in numbers])
    if [each.placing for each in scored] != [each.placing for each in stated]:
        words = {(1, 1): "draw", (1, 2): "win", (2, 1): "loss"}[places]
        raise RequestRefused(Refusal.SCORES_CONTRADICT, words, *(each.score for each in scored))
    return scored


def _numbers_in(values: Mapping[str, str]) -> tuple[list[UserId], list[str]]:
    users: list[UserId] = []
    numbers: list[str] = []
    for custom_id, value in values.items():
        kind, _, ids = custom_id.partition(":")
        if kind == "number":
            users.append(UserId(int(ids)))
            numbers.append(value)
        elif kind == "lines":
            users.extend(unpacked(ids))
            lines = [line for line in value.splitlines() if line.strip()]
            if len(lines) != len(users):
                raise RequestRefused(Refusal.NUMBER_UNREADABLE, value)
            # The name stands before the number, and may hold spaces itself.
            numbers.extend(line.rsplit(maxsplit=1)[-1].strip(":") for line in lines)
    return users, numbers


def _score(text: str) -> Decimal:
    try:
        score = Decimal(text.strip().replace(_MINUS, "-").replace(",", "."))
    except InvalidOperation:
        raise RequestRefused(Refusal.NUMBER_UNREADABLE, text) from None
    if not score.is_finite() or abs(score) >= _LARGEST or score != round(score, 2):
        raise RequestRefused(Refusal.NUMBER_UNREADABLE, text)
    return score


def _place(text: str) -> int:
    digits = text.strip().strip("=.#")
    if not digits.isdecimal() or not 1 <= int(digits) <= MOST_IN_FORM:
        raise RequestRefused(Refusal.NUMBER_UNREADABLE, text)
    return int(digits)


def _add_fields(
    form: discord.ui.Modal, seats: Sequence[Seat], what: str, *, required: bool = True
) -> None:
    for seat in seats:
        field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            custom_id=f"number:{seat.user}",
            default=seat.value or None,
            required=required,
            max_length=12,
        )
        label = f"{plain(seat.name)}: {what}"[:45]
        form.add_item(discord.ui.Label(text=label, component=field))


def _ahead(seats: Sequence[Seat]) -> discord.ui.Label[discord.ui.View]:
    menu = discord.ui.Select[discord.ui.View](custom_id="ahead", required=True)
    first, second = seats
    menu.add_option(label=plain(first.name), value=str(first.user))
    menu.add_option(label="Level", value="level")
    menu.add_option(label=plain(second.name), value=str(second.user))
    return discord.ui.Label(text="Who is ahead, or won?", component=menu)


def _numbers() -> discord.ui.Label[discord.ui.View]:
    menu = discord.ui.Select[discord.ui.View](custom_id="numbers", required=True)
    menu.add_option(label="Scores: more is better", value="scores")
    menu.add_option(label="Places: 1 is best, equal places are a tie", value="places")
    return discord.ui.Label(text="The numbers below are", component=menu)


def _lines(seats: Sequence[Seat]) -> discord.ui.Label[discord.ui.View]:
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id=f"lines:{packed([seat.user for seat in seats])}",
        style=discord.TextStyle.paragraph,
        default="\n".join(f"{plain(seat.name)}: {seat.value}" for seat in seats),
        required=True,
        max_length=1000,
    )
    return discord.ui.Label(text="A number after each name", component=field)
