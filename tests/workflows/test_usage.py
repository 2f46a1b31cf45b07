"""What a session used is the sum of what its messages did, whoever asked the model, and of each model."""

import asyncio
from functools import reduce
from pathlib import Path

from planact.model.chat.message import Message, Reply, Usage, UsagePurpose
from planact.model.settings import RoleSettings, Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.history.journal_queries import usage_of
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.runs.revise_plan import revise_plan
from planact.workflows.turns.compact import compact
from tests.fakes.world import Turn, call, calls
from tests.workflows.scene import Scene

PLAN = calls(call("write_plan", goal="Greet", steps=[{"action": "Write", "files": ["a.txt"]}]))
CHEAP = "---\ndescription: Looks.\nmode: plan\nmodel: cheap\ntools: [read_file]\n---\nLook."
LEAD = "---\ndescription: Leads.\ntools: [read_file, write_plan, delegate]\n---\nLead."


def priced(*replies: Reply) -> list[Turn]:
    """Each reply with a use of its own: no two sums of them are alike."""
    return [
        Reply(
            reply.text,
            reply.tool_calls,
            usage=Usage(input_tokens=2**number, output_tokens=1, cached_tokens=number, cost=2.0**-number, requests=1),
        )
        for number, reply in enumerate(replies)
    ]


def purpose_of(message: Message) -> UsagePurpose:
    return "summary" if message.role == "system" else "delegate" if message.subtask_id else "answer"


def total(parts: list[Usage]) -> Usage:
    return reduce(Usage.plus, parts, Usage())


def test_all_requests_of_a_session_are_in_its_messages_its_events_and_its_sum(tmp_path: Path) -> None:
    replies = priced(
        calls(call("delegate", role="looker", task="Look at a.txt.")),
        calls(call("read_file", path="a.txt")),
        Reply("It is a greeting."),
        Reply("There is a greeting. " * 100),
        PLAN,
        Reply("There is a plan."),
        Reply("A summary."),
        PLAN,
        Reply("It is revised."),
    )
    it = Scene(tmp_path, *replies, settings=Settings(model="clever", roles=RoleSettings(plan="lead")))
    it.world.store.user_roles.texts |= {"lead.md": LEAD, "looker.md": CHEAP}
    it.world.write("a.txt", "hello\n" * 200)

    async def talk() -> None:
        await send_message(it.ws, it.session_id, "What is there?")
        made = await make_plan(it.ws, it.session_id, "Greet them")
        await compact(it.ws, it.session_id)
        assert made.written is not None
        await revise_plan(it.ws, it.session_id, made.written.path, "shorter")

    asyncio.run(talk())
    assert it.world.model.turns == []
    messages = [message for message in it.world.store.sessions.messages(it.session_id) if message.usage]
    events = [event for event in it.world.store.events.list(it.session_id) if event.kind == "model_called"]
    said = total([message.usage.of(message.model, purpose_of(message)) for message in messages if message.usage])
    assert said.requests == len(events) == len(replies)
    assert said == it.session.usage
    assert said == total([usage_of(event) for event in events])
    cheap = said.by_model["cheap"]
    assert (cheap.input_tokens, cheap.requests) == (0b110, 2)
    assert {*said.by_model} == {"cheap", "clever"}
    assert {purpose: part.requests for purpose, part in said.by_purpose.items()} == {
        "answer": 6,
        "delegate": 2,
        "summary": 1,
    }
    assert total([*said.by_model.values()]) == total([*said.by_purpose.values()]) == said.alone()
