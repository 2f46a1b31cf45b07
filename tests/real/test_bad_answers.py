"""What goes wrong between planact and its model gives a stable code and a next step, and loses nothing."""

import asyncio
import socket

import pytest

from tests.fakes.loopback_model import (
    MODEL_NOT_FOUND,
    UNAUTHORIZED,
    Call,
    Fault,
    LoopbackModel,
    Say,
    rate_limited,
    results,
)
from tests.lsp.editor_client import failure
from tests.lsp.raw_client import until
from tests.real.rename import REQUEST, Renamer
from tests.real.rig import MODEL, Project, RealClient, ended, real_client, settings_of

QUICK = "python -m compileall -q itemadapter"
BROKEN = Say("This answer never gets to its end.", drop_after=3)
CUT_SHORT = Say("This one neither.", end_after=3)
MALFORMED = Say(calls=[Call("read_file", '{"path": ', "call_bad")])
UNFIT = Say(calls=[Call("read_file", {"path": 1}, "call_bad")])
UNKNOWN = Say(calls=[Call("reed_file", {"path": "README.md"}, "call_bad")])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def keyless(project: Project) -> dict[str, str]:
    return {name: value for name, value in project.environment().items() if name != "OPENAI_API_KEY"}


async def test_each_failure_has_its_code_and_the_server_goes_on(project: Project) -> None:
    renamer = Renamer(QUICK)
    with LoopbackModel(renamer) as model:
        async with real_client(project, {}) as client:

            async def planning() -> tuple[str, str, str]:
                return await failure(client.run("generatePlan", request=REQUEST))

            code, message, hint = await planning()
            assert (code, message) == ("MODEL_NOT_CHOSEN", "no model is chosen")
            assert "as PLANACT_MODEL, such as" in hint

            client.use(model="nonesuch/model")
            code, message, hint = await planning()
            assert (code, hint) == ("MODEL_UNKNOWN", "Name it as litellm does, `provider/model`")
            assert "'nonesuch/model'" in message
            assert model.requests == []

            client.use(**settings_of(model))
            renamer.before["plan"] = [MODEL_NOT_FOUND, UNAUTHORIZED]
            code, message, hint = await planning()
            assert (code, "Check the setting `model`" in hint) == ("MODEL_UNKNOWN", True)
            assert model.url in message
            code, message, hint = await planning()
            assert (code, hint) == ("MODEL_KEY_REFUSED", "Check OPENAI_API_KEY")
            assert model.url in message

            made = await client.run("generatePlan", request=REQUEST)
            assert made["plan_id"]


@pytest.mark.parametrize(
    "troubles", [[BROKEN, rate_limited("0"), MALFORMED, UNKNOWN], [CUT_SHORT, UNFIT]], ids=["one", "other"]
)
async def test_what_passes_is_tried_again_and_what_was_wrong_is_corrected(
    project: Project, troubles: list[Say | Fault]
) -> None:
    with LoopbackModel(Renamer(QUICK, before={"plan": list(troubles), "act": list(troubles)})) as model:
        async with real_client(project, settings_of(model)) as client:
            made = await client.run("generatePlan", request=REQUEST)
            told = results(model.requests[-1].json)
            seen = await client.run("showPlan", plan_id=made["plan_id"])
            execution = await client.run("executePlan", plan_id=made["plan_id"], approve_hash=seen["plan_hash"])
    assert execution["status"] == "success"
    assert project.texts() == project.renamed()
    codes = [text.partition('"code": "')[2].partition('"')[0] for text in told if text.startswith('{"error"')]
    expected = {id(MALFORMED): "INVALID_ARGUMENTS", id(UNFIT): "INVALID_ARGUMENTS", id(UNKNOWN): "UNKNOWN_TOOL"}
    assert codes == [expected[id(trouble)] for trouble in troubles if id(trouble) in expected]
    assert ("did you mean 'read_file'?" in "".join(told)) == (UNKNOWN in troubles)


async def test_a_run_that_loses_its_model_goes_on_where_it_was(project: Project) -> None:
    renamer = Renamer(QUICK)
    with LoopbackModel(renamer) as model:
        async with real_client(project, settings_of(model)) as client:
            plan_id = (await client.run("generatePlan", request=REQUEST))["plan_id"]
            shown = await client.run("showPlan", plan_id=plan_id)
            renamer.before["step 2"] = [UNAUTHORIZED]

            code, _, hint = await failure(client.run("executePlan", plan_id=plan_id, approve_hash=shown["plan_hash"]))
            assert (code, hint) == ("MODEL_KEY_REFUSED", "Check OPENAI_API_KEY")
            assert await marks(client, plan_id) == ["done", "pending", "pending"]
            (paused,) = (await client.run("listExecutions"))["executions"]
            assert (paused["status"], [step["step_number"] for step in paused["steps"]]) == ("paused", [1])

            execution = await client.run("executePlan", plan_id=plan_id)
            assert (execution["status"], [step["step_number"] for step in execution["steps"]]) == ("success", [2, 3])
            assert await marks(client, plan_id) == ["done", "done", "done"]
    assert project.texts() == project.renamed()


async def test_a_model_that_comes_up_late_is_found(project: Project) -> None:
    """Without a key, which one's own server needs not, and the provider's does."""
    port = free_port()
    async with real_client(project, {"model": MODEL}, keyless(project)) as client:
        code, _, hint = await failure(client.run("sendMessage", text="Hello?"))
        assert code == "MODEL_KEY_MISSING"
        assert hint == "Set OPENAI_API_KEY in the environment that planact, or your editor, is started in"
        assert project.reached() == set()
        client.use(model=MODEL, modelEndpoint=f"http://127.0.0.1:{port}/v1")

        def is_trying_again() -> bool:
            return any("the connection is refused; trying again" in line.message for line in client.log_messages)

        saying = asyncio.ensure_future(client.run("sendMessage", text="Hello?"))
        await until(is_trying_again)
        with LoopbackModel(lambda request: Say("Here I am."), port):
            answer = await saying
    assert (answer["status"], answer["text"]) == ("done", "Here I am.")


async def marks(client: RealClient, plan_id: str) -> list[str]:
    plan = (await client.run("showPlan", plan_id=plan_id))["plan"]
    return [step["status"] for step in plan["steps"]]


def test_the_terminal_ends_with_6_and_says_what_to_do(project: Project) -> None:
    bare = keyless(project)
    nowhere = f"http://127.0.0.1:{free_port()}/v1"
    cases = [
        (bare | {"PLANACT_MODEL": MODEL}, "MODEL_KEY_MISSING", "Set OPENAI_API_KEY"),
        (
            bare | {"PLANACT_MODEL": MODEL, "PLANACT_MODEL_ENDPOINT": nowhere},
            "MODEL_UNAVAILABLE",
            "Check the network",
        ),
        (bare | {"PLANACT_MODEL": "nonesuch"}, "MODEL_UNKNOWN", "Name it as litellm does"),
        (bare, "MODEL_NOT_CHOSEN", "as PLANACT_MODEL, such as"),
    ]
    started = [project.start("plan", "Anything.", environment=environment) for environment, _, _ in cases]
    for command, (_, code, hint) in zip(started, cases, strict=True):
        end = ended(command)
        assert (end.code, end.data["error"]["code"]) == (6, code)
        assert hint in end.data["error"]["hint"]
