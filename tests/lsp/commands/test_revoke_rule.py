"""`planact.revokeRule`: what was allowed for always is asked about again."""

import pytest

from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_what_is_revoked_is_asked_about_again_in_the_same_turn(client: PlanactClient) -> None:
    run = calls(call("execute_command", command="touch made.txt", network=True, why="to look"))
    client.script(
        scene("", run, calls(call("ask_user", questions=[{"question": "On?"}])), run, say("Done."), mode="act")
    )
    await client.do("newSession", mode="act")
    working = client.begin("sendMessage", text="write")
    await client.answer(await client.question(1), approval="always_allow")
    pause = await client.question(2)
    other = client.root / "other"
    other.mkdir()
    client.change_folders(added=[other])  # whose rules are others
    (rule,) = (await client.do("listRules")).rules
    assert await client.do("revokeRule", rule_id=rule.id) == rule
    assert (await client.do("listRules")).rules == ()
    await client.answer(pause, answer="yes")
    asked = await client.question(3)
    assert "touch made.txt" in asked.questions[0].context
    await client.answer(asked, approval="reject_once")
    assert (await working).status == "done"


async def test_a_rule_that_is_not_there_is_named(client: PlanactClient) -> None:
    code, message = await client.refusal("revokeRule", rule_id="rule_none")
    assert code == "RULE_NOT_FOUND"
    assert message.startswith("there is no rule 'rule_none'")
