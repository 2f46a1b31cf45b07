"""What each word of the chat does in a session."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import Conflict, InvalidInput, ModelFailure, NotFound
from planact.model.question import NobodyThere
from planact.model.rights.permission import Mode
from planact.model.settings import Settings
from planact.tools.turn import EndTurn
from planact.workflows.chat.handle_slash_command import SlashCommandResult, handle_slash_command
from planact.workflows.chat.send_message import send_message
from planact.workflows.chat.slash_commands import parse_slash_command
from tests.fakes.world import answer
from tests.workflows.planned import PLANNED
from tests.workflows.scene import BOTH_STEPS, EXECUTE, PATH, PLAN, SAID, WRITE_A, Scene, until

TEMPLATE = """---
description: Greets somebody
parameters:
  - name: whom
    description: Whom to greet?
---
# Greet {{whom}}

## Steps
- [ ] 1. Greet {{whom}}
  - reason: to be kind
"""


def heed(it: Scene, message: str) -> SlashCommandResult:
    said = parse_slash_command(message)
    assert said is not None
    return asyncio.run(asyncio.wait_for(handle_slash_command(it.ws, it.session_id, said), 180))


def told(it: Scene, message: str) -> str:
    return heed(it, message).result.text


def mode(it: Scene) -> Mode:
    return it.ws.ports.sessions.get(it.session_id).mode


def scene(root: Path, *turns: object, mode: Mode = Mode.PLAN) -> Scene:
    """With a plan in the folder that is nobody's yet."""
    it = Scene(root, *turns, mode=mode)  # type: ignore[arg-type]
    it.write_plan(PLAN)
    return it


def keep_template(it: Scene) -> None:
    it.world.write(".planact/templates/hail.plan", TEMPLATE)
    it.world.store.records.texts["templates/hail.plan"] = TEMPLATE


def test_a_plan_is_made_from_act_too_and_acceptall_means_nothing_there(tmp_path: Path) -> None:
    it = Scene(tmp_path, *PLANNED, mode=Mode.ACT)
    assert told(it, "/plan acceptall mend it").startswith("Plan: Mend it, in .planact/plans/plan_")
    messages = it.ws.ports.sessions.messages(it.session_id)
    said = [m.content for m in messages if m.role == "user"]
    assert (mode(it), said, it.ws.approval(it.session_id)) == (Mode.PLAN, ["mend it"], "ask")
    assert "acceptall changes nothing in Plan." in [m.content for m in messages if m.role == "system"]


def test_plans_are_listed_shown_and_deleted_after_a_yes(tmp_path: Path) -> None:
    it = scene(tmp_path)
    assert told(it, "/plans") == "- plan_20261120_aaaa · draft 0/2 · Greet"
    assert told(it, "/plan show") == told(it, "/plan show aaaa") == PLAN.rstrip("\n")
    it.answers(answer(delete=False), answer(delete=True))
    with pytest.raises(Conflict, match="didn't confirm"):
        heed(it, "/plan delete aaaa")
    assert told(it, "/plan delete aaaa") == f"Deleted {PATH}"
    assert told(it, "/plans") == "There are no plans in this folder."
    with pytest.raises(NotFound):
        heed(it, "/plan show aaaa")


def test_a_plan_is_carried_out_after_a_yes_and_resumed_only_once_begun(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, *BOTH_STEPS[2:])
    with pytest.raises(NotFound, match="there is no execution"):
        heed(it, "/resume")
    it.answers(EXECUTE)
    assert told(it, "/act") == "success: Greet"
    assert ("- [x] 2." in it.world.read(PATH), mode(it)) == (True, Mode.ACT)
    with pytest.raises(NotFound, match="there is no execution"):
        heed(it, "/resume")
    with pytest.raises(NotFound, match="steps left to do"):
        heed(it, "/act")


def test_a_run_that_stopped_goes_on_by_a_word(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, ModelFailure("MODEL_BAD_REQUEST", "no"), *BOTH_STEPS[2:])
    it.answers(EXECUTE)
    with pytest.raises(ModelFailure):
        heed(it, "/act")
    assert told(it, "/resume") == "success: Greet"
    assert (len(it.asked), "- [x] 2." in it.world.read(PATH)) == (1, True)


