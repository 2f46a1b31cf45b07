"""A plan in which a merge left two versions: nothing runs it, approves it, or writes over either of them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from planact.base.errors import InvalidInput, PlanactError
from planact.model.question import Question
from planact.model.rights.permission import Mode
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.library import list_plans, read_document
from planact.workflows.plans.question_in_plan import write_question
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.handle_failure import skip_step
from planact.workflows.runs.make_plan import make_plan_in
from planact.workflows.runs.revise_plan import revise_plan
from planact.workflows.sessions.manage import change_session
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, Scene, until

CONFLICT = "<<<<<<< ours\n- [ ] 3. Mine\n=======\n- [ ] 3. Theirs\n>>>>>>> theirs\n"
PLAN_OF_TWO = PLAN.replace("\n## Validation", f"{CONFLICT}\n## Validation")
REQUEST_OF_TWO = "make it\n<<<<<<< ours\nfast\n=======\nsmall\n>>>>>>> theirs\n"


@pytest.mark.parametrize(
    "act",
    [
        lambda it: execute_plan(it.ws, it.session_id, PATH, Confirmation.BY_FLAG),
        lambda it: approve_plan(it.ws, it.session_id, read_document(it.ws, PATH)),
        lambda it: skip_step(it.ws, it.session_id, read_document(it.ws, PATH), 1),
        lambda it: revise_plan(it.ws, it.session_id, PATH, "be warm"),
        lambda it: make_plan_in(it.ws, it.session_id, "two.plan"),
    ],
    ids=["execute", "approve", "skip", "revise", "generate"],
)
def test_whatever_would_run_or_replace_it_is_refused(tmp_path: Path, act: Callable[[Scene], Awaitable[object]]) -> None:
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan(PLAN_OF_TWO)
    it.world.write("two.plan", REQUEST_OF_TWO)

    async def run() -> None:
        await act(it)

    with pytest.raises(PlanactError, match="a merge conflict is unresolved in") as caught:
        asyncio.run(run())
    assert isinstance(caught.value, InvalidInput)
    assert it.document().file.text == PLAN_OF_TWO
    assert read_document(it.ws, "two.plan").file.text == REQUEST_OF_TWO
    assert it.world.model.requests == []


def test_no_question_is_written_into_it(tmp_path: Path) -> None:
    it = Scene(tmp_path, mode=Mode.ACT)
    it.write_plan(PLAN_OF_TWO)
    change_session(it.ws, it.session_id, plan_file=PATH)

    async def ask() -> str:
        asking = asyncio.ensure_future(it.ws.questions.ask(it.session_id, (Question(question="Go?"),), "agent", "x"))
        await until(lambda: it.asked)
        path = await write_question(it.ws, it.asked[0])
        asking.cancel()
        return path

    assert asyncio.run(ask()) == ""
    assert it.document().file.text == PLAN_OF_TWO


def test_it_is_listed_so_that_somebody_sees_it(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan(PLAN_OF_TWO)
    assert [summary.path for summary in list_plans(it.ws)] == [PATH]
