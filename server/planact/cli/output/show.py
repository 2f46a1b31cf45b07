"""Plans, questions and runs formatted as text for the terminal and as JSON for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from planact.base.text import counted
from planact.cli.output.screen import fitted
from planact.model.answer import choice_lines, shown_value, wanted
from planact.model.chat.message import Session
from planact.model.plan import PlanOrigin, PlanSummary, StepStatus
from planact.model.question import QuestionSet
from planact.model.rights.rule import Rule
from planact.model.runs.execution import Execution
from planact.model.runs.journal import Event
from planact.model.runs.metrics import Metrics
from planact.plan.syntax.grammar import MARKS
from planact.plan.syntax.lower import plan_json
from planact.plan.templates.template import KnownTemplate, json_schema
from planact.workflows.history.report import summary
from planact.workflows.history.review_edits import is_by_file, may_reject
from planact.workflows.plans.library import WHOSE, PlanDocument, plan_name

ORIGINS: Mapping[PlanOrigin, str] = {
    "own": "You made, approved or saved this plan here",
    "changed": "This plan has changed since you last made, approved or saved it here",
    "foreign": "You neither made nor approved nor saved this plan here",
}

_MOST_OF_A_CHOICE = 500
"""Characters of a choice that are shown: what a rule would allow from then on, whole."""


def plan_text(document: PlanDocument) -> str:
    """Return a plan in a few lines: goal, steps, risks and the path of its document."""
    plan = document.complete()
    width = max(len(fitted(step.action)) for step in plan.steps)
    lines = [f"{plan.id}  {fitted(plan.goal)}"]
    for step in plan.steps:
        files = f"  {' '.join(step.files)}" if step.files else ""
        mark = "" if step.status is StepStatus.PENDING else f"[{MARKS[step.status]}] "
        lines.append(f"{step.step_number:>2} {mark}{fitted(step.action):<{width}}{files}".rstrip())
    lines += [f"Risk: {risk}" for risk in plan.named_risks]
    return "\n".join([*lines, document.path])


def plan_data(document: PlanDocument, session_id: str) -> dict[str, Any]:
    """Return the place, the hash and the content of a plan as JSON."""
    plan = document.complete()
    about = {"session_id": session_id, "plan_id": plan.id, "path": document.path, "plan_hash": document.hash}
    return {**about, "plan": plan_json(plan)}


def plans_text(plans: Sequence[PlanSummary]) -> str:
    """Return a table with one plan a line."""
    return _table(
        (
            plan_name(plan.id, plan.path),
            f"{plan.status} {plan.steps_done}/{plan.steps_total}",
            fitted(plan.goal) if plan.origin == "own" else f"{fitted(plan.goal)} ({WHOSE[plan.origin]})",
        )
        for plan in plans
    )


def templates_text(templates: Sequence[KnownTemplate]) -> str:
    """Return a table with one template a line."""
    return _table((t.template.name, t.template.category, fitted(t.template.description)) for t in templates)


def template_data(known: KnownTemplate) -> dict[str, Any]:
    """Return a template as JSON, each parameter with its JSON Schema."""
    template = known.template
    parameters = [
        {
            "name": each.name,
            "description": each.description,
            "default": each.default,
            "is_required": each.is_required,
            "schema": json_schema(template.name, each),
        }
        for each in template.parameters
    ]
    about = {"name": template.name, "goal": template.goal, "description": template.description}
    return {**about, "category": template.category, "source": known.source, "parameters": parameters}


def sessions_text(sessions: Sequence[Session]) -> str:
    """Return a table with one session a line."""
    return _table((s.id, s.mode.value, s.updated_at[:16].replace("T", " "), fitted(s.title)) for s in sessions)


def rules_text(rules: Sequence[Rule]) -> str:
    """Return a table with one rule a line."""
    return _table((rule.id, rule.created_at[:16].replace("T", " "), fitted(str(rule.allows))) for rule in rules)


def question_text(asked: QuestionSet) -> str:
    """Return a question with its id, time and choices."""
    return f"{asked.id}  ({asked.created_at[:16].replace('T', ' ')})\n{asked_text(asked)}"


def asked_text(asked: QuestionSet) -> str:
    """Return the questions with their choices. If there are several, each begins with the name that `planact answer
    --value` takes.
    """
    lines: list[str] = []
    for question in asked.questions:
        name = f"{question.name}: " if len(asked.questions) > 1 else ""
        lines.append(f"  {name}{question.question}")
        lines += [f"    {line}" for line in question.context.splitlines()]
        lines += [f"    {fitted(line, _MOST_OF_A_CHOICE)}" for line in choice_lines(question)]
        if wish := wanted(question):
            lines.append(f"    ({fitted(wish)})")
    return "\n".join(lines)


def question_data(asked: QuestionSet) -> dict[str, Any]:
    """Return a question set as JSON, with all that a program needs to answer it."""
    return {
        "format_version": asked.format_version,
        "question_id": asked.id,
        "session_id": asked.session_id,
        "questions": [question.model_dump(mode="json", by_alias=True) for question in asked.questions],
        "created_at": asked.created_at,
        "purpose": asked.purpose,
        "plan_hash": asked.plan_hash,
        "edits": [{"path": edit.path, "what": edit.what} for edit in asked.edits],
    }


def how_to_answer(asked: QuestionSet) -> str:
    """Return the command that answers a question set."""
    names = [question.name for question in asked.questions]
    value = "VALUE" if len(names) == 1 else " ".join(f"--value {name}=…" for name in names)
    rejects = " [--reject PATH …]" if is_by_file(asked) else ""
    comment = " [--comment TEXT]" if may_reject(asked) else ""
    return f"planact answer {asked.id} {value}{rejects}{comment}"


def how_to_go_on(run: Execution) -> str:
    """Return the commands that resume a run and roll it back; empty if the run has no steps left."""
    last = {step.step_number: step.status for step in run.steps}
    is_settled = run.status == "partial_success" and set(last.values()) <= {"done", "skipped"}
    if run.status == "success" or is_settled or not run.plan_file:
        return ""
    has_files = any(step.files for step in run.steps)
    undo = f"\nTake it back with: planact rollback {run.id}" if has_files else ""
    return f"Go on with: planact resume {run.id}{undo}"


def event_text(event: Event) -> str:
    """Return an event as one line."""
    data = (f"{name}={shown_value(value)}" for name, value in event.data.items() if value not in ("", None))
    return f"{event.time[:19].replace('T', ' ')}  {event.kind}  {fitted(' '.join(data))}".rstrip()


def metrics_text(metrics: Metrics) -> str:
    """Return the metrics as lines: refusals, questions, models, plans, and the sum."""
    refusals, questions, planning = metrics.refusals, metrics.questions, metrics.planning
    lost = refusals.made - refusals.recorded
    told = [f"Refusals: {refusals.made} made, {refusals.recorded} recorded{_listed(refusals.by_code)}"]
    told += [f"! {abs(lost)} {'not recorded' if lost > 0 else 'recorded that the journal lacks'}"] if lost else []
    per_run = "" if questions.per_run is None else f", {questions.per_run:.1f} a run"
    told.append(f"Questions: {questions.asked}{per_run}{_listed(questions.by_purpose)}")
    told += [f"  about{_listed(questions.by_kind)}"] if questions.by_kind else []
    for model in metrics.models:
        told.append(f"Model {model.model}: {model.spent.in_words()}")
        if model.latency is not None:
            told.append(f"  answers after {model.latency.median:.1f} s, 95 of 100 within {model.latency.p95:.1f} s")
        if model.adherence is not None:
            share = f"{100 * model.adherence:.1f} % of {model.calls_in_plan} calls"
            told.append(f"  kept to Plan in {share}, {model.attempts_per_100_calls:.1f} attempts per 100")
    told.append(f"Planning, {counted(planning.plans, 'plan')}: {planning.spent.in_words()}")
    for plan in metrics.plans:
        told.append(f"{plan.plan_id}, {counted(plan.runs, 'run')}: {plan.spent.in_words()}")
        told += [f"  planning: {plan.planning.in_words()}"] if plan.planning.requests else []
        told += [f"  step {step.step}, {step.seconds:.0f} s: {step.spent.in_words()}" for step in plan.steps]
    if metrics.without_plan.requests:
        told.append(f"Without a plan: {metrics.without_plan.in_words()}")
    told.append(f"All in all: {metrics.total.in_words()}")
    told += [f"  {part}" for part in metrics.total.parts_in_words()]
    return "\n".join(told)


def _listed(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name} {count}' for name, count in counts.items())})" if counts else ""


def executions_text(runs: Sequence[Execution]) -> str:
    """Return a table with one run a line."""
    return _table(
        (
            run.id,
            run.started_at[:16].replace("T", " "),
            "rolled back" if run.rollbacks and not run.to_roll_back else run.status.replace("_", " "),
            fitted(run.goal or "Work without a plan"),
        )
        for run in runs
    )


def execution_text(execution: Execution) -> str:
    """Return the summary of a run, its use of models, and the path of its record."""
    usage = execution.usage
    models = [f"Model: {usage.in_words()}", *(f"  {fitted(part)}" for part in usage.parts_in_words())]
    if execution.broken_off.requests:
        models.append(f"  attempts that broke off: {execution.broken_off.in_words()}")
    return "\n".join([summary(execution), *models, f"Record: {record_path(execution)}"])


def execution_data(execution: Execution) -> Mapping[str, Any]:
    """Return the record of a run as JSON, with its path."""
    return {**execution.model_dump(mode="json"), "record": record_path(execution)}


def record_path(execution: Execution) -> str:
    """Return the path of the record, relative to the workspace folder."""
    return f".planact/executions/{execution.id}.json"


def _table(rows: Any) -> str:
    cells = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)
