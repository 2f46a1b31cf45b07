"""Write a plan and the evidence of its newest run as a comment for a pull request: Markdown with folds, no secrets.

What plans, models and commands say stands in code, in fences, or without what a forge acts on: HTML, mentions, images,
links, numbers of issues and commands. Each text is redacted before it is wrapped: what looks like a secret in the whole
could take a fence with it.
"""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from planact.base.errors import NotFound
from planact.base.text import capped, counted, one_line
from planact.model.plan import Plan, StepStatus
from planact.model.runs.execution import CheckResult, Execution, StepRecord
from planact.model.runs.journal import EventKind
from planact.plan.syntax.code_span import fenced, wrap
from planact.workflows.history.journal_queries import runs_of
from planact.workflows.history.metrics import spent_on
from planact.workflows.history.step_changes import difference_of, step_changes
from planact.workflows.plans.library import PlanDocument
from planact.workflows.workspace import Workspace

_LONGEST = 60_000
"""Characters of the whole; GitHub takes 65,536."""

_LONGEST_DIFFERENCE = 12_000
_LONGEST_OUTPUT = 2_000
_LONGEST_LINE = 300
_MOST_REFUSALS = 20

_REFUSED: tuple[EventKind, ...] = ("tool_refused",)

_MARKS = {
    StepStatus.DONE: "✓",
    StepStatus.FAILED: "✗",
    StepStatus.SKIPPED: "–",
    StepStatus.RUNNING: "…",
    StepStatus.PENDING: "·",
}

_MARKUP = re.compile(r"[\\`*_~\[\]!|]|\A[/+=-]")
_LINKED = re.compile(r"@|#|:(?=//)|www(?=\.)|\bGH(?=-)|[!$%~](?=[\w\"])|&amp;(?=\d)", re.IGNORECASE)


def pull_request_comment(ws: Workspace, document: PlanDocument) -> str:
    """Return the plan, and of its newest run the steps with their checks and differences, the refusals and the cost.
    Differences that don't fit into 60,000 characters are left out, which is said.

    Raises:
        InvalidInput: PLAN_INVALID.
        StorageFailure: the state can't be read.
    """
    plan = document.complete()
    run = next(runs_of(ws, document.path, plan.id), None)
    writer = _Writer(ws.ports.redact)
    parts = [*_head(writer, plan, run), _plan_text(writer, document)]
    if run:
        parts += [*_steps(writer, ws, run), *_refusals(writer, ws, run)]
    cost = spent_on(ws, plan.id)
    parts.append(f"Cost: {cost.in_words()}")
    return _within(parts)


def _within(parts: Sequence[str]) -> str:
    """Join the parts; those that don't fit are left out."""
    kept, length = [], 0
    for part in parts:
        if length + len(part) <= _LONGEST:
            kept.append(part)
            length += len(part) + len("\n\n")
    left_out = len(parts) - len(kept)
    if left_out:
        kept.append(f"{counted(left_out, 'part')} left out: this comment would be too long.")
    return "\n\n".join(kept)


def _head(writer: "_Writer", plan: Plan, run: Execution | None) -> Iterator[str]:
    yield f"## {writer.plain(plan.goal)}"
    done = sum(step.status is StepStatus.DONE for step in plan.steps)
    if not run:
        yield f"A plan of {counted(len(plan.steps), 'step')}. Nothing of it has been carried out here."
        return
    latest = _latest(run)
    checks = [check for record in latest for check in record.checks]
    passed = sum(check.passed for check in checks)
    files = {change.path for record in latest for change in record.files}
    told = [
        f"**{run.status.replace('_', ' ').capitalize()}**",
        f"{done} of {counted(len(plan.steps), 'step')} done",
        counted(len(files), "file"),
        f"{passed} of {counted(len(checks), 'check')} passed",
    ]
    yield " · ".join(told)
    if run.reason:
        yield writer.plain(run.reason)
    if run.rolled_back:
        yield f"Rolled back: {', '.join(f'step {number}' for number in sorted(run.rolled_back))}."


