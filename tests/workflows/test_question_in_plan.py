"""Where a question is written, and that it goes when it has ended, however that came."""

import asyncio
import contextlib
from pathlib import Path

from planact.model.question import Question, QuestionSet
from planact.model.rights.permission import Mode
from planact.plan.question_blocks import blocks_of
from planact.workflows.plans.question_in_plan import write_question
from planact.workflows.sessions.manage import change_session
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, Scene, until

COLOUR = Question(name="colour", question="Which colour?")


async def asked(it: Scene) -> QuestionSet:
    """A question that is open, and that nobody waits for any more, as after a restart."""
    asking = asyncio.ensure_future(it.ws.questions.ask(it.session_id, (COLOUR,), "agent", "x"))
    await until(lambda: it.asked)
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asking
    return it.asked[0]


def taken_back(it: Scene) -> list[str]:
    return [what for where, what in it.world.log("editor.remove_question") if where == "editor.remove_question"]


def test_it_is_written_only_into_the_plan_of_its_session(tmp_path: Path) -> None:
    it = Scene(tmp_path, mode=Mode.ACT)
    it.write_plan(PLAN.replace("[ ] 2", "[~] 2"))

    async def write() -> tuple[str, str]:
        question = await asked(it)
        nowhere = await write_question(it.ws, question)
        change_session(it.ws, it.session_id, plan_file=PATH)
        return nowhere, await write_question(it.ws, question)

    assert asyncio.run(write()) == ("", PATH)
    [block] = blocks_of(it.document().tree, it.asked[0].id)
    assert it.document().tree.steps[1].questions == (block,)


def test_a_question_that_is_left_open_stays_where_it_is_shown(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    asyncio.run(asked(it))
    assert taken_back(it) == []


def test_one_that_ended_is_taken_back_by_whoever_waits_or_else_by_whoever_ended_it(tmp_path: Path) -> None:
    it = Scene(tmp_path)

    async def run() -> None:
        question = await asked(it)
        await it.ws.questions.remove_shown(it.ws.questions.answer(question.id, {"colour": "red"}))
        waiting = asyncio.ensure_future(it.ws.questions.ask(it.session_id, (COLOUR,), "agent", "y"))
        await until(lambda: len(it.asked) == 2)
        await it.ws.questions.remove_shown(it.ws.questions.decline(it.asked[1].id))
        await waiting

    asyncio.run(run())
    assert taken_back(it) == ["answered", "declined"]


def test_a_run_begins_without_the_questions_that_have_ended(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS, mode=Mode.ACT)
    it.write_plan()
    change_session(it.ws, it.session_id, plan_file=PATH)

    async def leave() -> None:
        question = await asked(it)
        await write_question(it.ws, question)
        it.ws.questions.answer(question.id, {"colour": "red"})

    asyncio.run(leave())
    assert len(it.document().tree.questions) == 1
    assert it.execute().status == "success"
    assert it.document().tree.questions == ()
