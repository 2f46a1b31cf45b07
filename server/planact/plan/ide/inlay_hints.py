"""Inlay hints: behind each step that is over, what came of it, as the record of its run says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planact.base.span import Span
from planact.base.text import counted
from planact.model.execution import StepRecord
from planact.model.plan import StepStatus
from planact.plan.lines import line_at
from planact.plan.tree import PlanTree


@dataclass(frozen=True, slots=True)
class InlayHint:
    """Words at a place; `tooltip` is plain text."""

    offset: int
    label: str
    tooltip: str


def inlay_hints(tree: PlanTree, records: Mapping[int, StepRecord], selection: Span) -> Iterator[InlayHint]:
    """For steps whose mark says what their record says: one that was set back by hand is to be done anew."""
    for step in tree.steps:
        record = records.get(step.step_number)
        if record is None or record.status != step.status or step.span.start > selection.end:
            continue
        end = line_at(tree.text, step.mark_span.start).end
        if selection.start <= end and (label := _label(record)):
            yield InlayHint(end, label, record.error or record.output[:1_000])


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
