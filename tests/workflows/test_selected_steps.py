"""Some steps of a plan are run, as the user selected them, and resumed."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.runs.execution import Execution
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.resume import resume_execution, run_to_resume
from tests.workflows.scene import PATH, SAID, Scene

FOUR = """---
id: plan_20261120_aaaa
---
# Greet

## Steps
- [x] 1. First
  - reason: r
- [ ] 2. Second
  - reason: r
  - check: `true`
- [ ] 3. Third
  - reason: r
  - check: `true`
- [ ] 4. Fourth
  - reason: r
  - check: `test -e mended`
"""


def results(execution: Execution) -> list[tuple[int, str]]:
    return [(record.step_number, record.status.value) for record in execution.steps]


def execute_steps(it: Scene, *numbers: int) -> Execution:
    return asyncio.run(execute_plan(it.ws, it.session_id, PATH, Confirmation.BY_FLAG, only_steps=numbers))


def test_of_a_selection_what_is_left_is_run_in_the_order_of_the_plan_and_resumed(tmp_path: Path) -> None:
    it = Scene(tmp_path, *[SAID] * 4)
    it.write_plan(FOUR)
    execution = execute_steps(it, 4, 2, 1)
    assert (execution.only_steps, results(execution)) == ((1, 2, 4), [(2, "done"), (4, "failed")])
    assert (it.marks(), it.status()) == ("xx !", "partial")
    it.world.write("mended", "")
    again = asyncio.run(resume_execution(it.ws, it.session_id, run_to_resume(it.ws)))
    assert (again.only_steps, results(again), it.marks()) == ((1, 2, 4), [(4, "done")], "xx x")


@pytest.mark.parametrize(
    ("numbers", "message"),
    [((2, 7), "the plan has no step 7"), ((1, 2), "the steps 1, 2 of the plan are done or skipped")],
)
def test_a_selection_with_nothing_to_run_is_told(tmp_path: Path, numbers: tuple[int, ...], message: str) -> None:
    it = Scene(tmp_path)
    it.write_plan(FOUR.replace("[ ] 2", "[-] 2"))
    with pytest.raises(PlanactError) as refused:
        execute_steps(it, *numbers)
    assert (refused.value.code, refused.value.message) == ("STEP_NOT_FOUND", message)


@pytest.mark.parametrize(("one", "several"), [(0, ()), (3, (3,))])
def test_a_record_from_before_there_were_selections_is_read(one: int, several: tuple[int, ...]) -> None:
    assert Execution.model_validate({"id": "x", "session_id": "y", "only_step": one}).only_steps == several
