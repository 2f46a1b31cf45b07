"""What a provider bills is what planact says that it cost, wherever it says it: through the real server and program."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.chat.message import Usage
from planact.model.runs.metrics import Metrics
from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.editor_client import LIMIT, failure

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEPS = [{"action": f"Mend {name}", "files": [name]} for name in ("a.txt", "b.txt")]
LEAD = """---
mode: act
permissions: [read_files, write_files]
tools: [read_file, update_file, delegate]
---
"""
"""A role that hands out work and writes itself."""

EMPTY, BROKEN = 0, 1
"""Answers that are asked for again; of the one that breaks off nobody hears what it cost."""

ANSWERS = (
    Say(""),
    Say("I look around in the house.", drop_after=3),
    Say(calls=[Call("write_plan", {"goal": "Mend it", "steps": STEPS})]),
    Say("There is a plan. " * 100),
    Say("I can't tell."),  # the judge
    Say("I keep planning."),
    Say("We talked about mending."),  # the summary
    Say(calls=[Call("delegate", {"role": "reviewer", "task": "Look at a.txt."})]),
    Say("It says one."),  # the delegate
    Say(calls=[Call("update_file", {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]})]),
    Say("Done."),
    Say(calls=[Call("read_file", {"path": "b.txt"})]),
    Say("No", finish_reason="content_filter"),
    Say(calls=[Call("update_file", {"path": "b.txt", "edits": [{"old": "bee", "new": "sea"}]})]),
    Say("Done."),
)


def bill(number: int) -> dict[str, Any]:
    """No two sums of these are alike."""
    cached = {"cached_tokens": number}
    return {"prompt_tokens": 100 + 2**number, "completion_tokens": number + 1, "prompt_tokens_details": cached}


def used(number: int) -> Usage:
    cost = bill(number)
    return Usage(
        input_tokens=cost["prompt_tokens"],
        output_tokens=cost["completion_tokens"],
        cached_tokens=number,
        requests=1,
    )


def total(parts: Sequence[Usage]) -> Usage:
    return reduce(Usage.plus, parts, Usage()).alone()


async def send(client: PlanactClient, text: str) -> Any:
    """Say something; the first time the server has to load litellm for it, which takes as long as the machine does."""
    params = types.ExecuteCommandParams("planact.sendMessage", [{"text": text}])
    return await asyncio.wait_for(client.workspace_execute_command_async(params), 120)


async def work(client: PlanactClient) -> None:
    """A plan, a judgement, a summary, and a run that breaks off in its second step and is taken up again."""
    await send(client, "mend it")
    (plan,) = (await client.do("listPlans")).plans
    await send(client, "Yes.")
    await send(client, "/compact")
    shown = await client.do("showPlan", uri=plan.uri)
    code, _, _ = await failure(client.do("executePlan", uri=plan.uri, approve_hash=shown.plan_hash))
    assert code == "MODEL_REFUSED"
    await client.do("resumeExecution")


async def test_what_a_provider_bills_is_in_every_sum(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt").write_text("bee\n")
    (tmp_path / ".planact/roles").mkdir(parents=True)
    (tmp_path / ".planact/roles/lead.md").write_text(LEAD)
    answers = iter([replace(say, usage=bill(number)) for number, say in enumerate(ANSWERS)])
    with LoopbackModel(lambda _: next(answers)) as model:
        settings = {
            "model": "openai/planner",
            "modelEndpoint": model.url,
            "intent": {"model": "openai/judge"},
            "roles": {"act": "lead"},
            "approval": "acceptAll",
            "modelParameters": {"api_key": "sk-bill"},
        }
        async with planact_client(tmp_path, settings=settings) as client:
            await client.do("trustFolder")
            await work(client)
            status = await client.do("showStatus")
            asking = client.protocol.send_request_async(messages.TRANSCRIPT, {"limit": 200})
            transcript = messages.Transcript.model_validate(await asyncio.wait_for(asking, LIMIT))
            runs = [
                await client.do("showExecution", execution_id=each.id)
                for each in (await client.do("listExecutions")).executions
            ]
        assert len(model.requests) == len(ANSWERS)
    assert status.session is not None
    session = status.session.usage
    said = [message.usage for message in transcript.messages if message.usage]

    lost, empty = session.by_purpose["lost"], used(EMPTY)
    guessed = Usage(
        input_tokens=lost.input_tokens - empty.input_tokens,
        output_tokens=lost.output_tokens - empty.output_tokens,
        requests=1,
        is_estimated=True,
    )
    assert min(guessed.input_tokens, guessed.output_tokens) > 0
    billed = total([guessed, *(used(number) for number in range(len(ANSWERS)) if number != BROKEN)])
    assert session.alone() == billed
    assert total(list(session.by_model.values())) == billed
    assert total(list(session.by_purpose.values())) == billed
    requests = {purpose: part.requests for purpose, part in session.by_purpose.items()}
    assert requests == {"lost": 2, "answer": 10, "intent": 1, "summary": 1, "delegate": 1}

    without_message = [lost, session.by_purpose["intent"]]
    assert total([*said, *without_message]) == billed

    (run,) = runs
    assert run.usage.alone() == total([used(number) for number in range(7, 15)])
    assert run.broken_off == total([used(11), used(12)])
    assert total([*(step.usage for step in run.steps), run.broken_off]) == run.usage.alone()

    planact = Program(tmp_path, Path(os.environ["HOME"]))
    metrics = Metrics.model_validate(planact.run("metrics", "--json").json)
    assert Usage(**metrics.total.model_dump(exclude={"unpriced"})).alone() == billed
    (plan,) = metrics.plans
    parts = [metrics.planning.spent, *(step.spent for step in plan.steps), metrics.without_plan]
    assert total(parts) == total([plan.spent]) == billed
    cost = planact.run("chat", "/cost", "--continue").out.splitlines()
    assert cost[0] == f"{session.in_words()}."
    assert f"- judging what messages ask for: {used(4).in_words()}" in cost
