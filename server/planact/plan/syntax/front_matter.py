"""The YAML between the `---` lines, one top-level key at a time, so that a broken value spoils no other.

Hostile YAML is harmless: values stay text, and anchors, aliases, tags and deep nesting count as unreadable.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import yaml

from planact.base.span import Span
from planact.plan.syntax import grammar
from planact.plan.syntax.lines import is_blank
from planact.plan.syntax.tree import FrontMatter, FrontMatterKey, PlanProblem, Value

_MAX_DEPTH = 8
# Nearly all values are one word on one line; the YAML library would take longer for one than a step takes to parse.
_WORD = re.compile(r"[ \t]*([A-Za-z0-9_][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_./@+-]+)*)[ \t]*(?:[ \t]#[^\r\n]*)?\Z")
_FILE = re.compile(r'- \{path: (?:([A-Za-z0-9_./-]+)|"([^"\\]*)"), sha256: (?:"?([0-9a-f]+)"?|"")\}')
_MAX_LENGTH = 65_536
_MOST_READ = 2 * _MAX_LENGTH
"""Most characters that the YAML library reads of all values that approval covers; they take it some seconds."""

_HINT = "Write plain values, and quote those with special characters."


@dataclass(slots=True)
class _Room:
    """Characters that the YAML library may still read."""

    left: int = _MOST_READ


class _UnreadableError(Exception):
    """The YAML can't be read, or isn't of the plain kind."""


def read_front_matter(
    text: str, spans: Sequence[Span], start: int
) -> tuple[FrontMatter | None, int, list[PlanProblem]]:
    """Return the front matter, the index of the first line after it, and its problems.

    `spans` are those of all lines; `start` is where the first one begins behind a byte order mark.
    """
    if not grammar.FRONT_MATTER_FENCE.match(text[start : spans[0].end]):
        return None, 0, []
    closing = next((i for i in range(1, len(spans)) if grammar.FRONT_MATTER_FENCE.match(text[slice(*spans[i])])), None)
    if closing is None:
        message = "the front matter that begins here is never closed"
        return None, 0, [_problem(Span(start, spans[0].end), message, "End it with a line of `---`.")]
    after = spans[closing + 1].start if closing + 1 < len(spans) else len(text)
    problems: list[PlanProblem] = []
    keys = tuple(_keys(text, spans[1:closing], problems))
    body = Span(spans[1].start, spans[closing].start)
    return FrontMatter(Span(start, after), body, keys), closing + 1, problems


def _keys(text: str, spans: Sequence[Span], problems: list[PlanProblem]) -> Iterator[FrontMatterKey]:
    seen: set[str] = set()
    room = _Room()
    for first, last in _entries(text, spans, problems):
        key = _key(text, Span(first, last), problems, room, seen)
        if key.name in seen:
            message = f"the key '{key.name}' is given twice; only the first counts"
            problems.append(PlanProblem(key.key_span, "PLAN013", "warning", message, "Remove one of them."))
        seen.add(key.name)
        yield key


def _entries(text: str, spans: Sequence[Span], problems: list[PlanProblem]) -> Iterator[Span]:
    """Yield the place of each key's lines, without blank lines after it."""
    current: Span | None = None
    for start, end in spans:
        line = text[start:end]
        if grammar.FRONT_MATTER_KEY.match(line):
            if current:
                yield current
            current = Span(start, end)
        elif is_blank(line) or line.startswith("#"):
            continue
        elif current and line.startswith((" ", "\t", "- ", "]", "}")):
            current = Span(current.start, end)
        else:
            problems.append(_problem(Span(start, end), "this line is not `key: value`", "Correct or remove it."))
    if current:
        yield current


def _key(text: str, span: Span, problems: list[PlanProblem], room: _Room, seen: Collection[str]) -> FrontMatterKey:
    raw = text[span.start : span.end]
    match = grammar.FRONT_MATTER_KEY.match(raw)
    assert match is not None, "entries begin with a key"
    name, after = match.group(1), match.end()
    value: Value | None = None
    if name in grammar.UNCOVERED_KEYS and name not in seen:
        room = _Room()  # else a text with the same approval could hide what comes after
    try:
        value, inside = _read_value(raw, after, room)
    except _UnreadableError as error:
        inside = Span(after + len(raw[after:]) - len(raw[after:].lstrip(" \t\r\n")), len(raw))
        message = f"the value of '{name}' is not readable YAML ({error})"
        problems.append(_problem(Span(span.start + inside.start, span.end), message, _HINT))
    key_span = Span(span.start, span.start + match.end(1))
    value_span = Span(span.start + inside.start, span.start + inside.end)
    return FrontMatterKey(name, value, span, key_span, value_span)


