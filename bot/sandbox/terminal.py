"""The sandbox in a terminal: a channel as text, and commands typed as one of its members."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from bot.sandbox.command_options import (
    BOOLEAN,
    CHANNEL,
    INTEGER,
    NUMBER,
    ROLE,
    USER,
    find_command,
)
from bot.sandbox.errors import SandboxError, items_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.sandbox.answers import Answer, Modal
    from bot.sandbox.errors import JsonObject
    from bot.sandbox.messages import Message
    from bot.sandbox.people import Channel, Member, Role
    from bot.sandbox.server import Sandbox

_MENTION = re.compile(r"<@!?(\d+)>")
_TIMESTAMP = re.compile(r"<t:(\d+)(?::\w)?>")
_NAME = re.compile(r"@(?P<name>\w+)")
_SUBCOMMAND_TYPES = {1, 2}
_USER_SELECT = 5

WELCOME = """\
A channel of a small Discord on this machine. You are {name}.
  /report opponent:@Bob result:win score:412 opponent_score:388
  as Bob        be somebody else ({names})
  press 1       press a button
  choose 2 Bob  choose from a menu, several with commas between
  fill 412 | 388  fill in the form that was opened, its fields in their order
  /help         the bot's commands
  quit          leave"""


async def run_terminal(
    sandbox: Sandbox,
    channel: Channel,
    members: Sequence[Member],
    *,
    read_line: Callable[[], Awaitable[str | None]],
    write: Callable[[str], None],
) -> None:
    """Show a channel and do what is typed, until there is no more or somebody types `quit`.

    Args:
        sandbox: With a bot that is ready.
        channel: The one that is shown.
        members: Whom one can be; the first to begin with.
        read_line: Returns a line without its end, None when there are no more.
        write: Shows a line.
    """
    terminal = _Terminal(sandbox, channel, members, write)
    names = ", ".join(member.name for member in members)
    write(WELCOME.format(name=members[0].name, names=names))
    sandbox.add_listener(terminal.show_changes)
    try:
        while (line := await read_line()) is not None and line.strip() != "quit":
            try:
                await terminal.do(line.strip())
            except SandboxError as error:
                write(f"! {error}")
    finally:
        sandbox.remove_listener(terminal.show_changes)


def _menu_words(select: JsonObject) -> str:
    options = [option["label"] for option in items_of(select, "options")]
    return ", ".join(options) or select.get("placeholder") or ""


def _value_labelled(select: JsonObject, label: str) -> str:
    for option in items_of(select, "options"):
        if option["label"].casefold().startswith(label.casefold()):
            return option["value"]
    raise SandboxError(f"the menu has no {label}; it has {_menu_words(select)}")


class _Terminal:
    def __init__(
        self,
        sandbox: Sandbox,
        channel: Channel,
        members: Sequence[Member],
        write: Callable[[str], None],
    ) -> None:
        self._sandbox = sandbox
        self._channel = channel
        self._members = members
        self._write = write
        self._me = members[0]
        self._shown: dict[int, str] = {}
        self._buttons: list[tuple[Message, str]] = []
        self._form: Modal | None = None

    async def do(self, line: str) -> None:
        """Do what a line says.

        Raises:
            SandboxError: It cannot be done.
        """
        if not line:
            return
        word, _, rest = line.partition(" ")
        if word == "as":
            self._me = self._member(rest)
            self._write(f"You are {self._me.name}.")
            self.show_changes()
        elif word == "press":
            await self._press(rest)
        elif word == "choose":
            await self._choose(rest)
        elif word == "fill":
            await self._fill(rest)
        elif line == "/help":
            self._help()
        elif line.startswith("/"):
            await self._run(line[1:])
        else:
            raise SandboxError(
                "type a command such as /report, or /help, as, press, choose, fill, quit"
            )

    def show_changes(self) -> None:
        """Show the messages that are new or changed for whoever one is."""
        for message in self._channel.seen_by(self._me):
            shown = f"{message.text}{message.buttons}{message.selects}"
            if self._shown.get(message.id) != shown:
                is_new = message.id not in self._shown
                self._shown[message.id] = shown
                if message.text:
                    self._show(message, "" if is_new else " (edited)")

    def _show(self, message: Message, note: str) -> None:
        if message.ephemeral:
            note += " (only you can see this)"
        self._write(f"── Parlour{note}")
        for line in self._readable(message.text).splitlines():
            self._write(f"   {line}")
        labels: list[str] = []
        for button in message.buttons:
            if not button.disabled:
                self._buttons.append((message, button.custom_id))
                labels.append(f"[{len(self._buttons)}] {button.label}")
        for select in message.selects:
            self._buttons.append((message, select["custom_id"]))
            labels.append(f"[{len(self._buttons)}] {_menu_words(select)}")
        if labels:
            self._write("   " + "   ".join(labels))

    def _readable(self, text: str) -> str:
        users = self._sandbox.world.users
        text = _MENTION.sub(
            lambda found: "@" + users.get(found[1], {"global_name": "?"})["global_name"], text
        )
        return _TIMESTAMP.sub("later", text).replace("**", "")

    def _member(self, name: str) -> Member:
        wanted = name.strip().removeprefix("@").casefold()
        for member in self._members:
            if member.name.casefold() == wanted:
                return member
        raise SandboxError(f"nobody is called {name}")

    def _numbered(self, number: str) -> tuple[Message, str]:
        if not number.isdecimal() or not 1 <= int(number) <= len(self._buttons):
            raise SandboxError(f"there is no button {number}")
        return self._buttons[int(number) - 1]

    async def _press(self, number: str) -> None:
        message, custom_id = self._numbered(number)
        if all(button.custom_id != custom_id for button in message.buttons):
            raise SandboxError("that button is gone")
        self._report(await self._me.press(message, custom_id=custom_id))

    async def _choose(self, line: str) -> None:
        number, _, rest = line.partition(" ")
        message, custom_id = self._numbered(number)
        select = next((each for each in message.selects if each["custom_id"] == custom_id), None)
        if select is None:
            raise SandboxError("that menu is gone")
        named = [part.strip() for part in rest.split(",") if part.strip()]
        if select["type"] == _USER_SELECT:
            chosen: list[str | Member | Role | Channel] = [self._member(each) for each in named]
        else:
            chosen = [_value_labelled(select, each) for each in named]
        self._report(await self._me.choose(message, chosen, custom_id))

    async def _fill(self, line: str) -> None:
        form = self._form
        if form is None:
            raise SandboxError("no form is open")
        values: dict[str, str | list[str]] = {}
        for field, text in zip(form.fields, line.split("|"), strict=False):
            written = text.strip()
            if items_of(field.data, "options"):
                values[field.custom_id] = [_value_labelled(field.data, written)]
            else:
                values[field.custom_id] = written.replace("\\n", "\n")
        self._form = None
        self._report(await self._me.submit(form, values))

    async def _run(self, line: str) -> None:
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise SandboxError(str(error)) from error
        if not words:
            raise SandboxError("type a command's name after the slash")
        path, known = self._path(words)
        given = words[len(path) :]
        values: dict[str, object] = {}
        names = [option["name"] for option in known]
        for word in given:
            name, colon, text = word.partition(":")
            if not colon or name not in names:
                free = [each for each in names if each not in values]
                if not free:
                    raise SandboxError(f"there is no option for {word}")
                name, text = free[0], word
            option = next(each for each in known if each["name"] == name)
            values[name] = self._value(option, text)
        self._report(await self._me.slash(self._channel, " ".join(path), **values))

    def _path(self, words: list[str]) -> tuple[list[str], list[JsonObject]]:
        path = words[:1]
        while True:
            command, chain = find_command(self._sandbox.commands, " ".join(path))
            known: list[JsonObject] = items_of(chain[-1] if chain else command, "options")
            if not any(option["type"] in _SUBCOMMAND_TYPES for option in known):
                return path, known
            if len(words) == len(path):
                names = ", ".join(option["name"] for option in known)
                raise SandboxError(f"/{' '.join(path)} needs one of: {names}")
            path = words[: len(path) + 1]

    def _value(self, option: JsonObject, text: str) -> object:
        kind = option["type"]
        if kind == USER:
            return self._member(text)
        if kind in {CHANNEL, ROLE}:
            raise SandboxError(f"{option['name']} cannot be typed here")
        if kind == BOOLEAN:
            return text.casefold() in {"yes", "true"}
        if kind in {INTEGER, NUMBER}:
            try:
                return int(text) if kind == INTEGER else float(text)
            except ValueError as error:
                raise SandboxError(f"{option['name']} is a number") from error
        for choice in items_of(option, "choices"):
            if text.casefold() in {choice["name"].casefold(), str(choice["value"]).casefold()}:
                return choice["value"]
        return _NAME.sub(self._mention, text)

    def _mention(self, found: re.Match[str]) -> str:
        known = {member.name.casefold(): member.mention for member in self._members}
        return known.get(found["name"].casefold(), found.group())

    def _report(self, answer: Answer) -> None:
        if answer.failed:
            self._write("! The application did not respond")
        if answer.modal is not None:
            self._form = answer.modal
            self._write(f"── Form: {answer.modal.title}")
            for field in answer.modal.fields:
                self._write(f"   {field.label}: {_menu_words(field.data) or field.value}".rstrip())
            self._write("   fill … | …")
        self.show_changes()

    def _help(self) -> None:
        for command in self._sandbox.commands:
            self._describe(f"/{command['name']}", command)

    def _describe(self, path: str, node: JsonObject) -> None:
        options: list[JsonObject] = items_of(node, "options")
        subcommands = [option for option in options if option["type"] in _SUBCOMMAND_TYPES]
        for each in subcommands:
            self._describe(f"{path} {each['name']}", each)
        if not subcommands:
            names = " ".join(
                option["name"] if option.get("required") else f"[{option['name']}]"
                for option in options
            )
            self._write(f"  {path} {names}: {node['description']}")
