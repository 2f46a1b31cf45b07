"""Actions in files that are no plans: plan a fix or a change, ask, and show the steps that touch the file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from planact.plan.references import files_of
from planact.plan.syntax.code_span import wrap
from planact.plan.syntax.tree import PlanTree, StepNode

_MOST = 10
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem that another language server reports, in lines from 1."""

    line: int
    message: str
    source: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class SourceAction:
    """An action whose `arguments` name its subject."""

    title: str
    kind: Literal["fix", "change", "ask"]
    command: Literal["planact.generatePlan", "planact.sendMessage"]
    arguments: Mapping[str, str]


def source_actions(
    path: str, lines: tuple[int, int], faults: Sequence[Fault], *, has_selection: bool
) -> Iterator[SourceAction]:
    """Yield actions for the faults at the cursor, and for selected lines (from 1, both included) of the file at
    `path`.
    """
    if faults:
        about = _place(path, min(fault.line for fault in faults), max(fault.line for fault in faults))
        yield SourceAction("Plan a fix", "fix", "planact.generatePlan", {"about": about, "request": _request(faults)})
    if has_selection:
        about = _place(path, *lines)
        yield SourceAction("Plan a change to the selection", "change", "planact.generatePlan", {"about": about})
        yield SourceAction("Ask about the selection", "ask", "planact.sendMessage", {"about": about})


def _place(path: str, first: int, last: int) -> str:
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _request(faults: Sequence[Fault]) -> str:
    lines = ["Fix what is reported here:"]
    for fault in faults[:_MOST]:
        said_by = " ".join(part for part in (fault.source, fault.code) if part)
        message = wrap(" ".join(fault.message.split())[:_LONGEST])
        lines.append(f"- line {fault.line}: {message}{f' ({said_by})' if said_by else ''}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class StepInFile:
    """A step that touches a file; `line` from 1, where it names one."""

    step: StepNode
    line: int


def steps_in(tree: PlanTree, path: str) -> Iterator[StepInFile]:
    """The steps with work left that name the file, or a folder that holds it."""
    for step in tree.steps:
        found = (file for file in files_of(tree, step) if _covers(file.path, path)) if step.is_open else ()
        if (first := next(iter(found), None)) is not None:
            yield StepInFile(step, first.line or 1)


def _covers(named: str, path: str) -> bool:
    return named == path or (named.endswith("/") and path.startswith(named))


def title_of(tree: PlanTree, found: StepInFile) -> str:
    """Return the title of the lens above the line."""
    goal = tree.goal.replace("`", "")
    return f"Step {found.step.step_number} of “{goal if len(goal) <= 60 else goal[:59] + '…'}”"