def _read_value(raw: str, after: int, room: _Room) -> tuple[Value, Span]:
    if word := _WORD.match(raw, after):
        return word.group(1), Span(*word.span(1))
    if files := _read_files(raw, after):
        return files
    if len(raw) > _MAX_LENGTH:
        raise _UnreadableError(f"longer than {_MAX_LENGTH} characters")
    room.left -= len(raw)
    if room.left < 0:
        raise _UnreadableError(f"there are more than {_MOST_READ} characters of such values before it")
    reader = _Reader(raw)
    value = reader.read()
    return value, Span(*reader.extent) if reader.extent else Span(after, after)


def _read_files(raw: str, after: int) -> tuple[Value, Span] | None:
    """The list of files as the server writes it."""
    lines = re.split(r"\r\n|\n|\r", raw[after:])
    files = [_FILE.fullmatch(line.strip(" ")) for line in lines[1:]]
    if not files or not is_blank(lines[0]):
        return None
    value: list[Value] = []
    for file in files:
        if file is None:
            return None
        value.append({"path": file[1] or file[2], "sha256": file[3] or ""})
    return value, Span(raw.index("-", after), len(raw.rstrip(" ")))


class _Reader:
    """Builds plain values from YAML's events one by one, so that an oversized value is refused before it grows."""

    def __init__(self, raw: str) -> None:
        self._events = self._parse(raw)
        self.extent: tuple[int, int] | None = None

    @staticmethod
    def _parse(raw: str) -> Iterator[yaml.Event]:
        try:
            yield from yaml.parse(raw, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            raise _UnreadableError(error.problem or "syntax error") from None
        except (yaml.YAMLError, ValueError, OverflowError):
            raise _UnreadableError("a character that YAML doesn't allow") from None

    def read(self) -> Value:
        """The value of the one key in the text."""
        for expected in (yaml.StreamStartEvent, yaml.DocumentStartEvent, yaml.MappingStartEvent, yaml.ScalarEvent):
            if not isinstance(next(self._events, None), expected):
                raise _UnreadableError("not `key: value`")
        value = self._value(next(self._events), 0)
        if not isinstance(next(self._events, None), yaml.MappingEndEvent):
            raise _UnreadableError("more than one key")
        for _ in self._events:
            pass
        return value

    def _value(self, event: yaml.Event, depth: int) -> Value:
        if not isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) or event.anchor is not None:
            raise _UnreadableError("anchors and aliases are not supported")
        if event.tag is not None:
            raise _UnreadableError("tags are not supported")
        if depth > _MAX_DEPTH:
            raise _UnreadableError("nested too deeply")
        self._extend(event)
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            return list(self._until(yaml.SequenceEndEvent, depth))
        parts = list(self._until(yaml.MappingEndEvent, depth))
        return {str(key): value for key, value in zip(parts[::2], parts[1::2], strict=True)}

    def _until(self, end: type[yaml.Event], depth: int) -> Iterator[Value]:
        for event in self._events:
            if isinstance(event, end):
                self._extend(event)
                return
            yield self._value(event, depth + 1)

    def _extend(self, event: yaml.Event) -> None:
        assert event.start_mark is not None, "the parser marks all events"
        assert event.end_mark is not None, "the parser marks all events"
        start, end = event.start_mark.index, event.end_mark.index
        # The end of a block has no width, and lies behind the comments that follow the block.
        if start < end or not isinstance(event, yaml.CollectionEndEvent):
            first, last = self.extent or (start, end)
            self.extent = (min(first, start), max(last, end))


def _problem(span: Span, message: str, hint: str) -> PlanProblem:
    return PlanProblem(span, "PLAN005", "error", message, hint)
