"""Files that are open while a plan is carried out: the window holds the truth, and is never overwritten blindly."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import FIRST, GREETING, HELLO, PATH, PLAN, READ, SECOND, SLOW, UPDATE, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, say, scene
from tests.lsp.editor_client import Applied, Edit

pytestmark = pytest.mark.asyncio(loop_scope="session")

PENDING, FAILED = StepStatus.PENDING, StepStatus.FAILED


async def test_an_open_file_is_changed_in_its_window_and_saved_before_a_check(client: PlanactClient) -> None:
    uri = set_up(client)
    plan, greeting = client.show(PATH), client.show("greeting.txt")
    assert (await client.execute(uri=uri)).status == "success"
    assert (client.texts[greeting], client.texts[plan]) == (
        HELLO,
        PLAN.replace("[ ]", "[x]").replace("status: draft", "status: done"),
    )
    # The check ran on the disk.
    assert (client.root / "greeting.txt").read_text() == HELLO
    assert [greeting] in client.saves
    assert (client.root / PATH).read_text() == client.texts[plan]


async def test_a_check_never_sees_an_older_text_than_the_user(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show("greeting.txt")
    client.on_save = lambda _: None
    running = asyncio.ensure_future(client.execute(uri=uri))
    asked = await client.question()
    assert "greeting.txt" in asked.questions[0].question
    await client.answer(asked, save="saved")  # which isn't true
    await client.answer(await client.question(2), failed="stop")
    run = await running
    assert (run.status, client.marks(PATH)) == ("failed", [FAILED, PENDING])
    [check] = run.steps[0].checks
    assert (check.passed, check.exit_code) == (False, None)
    assert "EDIT_CONFLICT" in check.output
    assert "greeting.txt" in check.output


async def test_unsaved_text_is_what_the_agent_reads_and_changes(client: PlanactClient) -> None:
    uri = set_up(client)
    greeting = client.show("greeting.txt", "😀 unsaved 𝄞\n👋 good day\nand more 𝄞\n")
    assert (await client.execute(uri=uri)).status == "success"
    assert client.texts[greeting] == "😀 unsaved 𝄞\n🌍 hello\nand more 𝄞\n"


async def test_an_editor_that_refuses_is_told_to_the_model(client: PlanactClient) -> None:
    async def refuse(_: Edit) -> Applied:
        return Applied(applied=False, failure_reason="read-only")

    told = await told_by_an_editor_that(client, refuse)
    assert "EDIT_REFUSED" in told
    assert "read-only" in told
    assert client.text("greeting.txt") == GREETING


async def test_what_the_user_types_meanwhile_is_never_overwritten(client: PlanactClient) -> None:
    async def type_first(params: Edit) -> Applied:
        client.type(client.uri("greeting.txt"), "the user's own 👋\n")
        return await client.make(params)

    assert "EDIT_CONFLICT" in await told_by_an_editor_that(client, type_first)
    assert client.text("greeting.txt") == "the user's own 👋\n"


@IN_ONE_ENCODING
async def test_an_editor_that_lies_is_found_out(client: PlanactClient) -> None:
    async def lie(_: Edit) -> Applied:
        return Applied(applied=True)

    told = await told_by_an_editor_that(client, lie)
    assert "the editor said that it changed greeting.txt, and did not" in told
    assert client.text("greeting.txt") == GREETING


async def told_by_an_editor_that(client: PlanactClient, misbehaves: Callable[[Edit], Awaitable[Applied]]) -> str:
    """What the model hears when the editor treats its edit so; the step fails, and the run with it."""
    uri = set_up(client, scene("Carry out step 1 ", *FIRST["turns"][:2], say("It can't be done."), mode="act"), SECOND)
    client.show("greeting.txt")
    client.on_edit = misbehaves
    run = await client.execute_and_stop(uri=uri)
    assert (run.status, client.marks(PATH)) == ("failed", [FAILED, PENDING])
    [told] = [m.content for m in client.heard(messages.MESSAGE) if m.role == "tool" and "EDIT" in m.content]
    return str(told)


async def test_a_plan_that_the_user_types_in_is_marked_all_the_same(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    client.type(uri, client.texts[uri].replace("politely\n", "politely\n\n😀 mine\n"))
    await client.do("stop")
    assert (await running).status == "paused"
    assert client.texts[uri] == PLAN.replace("politely\n", "politely\n\n😀 mine\n").replace("draft", "paused")


COPYING = scene(
    "Carry out step 1 ", calls(call("execute_command", command="cp note.txt copy.txt")), say("Copied."), mode="act"
)
COPY_PLAN = """---
id: plan_20261120_k3v9
---
# Copy the note