def _plan_text(writer: "_Writer", document: PlanDocument) -> str:
    return writer.fold("The plan", writer.block(document.file.text[document.tree.body_start :].strip("\n"), "markdown"))


def _steps(writer: "_Writer", ws: Workspace, run: Execution) -> Iterator[str]:
    for record in _latest(run):
        yield writer.fold(
            f"{_MARKS[record.status]} Step {record.step_number}: {record.action}",
            "\n".join(_evidence(writer, record)),
        )
        try:
            changes = step_changes(ws, record.step_number, execution_id=run.id)
        except NotFound:
            continue
        difference = writer.block(difference_of(ws, changes).rstrip("\n"), "diff", _LONGEST_DIFFERENCE)
        yield writer.fold(f"Difference of step {record.step_number}", difference)


def _latest(run: Execution) -> Sequence[StepRecord]:
    """Return the last attempt of each step, in the order of the steps."""
    latest = {record.step_number: record for record in run.steps}
    return [latest[number] for number in sorted(latest)]


def _evidence(writer: "_Writer", record: StepRecord) -> Iterator[str]:
    if record.error:
        yield f"- {writer.plain(record.error)}"
    yield from (f"- Changed {writer.code(change.path)}" for change in record.files)
    yield from (
        f"- Ran {writer.code(each.about)}, a variant of {writer.code(each.variant_of)}"
        for each in record.evidence
        if each.variant_of
    )
    yield from (
        f"- Adapted: {writer.plain(each.adapted_action)} ({writer.plain(each.reason)})" for each in record.adaptations
    )
    if record.repairs:
        yield f"- {counted(len(record.repairs), 'repair')} before its checks ended as here"
    for check in record.checks:
        yield from _check(writer, check)


def _check(writer: "_Writer", check: CheckResult) -> Iterator[str]:
    ending = "passed" if check.passed else "failed as before the run" if check.failed_before else "failed"
    yield f"- Check {ending}: {writer.code(check.command)}"
    if check.output.strip() and not check.passed:
        yield from ("", writer.block(check.output.strip("\n"), "", _LONGEST_OUTPUT), "")


def _refusals(writer: "_Writer", ws: Workspace, run: Execution) -> Iterator[str]:
    events = ws.ports.events.list(run.session_id, kinds=_REFUSED)
    if events:
        lines = [
            f"- {writer.code(str(event.data.get('tool', '')))} in {writer.plain(str(event.data.get('mode', '')))}: "
            f"{writer.plain(str(event.data.get('message', '')))}"
            for event in events[:_MOST_REFUSALS]
        ]
        rest = len(events) - len(lines)
        yield writer.fold(counted(len(events), "refusal"), "\n".join([*lines, *([f"- {rest} more"] if rest else [])]))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes texts of others as parts of the comment, without their secrets."""

    redact: Callable[[Any], Any]

    def fold(self, title: str, body: str) -> str:
        named = _unlinked(html.escape(self._line(title)))
        return f"<details><summary>{named}</summary>\n\n{body}\n\n</details>"

    def block(self, text: str, language: str = "", limit: int = _LONGEST) -> str:
        """Return the text between fences, cut to so many characters."""
        return fenced(capped(str(self.redact(text)), limit), language)

    def code(self, text: str) -> str:
        return wrap(self._line(text))

    def plain(self, text: str) -> str:
        """Return the text in one line, without markup."""
        return _unlinked(_MARKUP.sub(r"\\\g<0>", html.escape(self._line(text), quote=False)))

    def _line(self, text: str) -> str:
        return one_line(str(self.redact(text)), _LONGEST_LINE)


def _unlinked(text: str) -> str:
    """Part what forges make links of: they look for it in the text between two tags."""
    return _LINKED.sub(r"\g<0><!-- -->", text)
