"""What a person's program sends for a press, a choice or a form, and what it would not send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.command_options import resolve
from bot.sandbox.errors import SandboxError, items_of
from bot.sandbox.messages import SELECTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.sandbox.answers import Field, Modal
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.messages import Button
    from bot.sandbox.world import World

_STRINGS, _TEXT_INPUT = 3, 4
_OPTION_TYPES = {5: 6, 6: 8, 7: 9, 8: 7}
"""Menus number users, roles, mentionables and channels otherwise than options of commands."""
_LONGEST_INPUT = 4_000


def find_button(buttons: Sequence[Button], label: str | None, custom_id: str | None) -> Button:
    """Return the button with a custom id, or with a label, or with the label as a part of its own.

    Raises:
        SandboxError: There is none, it is disabled, or it is a link.
    """
    if label is None:
        found = [each for each in buttons if each.custom_id == custom_id]
    else:
        found = [each for each in buttons if each.label == label]
        found = found or [each for each in buttons if label in each.label]
    if not found:
        shown = ", ".join(each.label for each in buttons) or "none"
        raise SandboxError(f"there is no button {label or custom_id}; there are: {shown}")
    if found[0].disabled:
        raise SandboxError(f"{found[0].label} is disabled")
    if found[0].url:
        raise SandboxError(f"{found[0].label} is a link")
    return found[0]


def choice(
    world: World,
    guild_id: str,
    selects: Sequence[JsonObject],
    values: Sequence[str],
    custom_id: str | None,
) -> JsonObject:
    """Return the data of a choice from a menu.

    Raises:
        SandboxError: There is no such menu, it is disabled, or has no such values.
    """
    select = next(
        (each for each in selects if custom_id is None or each["custom_id"] == custom_id), None
    )
    if select is None:
        raise SandboxError(f"there is no menu {custom_id or ''}")
    if select.get("disabled"):
        raise SandboxError("the menu is disabled")
    _check_choice(select, values)
    data: JsonObject = {
        "component_type": select["type"],
        "custom_id": select["custom_id"],
        "values": list(values),
    }
    if select["type"] != _STRINGS:
        resolved: JsonObject = {}
        data["resolved"] = resolved
        for value in values:
            resolve(resolved, world, guild_id, _OPTION_TYPES[select["type"]], value)
    return data


def _check_choice(select: JsonObject, values: Sequence[str]) -> None:
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if not low <= len(values) <= high:
        raise SandboxError(f"one may choose {low} to {high}")
    if select["type"] == _STRINGS:
        known = [option["value"] for option in select["options"]]
        strange = [value for value in values if value not in known]
        if strange:
            raise SandboxError(f"the menu has no {', '.join(strange)}; it has {', '.join(known)}")


def filled_form(modal: Modal, values: Mapping[str, str | list[str]]) -> JsonObject:
    """Return the data of a form that was filled in, its fields by custom id or label.

    Raises:
        SandboxError: It has no such field, or a field does not take the value.
    """
    given: dict[str, str | list[str]] = {}
    for name, value in values.items():
        field = next((each for each in modal.fields if name in {each.custom_id, each.label}), None)
        if field is None:
            labels = ", ".join(each.label for each in modal.fields)
            raise SandboxError(f"the form has no {name}; it has {labels}")
        given[field.custom_id] = value
    for field in modal.fields:
        given.setdefault(field.custom_id, field.value)
        _check_field(field, given[field.custom_id])
    return {
        "custom_id": modal.custom_id,
        "components": [_filled(each, given) for each in modal.data["components"]],
        "resolved": {},
    }


def _check_field(field: Field, value: str | list[str]) -> None:
    if not value and field.required:
        raise SandboxError(f"{field.label} is required")
    if field.data["type"] == _TEXT_INPUT and value:
        low = field.data.get("min_length") or 0
        high = field.data.get("max_length") or _LONGEST_INPUT
        if not low <= len(value) <= high:
            raise SandboxError(f"{field.label} has {low} to {high} characters")
    elif field.data["type"] in SELECTS and value:
        _check_choice(field.data, [value] if isinstance(value, str) else value)


def _filled(component: JsonObject, given: Mapping[str, str | list[str]]) -> JsonObject:
    kept: JsonObject = {"type": component["type"], "id": component.get("id", 0)}
    if component.get("component"):
        kept["component"] = _filled(component["component"], given)
    elif component.get("components"):
        kept["components"] = [_filled(each, given) for each in items_of(component, "components")]
    elif component.get("custom_id"):
        value = given[component["custom_id"]]
        kept["custom_id"] = component["custom_id"]
        if component["type"] == _TEXT_INPUT:
            kept["value"] = value
        else:
            several = [value] if isinstance(value, str) else value
            kept["values"] = [each for each in several if each]
    return kept
