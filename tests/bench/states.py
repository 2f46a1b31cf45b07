"""Folders as they are after a year of use, and workspaces that are large or odd, made quickly and without a model.

What is made is what planact would have left: the same rows, records and documents, written in bulk.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database, state_folder
from planact.adapters.system import SystemClock
from planact.model.chat.message import Message, Session
from planact.model.plan import StepStatus
from planact.model.question import Question, QuestionSet
from planact.model.runs.execution import Execution, FileChange, StepRecord
from planact.model.runs.journal import Event

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Use:
    """How much there is. `plans` are open; `runs` have `steps` each, and are of as many plans as are given, in turn."""

    plans: int = 50
    sessions: int = 100
    messages: int = 40
    runs: int = 5_000
    events: int = 100_000
    questions: int = 500
    open_questions: int = 5
    steps: int = 3


YEAR = Use()


def plan_text(number: int, steps: int = 6) -> str:
    """A plan that is half done."""
    lines = [
        f"- [{'x' if step <= steps // 2 else ' '}] {step}. Change part {step} of the module\n"
        f"  - reason: it is needed for what comes next\n  - tools: read_file, update_file\n"
        f"  - files: src/part_{number}_{step}.py\n  - check: `true`\n"
        for step in range(1, steps + 1)
    ]
    head = (
        f'---\nformat_version: "1.0"\nid: plan_20260101_{number:04x}\nstatus: paused\n'
        f"created: 2026-01-01T00:00:00Z\nrole: planner\n---\n"
    )
    return f"{head}# Improve module {number}\n\n## Steps\n{''.join(lines)}"


def plan_path(number: int) -> str:
    """Where the plan with that number is."""
    return f".planact/plans/plan_20260101_{number:04x}-improve-module.plan"


def run_id(number: int) -> str:
    """Ids that rise with time, as planact's do."""
    return f"{0x019B0000_0000 + number:012x}"[:8] + f"-{number:04x}-7000-8000-{number:012x}"


def use_for_a_year(workspace: Path, use: Use = YEAR, *, text: Callable[[int], str] = plan_text) -> Path:
    """Leave in `workspace` and in its state folder, which is returned, what so much use would have."""
    (workspace / ".planact" / "plans").mkdir(parents=True, exist_ok=True)
    (workspace / ".planact" / "executions").mkdir(exist_ok=True)
    for number in range(use.plans):
        (workspace / plan_path(number)).write_text(text(number))
    folder = state_folder(workspace)
    database = Database(folder, SystemClock(), Redactor({}).data, workspace=workspace)
    with database.transaction(is_synced=False) as connection:
        connection.executemany(
            "INSERT INTO sessions (id, used, data) VALUES (?, ?, ?)",
            ((session.id, used, session.model_dump_json()) for used, session in enumerate(_sessions(use), 1)),
        )
        connection.executemany(
            "INSERT INTO messages (session_id, data) VALUES (?, ?)",
            (
                (message.session_id, message.model_dump_json())
                for session in _sessions(use)
                for message in _messages(use, session)
            ),
        )
        connection.executemany(
            "INSERT INTO events (session_id, kind, time, data) VALUES (?, ?, ?, ?)",
            ((event.session_id, event.kind, event.time, event.model_dump_json()) for event in _events(use)),
        )
        connection.executemany(
            "INSERT INTO questions (id, session_id, purpose, subject, status, is_used, data) VALUES (?,?,?,?,?,?,?)",
            (
                (each.id, each.session_id, each.purpose, "s", each.status, each.status != "open", _json(each))
                for each in _questions(use)
            ),
        )
        connection.executemany(
            "INSERT INTO journal (session_id, execution_id, kind, time, data) VALUES (?, ?, ?, ?, ?)",
            (row for number in range(use.runs) for row in _entries(use, number, text)),
        )
    database.close()
    for number in range(use.runs):
        run = execution(use, number)
        path = workspace / ".planact" / "executions" / f"{run.id}.json"
        path.write_text(run.model_dump_json(indent=2) + "\n")
    return folder


