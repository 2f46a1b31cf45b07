"""Hover: facts about the subject under the cursor, in Markdown. Text of other authors is code there, not markup."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from planact.base.span import Span
from planact.base.text import counted
from planact.model.runs.execution import StepRecord
from planact.plan.codes import CODES
from planact.plan.impact import NameUses, impact_text
from planact.plan.lint_context import CommandFact, FileFact, ToolFact
from planact.plan.references import File, Name, PlanWord, StepHead, Subject
from planact.plan.syntax import code_span
from planact.plan.syntax.tree import PlanProblem, PlanTree, StepNode
from planact.plan.templates.parameters import declared_parameters
from planact.plan.words import WORD_MEANINGS

_LONGEST = 2_000
_MARKUP = re.compile(r"\*\*|^(?:`{3,}(?:text)?|---)\n|\n`{3,}\Z|`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts looked up about the subject; those that don't concern it are missing."""

    tool: ToolFact | None = None
    file: FileFact | None = None
    command: CommandFact | None = None
    record: StepRecord | None = None
    impact: Sequence[NameUses] = ()


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown about a place."""

    span: Span
    text: str


def hover(
    tree: PlanTree, offset: int, subject: Subject | None, facts: Facts, problems: Iterable[PlanProblem]
) -> Hover | None:
    """Return the facts about the subject, then the rules that the problems at `offset` break."""
    here = [problem for problem in problems if problem.span.contains(offset)]
    parts = [_about(tree, subject, facts)] if subject else []
    broken = (CODES[code] for code in dict.fromkeys(problem.code for problem in here) if code in CODES)
    parts += [f"**{code.name}** {code.title}\n\n{code.text}" for code in broken]
    text = "\n\n---\n\n".join(part for part in parts if part)
    span = subject.span if subject else here[0].span if here else None
    return Hover(span, text) if span and text else None


def plain(markdown: str) -> str:
    """Return a hover's text for a client that shows no Markdown."""
    return _MARKUP.sub("", markdown)


def _about(tree: PlanTree, subject: Subject, facts: Facts) -> str:
    match subject:
        case StepHead(step=step):
            return "\n\n".join(_step(step, facts))
        case File():
            return _file(tree, subject, facts.file)
        case Name(kind="tool"):
            return _tool(facts.tool)
        case Name(kind="command"):
            return _command(facts.command)
        case Name():
            return _parameter(tree, subject.name)
        case PlanWord(kind=kind, name=name):
            return WORD_MEANINGS[kind].get(name, "")
        case _:
            assert_never(subject)


def _step(step: StepNode, facts: Facts) -> Iterator[str]:
    comments = len(step.comments)
    noted = f" · {counted(comments, 'comment')} for the next revision" if comments else ""
    yield f"**Step {step.step_number}** · {step.status.value}{noted}"
    if facts.impact:
        yield f"Used in files that the plan leaves as they are: {impact_text(facts.impact)}"
    record = facts.record
    if record is None:
        return
    yield f"Last run: {result_of(record)}"
    for check in record.checks:
        yield f"- {'passed' if check.passed else 'failed'}: {code_span.wrap(_short(check.command))}"
    if record.files:
        yield "Changed: " + ", ".join(code_span.path_as_code(change.path) for change in record.files[:20])
    if record.error:
        yield _fenced(record.error)


def result_of(record: StepRecord) -> str:
    """Return one line on the result of a step."""
    passed = sum(check.passed for check in record.checks)
    failed = len(record.checks) - passed
    parts = [record.status.value, f"{record.duration:.0f} s"] if record.duration else [record.status.value]
    parts += [counted(len(record.files), "file")] if record.files else []
    parts += [f"{passed} of {len(record.checks)} checks passed"] if failed else []
    return " · ".join(parts)


def _file(tree: PlanTree, subject: File, fact: FileFact | None) -> str:
    name = code_span.path_as_code(subject.reference.path)
    if fact is None:
        return name
    if not fact.kind:
        return f"{name} doesn't exist"
    parts = [name, "folder" if fact.kind == "directory" else _size(fact.size) if fact.kind == "file" else "no file"]
    if fact.is_stale is not None:
        parts.append("changed since planning" if fact.is_stale else "unchanged since planning")
    others = [str(step.step_number) for step in tree.steps if step is not subject.step and _names(step, subject)]
    if others:
        parts.append(f"also in step {', '.join(others[:10])}")
    return " · ".join(parts)


def _names(step: StepNode, subject: File) -> bool:
    return any(
        detail.key == "files" and any(subject.reference.path in value for value in detail.values)
        for detail in step.details
    )


def _tool(fact: ToolFact | None) -> str:
    if fact is None:
        return "There is no such tool."
    permissions = ", ".join(f"`{permission}`" for permission in sorted(fact.permissions)) or "none"
    return f"`{fact.name}` · {fact.risk} risk\n\n{fact.summary}\n\nNeeds: {permissions}"


_CLASSES = {
    "local-read": "Only reads, in the workspace",
    "net-read": "Only reads, over the network",
    "daemon-read": "Only reads, from a daemon",
    "unknown": "May change anything",
    "mutating": "Changes something",
}
_IN_PLAN = {
    "allow": "In Plan the agent may run it.",
    "contain": "In Plan it runs only where it can change nothing.",
    "ask": "In Plan the agent has to ask for it.",
    "deny": "In Plan it is refused.",
}


def _command(fact: CommandFact | None) -> str:
    if fact is None:
        return ""
    last = "Your settings deny it." if fact.is_denied else "Approving the plan lets its step run it in Act."
    return f"**{_CLASSES[fact.cls]}**: {code_span.wrap(_short(fact.reason))}\n\n{_IN_PLAN[fact.in_plan]} {last}"


def _parameter(tree: PlanTree, name: str) -> str:
    parameter = declared_parameters(tree).get(name)
    if parameter is None:
        return ""
    default = f" · {code_span.wrap(_short(parameter.default))} if not given" if parameter.default else ""
    said = f"\n\n{code_span.wrap(_short(parameter.description))}" if parameter.description else ""
    return f"Parameter `{parameter.name}`{default}{said}"


def _size(count: int) -> str:
    if count < 1_000:
        return f"{count} bytes"
    return f"{count / 1_000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"


def _fenced(text: str) -> str:
    shown = text[:_LONGEST]
    fence = "`" * max(3, code_span.longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"
