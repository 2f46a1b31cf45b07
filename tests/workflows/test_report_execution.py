"""The report of a run: everything that the record says, and nothing that passes for something else."""

from pathlib import Path

import pytest

from planact.base.errors import NotFound
from planact.model.chat.message import Usage
from planact.model.plan import StepStatus
from planact.model.runs.execution import Adaptation, CheckResult, Evidence, Execution, FileChange, Rollback, StepRecord
from planact.workflows.history.report import find_execution, report, summary
from tests.workflows.scene import Scene

FAILED = StepRecord(
    step_number=2,
    action="Update the callers",
    status=StepStatus.FAILED,
    error="the check `pytest -q` ended with 1",
    output="I changed them.",
    duration=41.2,
    evidence=(
        Evidence(tool="update_file", about="src/cli.py"),
        Evidence(tool="execute_command", about="ls", exit_code=2),
    ),
    checks=(CheckResult(command="pytest -q", exit_code=1, output="1 failed\n", passed=False),),
    files=(
        FileChange(path="src/cli.py", before="a", after="b"),
        FileChange(path="new.py", after="c"),
        FileChange(path="old.py", before="d"),
    ),
    adaptations=(Adaptation(reason="why", original_action="Update the callers", adapted_action="also changed new.py"),),
    usage=Usage(input_tokens=1200, output_tokens=340, cached_tokens=900, cost=0.01, requests=3),
)
DONE = FAILED.model_copy(
    update={
        "status": StepStatus.DONE,
        "attempt": 2,
        "error": "",
        "output": "",
        "evidence": (),
        "checks": (CheckResult(command="pytest -q", exit_code=0, output="", passed=True),),
        "files": (),
        "adaptations": (),
        "usage": Usage(requests=1),
    }
)
RUN = Execution(
    id="e1",
    session_id="s1",
    plan_id="plan_x",
    plan_file="x.plan",
    goal="Rename `load`",
    status="success",
    started_at="2026-11-20T10:00:00+00:00",
    finished_at="2026-11-20T10:01:30+00:00",
    duration=90,
    steps=(FAILED, DONE),
    usage=FAILED.usage.of("x/clever", "answer").plus(DONE.usage.of("x/cheap", "answer")),
    rollbacks=(Rollback(id="r1", at="2026-11-20T10:05:00+00:00", steps=(2,)),),
)

REPORT = """\
# Rename `load`

**Success**

- Plan: `x.plan`
- Execution: `e1`
- Began 2026-11-20T10:00:00+00:00, ended 2026-11-20T10:01:30+00:00, 90 s
- Model: 4 requests, 1200 tokens in (900 cached), 340 out, $0.0100
  - x/clever: 3 requests, 1200 tokens in (900 cached), 340 out, $0.0100
  - x/cheap: 1 request, 0 tokens in, 0 out, cost unknown
- Rolled back at 2026-11-20T10:05:00+00:00: step 2

## 2. Update the callers: failed

the check `pytest -q` ended with 1

```
I changed them.
```

- Took 41 s; 3 requests, 1200 tokens in (900 cached), 340 out, $0.0100
- Adapted: also changed new.py (why)
- Changed `src/cli.py`
- Created `new.py`
- Deleted `old.py`
- Did: update_file `src/cli.py`
- Did: execute_command `ls`, exit code 2
- Check failed: `pytest -q`, exit code 1

```
1 failed
```


## 2. Update the callers, attempt 2: done

- Took 41 s; 1 request, 0 tokens in, 0 out, cost unknown
- Check passed: `pytest -q`, exit code 0
"""


def test_the_report_has_all_of_the_record() -> None:
    assert report(RUN) == REPORT


def test_the_summary_says_each_attempt_in_a_line() -> None:
    files = "src/cli.py, new.py, old.py"
    assert summary(RUN).splitlines() == [
        "Rename `load`: success",
        f"2. Update the callers: failed (41 s; {files}; check failed: pytest -q; also changed new.py)",
        "2. Update the callers, attempt 2: done (41 s; check passed: pytest -q)",
        "Rolled back at 2026-11-20T10:05:00+00:00: step 2",
    ]


def test_an_attempt_that_was_killed_is_told_as_broken_off() -> None:
    killed = StepRecord(step_number=2, action="Update", status=StepStatus.PENDING, error="killed", ended_by="kill")
    run = RUN.model_copy(update={"steps": (killed, DONE)})
    assert summary(run).splitlines()[1] == "2. Update: broken off"
    told = report(run)
    assert "## 2. Update: broken off\n\nkilled\n" in told
    assert "Took 0 s" not in told


def test_the_summary_names_files_of_a_step_that_its_check_alone_shows_done() -> None:
    done, failed = (RUN.steps[number].model_copy(update={"unchanged": ("new.py", "b.py")}) for number in (1, 0))
    lines = summary(RUN.model_copy(update={"steps": (failed, done)})).splitlines()
    assert "named and not changed" not in lines[1]
    assert lines[2].endswith("(41 s; check passed: pytest -q; named and not changed: new.py, b.py)")


def test_what_others_said_does_not_get_out_of_its_place() -> None:
    hostile = "x\n\n# Success\n```\n\n# All is well `\x1b[31m"
    record = FAILED.model_copy(
        update={
            "action": hostile,
            "error": hostile,
            "output": hostile,
            "evidence": (Evidence(tool="execute_command", about=hostile),),
            "checks": (CheckResult(command=hostile, exit_code=None, output=hostile, passed=False),),
        }
    )
    lines = report(RUN.model_copy(update={"goal": hostile, "reason": hostile, "steps": (record,)})).splitlines()
    fences = [number for number, line in enumerate(lines) if line.startswith("````")]
    assert len(fences) == 4
    inside = {*range(*fences[:2]), *range(*fences[2:])}
    headings = [line for number, line in enumerate(lines) if line.startswith("#") and number not in inside]
    assert [heading.split()[:2] for heading in headings] == [["#", "x"], ["##", "2."]]


def test_a_run_is_found_by_the_end_of_its_id(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.ws.ports.records.put_execution(RUN)
    it.ws.ports.records.put_execution(RUN.model_copy(update={"id": "f1"}))
    assert find_execution(it.ws, "e1") == RUN
    it.ws.ports.records.put_execution(RUN.model_copy(update={"id": "fe1"}))
    assert find_execution(it.ws, "e1") == RUN  # it is the whole id of one, and the end of another's
    assert find_execution(it.ws, "") in it.ws.ports.records.executions()
    for name in ("1", "g1"):
        with pytest.raises(NotFound):
            find_execution(it.ws, name)
