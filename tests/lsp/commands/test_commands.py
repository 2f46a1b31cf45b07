"""What holds for all commands: each is there, and tells which part of its arguments makes no sense."""

from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.commands import LSP_COMMANDS
from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, error_number

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = [command.name.removeprefix("planact.") for command in LSP_COMMANDS]


async def test_the_server_offers_each_command_and_no_other(client: PlanactClient) -> None:
    provider = client.answer_to_initialize.capabilities.execute_command_provider
    assert provider is not None
    assert sorted(provider.commands) == sorted(command.name for command in LSP_COMMANDS)


async def test_what_is_no_command_is_told_which_there_are(client: PlanactClient) -> None:
    code, message = await client.refusal("resumeWorld")
    assert (code, message) == ("INVALID_ARGUMENTS", "no command named 'planact.resumeWorld'")


VALID: dict[str, dict[str, Any]] = {
    "openSession": {"session_id": "x"},
    "sendMessage": {"text": "x"},
    "setMode": {"mode": "plan"},
    "generatePlan": {"request": "x"},
    "revisePlan": {"uri": "file:///x.plan"},
    "approvePlan": {"uri": "file:///x.plan"},
    "executePlan": {"uri": "file:///x.plan"},
    "executeStep": {"uri": "file:///x.plan", "step": 1},
    "skipStep": {"uri": "file:///x.plan", "step": 1},
    "retryStep": {"uri": "file:///x.plan", "step": 1},
    "planAndAct": {"request": "x"},
    "showPlan": {"uri": "file:///x.plan"},
    "deletePlan": {"uri": "file:///x.plan"},
    "exportPlan": {"uri": "file:///x.plan"},
    "answerQuestion": {"question_id": "x"},
    "declineQuestion": {"question_id": "x"},
    "cancelQuestion": {"question_id": "x"},
    "revokeRule": {"rule_id": "x"},
    "showChanges": {"uri": "file:///x.plan"},
    "showFailure": {"uri": "file:///x.plan", "step": 1},
    "showExecution": {"execution_id": "x"},
}
"""Arguments that make sense, for commands that need some."""


@pytest.mark.parametrize("name", NAMES)
async def test_a_key_that_nobody_knows_is_named(client: PlanactClient, name: str) -> None:
    code, message = await client.refusal(name, **VALID.get(name, {}), colour="red")
    assert code == "INVALID_ARGUMENTS"
    assert message.startswith(f"planact.{name}: ")
    takes_nothing = name == "listQuestions"
    assert ("takes nothing" if takes_nothing else "colour: Extra inputs are not permitted") in message


@pytest.mark.parametrize(
    ("name", "missing"), [(name, key) for name, payload in VALID.items() for key in payload], ids=" ".join
)
async def test_a_key_that_is_missing_is_named(client: PlanactClient, name: str, missing: str) -> None:
    payload = {key: value for key, value in VALID[name].items() if key != missing}
    code, message = await client.refusal(name, **payload)
    alternatives = {
        "uri": "name the plan by uri or by plan_id",
        "request": "request",
        "text": "give a text, or the place",
    }
    named = alternatives.get(missing, f"{missing}: Field required")
    assert code == "INVALID_ARGUMENTS"
    assert named in message


@pytest.mark.parametrize(
    ("name", "payload", "named"),
    [
        ("newSession", {"mode": "chaos"}, "mode: Input should be 'plan' or 'act'"),
        ("newSession", {"folder": 7}, "folder: Input should be a valid string"),
        ("listSessions", {"folder": None}, "folder: Input should be a valid string"),
        ("openSession", {"session_id": ["x"]}, "session_id: Input should be a valid string"),
        ("sendMessage", {"text": ""}, "give a text, or the place that it is about"),
        ("stop", {"session_id": 1}, "session_id: Input should be a valid string"),
        ("setMode", {"mode": True}, "mode: Input should be 'plan' or 'act'"),
        ("setMode", {"mode": "act", "confirm_stop": "perhaps"}, "confirm_stop: Input should be a valid boolean"),
        ("generatePlan", {"uri": "file:///x.plan", "request": "x"}, "give the uri of a document with the request, or"),
        ("generatePlan", {"request": "  "}, "give the uri of a document with the request, or the request"),
        ("revisePlan", {"plan_id": "x", "feedback": {}}, "feedback: Input should be a valid string"),
        ("approvePlan", {"plan_id": "x", "uri": "file:///x"}, "name the plan by uri or by plan_id"),
        ("executePlan", {"plan_id": "x", "approve_hash": 1}, "approve_hash: Input should be a valid string"),
        ("executeStep", {"plan_id": "x", "step": 0}, "step: Input should be greater than or equal to 1"),
        ("skipStep", {"plan_id": "x", "step": "one"}, "step: Input should be a valid integer"),
        ("planAndAct", {"request": ""}, "request: String should have at least 1 character"),
        ("showPlan", {"plan_id": 1}, "plan_id: Input should be a valid string"),
        ("listPlans", {"folder": []}, "folder: Input should be a valid string"),
        ("deletePlan", {"uri": {}}, "uri: Input should be a valid string"),
        ("answerQuestion", {"question_id": "x", "answers": ["y"]}, "answers: Input should be a valid dictionary"),
        ("declineQuestion", {"question_id": None}, "question_id: Input should be a valid string"),
        ("cancelQuestion", {"question_id": 1.5}, "question_id: Input should be a valid string"),
        ("listRules", {"folder": 1}, "folder: Input should be a valid string"),
        ("revokeRule", {"rule_id": None}, "rule_id: Input should be a valid string"),
        ("trustFolder", {"folder": False}, "folder: Input should be a valid string"),
        ("listExecutions", {"plan_id": 1}, "plan_id: Input should be a valid string"),
        ("showExecution", {"execution_id": {}}, "execution_id: Input should be a valid string"),
    ],
)
async def test_a_value_of_the_wrong_kind_is_named(
    client: PlanactClient, name: str, payload: dict[str, Any], named: str
) -> None:
    code, message = await client.refusal(name, **payload)
    assert code == "INVALID_ARGUMENTS"
    assert named in message


