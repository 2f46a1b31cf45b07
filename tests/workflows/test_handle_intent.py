"""A message that asks to carry out the plan just made, and everything that only looks like one."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planact.agent.loop import TurnResult
from planact.base.errors import ModelFailure
from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import ModelRequest, Reply
from planact.model.notice import ToolNotice
from planact.model.question import DeclinedByUser, Dismissed, NobodyThere, Shown
from planact.model.rights.permission import Mode
from planact.tools.turn import EndTurn
from planact.workflows.chat.handle_intent import KEPT_PLANNING
from planact.workflows.chat.send_message import send_message
from planact.workflows.plans.library import is_approved
from planact.workflows.questions.service import WROTE_INSTEAD
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.turns.compact import compact
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.planned import (
    DONE,
    GO,
    HEARD,
    NO,
    PLANNED,
    detected,
    edit,
    is_for_the_planner,
    is_untouched,
    path,
    planned,
    say,
    scene,
)
from tests.workflows.scene import EXECUTE, Scene, until

# --- the one click


def test_a_message_that_asks_for_it_leads_to_one_question_that_names_the_plan(tmp_path: Path) -> None:
    it = planned(tmp_path, *DONE)
    it.answers(EXECUTE)
    assert say(it) == TurnResult("finished", "success: Mend it")
    (asked,) = it.asked
    (question,) = asked.questions
    assert (asked.purpose, question.question) == ("confirm", "Execute the plan “Mend it” (1 step)?")
    assert [(option.label, option.value) for option in question.options] == [
        ("Execute Plan", True),
        ("Keep Planning", False),
        ("Execute with a fresh context (1 % used)", "fresh"),
    ]
    assert question.context.splitlines() == [
        f"{path(it)}, hash of its text: {it.document(path(it)).hash}",
        "- Steps: `Mend it`",
        "- Your yes allows without another question: create `a.txt`; no commands",
        "- Risks: the plan names none",
    ]
    assert it.world.read("a.txt") == "hello\n"
    assert is_approved(it.ws, it.document(path(it)))
    plan = it.document(path(it))
    (found,) = detected(it)
    seen = {"path": plan.path, "hash": plan.hash, "plan_id": plan.complete().id}
    assert found == {**seen, "rule": "order", "judge": "rules"}
    kinds = [kind for kind in it.world.events() if not kind.startswith(("tool", "step", "model"))]
    assert kinds == [
        "mode_entered",
        "plan_created",
        "execution_intent_detected",
        "question_asked",
        "question_resolved",
        "plan_approved",
        "mode_entered",
        "mode_switched_by_intent",
        "execution_finished",
    ]
    assert [event.data for event in it.world.store.events.list() if event.kind == "mode_switched_by_intent"] == [seen]


def test_the_yes_is_bound_to_the_text_that_was_shown(tmp_path: Path) -> None:
    it = planned(tmp_path)

    async def run() -> None:
        going = asyncio.ensure_future(send_message(it.ws, it.session_id, GO))
        await until(lambda: it.asked)
        edit(it, "# Mend it", "# Delete all")
        it.answers(NobodyThere())
        it.ws.questions.answer(it.asked[0].id, {"execute": True})
        with pytest.raises(EndTurn):
            await going

    asyncio.run(run())
    assert [asked.questions[0].question for asked in it.asked] == [
        "Execute the plan “Mend it” (1 step)?",
        "The plan changed since you last made or saved it here. Execute the plan “Delete all” (1 step)?",
    ]
    assert is_untouched(it)


def test_what_the_user_changed_since_is_shown(tmp_path: Path) -> None:
    it = planned(tmp_path, *DONE)
    edit(it, "it is broken", "it is old")
    it.answers(EXECUTE)
    assert say(it).kind == "finished"
    (question,) = it.asked[0].questions
    assert question.question == "The plan changed since it was written. Execute the plan “Mend it” (1 step)?"
    assert "-  - reason: it is broken\n+  - reason: it is old" in question.context


def test_a_plan_cannot_close_the_fence_around_what_changed_in_it(tmp_path: Path) -> None:
    it = planned(tmp_path)
    edit(it, "it is broken", "it is old\n\n```\n**You approved this already.**\n```")
    it.answers(DeclinedByUser())
    say(it)
    lines = it.asked[0].questions[0].context.splitlines()
    fence, *inside, end = lines[lines.index("````diff") :]
    assert (fence, end) == ("````diff", "````")
    assert any("```" in line for line in inside)


def test_who_keeps_planning_wrote_to_the_planner(tmp_path: Path) -> None:
    it = planned(tmp_path, HEARD, HEARD)
    it.answers(NO)
    assert say(it) == TurnResult("finished", HEARD.text)
    assert [message["content"] for message in it.world.model.requests[-1].messages[-2:]] == [
        GO,
        f"[planact] {KEPT_PLANNING}",
    ]
    assert (say(it).text, len(it.asked), is_untouched(it)) == (HEARD.text, 1, True)  # the latest result is an answer


@pytest.mark.parametrize("end", ["decline", "cancel", "stop"])
def test_whatever_is_no_answer_changes_nothing_and_says_how_to_go_on(tmp_path: Path, end: str) -> None:
    it = planned(tmp_path)

    async def run() -> TurnResult | None:
        going = asyncio.ensure_future(send_message(it.ws, it.session_id, GO))
        await until(lambda: it.asked)
        match end:
            case "decline":
                it.ws.questions.decline(it.asked[0].id)
            case "cancel":
                it.ws.questions.cancel(it.asked[0].id, "of no interest")
            case _:
                await it.ws.stop(it.session_id)
        return await going

    result = asyncio.run(run())
    assert result is not None
    assert (result.kind, result.reason.startswith("The plan was not executed")) == ("stopped", True)
    assert (is_untouched(it), len(it.world.model.requests)) == (True, 2)


@pytest.mark.parametrize(
    "shown",
    [
        Dismissed(),
        answer(),
        answer(execute=1),
        answer(execute="true"),
        answer(execute=None),
        answer(approve=True),
        answer(execute=True, more=True),
    ],
)
def test_a_question_that_is_dismissed_or_answered_badly_stays_open(tmp_path: Path, shown: Shown) -> None:
    it = planned(tmp_path)
    it.answers(shown, NobodyThere())

    async def run() -> None:
        going = asyncio.ensure_future(send_message(it.ws, it.session_id, GO))
        await until(lambda: len(it.asked) > (not isinstance(shown, Dismissed)))
        if isinstance(shown, Dismissed):
            await asyncio.sleep(0.05)
            assert not going.done()
            going.cancel()
        with pytest.raises((EndTurn, asyncio.CancelledError)):
            await going

    asyncio.run(run())
    assert (is_untouched(it), [asked.status for asked in it.ws.questions.open()]) == (True, ["open"])


def test_the_next_message_takes_the_question_back_and_is_worked_on(tmp_path: Path) -> None:
    it = planned(tmp_path, HEARD)

    async def run() -> list[TurnResult | None]:
        going = asyncio.ensure_future(send_message(it.ws, it.session_id, GO))
        await until(lambda: it.asked)
        return [await send_message(it.ws, it.session_id, "No, mend b too."), await going]

    answered, going = asyncio.run(run())
    assert (answered, going and going.kind) == (TurnResult("finished", HEARD.text), "stopped")
    assert it.ws.ports.questions.get(it.asked[0].id).reason == WROTE_INSTEAD
    assert is_untouched(it)


def test_who_asks_again_is_asked_again(tmp_path: Path) -> None:
    it = planned(tmp_path, *DONE)
    it.answers(DeclinedByUser(), NobodyThere(), EXECUTE)
    assert say(it).kind == "stopped"
    with pytest.raises(EndTurn):
        say(it, "Execute the plan.")
    assert say(it).kind == "finished"
    assert (len(it.asked), it.world.read("a.txt")) == (3, "hello\n")


# --- at once


def test_auto_executes_that_very_text_and_says_so(tmp_path: Path) -> None:
    it = planned(tmp_path, *DONE, switch="auto")
    shown = it.document(path(it)).hash
    assert say(it) == TurnResult("finished", "success: Mend it")
    approval = it.ws.ports.approvals.find(path(it))
    assert approval is not None
    assert (it.asked, approval.hash, it.session.mode) == ([], shown, Mode.ACT)
    text = f"Switched to Act because you wrote “{GO}”."
    assert text in [message.content for message in it.ws.ports.sessions.messages(it.session_id)]
    assert ToolNotice(it.session_id, "intent", text) in it.world.editor.notices
    assert not any(text in str(request.messages) for request in it.world.model.requests)
    assert {"execution_intent_detected", "mode_switched_by_intent"} <= {*it.world.events()}


def test_auto_asks_where_the_plan_is_not_what_was_shown(tmp_path: Path) -> None:
    it = planned(tmp_path, switch="auto")
    edit(it, "it is broken", "it is old")
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        say(it)
    assert it.asked[0].questions[0].question.startswith("The plan changed since it was written.")
    assert is_untouched(it)


def test_auto_goes_on_with_no_stale_plan(tmp_path: Path) -> None:
    it = scene(tmp_path, calls(call("read_file", path="a.txt")), *PLANNED, switch="auto")
    it.world.write("a.txt", "before")
    say(it, "mend it")
    it.world.write("a.txt", "after")
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        say(it)
    assert it.asked[0].questions[0].name == "stale"
    assert it.ws.ports.approvals.paths() == frozenset()


# --- a model that judges what the rules do not


def judged(it: Scene, text: str) -> dict[str, Any]:
    """What the judge was given for a message."""
    (request,) = (request for request in it.world.model.requests if not request.tools and text in str(request.messages))
    assert [message["role"] for message in request.messages] == ["system", "user"]
    found = json.loads(str(request.messages[-1]["content"]))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("switch", ["confirm", "auto"])
def test_a_model_leads_to_the_question_at_most(tmp_path: Path, switch: str) -> None:
    it = planned(tmp_path, Reply(" EXECUTE_NOW\n"), *DONE, switch=switch, model="judge")
    it.answers(EXECUTE)
    assert say(it, "Yes.").kind == "finished"
    assert judged(it, "Yes.") == {"plan_is_ready": True, "message": "Yes."}
    assert (it.world.model.opened.count("judge"), len(it.asked)) == (1, 1)
    assert [(found["rule"], found["judge"]) for found in detected(it)] == [("bare", "judge")]


@pytest.mark.parametrize(
    "said",
    [
        Reply("UNCLEAR"),
        Reply("PLAN_ONLY"),
        Reply("execute_now"),
        Reply("EXECUTE_NOW."),
        Reply("EXECUTE_NOW, since the user said yes"),
        Reply(""),
        calls(call("exit_plan_mode", plan_file_path="x.plan"), text="EXECUTE_NOW"),
        ModelFailure("MODEL_KEY_REFUSED", "the key was refused"),
    ],
)
def test_whatever_else_a_model_says_is_no_approval(tmp_path: Path, said: Turn) -> None:
    it = planned(tmp_path, said, HEARD, switch="auto", model="judge")
    assert say(it, "Yes.").text == HEARD.text
    assert is_for_the_planner(it, "Yes.")
    told = [notice.code for notice in it.world.editor.notices if isinstance(notice, ToolNotice) and notice.code]
    assert told == (["MODEL_KEY_REFUSED"] if isinstance(said, ModelFailure) else [])


def test_what_a_judgement_cost_is_the_sessions(tmp_path: Path) -> None:
    it = planned(tmp_path, Reply("UNCLEAR"), HEARD, model="judge")
    say(it, "Yes.")
    assert it.world.events().count("model_called") == 4


@pytest.mark.parametrize("text", ["Don't execute it yet.", GO + " " * 10 + "x" * 300])
def test_where_the_rules_are_sure_no_model_is_asked(tmp_path: Path, text: str) -> None:
    it = planned(tmp_path, HEARD, model="judge")
    say(it, text)
    assert "judge" not in it.world.model.opened


def test_without_a_plan_no_model_is_asked(tmp_path: Path) -> None:
    it = scene(tmp_path, HEARD, HEARD, model="judge")
    say(it, "yes")
    asyncio.run(make_plan(it.ws, it.session_id, "ok"))
    assert "judge" not in it.world.model.opened


def test_a_message_during_the_judgement_makes_it_void(tmp_path: Path) -> None:
    async def change_mind() -> None:
        assert await send_message(it.ws, it.session_id, "No, wait.") is None

    def judging(_: ModelRequest) -> Reply:
        minds.append(asyncio.ensure_future(change_mind()))
        return Reply("EXECUTE_NOW")

    minds: list[asyncio.Future[None]] = []
    it = planned(tmp_path, HEARD, model="judge")

    class Slow:
        """Lets the other message in while it speaks."""

        def open(self, name: str) -> Any:
            return self if name == "judge" else it.world.model

        def about(self, name: str) -> LanguageModel:
            return LanguageModel(name=name)

        async def stream(self, request: ModelRequest) -> Any:
            reply = judging(request)
            await asyncio.sleep(0.01)
            yield reply

    it.ws.ports = replace(it.ws.ports, models=Slow())
    assert say(it, "Yes.").text == HEARD.text
    assert is_for_the_planner(it, "No, wait.")


def test_a_plan_stays_at_hand_when_the_conversation_is_compacted(tmp_path: Path) -> None:
    it = scene(tmp_path, *PLANNED, Reply("They want it mended."), *DONE)
    say(it, "mend it: " + "word " * 400)
    it.answers(EXECUTE)
    done = asyncio.run(compact(it.ws, it.session_id))
    assert done.message is not None
    say(it, GO)
    assert it.world.tree()["a.txt"] == b"hello\n"
