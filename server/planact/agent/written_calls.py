"""Calls that a model wrote into its text, in the form that it was trained on, instead of calling the tool.

Read as calls only where the text ends with them, the request has their tools, their arguments fit, and nothing says
that they are quoted: no fence or mark of a quotation around them, and no file, result or message that the model was
given with the same words. Where it isn't sure that a call is meant, only tools that read, ask or plan are called.
"""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall
from planact.ports import Model
from planact.tools.calls.decode import DecodedCall
from planact.tools.tool_result import Failed

Decode = Callable[[ToolCall], DecodedCall | Failed]

_TAGS = r"(?:\w+:)?(?:tool_calls?|function_calls|function)"
_BEGINS = re.compile(
    rf"<{_TAGS}\b|<(?:\w+:)?invoke\b|\[TOOL_CALLS\]|<[|｜]|\b(?:(?:commentary|analysis)\s+)?to=functions\.|^Action:|"
    r"^[ \t]*(?:```\w*[ \t]*\r?\n\s*)?[\[{][\s{\[]*\"(?:name|tool|function|type|arguments|parameters)\"",
    re.MULTILINE,
)
"""Signs that a call begins; what is shown of an answer while it comes ends here."""

_MAY_BEGIN = re.compile(
    r"<(?:\w*:?\w{0,14}|[|｜]?)\Z|\[[A-Z_]{0,10}\Z|^A(?:c(?:t(?:i(?:on?)?)?)?)?\Z|"
    r"\b(?:(?:c|co|comm?\w{0,8}|a|an|analy?\w{0,4})(?:\s+(?:t(?:o(?:=\w{0,9})?)?)?)?|t(?:o(?:=\w{0,9})?)?)\Z|"
    r"^[ \t]*(?:`{1,3}(?:\w*[ \t]*(?:\r?\n\s*)?)?(?:[\[{][\s{\[]*(?:\"\w{0,10})?)?|[\[{][\s{\[]*(?:\"\w{0,10})?)\Z",
    re.MULTILINE,
)

_PASSED = re.compile(
    rf"\s+|</?{_TAGS}>|\[/?TOOL_CALLS\]|<[|｜](?!tool_call_begin|tool▁call▁begin|start|channel)[^|｜>\n]{{1,40}}[|｜]>|"
    r"</s>|Observation:\s*\Z"
)
"""What stands between and around calls."""

_FENCE = re.compile(r"```\w*[ \t]*(?:\r?\n|\Z)")
_NAME = r"(?P<name>[\w.-]{1,80})"
_NAMED = tuple(
    re.compile(form)
    for form in (
        rf"(?:<\|start\|>assistant\s*)?(?:<\|channel\|>)?\s*(?:(?:commentary|analysis)\s+)?to=(?:functions\.)?{_NAME}\s*"
        r"(?:<\|channel\|>\s*(?:commentary|analysis)\s*)?(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*",
        rf"Action:[ \t]*`?{_NAME}`?[ \t]*\r?\nAction Input:\s*",
        rf"<\|tool_call_begin\|>\s*{_NAME}(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*",
        rf"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?{_NAME}\s*(?:<｜tool▁sep｜>)?\s*",
        rf"\[TOOL_CALLS\]\s*{_NAME}\s*\[ARGS\]\s*",
        rf"<function={_NAME}>\s*(?=\{{)",
    )
)
"""Forms that name the tool before arguments in JSON."""

_TAGGED = (
    (
        re.compile(rf"<function={_NAME}>(?P<body>.*?)</function>", re.DOTALL),
        re.compile(r"\s*<parameter=(?P<key>[\w.-]+)>(?P<value>.*?)</parameter>\s*", re.DOTALL),
    ),
    (
        re.compile(rf"<(?:\w+:)?invoke\s+name=[\"']{_NAME}[\"']\s*>(?P<body>.*?)</(?:\w+:)?invoke>", re.DOTALL),
        re.compile(
            r"\s*<(?:\w+:)?parameter\s+name=[\"'](?P<key>[\w.-]+)[\"'][^>]*>(?P<value>.*?)</(?:\w+:)?parameter>\s*",
            re.DOTALL,
        ),
    ),
    (
        re.compile(rf"<tool_call>\s*{_NAME}\s*(?P<body><arg_key>.*?)</tool_call>", re.DOTALL),
        re.compile(r"\s*<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>\s*", re.DOTALL),
    ),
)
"""Forms with a tag for each argument: the whole of a call, and one argument."""

