"""Plans that arrive where there is text already: in place of an older plan, or around the words that asked for one."""

from collections.abc import Iterator

from planact.base.errors import InvalidInput
from planact.base.span import Span, TextEdit, apply_edits, line_spans
from planact.model.plan import Plan
from planact.plan.syntax import grammar
from planact.plan.syntax.edits import Edits, after_line_end, insertion, set_keys
from planact.plan.syntax.normalize import normalize
from planact.plan.syntax.parser import parse
from planact.plan.syntax.render import front_matter_values, section_lines, text_lines
from planact.plan.syntax.tree import PlanTree, Section


def replace_plan(tree: PlanTree, plan: Plan) -> Edits:
    """Put a revision in place of the plan.

    Front matter and sections stay where the revision has none of them, and id and time of creation always stay; so do
    front-matter keys and sections that are the user's own, each behind the section it stood behind. Comments to the
    planner go, since the revision is their answer.

    Raises:
        InvalidInput: PLAN_INVALID, the goal or an action is blank.
    """
    plan = normalize(plan)
    kept = [name for name in ("id", "created") if _has_value(tree, name)]
    new = _gap(tree) + tree.line_end.join(_revised_body(tree, plan))
    return (*set_keys(tree, _values(plan, kept)), *replace_text(tree.text, new, tree.body_start))


def fill_request(text: str, plan: Plan) -> Edits:
    """Make a plan of a request by insertions only: every word of the user stays, and goes before the model's.

    A heading of the first level is kept as the goal; other text is the description, to which the plan's is added.

    Raises:
        InvalidInput: PLAN_INVALID, the text has steps already, or the goal or an action is blank.
    """
    tree = parse(text)
    if not tree.is_request:
        raise InvalidInput("PLAN_INVALID", "this document is a plan already", "Revise it instead.")
    plan = normalize(plan)
    kept = [name for name in grammar.FRONT_MATTER_KEYS if name != "status" and _has_value(tree, name)]
    return (*set_keys(tree, _values(plan, kept)), *_goal(tree, plan), *_filled(tree, plan))


def replace_text(old: str, new: str, start: int = 0) -> Edits:
    """Return one edit that turns `old` from `start` on into `new`; common lines at both ends stay."""
    before, after = _lines(old[start:]), _lines(new)
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    tail = next((i for i in range(shorter - head) if before[-1 - i] != after[-1 - i]), shorter - head)
    begin = start + sum(map(len, before[:head]))
    end = len(old) - sum(map(len, before[len(before) - tail :]))
    text = "".join(after[head : len(after) - tail])
    return () if begin == end and not text else (TextEdit(Span(begin, end), text),)


def _has_value(tree: PlanTree, name: str) -> bool:
    key = tree.key(name)
    return bool(key and key.value)


def _gap(tree: PlanTree) -> str:
    """Return the line end that is missing between front matter and body: a text may end in the last `-` of the front
    matter.
    """
    is_unended = tree.front_matter and not tree.text.endswith(("\n", "\r"), 0, tree.body_start)
    return tree.line_end if is_unended else ""


def _values(plan: Plan, kept: list[str]) -> dict[str, list[str]]:
    return {name: lines for name, lines in front_matter_values(plan).items() if lines and name not in kept}


# --- a revision


def _revised_body(tree: PlanTree, plan: Plan) -> list[str]:
    """Lines of the new body; kept pieces stand among them whole, with their own line ends."""
    sections = section_lines(plan)
    after: dict[str, list[Section]] = {}
    latest = ""
    for section in tree.sections:
        title = next((title for title in grammar.SECTIONS if title.casefold() == section.title.casefold()), "")
        if title:
            latest = title if title in sections else latest
        else:
            after.setdefault(latest, []).append(section)
    lines = [*_kept_lines(tree, _preamble(tree)), f"# {plan.goal}", ""]
    if plan.description:
        lines += [*text_lines(plan.description), ""]
    for title in ("", *sections):
        if title:
            lines += [f"## {title}", *sections[title], ""]
        for section in after.get(title, ()):
            lines += [*_kept_lines(tree, section.span), ""]
    return lines


def _preamble(tree: PlanTree) -> Span:
    """Return the place of the user's words above the goal."""
    first = tree.sections[0].span.start if tree.sections else len(tree.text)
    if tree.goal_span is None or tree.goal_span.start > first:
        return Span(tree.body_start, tree.body_start)
    before = tree.text[: tree.goal_span.start]
    return Span(tree.body_start, max(tree.body_start, before.rfind("\n") + 1, before.rfind("\r") + 1))


def _kept_lines(tree: PlanTree, span: Span) -> list[str]:
    comments = [c.span for c in tree.comments if span.start <= c.span.start and c.span.end <= span.end]
    edits = [TextEdit(Span(c.start - span.start, after_line_end(tree.text, c.end) - span.start), "") for c in comments]
    text = apply_edits(tree.text[slice(*span)], edits)
    return [text.rstrip(" \t\r\n")] if text.strip(" \t\r\n") else []


def _lines(text: str) -> list[str]:
    starts = [span.start for span in line_spans(text)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


# --- a request


def _goal(tree: PlanTree, plan: Plan) -> Iterator[TextEdit]:
    if tree.goal_span is None:
        yield insertion(tree.body_start, f"{_gap(tree)}# {plan.goal}{tree.line_end * 2}")
    elif not tree.goal:
        gap = "" if tree.text[tree.goal_span.start - 1] in " \t" else " "
        yield insertion(tree.goal_span.start, gap + plan.goal)


def _filled(tree: PlanTree, plan: Plan) -> Iterator[TextEdit]:
    end = tree.line_end
    if tree.open_fence:
        yield insertion(len(tree.text), end + tree.open_fence)
    if plan.description and plan.description not in tree.description:
        yield insertion(_end_of(tree, tree.description_span), end * 2 + end.join(text_lines(plan.description)))
    appended: list[str] = []
    for title, lines in section_lines(plan).items():
        name = grammar.SECTIONS[title]
        if section := tree.section(name):
            gap = end * 2 if name in grammar.TEXT_SECTIONS else end
            yield insertion(_end_of(tree, section.span), gap + end.join(lines))
        else:
            appended += ["", f"## {title}", *lines]
    is_on_new_line = tree.text.endswith(("\n", "\r")) and not tree.open_fence
    yield insertion(len(tree.text), ("" if is_on_new_line else end) + end.join((*appended, "")))


def _end_of(tree: PlanTree, span: Span) -> int:
    """Return the place behind the last visible character, or the end of the span where a fence must be closed
    first.
    """
    if tree.open_fence and span.end == len(tree.text):
        return span.end
    return span.start + len(tree.text[slice(*span)].rstrip(" \t\r\n"))