def execution(use: Use, number: int) -> Execution:
    """The record of the run with that number."""
    begun = _time(number * 6_000)
    steps = tuple(
        StepRecord(
            step_number=step,
            action=f"Change part {step} of the module",
            status=StepStatus.DONE,
            output="Done.",
            duration=12.0,
            tool_results=4,
            files=(_changed(number, step),),
        )
        for step in range(1, use.steps + 1)
    )
    return Execution(
        id=run_id(number),
        session_id=f"session-{number % use.sessions}",
        plan_id=f"plan_20260101_{number % use.plans:04x}",
        plan_file=plan_path(number % use.plans),
        plan_hash="0" * 64,
        goal=f"Improve module {number % use.plans}",
        status="success",
        started_at=begun,
        finished_at=begun,
        duration=60.0,
        steps=steps,
    )


def _entries(use: Use, number: int, text: Callable[[int], str]) -> list[tuple[str, str, str, str, str]]:
    run = execution(use, number)
    begun = {
        "path": run.plan_file,
        "plan_id": run.plan_id,
        "hash": run.plan_hash,
        "plan": text(number % use.plans),
        "only_steps": [],
    }
    told: list[tuple[str, dict[str, object]]] = [("run_started", begun)]
    for step in run.steps:
        told += [("step_started", {"step": {"step_number": step.step_number, "action": step.action}})]
        told += [("file_changed", {"call_id": "c", **file.model_dump()}) for file in step.files]
        told += [("step_finished", step.model_dump(mode="json"))]
    told += [("run_finished", {"status": run.status, "reason": ""})]
    return [(run.session_id, run.id, kind, run.started_at, json.dumps(data)) for kind, data in told]


def _changed(number: int, step: int) -> FileChange:
    return FileChange(path=f"src/part_{number}_{step}.py", before=f"{number:064x}", after=f"{number + 1:064x}")


def _sessions(use: Use) -> list[Session]:
    return [
        Session(id=f"session-{number}", title=f"Improve module {number}", created_at=_time(number))
        for number in range(use.sessions)
    ]


def _messages(use: Use, session: Session) -> list[Message]:
    return [
        Message(
            id=f"{session.id}-{number}",
            session_id=session.id,
            role="user" if number % 2 == 0 else "assistant",
            content="Some words about the module. " * 8,
            created_at=_time(number),
        )
        for number in range(use.messages)
    ]


def _events(use: Use) -> list[Event]:
    return [
        Event(
            kind="step_finished",
            session_id=f"session-{number % use.sessions}",
            time=_time(number * 300),
            data={"execution_id": run_id(number % max(1, use.runs)), "plan_id": "plan", "step": 1, "status": "done"},
        )
        for number in range(use.events)
    ]


def _questions(use: Use) -> list[QuestionSet]:
    asked = (Question(name="which", question="Which one?"),)
    return [
        QuestionSet(
            id=f"question-{number}",
            session_id=f"session-{number % use.sessions}",
            purpose="agent",
            subject="s",
            status="open" if number < use.open_questions else "answered",
            questions=asked,
            created_at=_time(number),
        )
        for number in range(use.questions)
    ]


def _json(question: QuestionSet) -> str:
    return json.dumps(question.model_dump(mode="json", by_alias=True))


def _time(seconds: int) -> str:
    return (BEGAN + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# --- workspaces


def many_files(workspace: Path, count: int, per_folder: int = 100) -> None:
    """So many small files, in folders of two levels."""
    for begin in range(0, count, per_folder):
        folder = workspace / f"area_{begin // per_folder // 50}" / f"part_{begin // per_folder}"
        folder.mkdir(parents=True)
        for number in range(begin, min(begin + per_folder, count)):
            (folder / f"file_{number}.py").write_bytes(b"x = %d\n" % number)


def sparse(path: Path, size: int) -> None:
    """A file of that size that takes no space."""
    with path.open("wb") as file:
        file.truncate(size)


def looped(workspace: Path) -> None:
    """Links that lead round and round: to the folder itself, to the one above, to each other and to themselves."""
    (workspace / "deep" / "er").mkdir(parents=True)
    for name, target in (("er/up", "../.."), ("here", "."), ("one", "other"), ("other", "one"), ("self", "self")):
        (workspace / "deep" / name).symlink_to(target)