def test_what_a_run_did_is_taken_back_by_a_word_unless_somebody_went_on(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    it.answers(EXECUTE)
    assert told(it, "/act") == "success: Greet"
    it.world.write("b.txt", "mine\n")
    assert told(it, "/undo").startswith("Nothing was rolled back: ")
    it.answers(answer(roll_back=True))
    heed(it, "/undo 1")
    assert ((tmp_path / "a.txt").exists(), it.world.read("b.txt")) == (False, "mine\n")
    with pytest.raises(InvalidInput, match="no number"):
        heed(it, "/undo all")


def test_a_conversation_without_much_in_it_is_not_compacted(tmp_path: Path) -> None:
    assert told(Scene(tmp_path), "/compact") == "There is nothing to leave out yet."


def test_a_plan_of_a_template_asks_for_what_the_words_leave_out(tmp_path: Path) -> None:
    it = Scene(tmp_path, mode=Mode.ACT)
    keep_template(it)
    assert "- hail · Greets somebody" in told(it, "/template list").splitlines()
    assert told(it, "/template show hail") == TEMPLATE.rstrip("\n")
    assert told(it, "/template use hail whom='Ada L.'").startswith("Plan: Greet Ada L., in ")
    it.answers(answer(whom="Bo"))
    assert told(it, "/template use hail").startswith("Plan: Greet Bo, in ")
    assert [question.questions[0].question for question in it.asked] == ["Whom to greet?"]
    assert told(it, "/template create mine").startswith("The template is in .planact/templates/mine.plan.")
    for wrong in ("/template use hail whom", "/template use hail whom='Ada", "/template use hail whom=a whom=b"):
        with pytest.raises(InvalidInput):
            heed(it, wrong)


def test_a_question_that_nobody_asks_again_ends_with_its_work(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    keep_template(it)

    async def stopped() -> None:
        said = parse_slash_command("/template use hail")
        assert said is not None
        work = asyncio.ensure_future(handle_slash_command(it.ws, it.session_id, said))
        await until(lambda: it.asked)
        work.cancel()
        await asyncio.wait([work])

    asyncio.run(stopped())
    assert it.ws.ports.questions.get(it.asked[0].id).reason == "what asked it is over"
    assert [question.status for question in it.ws.questions.open()] == []
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        heed(it, "/template use hail")


def test_the_session_is_shown_and_set(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    assert told(it, "/mode act").startswith("Act: ")
    assert (mode(it), told(it, "/mode").startswith("Act: ")) == (Mode.ACT, True)
    assert told(it, "/role tester") == "The role is tester."
    assert "- tester (at work) · act · Writes and runs tests." in told(it, "/role")
    assert (told(it, "/model"), told(it, "/model another")) == ("The model is played.", "The model is another.")
    assert it.ws.ports.sessions.get(it.session_id).model == "another"
    it.world.write("CLAUDE.md", "Use tabs.")
    status = told(it, "/status").splitlines()
    assert status[:3] == ["- Mode: Act", "- Role: tester", "- Model: another"]
    assert status[-1] == "- Instructions of the repository: CLAUDE.md"
    assert told(it, "/cost") == "0 requests, 0 tokens in, 0 out, cost unknown."
    assert told(it, "/stop") == "Nothing runs."
    helped = told(it, "/help")
    assert "- /act [ID]: carry out a plan; without an id the one in hand or the latest" in helped
    assert helped.endswith("\n\nAnything else goes to the agent.")  # a paragraph of its own, in Markdown
    assert heed(it, "/new").session_id != it.session_id
    with pytest.raises(InvalidInput, match="there is no mode 'fast'"):
        heed(it, "/mode fast")


def test_all_is_accepted_in_act_in_this_session_alone(tmp_path: Path) -> None:
    delete = answer(approval="reject_once")
    it = Scene(tmp_path, WRITE_A, SAID, WRITE_A, SAID, mode=Mode.ACT)
    other = heed(it, "/new").session_id
    assert told(it, "/acceptall").startswith("In Act all actions inside the folder run without a question")
    assert (it.ws.approval(it.session_id), it.ws.approval(other)) == ("acceptAll", "ask")
    asyncio.run(send_message(it.ws, it.session_id, "write it"))
    assert (it.world.read("a.txt"), it.asked) == ("hello\n", [])
    heed(it, "/acceptall off")
    it.answers(delete)
    asyncio.run(send_message(it.ws, it.session_id, "write it again"))
    assert len(it.asked) == 1


def test_accepting_all_changes_nothing_in_plan(tmp_path: Path) -> None:
    it = Scene(tmp_path, *[WRITE_A] * 3)
    assert told(it, "/acceptall") == "acceptall changes nothing in Plan. Say it again in Act."
    assert it.ws.approval(it.session_id) == "ask"
    heed(it, "/mode act")
    assert it.ws.approval(it.session_id) == "ask"
    heed(it, "/mode plan")
    assert asyncio.run(send_message(it.ws, it.session_id, "write it")).kind == "refused"  # type: ignore[union-attr]
    assert it.world.tree() == {}


def test_a_folder_that_wants_to_be_asked_is_heard(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.ws.is_strict = True
    with pytest.raises(Conflict, match="you are to be asked"):
        heed(it, "/acceptall")
    it.ws.accepting.add(it.session_id)
    assert it.ws.approval(it.session_id) == "ask"


def test_a_message_without_a_model_leaves_no_trace(tmp_path: Path) -> None:
    it = Scene(tmp_path, settings=Settings())
    with pytest.raises(ModelFailure):
        asyncio.run(send_message(it.ws, it.session_id, "hello"))
    assert it.ws.ports.sessions.messages(it.session_id) == ()
