"""Plans, questions and runs as text for the terminal, and as JSON for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from planact.cli.replies import shown_value
from planact.cli.screen import one_line
from planact.model.execution import Execution
from planact.model.plan import PlanSummary, StepStatus
from planact.model.question import QuestionSet
from planact.model.session import Session
from planact.plan.lower import plan_json
from planact.workflows.execute_plan import summary
from planact.workflows.library import PlanDocument

_MARKS = {
    StepStatus.PENDING: " ",
    StepStatus.RUNNING: "~",
    StepStatus.DONE: "x",
    StepStatus.SKIPPED: "-",
    StepStatus.FAILED: "!",
}


def plan_text(document: PlanDocument) -> str:
    """A plan in a few lines; the document has the rest."""
    plan = document.complete()
    width = max(len(one_line(step.action)) for step in plan.steps)
    lines = [f"{plan.id}  {one_line(plan.goal)}"]
    for step in plan.steps:
        files = f"  {' '.join(step.files)}" if step.files else ""
        mark = "" if step.status is StepStatus.PENDING else f"[{_MARKS[step.status]}] "
        lines.append(f"{step.step_number:>2} {mark}{one_line(step.action):<{width}}{files}".rstrip())
    lines += [f"Risk: {risk}" for risk in plan.risks]
    return "\n".join([*lines, document.path])


def plan_data(document: PlanDocument, session_id: str) -> dict[str, Any]:
    """Where a plan is and what it says."""
    plan = document.complete()
    return {"session_id": session_id, "plan_id": plan.id, "path": document.path, "plan": plan_json(plan)}


def plans_text(plans: Sequence[PlanSummary]) -> str:
    """One plan a line."""
    rows = ((plan.id, f"{plan.status} {plan.steps_done}/{plan.steps_total}", one_line(plan.goal)) for plan in plans)
    return _table(rows)


def sessions_text(sessions: Sequence[Session]) -> str:
    """One session a line."""
    return _table((s.id, s.mode.value, s.updated_at[:16].replace("T", " "), one_line(s.title)) for s in sessions)


def question_text(asked: QuestionSet) -> str:
    """A question with its id, its time and its choices."""
    return f"{asked.id}  ({asked.created_at[:16].replace('T', ' ')})\n{asked_text(asked)}"


def asked_text(asked: QuestionSet) -> str:
    """What is asked, with the value of each choice."""
    lines: list[str] = []
    for question in asked.questions:
        lines.append(f"  {question.name}: {question.question}")
        lines += [f"    {line}" for line in question.context.splitlines()]
        lines += [f"    {shown_value(option.value)}: {option.label}" for option in question.options]
    return "\n".join(lines)


def question_data(asked: QuestionSet) -> dict[str, Any]:
    """What a program needs to answer it."""
    return {
        "question_id": asked.id,
        "session_id": asked.session_id,
        "questions": [question.model_dump(mode="json", by_alias=True) for question in asked.questions],
        "created_at": asked.created_at,
        "purpose": asked.purpose,
    }


def how_to_answer(asked: QuestionSet) -> str:
    """The command that answers it."""
    names = [question.name for question in asked.questions]
    value = "VALUE" if len(names) == 1 else " ".join(f"--value {name}=…" for name in names)
    return f"planact answer {asked.id} {value}"


def execution_text(execution: Execution) -> str:
    """What became of a run, and where its record is."""
    return f"{summary(execution)}\nRecord: {record_path(execution)}"


def execution_data(execution: Execution) -> Mapping[str, Any]:
    """The record."""
    return {**execution.model_dump(mode="json"), "record": record_path(execution)}


def record_path(execution: Execution) -> str:
    """Where the record is, in the workspace folder."""
    return f".planact/executions/{execution.id}.json"


def _table(rows: Any) -> str:
    cells = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)
