"""Checking the bot's requests against Discord's own OpenAPI description, where it is at hand."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import quote

from bot.sandbox.errors import items_of, object_of, put_error

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bot.sandbox.errors import JsonObject

_METHODS = ("post", "put", "patch")
_WIDEST_INT = 2**31
_PART = re.compile(r"\{\w+\}")


class _SchemaError(Protocol):
    message: str
    instance_path: list[str | int]


class _Validator(Protocol):
    def iter_errors(self, instance: object) -> Iterable[_SchemaError]: ...


class OpenApi:
    """Discord's description of its API, made ready for checking."""

    def __init__(self, path: Path) -> None:
        """Read the description; it takes the package `jsonschema-rs`.

        Raises:
            OSError: The file cannot be read.
        """
        import jsonschema_rs  # noqa: PLC0415 - only those who check need it

        self._document: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        _prepare(self._document)
        self._make = jsonschema_rs.Draft202012Validator
        self._validators: dict[tuple[str, str], _Validator | None] = {}
        self._templates = {
            (method, _PART.sub("{}", template)): template
            for template, operations in self._document["paths"].items()
            for method in _METHODS
            if method in operations
        }

    def breaches(self, method: str, template: str, body: object) -> JsonObject:
        """Return the tree of errors of a request's body, empty where there are none."""
        tree: JsonObject = {}
        validator = self._validator(method.lower(), _PART.sub("{}", template))
        if validator is not None:
            for error in validator.iter_errors(body):
                put_error(tree, error.instance_path, "SCHEMA", error.message[:300])
        return tree

    def _validator(self, method: str, shape: str) -> _Validator | None:
        key = (method, shape)
        if key not in self._validators:
            self._validators[key] = self._build(key)
        return self._validators[key]

    def _build(self, key: tuple[str, str]) -> _Validator | None:
        template = self._templates.get(key)
        if template is None:
            return None
        content = self._document["paths"][template][key[0]].get("requestBody", {}).get("content")
        if not content:
            return None
        kind = "application/json" if "application/json" in content else next(iter(content))
        steps = ("paths", template, key[0], "requestBody", "content", kind, "schema")
        pointer = "/".join(
            quote(step.replace("~", "~0").replace("/", "~1"), safe="~@") for step in steps
        )
        schema = {"$ref": f"#/{pointer}", **self._document}
        return cast("_Validator", self._make(schema))


def _prepare(document: JsonObject) -> None:
    """Make the description say what Discord does: its own page says where it is looser."""
    schemas: JsonObject = document["components"]["schemas"]
    _walk(document, schemas)
    schemas["SnowflakeType"] = {
        "anyOf": [{"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}, {"type": "integer"}]
    }


def _walk(node: Any, schemas: JsonObject) -> None:  # noqa: ANN401 - JSON
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            _walk(each, schemas)
    elif isinstance(node, dict):
        schema = cast("JsonObject", node)
        _tell_apart(schema, schemas)
        if "oneOf" in schema and "anyOf" not in schema:
            # Discord means "one of these" loosely: several may fit.
            schema["anyOf"] = schema.pop("oneOf")
        if schema.get("maximum") is not None and _is_wide_integer(schema):
            # Integers that do not fit everywhere may come as strings of digits.
            kept = {key: schema.pop(key) for key in list(schema)}
            schema["anyOf"] = [kept, {"type": "string", "pattern": "^[0-9]+$"}]
            return
        for each in list(schema.values()):
            _walk(each, schemas)


def _is_wide_integer(schema: JsonObject) -> bool:
    maximum = schema["maximum"]
    return (
        isinstance(maximum, int)
        and maximum > _WIDEST_INT
        and schema.get("type") in ("integer", ["integer", "null"])
    )


def _tell_apart(schema: JsonObject, schemas: JsonObject) -> None:
    """Choose among alternatives by their `type`, so that an error names the one that is meant."""
    for key in ("oneOf", "anyOf"):
        alternatives = schema.get(key)
        if not isinstance(alternatives, list):
            continue
        refs = cast("list[JsonObject]", alternatives)
        tags = [_tag(each, schemas) for each in refs]
        known = [tag for tag in tags if tag]
        values = [value for tag in known for value in tag]
        if len(refs) < 2 or len(known) < len(refs) or len(set(values)) < len(values):  # noqa: PLR2004
            continue
        del schema[key]
        schema["required"] = [*schema.get("required", []), "type"]
        schema.setdefault("properties", {})["type"] = {"enum": values}
        schema["allOf"] = [
            *schema.get("allOf", []),
            *(
                {"if": {"properties": {"type": {"enum": tag}}, "required": ["type"]}, "then": each}
                for each, tag in zip(refs, known, strict=True)
            ),
        ]


def _tag(reference: JsonObject, schemas: JsonObject) -> list[int]:
    name = str(reference.get("$ref", "")).rsplit("/", 1)[-1]
    properties = cast("JsonObject", schemas.get(name, {}).get("properties", {}))
    return items_of(object_of(properties, "type"), "enum")
