"""How Discord refuses a request, and how the sandbox refuses an impossible act of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

JsonObject: TypeAlias = "dict[str, Any]"
"""An object of Discord's API."""


def items_of(node: JsonObject, key: str) -> list[Any]:
    """Return a list in a JSON object, empty where it is missing or null."""
    found: list[Any] | None = node.get(key)
    return found or []


def object_of(node: JsonObject, key: str) -> JsonObject:
    """Return an object in a JSON object, empty where it is missing or null."""
    found: JsonObject | None = node.get(key)
    return found or {}


class SandboxError(Exception):
    """A person cannot do that: Discord's own program would not let them."""


class ApiError(Exception):
    """A request that Discord refuses.

    Attributes:
        status: The HTTP status.
        body: Discord's error: code, message and, for a bad form, where it is bad.
        headers: Those of the answer.
    """

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        errors: JsonObject | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Refuse with a status and Discord's own code."""
        super().__init__(status, code, message)
        self.status = status
        self.body: JsonObject = {"code": code, "message": message}
        if errors:
            self.body["errors"] = errors
        self.headers = headers or {}


def unknown(code: int, what: str) -> ApiError:
    """Return the refusal for something that is not there."""
    return ApiError(404, code, f"Unknown {what}")


def missing_access() -> ApiError:
    """Return the refusal for a channel that the bot cannot see."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """Return the refusal for what the bot may not do."""
    return ApiError(403, 50013, "Missing Permissions")


def bad_form(errors: JsonObject) -> ApiError:
    """Return the refusal for a body that breaks a limit."""
    return ApiError(400, 50035, "Invalid Form Body", errors)


def put_error(tree: JsonObject, path: Sequence[str | int], code: str, message: str) -> None:
    """Add an error to the tree that Discord answers with: objects by key, `_errors` at a leaf."""
    node = tree
    for key in path:
        node = node.setdefault(str(key), {})
    node.setdefault("_errors", []).append({"code": code, "message": message})


def error_paths(tree: JsonObject, prefix: str = "") -> tuple[str, ...]:
    """Return one line for each error in a tree: where, and what."""
    found: list[str] = []
    for key, value in tree.items():
        if key == "_errors":
            found.extend(f"{prefix}: {each['message']}" for each in value)
        else:
            found.extend(error_paths(value, f"{prefix}.{key}" if prefix else key))
    return tuple(found)
