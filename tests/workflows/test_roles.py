"""Which role works: files of the user and of a trusted folder, looked up at each verdict, and what stands in."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from planact.agent.loop import TurnResult
from planact.base.errors import PlanactError
from planact.model.chat.message import ModelRequest, Reply
from planact.model.rights.permission import Mode, Role, RoleProblem
from planact.model.settings import RoleSettings, Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.sessions.manage import change_session
from planact.workflows.sessions.roles import find_role, list_roles, load_roles, set_role
from planact.workflows.sessions.switch_mode import enter_mode, switch_mode
from planact.workflows.trust_folder import trust_folder
from tests.fakes.store import MemoryRecords
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import SAID, Scene

EVERYTHING = "permissions: [read_files, write_files, create_files, delete_files, execute_commands]\ntools: ['*']"
WIDE = f"---\nmode: act\n{EVERYTHING}\n---\nDo as you like."
DOCS = """---
mode: act
permissions: [read_files, write_files, create_files]
tools: [create_file]
paths: [docs/**]
---
Write docs."""
WRITE = calls(call("create_file", path="a.txt", content="x"))
WRITE_DOCS = calls(call("create_file", path="docs/a.txt", content="x"))
ALL = Settings(model="played", approval="acceptAll")


def of_repository(it: Scene, name: str, text: str, *, trusts: bool) -> None:
    records = it.world.store.records
    records.write(f"roles/{name}.md", text)
    records.config_fingerprint = str(hash(tuple(sorted(records.texts.items()))))
    if trusts:
        trust_folder(it.ws)


def of_user(it: Scene, name: str, text: str) -> None:
    it.world.store.user_roles.texts[f"{name}.md"] = text


def say(it: Scene, text: str = "go") -> TurnResult:
    result = asyncio.run(send_message(it.ws, it.session_id, text))
    assert result is not None
    return result


def told(it: Scene) -> list[str]:
    """What planact told the user, and not the model."""
    messages = it.world.store.sessions.messages(it.session_id)
    return [m.content for m in messages if m.role == "system" and not m.metadata.get("for_model")]


def refusals(it: Scene) -> list[str]:
    events = it.world.store.events.list()
    return [str(event.data["code"]) for event in events if event.kind == "tool_refused"]


def test_the_folders_own_files_count_once_it_is_trusted_and_over_the_users(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    of_user(it, "writer", "---\ndescription: of the user\n---\n")
    of_repository(it, "writer", "---\ndescription: of the folder\n---\n", trusts=False)
    of_repository(it, "other", "---\n\n---\n", trusts=False)
    found = find_role(it.ws, "writer")
    assert isinstance(found, Role)
    assert (found.source, found.description) == ("user", "of the user")
    assert isinstance(find_role(it.ws, "other"), RoleProblem)
    trust_folder(it.ws)
    found = find_role(it.ws, "writer")
    assert isinstance(found, Role)
    assert (found.source, found.description) == ("repository", "of the folder")


def test_what_is_read_of_roles_counts_until_anything_else_happens(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    of_user(it, "writer", DOCS)

    async def looks() -> tuple[object, ...]:
        seen = await load_roles([it.ws], lambda: find_role(it.ws, "writer"))
        it.world.store.user_roles.texts.clear()
        at_once = find_role(it.ws, "writer"), find_role(it.ws, "actor")
        await asyncio.sleep(0)
        return seen, *at_once, find_role(it.ws, "writer")

    writer, still, actor, now = asyncio.run(looks())
    assert isinstance(writer, Role)
    assert (still, actor, now) == (writer, find_role(it.ws, "actor"), None)


def test_trust_that_is_taken_back_while_roles_are_read_counts_for_nothing(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    of_repository(it, "writer", WIDE, trusts=True)

    async def looks() -> Role | RoleProblem | None:
        await load_roles([it.ws], lambda: it.world.ports.approvals.trust(""))
        return find_role(it.ws, "writer")

    assert isinstance(find_role(it.ws, "writer"), Role)
    assert isinstance(asyncio.run(looks()), RoleProblem)


class Swapped(MemoryRecords):
    """Records whose role files are changed by somebody else in the moment in which their trust is looked up."""

    def fingerprint(self) -> str:
        self.texts["roles/writer.md"] = WIDE
        return super().fingerprint()


def test_a_file_that_changes_while_its_trust_is_looked_up_does_not_count(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.ws.ports = replace(it.ws.ports, records=Swapped([]))
    it.ws.ports.records.write("roles/writer.md", DOCS)
    assert isinstance(find_role(it.ws, "writer"), RoleProblem)
    assert isinstance(find_role(it.ws, "writer"), Role)


@pytest.mark.parametrize("name", ["planner", "actor"])
def test_a_file_of_a_folder_nobody_trusts_changes_no_role(tmp_path: Path, name: str) -> None:
    it = Scene(tmp_path)
    before = find_role(it.ws, name)
    of_repository(it, name, WIDE, trusts=False)
    assert find_role(it.ws, name) == before
    (problem,) = list_roles(it.ws)[1]
    assert ".planact/roles/" in problem.message
    assert "trust it" in problem.message


def test_a_broken_file_hides_the_role_below_it_and_reading_remains(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE, SAID, mode=Mode.ACT, settings=ALL)
    of_user(it, "actor", "---\npermissions: everything\n---\n")
    say(it)
    assert refusals(it) == ["TOOL_BLOCKED_BY_ROLE"]
    assert it.world.tree() == {}
    (text,) = told(it)
    assert text.startswith("The role file ~/.config/planact/roles/actor.md is not used: permissions must be a list.")
    assert text.endswith("actor takes its place and can only read.")


@pytest.mark.parametrize("text", [WIDE, WIDE.replace("mode: act", "mode: plan")])
def test_a_planner_that_wants_everything_gets_what_plan_allows(tmp_path: Path, text: str) -> None:
    it = Scene(tmp_path, WRITE, SAID, settings=ALL)
    of_repository(it, "planner", text, trusts=True)
    say(it)
    assert refusals(it) == ["TOOL_BLOCKED_BY_MODE"]
    assert it.world.tree() == {}


def test_a_role_narrows_and_a_file_that_changes_holds_from_the_next_call(tmp_path: Path) -> None:
    def narrow(_request: ModelRequest) -> Reply:
        of_user(it, "writer", DOCS)
        return WRITE

    it = Scene(tmp_path, WRITE, narrow, WRITE_DOCS, SAID, mode=Mode.ACT, settings=ALL)
    of_user(it, "writer", WIDE)
    set_role(it.ws, it.session_id, "writer")
    say(it)
    assert sorted(it.world.tree()) == ["a.txt", "docs/a.txt"]
    assert refusals(it) == ["TOOL_BLOCKED_BY_ROLE"]
    assert "Do as you like." in it.prompts()[0]
    assert "Write docs." in it.prompts()[2]
    offers = [[tool["function"]["name"] for tool in request.tools] for request in it.world.model.requests]
    assert "delete_file" in offers[0]
    assert offers[2] == ["create_file"]


def test_a_role_that_goes_away_in_a_turn_leaves_no_more_than_it_gave(tmp_path: Path) -> None:
    def remove(_request: ModelRequest) -> Reply:
        it.world.store.user_roles.texts.clear()
        return WRITE

    it = Scene(tmp_path, remove, WRITE_DOCS, SAID, WRITE, SAID, mode=Mode.ACT, settings=ALL)
    of_user(it, "writer", DOCS)
    set_role(it.ws, it.session_id, "writer")
    say(it)
    assert sorted(it.world.tree()) == ["docs/a.txt"]
    assert refusals(it) == ["TOOL_BLOCKED_BY_ROLE"]
    gone = "There is no role named 'writer'. actor takes its place."
    assert told(it) == ["The role is writer from now on.", gone]
    say(it)
    assert sorted(it.world.tree()) == ["a.txt", "docs/a.txt"]
    assert told(it)[2:] == [gone]


@pytest.mark.parametrize(
    ("name", "code"), [("nobody", "ROLE_NOT_FOUND"), ("../actor", "ROLE_NOT_FOUND"), ("broken", "ROLE_INVALID")]
)
def test_a_role_that_is_not_there_can_not_be_set(tmp_path: Path, name: str, code: str) -> None:
    it = Scene(tmp_path)
    of_user(it, "broken", "no front matter")
    with pytest.raises(PlanactError) as failure:
        set_role(it.ws, it.session_id, name)
    assert (failure.value.code, it.session.role) == (code, "planner")
    assert failure.value.hint


def test_a_role_of_the_other_mode_can_not_be_set(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    with pytest.raises(PlanactError) as failure:
        set_role(it.ws, it.session_id, "tester")
    assert (failure.value.code, failure.value.hint) == ("MODE_CONFLICT", "Switch to Act first.")
    assert (it.session.mode, it.session.role) == (Mode.PLAN, "planner")


def test_a_switch_selects_the_role_of_the_settings_and_no_switch_keeps_the_role(tmp_path: Path) -> None:
    roles = RoleSettings(plan="designer", act="commander")
    it = Scene(tmp_path, settings=Settings(model="played", roles=roles))
    assert it.session.role == "designer"
    asyncio.run(switch_mode(it.ws, it.session_id, Mode.ACT, confirm_stop=None))
    assert it.session.role == "commander"
    set_role(it.ws, it.session_id, "tester")
    enter_mode(it.ws, it.session_id, Mode.ACT, "execute plan")
    assert it.session.role == "tester"
    asyncio.run(switch_mode(it.ws, it.session_id, Mode.PLAN, confirm_stop=None))
    assert it.session.role == "designer"


def test_settings_that_name_a_role_of_the_other_mode_leave_reading(tmp_path: Path) -> None:
    it = Scene(
        tmp_path, WRITE, SAID, settings=Settings(model="p", approval="acceptAll", roles=RoleSettings(act="planner"))
    )
    enter_mode(it.ws, it.session_id, Mode.ACT, "by hand")
    say(it)
    assert (refusals(it), it.world.tree()) == (["TOOL_BLOCKED_BY_ROLE"], {})
    assert told(it) == ["The role planner is for Plan. actor takes its place and can only read."]


def test_the_session_chooses_the_model_before_the_role_and_the_role_before_the_mode(tmp_path: Path) -> None:
    it = Scene(tmp_path, settings=Settings(model="any", planner_model="of the mode"))
    assert model_name(it.ws, it.session_id) == "of the mode"
    of_user(it, "planner", "---\nmodel: of the role\n---\n")
    assert model_name(it.ws, it.session_id) == "of the role"
    assert model_name(it.ws, it.session_id, "reviewer") == "of the mode"
    change_session(it.ws, it.session_id, model="of the session")
    assert model_name(it.ws, it.session_id) == "of the session"


def test_a_check_of_a_plan_goes_by_the_role_too(tmp_path: Path) -> None:
    it = Scene(tmp_path, SAID, mode=Mode.ACT, settings=ALL)
    it.write_plan()
    of_user(it, "writer", DOCS)
    set_role(it.ws, it.session_id, "writer")
    it.answers(answer(execute=True))
    assert it.execute(step=1).status == "failed"
    assert refusals(it) == ["TOOL_BLOCKED_BY_ROLE"]
