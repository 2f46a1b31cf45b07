"""What must be so after a kill, and after the plan was taken up again: problems in words, none when all is well."""

import fcntl
import json
from collections import Counter
from collections.abc import Iterator

from planact.model.plan import PlanStatus, StepStatus
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from tests.cli.program import Ran
from tests.kill.rig import AFTER, BEFORE, LOGS, PLAN_PATH, Rig


def after_kill(rig: Rig) -> Iterator[str]:
    """A file is as it was or as it is to be, never half of either; no mark is ahead of the journal."""
    for name, text in files(rig).items():
        expected = {BEFORE.get(name), AFTER.get(name)} - {None}
        if name in LOGS:
            expected = {LOGS[name] * text.count(LOGS[name])}
        if not _is_temporary(name) and text not in expected:
            yield f"{name} is {text[:40]!r}"
    yield from _json_problems(rig)
    tree = parse((rig.folder / PLAN_PATH).read_text())
    if len(tree.steps) != 5 or lower(tree) is None:
        yield "the plan is damaged"
    done = {data["step_number"] for _, kind, data in rig.entries() if kind == "step_finished"}
    yield from (
        f"step {step.step_number} is marked and has no result"
        for step in tree.steps
        if step.status is StepStatus.DONE and step.step_number not in done
    )


def after_resume(rig: Rig, ran: Ran, asked_before: set[str]) -> Iterator[str]:
    """Everything was done, once or with the user's knowledge, and nothing is left lying about."""
    is_over = ran.code == 1 and "STEP_NOT_FOUND" in ran.out and "all steps" in ran.out
    if ran.code != 0 and not is_over:
        yield f"it ended with {ran.code}: {ran.err[-600:]}"
    found = files(rig)
    for name in AFTER.keys() | BEFORE.keys():
        if found.get(name) != AFTER.get(name):
            yield f"{name} is {str(found.get(name))[:40]!r}"
    questions = [(status, json.loads(data)) for status, data in rig.rows("SELECT status, data FROM questions")]
    warned = sum(each["questions"][0]["name"] == "interrupted" for _, each in questions)
    for name, line in LOGS.items():
        times = found.get(name, "").count(line)
        if not 1 <= times <= 1 + warned or found[name] != line * times:
            yield f"{name} was written {times} times, and the user was warned {warned} times"
    yield from (f"a question is {status}" for status, _ in questions if status != "answered")
    tones = {each["id"] for _, each in questions if each["questions"][0]["name"] == "tone"}
    if len(tones) > 1:
        yield "an answer was lost: it was asked for again"
    if not asked_before <= {each["id"] for _, each in questions}:
        yield "a question that was open has another id now"
    yield from _journal_problems(rig)
    plan = lower(parse((rig.folder / PLAN_PATH).read_text()))
    marks = [step.status for step in plan.steps] if plan else []
    if plan is None or marks != [StepStatus.DONE] * 5 or plan.status is not PlanStatus.DONE:
        yield f"the plan says {marks} and {plan and plan.status}"
    if (rig.folder / PLAN_PATH).read_text().count("[!ADAPTED]") != 1:
        yield "the adaptation is not in the plan once"
    yield from _json_problems(rig)
    yield from (f"{name} was left behind" for name in found if _is_temporary(name))
    yield from _lock_problems(rig)


def after_rollback(rig: Rig) -> Iterator[str]:
    """The plan says that nothing of it is done, and nothing is left lying about."""
    plan = lower(parse((rig.folder / PLAN_PATH).read_text()))
    marks = [step.status for step in plan.steps] if plan else []
    if plan is None or marks != [StepStatus.PENDING] * 5 or plan.status is PlanStatus.DONE:
        yield f"the plan says {marks} and {plan and plan.status}"
    yield from _json_problems(rig)
    yield from (f"{name} was left behind" for name in files(rig) if _is_temporary(name))
    yield from _lock_problems(rig)


def open_questions(rig: Rig) -> set[str]:
    return {question for (question,) in rig.rows("SELECT id FROM questions WHERE status = 'open'")}


def _journal_problems(rig: Rig) -> Iterator[str]:
    entries = rig.entries()
    results = Counter(
        data["step_number"] for _, kind, data in entries if kind == "step_finished" and data["status"] == "done"
    )
    if results != Counter(range(1, 6)):
        yield f"the results of steps are {dict(results)}"
    ends = Counter(execution for execution, kind, _ in entries if kind == "run_finished")
    if ends != Counter(execution for execution, kind, _ in entries if kind in ("run_started", "run_resumed")):
        yield f"the ends of runs are {dict(ends)}"
    for execution in ends:
        record = json.loads((rig.folder / ".planact" / "executions" / f"{execution}.json").read_text())
        steps = [data for each, kind, data in entries if each == execution and kind == "step_finished"]
        told = [(step["step_number"], step["status"]) for step in steps]
        if [(step["step_number"], step["status"]) for step in record["steps"]] != told or record["status"] == "running":
            yield f"the record of {execution} is not as the journal has it"
    index = json.loads((rig.folder / ".planact" / "executions" / "index.json").read_text())
    if {row["id"] for row in index["executions"]} != set(ends):
        yield "the index of executions is not complete"


def _json_problems(rig: Rig) -> Iterator[str]:
    for path in (rig.folder / ".planact").rglob("*.json"):
        try:
            json.loads(path.read_text())
        except ValueError:
            yield f"{path.name} is no JSON"


def _lock_problems(rig: Rig) -> Iterator[str]:
    for path in rig.home.rglob("run.lock"):
        with path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield f"{file.read()} still has the lock"


def files(rig: Rig) -> dict[str, str]:
    """All of the workspace but planact's own, and its unfinished files wherever they are."""
    paths = [path for path in rig.folder.rglob("*") if path.is_file()]
    named = {path.relative_to(rig.folder).as_posix(): path for path in paths}
    own = (".planact/", ".git/HEAD")
    return {name: path.read_text() for name, path in named.items() if not name.startswith(own) or _is_temporary(name)}


def _is_temporary(name: str) -> bool:
    return name.endswith(".tmp")
