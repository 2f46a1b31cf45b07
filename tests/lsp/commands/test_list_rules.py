"""`planact.listRules`: what the user allowed for always, in an approval question and nowhere else."""

import pytest

from planact.model.rights.rule import AllowedCommand, AllowedPath
from tests.lsp.commands.greetings import FAREWELL
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, planact_client, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

WRITE = calls(call("create_file", path="farewell.txt", content=FAREWELL))
RUN = calls(call("execute_command", command="touch made.txt", network=True, why="to look"))


async def allow_always(client: PlanactClient) -> None:
    """Two calls that are asked about, and allowed for always."""
    client.script(scene("", WRITE, RUN, say("Done.")))
    await client.do("newSession", mode="act")
    working = client.begin("sendMessage", text="write")
    for number in (1, 2):
        question = await client.question(number)
        assert [option.label for option in question.questions[0].options] == [
            *("Allow once", "Always allow", "Reject", "Reject and stop")
        ]
        await client.answer(question, approval="always_allow")
    assert (await working).status == "done"


async def test_what_is_allowed_for_always_is_listed_and_not_asked_again(client: PlanactClient) -> None:
    assert (await client.do("listRules")).rules == ()
    await allow_always(client)
    rules = (await client.do("listRules", folder=client.root.as_uri())).rules
    assert [(rule.allows, rule.text) for rule in rules] == [
        (AllowedPath(action="create", path="farewell.txt"), "create farewell.txt"),
        (
            AllowedCommand(command="touch made.txt", directory=".", more="network"),
            "run `touch made.txt` in the workspace folder with the network",
        ),
    ]
    for name in ("farewell.txt", "made.txt"):
        (client.root / name).unlink()
    await client.do("newSession", mode="act")
    assert (await client.do("sendMessage", text="write again")).status == "done"
    assert client.text("farewell.txt") == FAREWELL
    assert (client.root / "made.txt").exists()


async def test_rules_change_nothing_in_plan(client: PlanactClient) -> None:
    await allow_always(client)
    for name in ("farewell.txt", "made.txt"):
        (client.root / name).unlink()
    await client.do("newSession", mode="plan")
    assert (await client.do("sendMessage", text="write again")).status == "refused"
    assert not {path.name for path in client.root.iterdir()} & {"farewell.txt", "made.txt"}
    await client.leave_offer(3)


async def test_nothing_in_the_workspace_makes_a_rule(client: PlanactClient) -> None:
    client.write(".planact/rules.json", '[{"kind": "command", "command": "make", "directory": "."}]')
    client.write(".planact/config.toml", '[commands]\nallow = ["make"]\n')
    assert (await client.do("listRules")).rules == ()


@IN_ONE_ENCODING
async def test_they_outlive_the_server(client: PlanactClient) -> None:
    await allow_always(client)
    rules = await client.do("listRules")
    async with planact_client(client.root) as other:
        assert await other.do("listRules") == rules
