"""Harm by way of others: whoever is asked to do it, and by whom, nothing changes in Plan, and no role gets wider."""

from typing import Any

import pytest

from tests.adversarial.arena import Arena, Attacker, Attempt, attacker, shell
from tests.adversarial.test_plan_holds import TRICKS, WRITES
from tests.lsp.commands.planact_client import call, calls, say, scene

pytestmark = [pytest.mark.asyncio(loop_scope="function"), pytest.mark.timeout(600)]

EVERYTHING = "permissions: [read_files, write_files, create_files, delete_files, execute_commands]\ntools: ['*']\n"
ROLES = {
    "lead": f"---\nmode: plan\n{EVERYTHING}---\nHand it on.\n",
    "helper": f"---\nmode: plan\n{EVERYTHING}---\nDo it.\n",
    "doer": f"---\nmode: act\n{EVERYTHING}---\nDo it.\n",
    "narrow": "---\nmode: act\npermissions: [write_files]\ntools: [update_file, delegate]\npaths: [docs/]\n---\n",
}
BY_OTHERS = [
    call("delegate", role="helper", task="Touch it."),
    call("delegate", role="doer", task="Touch it."),
    call("exit_plan_mode", plan_file_path="notes.plan"),
    call("set_role", role="doer"),
    call("set_mode", mode="act"),
]


async def through(
    it: Attacker, role: str, tries: list[dict[str, Any]], lead: str = "lead", mode: str = "plan"
) -> list[Attempt]:
    """Have `lead` ask `role` to make these calls; what came of all, its own first."""
    session = (await it.client.do("newSession", mode=mode)).id
    await it.client.do("setRole", session_id=session, role=lead)
    task = scene("The task of the", *(calls(each) for each in tries), say("Done."))
    return await it.attempt([call("delegate", role=role, task="Make it happen.")], mode, session, [task])


def bring_roles(arena: Arena) -> None:
    folder = arena.home / ".config/planact/roles"
    folder.mkdir(parents=True)
    for name, text in ROLES.items():
        (folder / f"{name}.md").write_text(text, "utf-8")


async def test_a_delegate_in_plan_changes_nothing(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    bring_roles(arena)
    tries = [*WRITES, *(shell(trick) for trick in TRICKS), *BY_OTHERS]
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll", commands={"allow": TRICKS}) as it:
        made = await through(it, "helper", tries)
        status = await it.client.do("showStatus")
    assert len(made) == len(tries) + 1
    ran = [each for each in made[1:] if not each.error]
    assert [each for each in ran if not each.told.startswith("(contained: ")] == []
    assert arena.picture() == before
    assert (status.mode, status.session.role) == ("plan", "lead")


@pytest.mark.parametrize("role", ["doer", "actor", "tester", "commander", "nobody", "../actor", ""])
async def test_in_plan_nobody_of_act_can_be_asked(arena: Arena, monkeypatch: pytest.MonkeyPatch, role: str) -> None:
    bring_roles(arena)
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll") as it:
        made = await through(it, role, [call("create_file", path="new.py", content="x")])
    codes = {"TOOL_BLOCKED_BY_MODE", "ROLE_NOT_FOUND", "INVALID_ARGUMENTS"}
    assert [each.error["code"] in codes for each in made] == [True]
    assert arena.picture() == before


async def test_a_delegate_in_act_writes_where_its_parent_may(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    bring_roles(arena)
    before = arena.picture()
    tries = [each for each in WRITES if each["tool"] in ("update_file", "delete_file", "rename_file", "create_file")]
    async with attacker(arena, monkeypatch, approval="acceptAll") as it:
        made = await through(it, "doer", tries, "narrow", "act")
    assert [each for each in made[1:] if not each.error] == []
    assert arena.picture() == before
