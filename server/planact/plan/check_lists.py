"""Lists of steps as people and other agents write them in Markdown, and how one becomes a plan without losing a word.

Recognised are headings such as `### Step 1: …`, boxes, drawn ones too, numbered headings and numbered lists. It is only
ever offered: a request may well contain a list that is no plan.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from planact.base.span import Span, apply_edits, line_spans
from planact.model.plan import StepStatus
from planact.plan import grammar
from planact.plan.edits import Edits, renumber
from planact.plan.lines import Line, indent_of, is_blank, scan
from planact.plan.parser import parse
from planact.plan.revision import replace_text
from planact.plan.tree import PlanTree

_FEWEST = 2
_MARK = r"\[(?P<mark>[^\]])\](?P<optional>\*?)(?:[ \t]+|$)"
_BOX = re.compile(rf"(?P<lead>[ \t]*)(?P<marker>[-*+]|[0-9]{{1,9}}[.)])[ \t]+{_MARK}")
_TO_DO, _DONE = "☐⬜◻□", "☑✅✔✓☒"
_DRAWN = re.compile(
    rf"(?P<lead>[ \t]*)(?:(?P<marker>[-*+]|[0-9]{{1,9}}[.)])[ \t]+)?(?P<drawn>[{_TO_DO}{_DONE}])\ufe0f?[ \t]+(?=\S)"
)
_NUMBERED = re.compile(r"(?P<lead>[ \t]*)(?P<marker>[0-9]{1,9}[.)])[ \t]+(?=\S)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+")
_NAMED_HEADING = re.compile(
    r" {0,3}(?P<level>#{2,6}[ \t]+\**|\*\*)(?:step|task)[ \t]+(?P<number>[0-9]{1,9})\b[ \t.:)–—-]*", re.IGNORECASE
)
_NUMBERED_HEADING = re.compile(r" {0,3}(?P<level>#{2,6}[ \t]+)(?P<number>[0-9]{1,9})[.):](?:[ \t]+|$)")
_ANY_LEVEL = 7  # below all headings: that of a line in bold type


@dataclass(frozen=True, slots=True)
class CheckList:
    """A recognised list: how many steps it has, where the first stands, and the edits that make a plan of it."""

    count: int
    first: Span
    edits: Edits


@dataclass(frozen=True, slots=True)
class _Found:
    """Steps by the index of their line; `level` is that of their headings, 0 for list items."""

    matches: dict[int, re.Match[str]]
    level: int = 0


def recognise(tree: PlanTree) -> CheckList | None:
    """The list of steps in a request; None where there is none, or where it can't become a sound plan."""
    body = tree.text[tree.body_start :]
    if not tree.is_request or tree.open_fence:
        return None
    lines = scan(body, line_spans(body)).lines
    found = _find(lines)
    if found is None:
        return None
    text = tree.text[: tree.body_start] + "".join(_converted(tree, body, lines, found))
    made = parse(text)
    numbers = [step.number or 0 for step in made.steps]
    if numbers != sorted({*numbers} - {0}):
        text = apply_edits(text, renumber(made))
        made = parse(text)
    is_sound = len(made.steps) == len(found.matches) and all(each.severity != "error" for each in made.problems)
    if not is_sound or made.is_request:
        return None
    first = lines[min(found.matches)]
    span = Span(first.start + tree.body_start, first.end + tree.body_start)
    return CheckList(len(found.matches), span, replace_text(tree.text, text))


# --- finding the steps


def _find(lines: Sequence[Line]) -> _Found | None:
    kinds: tuple[Callable[[Sequence[Line]], _Found], ...] = (
        lambda lines: _headings(lines, _NAMED_HEADING),
        lambda lines: _outermost(lines, _BOX),
        lambda lines: _outermost(lines, _DRAWN),
        lambda lines: _headings(lines, _NUMBERED_HEADING),
        _one_list,
    )
    found = (kind(lines) for kind in kinds)
    return next((each for each in found if len(each.matches) >= _FEWEST), None)


