"""Discord's limits that its OpenAPI description does not hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import items_of, object_of, put_error
from bot.sandbox.interactions import DEFER, MODAL, REPLY, UPDATE
from bot.sandbox.world import COMPONENTS_V2, EPHEMERAL

if TYPE_CHECKING:
    from bot.sandbox.errors import JsonObject

_ROW, _BUTTON, _STRING_SELECT = 1, 2, 3
_LINK, _PREMIUM = 5, 6
_MOST_CONTENT, _MOST_EMBED_TEXT, _MOST_ROWS, _MOST_COMPONENTS = 2_000, 6_000, 5, 40
_MOST_MODAL_ROWS = 5
_MOST_COMMAND_TEXT = 8_000
_MOST_COMMANDS = {1: 100, 2: 15, 3: 15}
_COMMAND_NAME = re.compile(r"[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}")
_PICTURE = re.compile(r"(https?|attachment)://")


def breaches_of_limits(method: str, template: str, body: Any) -> JsonObject:  # noqa: ANN401 - JSON
    """Return the tree of errors of a request's body, empty where there are none."""
    tree: JsonObject = {}
    if template.endswith("/callback"):
        _check_callback(tree, body)
    elif method in {"POST", "PATCH"} and _is_message(template):
        _check_message(tree, [], body)
    elif method == "PUT" and template.endswith("/commands"):
        _check_commands(tree, body)
    return tree


def _is_message(template: str) -> bool:
    return "/messages" in template or template.startswith("/webhooks/")


def _check_callback(tree: JsonObject, body: JsonObject) -> None:
    data = object_of(body, "data")
    if body["type"] in {REPLY, UPDATE}:
        _check_message(tree, ["data"], data)
    elif body["type"] == MODAL:
        rows = items_of(data, "components")
        if not 1 <= len(rows) <= _MOST_MODAL_ROWS:
            put_error(
                tree,
                ["data", "components"],
                "BASE_TYPE_BAD_LENGTH",
                "Must be between 1 and 5 in length.",
            )
        _ComponentCheck(tree, is_v2=True).check(["data", "components"], rows)
    elif body["type"] == DEFER and (data.get("flags") or 0) & ~EPHEMERAL:
        put_error(tree, ["data", "flags"], "BASE_TYPE_CHOICES", "Only EPHEMERAL may be set.")