## Steps
- [ ] 1. Run `cp note.txt copy.txt`
  - reason: one can get lost
  - tools: execute_command
  - files: copy.txt
"""


async def test_what_the_user_left_unsaved_is_saved_before_a_command_and_is_not_its_doing(client: PlanactClient) -> None:
    uri = set_up(client, COPYING, plan=COPY_PLAN)
    client.write("note.txt", "old\n")
    note = client.show("note.txt", "typed 👋\n")
    run = await client.execute(uri=uri)
    assert run.status == "success"
    assert (client.root / "copy.txt").read_text() == "typed 👋\n"
    assert [note] in client.saves
    assert [change.path for change in run.steps[0].files] == ["copy.txt"]


async def test_the_model_hears_which_files_a_command_met_in_an_older_text(client: PlanactClient) -> None:
    uri = set_up(client, COPYING, plan=COPY_PLAN)
    client.write("note.txt", "old\n")
    client.show("note.txt", "typed 👋\n")
    client.on_save = lambda _: None
    assert (await client.execute(uri=uri)).status == "success"
    assert (client.root / "copy.txt").read_text() == "old\n"
    [told] = [message.content for message in client.heard(messages.MESSAGE) if message.role == "tool"]
    assert "The user has not saved note.txt: the command met the text on disk" in told


UNLINKING = scene(
    "Carry out step 1 ",
    calls(call("delete_file", path="link.txt"), call("rename_file", path="other.txt", new_path="moved.txt")),
    say("Gone."),
    mode="act",
)
UNLINK_PLAN = """---
id: plan_20261120_k3v9
---
# Remove the links

## Steps
- [ ] 1. Remove `link.txt` and move `other.txt`
  - reason: nobody uses them
  - tools: delete_file, rename_file
  - files: link.txt, other.txt, moved.txt
"""


async def test_links_go_and_move_while_the_window_of_their_target_holds_unsaved_text(client: PlanactClient) -> None:
    uri = set_up(client, UNLINKING, plan=UNLINK_PLAN)
    client.write("note.txt", "old\n")
    note = client.show("note.txt", "typed 👋\n")
    for link in ("link.txt", "other.txt"):
        (client.root / link).symlink_to("note.txt")
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.answer(await client.question(), approval="allow_once")
    assert (await running).status == "success"
    assert (client.texts[note], (client.root / "note.txt").read_text()) == ("typed 👋\n", "old\n")
    assert sorted(path.name for path in client.root.glob("*.txt") if path.is_symlink()) == ["moved.txt"]


async def test_a_link_whose_own_window_holds_unsaved_text_stays(client: PlanactClient) -> None:
    uri = set_up(client, UNLINKING, plan=UNLINK_PLAN)
    client.write("note.txt", "old\n")
    for link in ("link.txt", "other.txt"):
        (client.root / link).symlink_to("note.txt")
        client.show(link, "typed 👋\n")
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.answer(await client.question(), approval="allow_once")
    await client.answer(await client.question(2), failed="stop")
    assert (await running).status == "failed"
    told = [m.content for m in client.heard(messages.MESSAGE) if m.role == "tool"]
    assert ["link.txt has unsaved text" in told[0], "other.txt has unsaved text" in told[1]] == [True, True]
    assert all((client.root / link).is_symlink() for link in ("link.txt", "other.txt"))


def count(word: str) -> dict[str, Any]:
    return calls(call("execute_command", command=f"grep -c {word} greeting.txt"))


CHANGING = scene("Carry out step 1 ", READ, UPDATE, say("Changed."), mode="act")
COUNTING = scene("Carry out step 2 ", count("hello"), say("Counted."), mode="act")
CHANGE_AND_COUNT = """---
id: plan_20261120_k3v9
---
# Say hello

## Steps
- [ ] 1. Say hello in `greeting.txt`
  - reason: a good day is too formal
  - tools: update_file
  - files: greeting.txt
- [ ] 2. Count the hellos
  - reason: to be sure
  - tools: execute_command