_QUOTED_LINE = re.compile(r"\s*(?:[>+|#*-]|//)")
_SHOWS = re.compile(
    r"\b(?:examples?|e\.g|for instance|such as|like (?:this|so|that|the following)|looks? like|as follows|syntax|"
    r"format|templates?|contains?|holds?|says?|means?|you (?:can|may|must|should)|can be|"
    r"(?<!\bI )(?:would|could|might))\b",
    re.IGNORECASE,
)
"""Words of a sentence that shows a call instead of making it."""

_ANNOUNCES = re.compile(
    r"\b(?:I(?:['’](?:ll|m))?|let(?:['’]s| me| us)|we|now|first|next)\b|^\W*\w+ing\b", re.IGNORECASE | re.MULTILINE
)
"""Words of a sentence that makes one."""

_ARGUMENTS = ("arguments", "parameters", "input", "args")
_CAREFREE = frozenset({"write_plan", "ask_user"})
_MOST_TRIES = 20


class Written(NamedTuple):
    """The calls at the end of a text, and the text before them."""

    calls: tuple[ToolCall, ...]
    text: str


class _Found(NamedTuple):
    """Calls by name and arguments; `is_plain`: nothing but their JSON says that they are calls."""

    calls: Sequence[tuple[str, Mapping[str, Any]]]
    is_plain: bool


@dataclass(frozen=True, slots=True)
class CallReader:
    """A model whose written calls become calls. `decode` = as the gate does it."""

    model: Model
    decode: Decode

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        """Stream the answer without its written calls, which come with the whole reply. Raises as the model does."""
        shown, held = "", ""
        async with contextlib.aclosing(self.model.stream(request)) as pieces:  # type: ignore[type-var]
            try:
                async for piece in pieces:
                    if isinstance(piece, Reply):
                        reply = self._read(piece, request)
                        rest = reply.text[len(shown.rstrip()) :] if reply is not piece else held
                        if rest:
                            yield TextDelta(rest)
                        yield reply
                    elif piece.is_reasoning or not piece.text or not request.tools:
                        yield piece
                    else:
                        held += piece.text
                        sign = _BEGINS.search(held) or _MAY_BEGIN.search(held)
                        now, held = (held[: sign.start()], held[sign.start() :]) if sign else (held, "")
                        shown += now
                        if now:
                            yield TextDelta(now)
            except ModelFailure:
                if held:
                    yield TextDelta(held)
                raise

    def _read(self, reply: Reply, request: ModelRequest) -> Reply:
        if reply.tool_calls or reply.finish_reason == "length" or not request.tools:
            return reply
        written = read_calls(reply.text, request, self.decode)
        return replace(reply, text=written.text, tool_calls=written.calls) if written else reply


def read_calls(text: str, request: ModelRequest, decode: Decode) -> Written | None:
    """Return the calls with which `text` ends; None = it is just text."""
    tools = {tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in request.tools}
    for number, sign in enumerate(_BEGINS.finditer(text)):
        if number == _MOST_TRIES:
            return None
        start = sign.start()
        found = _sequence(text, start, tools)
        if found is None:
            continue
        before = text[:start]
        calls = tuple(
            ToolCall.of(f"call_{len(request.messages)}_{n}", name, arguments)
            for n, (name, arguments) in enumerate(found.calls)
        )
        decoded = [decode(call) for call in calls]
        if not all(isinstance(each, DecodedCall) and _is_offered(each, tools) for each in decoded):
            return None
        is_harmless = all(isinstance(each, DecodedCall) and _is_harmless(each) for each in decoded)
        said = _last_line(before)
        is_said = not found.is_plain or (is_harmless and _ANNOUNCES.search(said))
        is_sure = not said or (is_said and not _SHOWS.search(said))
        if not is_sure or _is_quoted(before) or _was_given(text[start:], request):
            return None
        return Written(calls, before.rstrip())
    return None


def _sequence(text: str, at: int, tools: Mapping[str, Mapping[str, Any]]) -> _Found | None:
    """Return the calls from `at` to the end of the text; None where something else stands there."""
    calls: list[tuple[str, Mapping[str, Any]]] = []
    is_plain = True
    while at < len(text):
        if (passed := _FENCE.match(text, at)) is not None:
            at = passed.end()
            continue
        found = _tagged(text, at, tools) or _named(text, at)
        if found is None and text[at] in "[{" and (data := _json_at(text, at)) is not None:
            made = list(_json_calls(data[0]))
            if not made or None in made:
                return None
            calls += [each for each in made if each is not None]
            at = data[1]
        elif found is not None:
            calls.append(found[0])
            at, is_plain = found[1], False
        elif (passed := _PASSED.match(text, at)) is not None:
            is_plain = is_plain and not passed[0].strip()
            at = passed.end()
        else:
            return None
    return _Found(calls, is_plain) if calls else None


