"""The server's own changes to a plan: as small as can be, in the document's line ends, never in the user's words.

Steps are found by `PlanTree.step`: the first one with that number written, else the unnumbered one at that position.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from planact.base.errors import NotFound
from planact.base.span import Span, TextEdit
from planact.model.plan import PlanStatus, StepStatus
from planact.model.runs.execution import Adaptation
from planact.plan.syntax import grammar
from planact.plan.syntax.blocks import adaptation_lines
from planact.plan.syntax.code_span import in_list
from planact.plan.syntax.tree import FrontMatterKey, PlanTree, StepNode

Edits = tuple[TextEdit, ...]


def set_mark(tree: PlanTree, step_number: int, status: StepStatus) -> Edits:
    """Change the one character between a step's brackets.

    Raises:
        NotFound: STEP_NOT_FOUND.
    """
    step = _step(tree, step_number)
    return () if step.status == status and step.mark != "X" else (TextEdit(step.mark_span, grammar.MARKS[status]),)


def set_status(tree: PlanTree, status: PlanStatus) -> Edits:
    """Change the status that the front matter shows, which is put in where it is missing."""
    return set_keys(tree, {"status": [status.value]})


def add_adaptation(tree: PlanTree, step_number: int, adaptation: Adaptation) -> Edits:
    """Write down, below a step, that it was done otherwise.

    Raises:
        NotFound: STEP_NOT_FOUND.
    """
    step = _step(tree, step_number)
    lines = adaptation_lines(adaptation, step.indent)
    return (lines_below(tree, step.span.end, lines),)


def renumber(tree: PlanTree) -> Edits:
    """Number the steps 1, 2, 3 from the top."""
    edits: list[TextEdit] = []
    for step in tree.steps:
        if step.number_span is None:
            at = step.action_span.start
            gap = "" if tree.text[at - 1] in " \t" else " "
            edits.append(insertion(at, f"{gap}{step.position}. "))
        elif step.number != step.position or tree.text[step.number_span.start] == "0":
            edits.append(TextEdit(step.number_span, str(step.position)))
    return tuple(edits)


def add_detail(tree: PlanTree, step: StepNode, key: str, value: str) -> TextEdit:
    """Write `- key: value` as the first one below a step."""
    return insertion(step.action_span.end, f"{tree.line_end}{step.indent}  - {key}: {value}")


def add_files(tree: PlanTree, step: StepNode, paths: Sequence[str]) -> Edits:
    """Add paths to the files that a step names."""
    named = ", ".join(map(in_list, paths))
    detail = next((each for each in reversed(step.details) if each.key == "files"), None)
    if detail is None:
        return (add_detail(tree, step, "files", named),)
    end = detail.start + len(tree.text[slice(*detail.span)].rstrip(" \t\r\n"))
    return (insertion(end, f", {named}" if any(detail.values) else f" {named}"),)


def add_risk(tree: PlanTree, risk: str) -> TextEdit:
    """Write an item below the section of risks, which is put where it belongs if there is none."""
    section = tree.section("risks")
    if section:
        end = section.span.start + len(tree.text[slice(*section.span)].rstrip(" \t\r\n"))
        return insertion(end, f"{tree.line_end}- {risk}")
    titles = list(grammar.SECTIONS)
    later = {grammar.SECTIONS[each] for each in titles[titles.index("Risks") + 1 :]}
    following = next((section for section in tree.sections if section.name in later), None)
    text = tree.line_end.join(("## Risks", f"- {risk}", ""))
    if following:
        return insertion(following.span.start, text + tree.line_end)
    gap = tree.line_end * (1 if tree.text.endswith(("\n", "\r")) else 2)
    return insertion(len(tree.text), gap + text)


def _step(tree: PlanTree, step_number: int) -> StepNode:
    step = tree.step(step_number)
    if step is None:
        numbers = ", ".join(str(step.step_number) for step in tree.steps[:20]) or "none"
        raise NotFound("STEP_NOT_FOUND", f"the plan has no step {step_number}", f"It has: {numbers}.")
    return step


def set_keys(tree: PlanTree, values: Mapping[str, list[str]]) -> Edits:
    """Give front-matter keys values in YAML: one line stands behind the key, list items stand below it.

    Missing keys are added at the end, the front matter itself at the start of the text.
    """
    edits: list[TextEdit] = []
    added: list[str] = []
    for name, lines in values.items():
        key = tree.key(name)
        if key:
            edits += _set_value(tree, key, lines)
        else:
            added.append(f"{name}:{_below(lines, tree.line_end)}{tree.line_end}")
    if not added:
        return tuple(edits)
    if tree.front_matter:
        return (*edits, insertion(tree.front_matter.body_span.end, "".join(added)))
    fence = f"---{tree.line_end}"
    return (insertion(tree.body_start, "".join((fence, *added, fence))),)


def _below(lines: list[str], line_end: str) -> str:
    return "".join(f"{line_end}  {line}" for line in lines) if lines[0].startswith("- ") else f" {lines[0]}"


def _set_value(tree: PlanTree, key: FrontMatterKey, lines: list[str]) -> Edits:
    colon = tree.text.index(":", key.key_span.end) + 1
    before = tree.text[colon : key.value_span.start]
    lead = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    if lead != before and not lead.strip(" "):
        # The old value has lines of its own; so has the new one, and a comment behind the key stays.
        edit = TextEdit(key.value_span, (tree.line_end + lead).join(lines))
    elif key.value_span.start == key.value_span.end or lines[0].startswith("- "):
        edit = TextEdit(Span(colon, key.value_span.end), _below(lines, tree.line_end))
    else:
        edit = TextEdit(key.value_span, lines[0])
    return () if tree.text[slice(*edit.span)] == edit.new_text else (edit,)


def lines_below(tree: PlanTree, at: int, lines: Sequence[str]) -> TextEdit:
    """Write lines below the one that ends at `at`. That keeps its own line end, also in a text that mixes them, so
    `remove_lines` gives the same text again.
    """
    line_end = tree.text[at : after_line_end(tree.text, at)] or tree.line_end
    return insertion(at, line_end + tree.line_end.join(lines))


def insertion(at: int, text: str) -> TextEdit:
    """Put `text` before the code point `at`."""
    return TextEdit(Span(at, at), text)


def remove_lines(text: str, spans: Iterable[Span]) -> Iterator[TextEdit]:
    """Remove whole lines, neighbours at once: at the end of the text, the line end before them goes too."""
    runs: list[Span] = []
    for start, end in sorted(spans):
        span = Span(start, after_line_end(text, end))
        if runs and runs[-1].end == span.start:
            runs[-1] = Span(runs[-1].start, span.end)
        else:
            runs.append(span)
    for start, end in runs:
        is_unended = end == len(text) and not text.endswith(("\n", "\r"))
        yield TextEdit(Span(_before_line_end(text, start) if is_unended else start, end), "")


def after_line_end(text: str, at: int) -> int:
    """Behind the line end that stands at `at`."""
    return at + 2 if text.startswith("\r\n", at) else min(at + 1, len(text))


def _before_line_end(text: str, at: int) -> int:
    return at - 2 if text.endswith("\r\n", 0, at) else max(at - 1, 0)
