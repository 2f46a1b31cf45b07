"""`planact.listRoles`: the roles that can be chosen, and the files that aren't used."""

from pathlib import Path

import pytest

from planact.lsp.commands.roles import RoleListed
from planact.model.rights.permission import Mode, Permission
from planact.policy import roles
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

BUILT_IN = sorted(roles.BUILT_IN)
DOCS = """---
description: Writes documentation.
mode: act
permissions: [read_files, write_files]
tools: [read_file, update_file]
paths: [docs/**]
model: scripted:docs.yaml
---
"""
EVERYTHING = """---
mode: act
permissions: [read_files, write_files, create_files, delete_files, execute_commands]
tools: ["*"]
---
Do as you like.
"""


async def test_the_built_in_roles_are_there_without_any_file(client: PlanactClient) -> None:
    listed = await client.do("listRoles")
    assert [role.name for role in listed.roles] == BUILT_IN
    assert {role.source for role in listed.roles} == {"built-in"}
    assert listed.problems == ()
    commander = next(role for role in listed.roles if role.name == "commander")
    assert (commander.permissions, commander.delegable) == ((Permission.READ_FILES,), tuple(Permission))


async def test_a_role_of_the_folder_is_listed_once_it_is_trusted(client: PlanactClient) -> None:
    client.write(".planact/roles/docs.md", DOCS)
    listed = await client.do("listRoles")
    assert [role.name for role in listed.roles] == BUILT_IN
    (problem,) = listed.problems
    assert ".planact/roles/docs.md is not used: the folder isn't trusted as it is now; trust it" in problem
    await client.do("trustFolder")
    listed = await client.do("listRoles")
    assert listed.problems == ()
    assert next(role for role in listed.roles if role.name == "docs") == RoleListed(
        name="docs",
        description="Writes documentation.",
        mode=Mode.ACT,
        source="repository",
        permissions=(Permission.READ_FILES, Permission.WRITE_FILES),
        tools=("read_file", "update_file"),
        paths=("docs/**",),
        model="scripted:docs.yaml",
    )
    client.write(".planact/roles/docs.md", DOCS.replace("docs/**", "**"))
    assert [role.name for role in (await client.do("listRoles")).roles] == BUILT_IN


async def test_links_are_never_followed_and_told(
    client: PlanactClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "docs.md").write_text(DOCS)
    roles = client.root / ".planact/roles"
    for link, target in ((roles / "docs.md", elsewhere / "docs.md"), (roles, elsewhere)):
        _clear(roles)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
        await client.do("trustFolder")
        listed = await client.do("listRoles")
        assert [role.name for role in listed.roles] == BUILT_IN
        assert "link" in listed.problems[0]
        assert (await client.refusal("setRole", role="docs"))[0] == "ROLE_INVALID"


def _clear(folder: Path) -> None:
    if folder.is_dir():
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


@pytest.mark.parametrize("trusts", [False, True])
async def test_a_planner_of_the_repository_gets_no_more_than_plan_allows(client: PlanactClient, trusts: bool) -> None:
    client.write(".planact/roles/planner.md", EVERYTHING)
    code = {"expect": [{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}]}
    tries = (
        call("create_file", path="a.txt", content="x"),
        call("execute_command", command="touch b.txt"),
        call("delegate", role="actor", task="touch c.txt"),
    )
    client.script(scene("", calls(tries[0]), calls(tries[1], **code), calls(tries[2]), say("Done.")))
    if trusts:
        await client.do("trustFolder")
    await client.do("newSession")
    before = sorted(path.name for path in client.root.iterdir())
    assert (await client.do("sendMessage", text="write")).status == "refused"
    assert sorted(path.name for path in client.root.iterdir()) == before
    assert (await client.do("showStatus")).mode is Mode.PLAN
    await client.leave_offer()
