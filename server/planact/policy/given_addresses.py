"""Addresses of pages that others than the model brought into a conversation. One that the model makes up can hold texts
of the workspace.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import unquote_plus

from planact.base.web_address import written_addresses
from planact.model.chat.message import Message, ToolCall
from planact.model.mcp import PREFIX

PAGE_TOOL = "fetch_page"
READING_ON = "read_output"
"""The tool that reads on in what is cut."""

_USUAL_KEY = re.compile(r"[A-Za-z_]{1,30}")
"""The name of an argument, which addresses may have in common with it."""

_SHORTEST_ECHO = 8
"""Characters of an argument from which on an address that holds it counts as made of it."""


def given_addresses(transcript: Sequence[Message]) -> frozenset[str]:
    """Return the addresses that stand in the user's own words, in results of MCP servers or on fetched pages, also in
    what was cut of them and read later; not those that only repeat what the model said: to the server, or in a call
    that failed, was refused or waits.
    """
    calls: dict[str, ToolCall] = {}
    cut: dict[str, ToolCall] = {}
    given: set[str] = set()
    for message in transcript:
        calls.update({call.id: call for call in message.tool_calls})
        if message.is_said_by_user and message.is_shown and not message.subtask_id:
            given.update(written_addresses(message.typed, also_bare=True))
        elif message.metadata.get("done") and (call := calls.get(message.tool_call_id)) is not None:
            result = message.content
            if call.name == READING_ON:  # whose first line repeats what was looked for
                origin = cut.get(str(_argument(call, "id")))
                call, result = origin or call, result.partition("\n")[2]
            cut.update(dict.fromkeys(message.metadata.get("outputs", ()), call))
            given.update(_given_by_tool(call, result))
    return frozenset(given)


def _given_by_tool(call: ToolCall, result: str) -> Iterable[str]:
    if call.name == PAGE_TOOL:
        return written_addresses(result)
    if not call.name.startswith(PREFIX):
        return ()
    said = [each for each in _texts(_arguments(call)) if len(each) >= _SHORTEST_ECHO]
    made = {address for text in said for address in written_addresses(text)}
    return [each for each in written_addresses(result) if each not in made and not _repeats(each, said)]


def _repeats(address: str, said: Sequence[str]) -> bool:
    """Return whether an address holds a text that the model said, or its query a word of one."""
    whole, query = unquote_plus(address), unquote_plus(address.partition("?")[2])
    return any(text in whole or any(word in query for word in _words(text)) for text in said)


def _words(text: str) -> Sequence[str]:
    return [word for word in text.split() if len(word) >= _SHORTEST_ECHO]


def _argument(call: ToolCall, name: str) -> Any:
    arguments = _arguments(call)
    return arguments.get(name) if isinstance(arguments, dict) else None


def _arguments(call: ToolCall) -> Any:
    try:
        return json.loads(call.arguments or "{}")
    except ValueError:
        return call.arguments


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a JSON value, with its keys and numbers: a server's answer may repeat any of them."""
    match value:
        case str():
            yield value
        case int() | float():
            yield str(value)
        case dict():
            yield from (key for key in value if not _USUAL_KEY.fullmatch(key))
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)