def _matches(lines: Sequence[Line], pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for index, line in enumerate(lines):
        match = None if line.is_fenced else pattern.match(line.text)
        if match:
            yield index, match


def _headings(lines: Sequence[Line], pattern: re.Pattern[str]) -> _Found:
    """Those of the level that is used first."""
    by_level: dict[int, dict[int, re.Match[str]]] = {}
    for index, match in _matches(lines, pattern):
        level = match["level"].count("#") or _ANY_LEVEL
        by_level.setdefault(level, {})[index] = match
    level = next((level for level, found in by_level.items() if len(found) >= _FEWEST), 0)
    return _Found(by_level.get(level, {}), level)


def _outermost(lines: Sequence[Line], pattern: re.Pattern[str]) -> _Found:
    found = dict(_matches(lines, pattern))
    depth = min((indent_of(match["lead"]) for match in found.values()), default=0)
    return _Found({index: match for index, match in found.items() if indent_of(match["lead"]) <= depth + 1})


def _one_list(lines: Sequence[Line]) -> _Found:
    """The longest list of numbers that isn't broken by a heading: others are likely no steps."""
    lists: list[dict[int, re.Match[str]]] = [{}]
    items = _outermost(lines, _NUMBERED).matches
    for index, line in enumerate(lines):
        if _HEADING.match(line.text) and not line.is_fenced:
            lists.append({})
        elif index in items:
            lists[-1][index] = items[index]
    return _Found(max(lists, key=len))


# --- making a plan of them


def _converted(tree: PlanTree, body: str, lines: Sequence[Line], found: _Found) -> Iterator[str]:
    first, last = min(found.matches), _end(lines, found)
    ends = [body[line.end : after.start] for line, after in pairwise(lines)] + [""]
    goal = _goal_line(tree, lines, first)
    for index in range(first):
        line = lines[index].text
        yield f"# {_HEADING.sub('', line)}" if index == goal else line
        yield ends[index]
    if first and not is_blank(lines[first - 1].text):
        yield tree.line_end
    yield f"## Steps{tree.line_end}"
    yield from _steps(tree, lines[: last + 1], ends, found)
    rest = next((line for line in lines[last + 1 :] if not is_blank(line.text)), None)
    if rest is not None and not re.match(r" {0,3}##(?=[ \t]|$)", rest.text):
        yield tree.line_end * (not ends[last]) + f"{tree.line_end}## Notes{tree.line_end}"
    for index in range(last + 1, len(lines)):
        yield lines[index].text
        yield ends[index]


def _goal_line(tree: PlanTree, lines: Sequence[Line], first: int) -> int:
    """The line above the steps that can stand as the goal: a heading, or one line by itself; -1 = none is needed."""
    if tree.goal:
        return -1
    index = next((index for index in range(first) if not is_blank(lines[index].text)), -1)
    line = lines[index]
    if index < 0 or line.is_fenced or grammar.QUOTE.match(line.text) or grammar.LIST_ITEM.match(line.text):
        return -1
    is_alone = index + 1 == first or is_blank(lines[index + 1].text)
    return index if is_alone or _HEADING.match(line.text) else -1


def _steps(tree: PlanTree, lines: Sequence[Line], ends: Sequence[str], found: _Found) -> Iterator[str]:
    """The lines from the first step on; what isn't a step is put below the one above it."""
    depth, is_moved = 0, False
    for index in range(min(found.matches), len(lines)):
        line = lines[index]
        if match := found.matches.get(index):
            step, depth = _step(line, match, is_heading=found.level > 0)
            yield step + ends[index]
            continue
        is_first = index - 1 in found.matches and found.level > 0
        if is_first and not is_blank(line.text) and not grammar.LIST_ITEM.match(line.text):
            yield tree.line_end  # or it would be read as more of the step's action
        if not line.is_fenced or not lines[index - 1].is_fenced:
            is_moved = indent_of(line.text) <= depth + 1
        lead = " " * (depth + 2) if is_moved and not is_blank(line.text) else ""
        yield lead + (line.text if line.is_fenced else _tamed(line.text)) + ends[index]


def _step(line: Line, match: re.Match[str], *, is_heading: bool) -> tuple[str, int]:
    """The line of a step, and how far it is indented."""
    text = line.text[match.end() :]
    if is_heading:
        level, number = match["level"], match["number"]
        text = text.rstrip(" \t#" if "#" in level else " \t")
        text = text.removesuffix("**") if level.endswith("**") else text
        return f"- [ ] {number}. {text or f'Step {number}'}", 0
    groups, lead = match.groupdict(), match["lead"]
    written = groups["marker"] or "-"
    number = "" if written in "-*+" else f"{written} "
    marker = "-" if number else written
    text = f"(optional) {text}" if groups.get("optional") else text
    mark = groups.get("mark") or ("x" if groups.get("drawn") in (*_DONE,) else " ")
    return f"{lead}{marker} [{mark}] {number}{text}", indent_of(lead)


def _tamed(text: str) -> str:
    """A line below a step: a heading would end the steps, and steps are one level deep."""
    if heading := grammar.HEADING.match(text):
        at = heading.start(1)
        return f"{text[:at]}{'#' * (3 - len(heading.group(1)))}{text[at:]}"
    if drawn := _DRAWN.match(text):
        done = "(done) " if drawn["drawn"] in _DONE else ""
        return f"{drawn['lead']}{drawn['marker'] or '-'} {done}{text[drawn.end() :]}"
    box = _BOX.match(text)
    status = grammar.STATUSES.get(box["mark"]) if box else None
    if box is None or status is None:
        return text
    words = ["(optional)"] if box["optional"] else []
    words += [f"({status.value})"] if status is not StepStatus.PENDING else []
    return " ".join((f"{box['lead']}{box['marker']}", *words, text[box.end() :]))


def _end(lines: Sequence[Line], found: _Found) -> int:
    """The last line that belongs to the last step."""
    last = end = max(found.matches)
    depth = 0 if found.level else indent_of(found.matches[last]["lead"])
    for index in range(last + 1, len(lines)):
        line = lines[index]
        heading = None if line.is_fenced else _HEADING.match(line.text)
        if heading and (not found.level or len(heading.group(1)) <= found.level):
            break
        if is_blank(line.text) and not line.is_fenced:
            continue
        is_after_break = is_blank(lines[index - 1].text) or grammar.LIST_ITEM.match(line.text) is not None
        is_inside = line.is_fenced and lines[index - 1].is_fenced
        if not found.level and not is_inside and indent_of(line.text) <= depth + 1 and is_after_break:
            break
        end = index
    return end