@pytest.mark.parametrize("name", [name for name in NAMES if "uri" in VALID.get(name, {})])
@pytest.mark.parametrize(
    ("payload", "code", "named"),
    [
        ({"plan_id": "plan_none"}, "PLAN_NOT_FOUND", "there is no plan 'plan_none'"),
        ({"uri": "untitled:new.plan"}, "NO_WORKSPACE", "untitled:new.plan is not a file on disk"),
        ({"uri": "file:///elsewhere/x.plan"}, "NO_WORKSPACE", "/elsewhere/x.plan is in no workspace folder"),
    ],
)
async def test_a_plan_that_is_not_there_is_named(
    client: PlanactClient, name: str, payload: dict[str, Any], code: str, named: str
) -> None:
    more = {key: value for key, value in VALID[name].items() if key != "uri"}
    assert await client.refusal(name, **payload, **more) == (code, named)


@pytest.mark.parametrize(
    "name",
    [
        "newSession",
        "listSessions",
        "generatePlan",
        "planAndAct",
        "listPlans",
        "listRules",
        "trustFolder",
        "listExecutions",
    ],
)
async def test_a_folder_that_is_not_open_is_named(client: PlanactClient, name: str) -> None:
    code, message = await client.refusal(name, **VALID.get(name, {}), folder="file:///elsewhere")
    assert (code, message) == ("NO_WORKSPACE", "file:///elsewhere is not a workspace folder of this editor")


@pytest.mark.parametrize("name", [name for name in NAMES if "uri" in VALID.get(name, {})])
async def test_what_only_looks_like_a_plan_is_told_and_left_alone(client: PlanactClient, name: str) -> None:
    (client.root / "folder.plan").mkdir()
    outside = client.root.with_name("outside.plan")
    outside.write_text("# 🌍\n")
    (client.root / "out.plan").symlink_to(outside)
    client.write("source.py", "# 🌍\n")
    (client.root / "code.plan").symlink_to("source.py")
    more = {key: value for key, value in VALID[name].items() if key != "uri"}
    codes = {
        path: (await client.refusal(name, uri=client.uri(path), **more))[0]
        for path in ("folder.plan", "out.plan", "code.plan", "../outside.plan")
    }
    assert codes == {
        "folder.plan": "FILE_UNREADABLE",
        "out.plan": "PATH_OUTSIDE_WORKSPACE",
        "code.plan": "PLAN_INVALID",
        "../outside.plan": "PATH_OUTSIDE_WORKSPACE",
    }
    assert outside.read_text() == client.text("source.py") == "# 🌍\n"


HALF = "\ud800"


@pytest.mark.parametrize(
    ("name", "payload", "code"),
    [
        ("cancelQuestion", {"question_id": HALF}, "INVALID_ARGUMENTS"),
        ("openSession", {"session_id": HALF}, "INVALID_ARGUMENTS"),
        ("revokeRule", {"rule_id": HALF}, "INVALID_ARGUMENTS"),
        ("showPlan", {"uri": f"file:///{HALF}.plan"}, "NO_WORKSPACE"),
    ],
)
async def test_half_a_character_names_nothing(
    client: PlanactClient, name: str, payload: dict[str, Any], code: str
) -> None:
    await client.do("newSession")
    told, message = await client.refusal(name, **payload)
    assert told == code
    assert "\\ud800" in message or HALF in message


async def test_a_plan_whose_name_is_not_utf_8_is_told(client: PlanactClient) -> None:
    uri = f"{client.root.as_uri()}/%C3.plan"
    client.write("\udcc3.plan", PLAN)
    client.show("", PLAN, uri=uri)
    assert (await client.refusal("approvePlan", uri=uri))[0] == "FILE_UNREADABLE"
    assert await client.lenses(uri) != []


async def test_a_folder_whose_name_is_too_long_for_the_disk_is_one_without_plans(client: PlanactClient) -> None:
    folder = client.root / ("long" * 100)
    client.change_folders(added=[folder])
    assert (await client.do("listPlans", folder=folder.as_uri())).plans == ()
    client.change_folders(removed=[folder])


@pytest.mark.parametrize(("command", "name"), [("executePlan", "execute"), ("deletePlan", "delete")])
async def test_saying_no_is_no_error(client: PlanactClient, command: str, name: str) -> None:
    running = client.begin(command, uri=set_up(client))
    await client.answer(await client.question(), **{name: False})
    assert await error_number(running) == types.LSPErrorCodes.RequestCancelled.value
    assert client.text(PATH) == PLAN