def _tagged(
    text: str, at: int, tools: Mapping[str, Mapping[str, Any]]
) -> tuple[tuple[str, Mapping[str, Any]], int] | None:
    for whole, argument in _TAGGED:
        if (call := whole.match(text, at)) is None:
            continue
        properties = tools.get(call["name"], {}).get("properties", {})
        arguments: dict[str, Any] = {}
        begin = 0
        while (given := argument.match(call["body"], begin)) is not None:
            kind = properties.get(given["key"], {}).get("type", "string")
            value = given["value"].removeprefix("\n").removesuffix("\n")
            arguments[given["key"]] = value if kind == "string" else _from_json(value, value)
            begin = given.end()
        if not call["body"][begin:].strip():
            return (call["name"], arguments), call.end()
    return None


def _named(text: str, at: int) -> tuple[tuple[str, Mapping[str, Any]], int] | None:
    for form in _NAMED:
        if (name := form.match(text, at)) is None:
            continue
        fence = _FENCE.match(text, name.end())
        data = _json_at(text, fence.end() if fence else name.end())
        if data is None or not isinstance(data[0], dict):
            continue
        end = re.compile(r"\s*```[ \t]*(?=\r?\n|\Z|<)").match(text, data[1]) if fence else None
        return (name["name"], data[0]), end.end() if end else data[1]
    return None


def _json_calls(data: Any) -> Iterator[tuple[str, Mapping[str, Any]] | None]:
    """The calls that a value amounts to; None for what is no call."""
    if isinstance(data, list):
        for each in data:
            yield from _json_calls(each)
        return
    if isinstance(data, dict) and isinstance(data.get("function"), dict):
        data = data["function"]
    if not isinstance(data, dict):
        yield None
        return
    name = next((data[key] for key in ("name", "tool", "function") if isinstance(data.get(key), str)), "")
    given = [data[key] for key in _ARGUMENTS if key in data]
    arguments = _from_json(given[0], None) if given and isinstance(given[0], str) else given[0] if given else None
    rest = data.keys() - {"name", "tool", "function", "type", "id", *_ARGUMENTS}
    yield (name, arguments) if name and len(given) == 1 and isinstance(arguments, dict) and not rest else None


def _is_offered(call: DecodedCall, tools: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether the request has the tool; the arguments of an MCP tool, which its server checks, must be known."""
    if call.tool.name not in tools:
        return False
    schema, sent = tools[call.tool.name], call.args.model_dump().keys()
    is_known = sent <= schema.get("properties", {}).keys() and sent >= set(schema.get("required", ()))
    return call.tool.parameters is None or is_known


def _is_harmless(call: DecodedCall) -> bool:
    return call.tool.category in ("read", "search") or call.tool.name in _CAREFREE


def _is_quoted(before: str) -> bool:
    """Return whether what follows `before` stands in a fence, in code within a line, or in a quotation or a patch."""
    is_fenced = len(re.findall(r"^[ \t]*(?:```|~~~)", before, re.MULTILINE)) % 2
    line = before[before.rfind("\n") + 1 :]
    return bool(is_fenced or line.count("`") % 2 or _QUOTED_LINE.match(line))


def _last_line(before: str) -> str:
    """Return the line right before a call, which belongs to it; without thoughts."""
    lines = [line for line in before.split("\n") if line.strip() and not line.startswith("Thought:")]
    return lines[-1] if lines else ""


def _was_given(call: str, request: ModelRequest) -> bool:
    """Return whether what the model was given has the words of a call, however they are set: then it quotes them."""
    letters = _letters(call)
    return any(
        letters in _letters(part)
        for message in request.messages
        if message["role"] in ("tool", "user")
        for part in _texts(message.get("content"))
    )


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def _letters(text: str) -> str:
    return re.sub(r"[\W\d_]+", "", text)


def _json_at(text: str, at: int) -> tuple[Any, int] | None:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, at)
    except (ValueError, RecursionError):
        return None


def _from_json(text: str, default: Any) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return default