def _check_message(tree: JsonObject, path: list[str | int], message: JsonObject) -> None:
    is_v2 = bool((message.get("flags") or 0) & COMPONENTS_V2)
    if len(message.get("content") or "") > _MOST_CONTENT:
        put_error(
            tree, [*path, "content"], "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length."
        )
    if is_v2:
        for key in ("content", "embeds", "poll"):
            if message.get(key):
                put_error(
                    tree,
                    [*path, key],
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
    _check_embeds(tree, [*path, "embeds"], items_of(message, "embeds"))
    components = items_of(message, "components")
    if not is_v2 and len(components) > _MOST_ROWS:
        put_error(
            tree,
            [*path, "components"],
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 5 in length.",
        )
    _ComponentCheck(tree, is_v2=is_v2).check([*path, "components"], components)


def _check_embeds(tree: JsonObject, path: list[str | int], embeds: list[JsonObject]) -> None:
    total = 0
    for index, embed in enumerate(embeds):
        fields = items_of(embed, "fields")
        parts = [embed.get("title"), embed.get("description")]
        parts.append(object_of(embed, "footer").get("text"))
        parts.append(object_of(embed, "author").get("name"))
        parts.extend(field.get(key) for field in fields for key in ("name", "value"))
        size = sum(len((part or "").strip()) for part in parts)
        total += size
        for number, field in enumerate(fields):
            for key in ("name", "value"):
                if not (field.get(key) or "").strip():
                    where = [*path, index, "fields", number, key]
                    put_error(tree, where, "BASE_TYPE_REQUIRED", "This field is required")
        if not size and not any(embed.get(key) for key in ("image", "thumbnail", "timestamp")):
            put_error(tree, [*path, index], "BASE_TYPE_REQUIRED", "This field is required")
        for key in ("image", "thumbnail"):
            address = (object_of(embed, key)).get("url")
            if address and not _PICTURE.match(address):
                where = [*path, index, key, "url"]
                put_error(tree, where, "URL_TYPE_INVALID_SCHEME", "Scheme is not supported.")
    if total > _MOST_EMBED_TEXT:
        put_error(tree, path, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


class _ComponentCheck:
    """A walk over the components of one message or form."""

    def __init__(self, tree: JsonObject, *, is_v2: bool) -> None:
        self._tree = tree
        self._is_v2 = is_v2
        self._custom_ids: set[str] = set()
        self._count = 0

    def check(self, path: list[str | int], components: list[JsonObject]) -> None:
        """Check the components at the top."""
        if not self._is_v2:
            for index, component in enumerate(components):
                if component["type"] != _ROW:
                    self._put([*path, index, "type"], "UNION_TYPE_CHOICES", "Must be one of (1,).")
        self._walk(path, components)
        if self._is_v2 and self._count > _MOST_COMPONENTS:
            self._put(path, "BASE_TYPE_BAD_LENGTH", "At most 40 components are allowed.")

    def _walk(self, path: list[str | int], components: list[JsonObject]) -> None:
        for index, component in enumerate(components):
            where = [*path, index]
            self._count += 1
            self._check_kind(where, component)
            custom_id = component.get("custom_id")
            if custom_id:
                if custom_id in self._custom_ids:
                    self._put(
                        [*where, "custom_id"],
                        "COMPONENT_CUSTOM_ID_DUPLICATED",
                        "Component custom id cannot be duplicated",
                    )
                self._custom_ids.add(custom_id)
            self._walk([*where, "components"], items_of(component, "components"))
            for key in ("accessory", "component"):
                if component.get(key):
                    self._walk([*where, key], [component[key]])

    def _check_kind(self, path: list[str | int], component: JsonObject) -> None:
        if component["type"] == _ROW:
            kinds = {each["type"] for each in items_of(component, "components")}
            if kinds - {_BUTTON} and len(component["components"]) > 1:
                self._put(
                    [*path, "components"],
                    "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                    "The specified component exceeds the maximum width",
                )
        elif component["type"] == _BUTTON:
            self._check_button(path, component)
        elif component["type"] == _STRING_SELECT:
            values = [option.get("value") for option in items_of(component, "options")]
            if len(set(values)) < len(values):
                self._put(
                    [*path, "options"],
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            if (component.get("max_values") or 1) > len(values):
                self._put([*path, "max_values"], "NUMBER_TYPE_MAX", "More than there are options.")

    def _check_button(self, path: list[str | int], button: JsonObject) -> None:
        is_link = button.get("style") == _LINK
        if is_link and (not button.get("url") or button.get("custom_id")):
            self._put(path, "BASE_TYPE_REQUIRED", "A link button needs a url and no custom id.")
        if not is_link and button.get("style") != _PREMIUM and not button.get("custom_id"):
            self._put([*path, "custom_id"], "BASE_TYPE_REQUIRED", "This field is required")
        if button.get("style") != _PREMIUM and not (button.get("label") or button.get("emoji")):
            self._put(path, "BASE_TYPE_REQUIRED", "A label or an emoji is required.")

    def _put(self, path: list[str | int], code: str, message: str) -> None:
        put_error(self._tree, path, code, message)


def _check_commands(tree: JsonObject, commands: list[JsonObject]) -> None:
    counts = dict.fromkeys(_MOST_COMMANDS, 0)
    for index, command in enumerate(commands):
        kind = command.get("type") or 1
        counts[kind] += 1
        if kind == 1:
            _check_name(tree, [index, "name"], command["name"])
            if not command.get("description"):
                put_error(tree, [index, "description"], "BASE_TYPE_REQUIRED", "Required")
        elif command.get("description"):
            put_error(
                tree,
                [index, "description"],
                "APPLICATION_COMMAND_DESCRIPTION",
                "Context menu commands cannot have description",
            )
        if _text_of(command) > _MOST_COMMAND_TEXT:
            put_error(
                tree,
                [index],
                "APPLICATION_COMMAND_TOO_LARGE",
                "Command exceeds maximum size (8000)",
            )
        _check_options(tree, [index, "options"], items_of(command, "options"))
    for kind, most in _MOST_COMMANDS.items():
        if counts[kind] > most:
            put_error(tree, [], "APPLICATION_COMMANDS_MAX", f"At most {most} of type {kind}.")


def _check_options(tree: JsonObject, path: list[str | int], options: list[JsonObject]) -> None:
    names: set[str] = set()
    is_optional = False
    for index, option in enumerate(options):
        where = [*path, index]
        _check_name(tree, [*where, "name"], option["name"])
        if option["name"] in names:
            put_error(
                tree,
                [*where, "name"],
                "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE",
                "Option names must be unique",
            )
        names.add(option["name"])
        if option.get("required") and is_optional:
            put_error(
                tree,
                path,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        is_group = option["type"] in {1, 2}
        is_optional = is_optional or not (option.get("required") or is_group)
        if option.get("choices") and option.get("autocomplete"):
            put_error(tree, where, "BASE_TYPE_CHOICES", "Choices or autocomplete, not both.")
        _check_options(tree, [*where, "options"], items_of(option, "options"))


def _check_name(tree: JsonObject, path: list[str | int], name: str) -> None:
    if not _COMMAND_NAME.fullmatch(name) or name != name.lower():
        put_error(tree, path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _text_of(node: JsonObject) -> int:
    """Return how many characters of a command count, each text in its longest language."""
    size = 0
    for key in ("name", "description"):
        localized = (object_of(node, f"{key}_localizations")).values()
        size += max(len(text) for text in (node.get(key) or "", *localized))
    size += sum(_text_of(option) for option in items_of(node, "options"))
    choices = items_of(node, "choices")
    return size + sum(len(str(each["name"])) + len(str(each["value"])) for each in choices)