"""
UNSAVED = "The user has not saved greeting.txt: the command met the text on disk"


def counted(client: PlanactClient) -> str:
    """What the model was told of its last command."""
    told = [message.content for message in client.heard(messages.MESSAGE) if message.role == "tool"]
    return str(told[-1])


async def test_a_command_that_reads_sees_what_the_agent_left_unsaved_in_an_earlier_step(client: PlanactClient) -> None:
    uri = set_up(client, CHANGING, COUNTING, plan=CHANGE_AND_COUNT)
    greeting = client.show("greeting.txt")
    client.write("note.txt", "old\n")
    note = client.show("note.txt", "typed 👋\n")
    run = await client.execute(uri=uri)
    assert run.status == "success"
    assert counted(client).startswith("exit code 0")
    assert "1\n" in counted(client)
    assert (client.saves, (client.root / "greeting.txt").read_text()) == ([[greeting]], HELLO)
    # The user's own typing stays theirs to save, and the model hears of it.
    assert (client.texts[note], (client.root / "note.txt").read_text()) == ("typed 👋\n", "old\n")
    assert "The user has not saved note.txt: the command met the text on disk" in counted(client)
    assert [[change.path for change in step.files] for step in run.steps] == [["greeting.txt"], []]


async def test_a_text_that_the_user_typed_in_before_the_agent_changed_it_is_not_saved(client: PlanactClient) -> None:
    uri = set_up(client, CHANGING, COUNTING, plan=CHANGE_AND_COUNT)
    client.show("greeting.txt", "typed 👋\n🌍 good day\n")
    await client.execute_and_stop(uri=uri)
    assert UNSAVED in counted(client)
    assert (client.saves, (client.root / "greeting.txt").read_text()) == ([], GREETING)


async def test_a_text_that_the_user_typed_in_after_the_agent_changed_it_is_not_saved(client: PlanactClient) -> None:
    uri = set_up(client, CHANGING, COUNTING, plan=CHANGE_AND_COUNT)
    greeting = client.show("greeting.txt")

    async def type_on(params: Edit) -> Applied:
        made = await client.make(params)
        client.type(greeting, client.texts[greeting] + "and more 👋\n")
        return made

    client.on_edit = type_on
    await client.execute_and_stop(uri=uri)
    assert UNSAVED in counted(client)
    assert (client.saves, (client.root / "greeting.txt").read_text()) == ([], GREETING)


async def test_in_plan_nothing_is_saved_and_the_model_hears_of_the_older_text(client: PlanactClient) -> None:
    counting = scene("How many", count("hello"), say("None on disk."), mode="plan")
    uri = set_up(client, CHANGING, counting, plan=CHANGE_AND_COUNT)
    greeting = client.show("greeting.txt")
    shown = await client.do("showPlan", uri=uri)
    session = (await client.do("executePlan", uri=uri, approve_hash=shown.plan_hash, steps=[1])).session_id
    await client.do("setMode", session_id=session, mode="plan")
    assert (await client.do("sendMessage", session_id=session, text="How many hellos are there?")).status == "done"
    assert UNSAVED in counted(client)
    assert (client.saves, client.texts[greeting], client.text("greeting.txt")) == ([], HELLO, HELLO)
    assert (client.root / "greeting.txt").read_text() == GREETING


async def test_what_the_user_saves_while_a_command_runs_on_trial_is_theirs(client: PlanactClient) -> None:
    line = (
        "echo evil >> tool.sh; echo evil >> mine.txt; touch begun; "
        "until test -e go; do sleep 0.02; done; python3 -c pass"
    )
    first = scene("Carry out step 1 ", READ, UPDATE, calls(call("execute_command", command=line)), say("Done."))
    uri = set_up(client, {**first, "mode": "act"}, SECOND)
    client.write("tool.sh", "true\n")
    client.write("mine.txt", "one\n")
    mine = client.show("mine.txt")
    running = asyncio.ensure_future(client.execute(uri=uri))
    while not (client.root / "begun").exists():  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    client.type(mine, "theirs\n")
    client.save_to_disk(mine)
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(mine)))
    await client.do("showStatus")  # the server has heard it
    client.write("go", "")
    asked = await client.question()
    question = asked.questions[0]
    assert ("`tool.sh`" in question.question, "`mine.txt`" in question.question) == (True, False)
    await client.answer(asked, outcome="discard")
    assert (await running).status == "success"
    assert [(client.root / name).read_text() for name in ("tool.sh", "mine.txt")] == ["true\n", "theirs\n"]
