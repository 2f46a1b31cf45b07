"""Inlay hints: behind each finished step its result, behind each open one the files that only its text names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planact.base.span import Span
from planact.base.text import counted
from planact.model.plan import StepStatus
from planact.model.runs.execution import StepRecord
from planact.plan.implied_files import ImpliedFiles
from planact.plan.syntax.lines import line_at
from planact.plan.syntax.tree import PlanTree


@dataclass(frozen=True, slots=True)
class InlayHint:
    """Words at a place; `tooltip` is plain text."""

    offset: int
    label: str
    tooltip: str


def inlay_hints(tree: PlanTree, records: Mapping[int, StepRecord], selection: Span) -> Iterator[InlayHint]:
    """Yield hints for steps whose mark agrees with their record: a step that was set back by hand will run anew."""
    for step in tree.steps:
        record = records.get(step.step_number)
        if record is None or record.status != step.status or step.span.start > selection.end:
            continue
        end = line_at(tree.text, step.mark_span.start).end
        if selection.start <= end and (label := _label(record)):
            yield InlayHint(end, label, record.error or record.output[:1_000])


def implied_hints(tree: PlanTree, implied: ImpliedFiles, selection: Span) -> Iterator[InlayHint]:
    """Yield a hint for each open step that lists no files and whose text names some."""
    tooltip = "Only the step's text names these. A yes to the plan lets them change without another question."
    for step in tree.steps:
        end = line_at(tree.text, step.mark_span.start).end
        if (paths := implied.get(step.step_number)) and step.is_open and selection.start <= end <= selection.end:
            yield InlayHint(end, f"files: {', '.join(paths)}", tooltip)


def _label(record: StepRecord) -> str:
    match record.status:
        case StepStatus.DONE:
            return f"✓ {' · '.join(_evidence(record))}".rstrip()
        case StepStatus.FAILED:
            cause = "check failed" if any(not check.passed for check in record.checks) else "failed"
            return " · ".join((f"✗ {cause}", *_duration(record)))
        case _:
            return ""


def _evidence(record: StepRecord) -> Iterator[str]:
    yield from _duration(record)
    for number, noun in ((len(record.files), "file"), (len(record.checks), "check")):
        if number:
            yield counted(number, noun)


def _duration(record: StepRecord) -> Iterator[str]:
    seconds = record.duration
    if seconds >= 100:
        yield f"{seconds / 60:.0f} min"
    elif seconds > 0:
        yield f"{seconds:.0f} s" if seconds >= 1 else "under 1 s"
