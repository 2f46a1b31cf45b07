"""Conversations far beyond a small window, with the real litellm and a server that refuses what doesn't fit."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.base.errors import Conflict, ModelFailure
from planact.model.question import NobodyThere
from planact.model.rights.permission import Mode
from planact.model.settings import ModelSettings, Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.turns.compact import compact
from tests.fakes.loopback_model import Call, Fault, LoopbackModel, Say, filling, last_user, plan_in, results, system
from tests.workflows.scene import PATH, Scene

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]

MODEL = "openai/rehearsal"
FILES = 60
WINDOW = 8_000
SUMMARY = "The files hold numbers. Nothing else was found."
TOKEN = "the magic word is xyzzy"
PLAN = """---
format_version: "1.0"
id: plan_20261120_aaaa
---
# Count what is in the files

## Steps
- [ ] 1. Make `a.txt` and look at all files
  - reason: nobody has counted
  - files: a.txt
  - check: `grep -q counted a.txt`
"""


class Reader:
    """Makes `a.txt`, reads many files one by one, and says what it still knows at each request."""

    def __init__(self) -> None:
        self.made = 0
        self.read = 0
        self.summaries = 0
        self.seen: list[dict[str, Any]] = []

    def __call__(self, request: dict[str, Any]) -> Say | Fault:
        usage = {"prompt_tokens": len(json.dumps(request)) // 4, "completion_tokens": 20}
        if "tools" not in request:
            self.summaries += 1
            return Say(SUMMARY, usage=usage)
        self.seen.append(request)
        if not self.made:
            self.made += 1
            call = Call("create_file", {"path": "a.txt", "content": "counted"}, "call_make")
            return Say(calls=[call], usage=usage)
        if self.read == FILES:
            return Say("All are counted.", usage=usage)
        self.read += 1
        return Say(calls=[Call("read_file", {"path": f"{self.read}.txt"}, f"call_{self.read}")], usage=usage)


def scene(root: Path, url: str, loader: LitellmLoader, window: int = 0, mode: Mode = Mode.PLAN) -> Scene:
    models = {MODEL: ModelSettings(context_tokens=window)}
    it = Scene(root, mode=mode, settings=Settings(model=MODEL, model_endpoint=url, approval="acceptAll", models=models))
    object.__setattr__(it.ws.ports, "models", ModelSource(it.ws.settings.of_model, loader, ModelTable({}), root))
    for number in range(1, FILES + 1):
        it.world.write(f"{number}.txt", f"File {number}\n" + f"{number} " * 1200)
    return it


def text_of(request: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in request["messages"])


def compactions(requests: list[dict[str, Any]]) -> int:
    """How often a request is not the beginning of the next."""
    texts = [json.dumps(request["messages"])[:-1] for request in requests]
    return sum(not later.startswith(earlier) for earlier, later in itertools.pairwise(texts))


@pytest.mark.parametrize("window", [WINDOW, 0], ids=["known", "found out"])
async def test_a_run_far_beyond_the_window_keeps_mode_plan_and_evidence(
    tmp_path: Path, loader: LitellmLoader, window: int
) -> None:
    reader = Reader()
    with LoopbackModel(filling(WINDOW, reader)) as server:
        it = scene(tmp_path, server.url, loader, window)
        it.write_plan(PLAN)
        execution = await execute_plan(it.ws, it.session_id, PATH, Confirmation.BY_FLAG)
        sent = len(server.requests)
    assert execution.status == "success", execution.reason
    assert reader.read == FILES
    assert all("You are in ACT mode" in system(request) for request in reader.seen)
    assert all("# Count what is in the files" in plan_in(request) for request in reader.seen)
    assert all("Carry out step 1 of 1" in text_of(request) for request in reader.seen)
    assert all("create_file a.txt: done" in text_of(r) or "call_make" in json.dumps(r) for r in reader.seen[1:])
    assert SUMMARY in text_of(reader.seen[-1])
    assert results(reader.seen[-1], "read_file")[-1].startswith("File") or "60" in results(reader.seen[-1])[-1]
    assert 3 < compactions(reader.seen) < 30
    assert (sent == len(reader.seen) + reader.summaries) == bool(window)  # where it is known, nothing is refused


async def test_what_the_user_said_and_the_question_that_is_open_outlive_it(
    tmp_path: Path, loader: LitellmLoader
) -> None:
    asked = Call("ask_user", {"questions": [{"name": "how", "question": "Count words or lines?"}]}, "call_ask")
    told: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> Say:
        if "tools" not in request:
            return Say(SUMMARY)
        told.append(request)
        if "tell me what you know" in last_user(request) or len(told) > 2:
            return Say("Thank you.")
        return Say(calls=[asked]) if len(told) == 2 else Say(calls=[Call("read_file", {"path": "1.txt"}, "call_read")])

    with LoopbackModel(answer) as server:
        it = scene(tmp_path, server.url, loader)
        it.answers(NobodyThere())
        waiting = await send_message(it.ws, it.session_id, f"Count them; {TOKEN}.")
        assert waiting is not None
        assert waiting.kind == "waiting"
        done = await compact(it.ws, it.session_id)
        assert done.message is not None
        assert "Count words or lines?" in done.message.content
        assert TOKEN in done.message.content
        (question,) = it.ws.questions.open()
        it.ws.questions.answer(question.id, {"how": "lines"})
        await send_message(it.ws, it.session_id, "Go on.")
    assert "They answered: lines" in text_of(told[-1])
    assert "Count words or lines?" in text_of(told[-1])
    assert "You are in PLAN mode" in system(told[-1])


async def test_the_user_can_have_it_compacted_and_the_transcript_stays_whole(
    tmp_path: Path, loader: LitellmLoader
) -> None:
    reader = Reader()
    with LoopbackModel(reader) as server:
        it = scene(tmp_path, server.url, loader, mode=Mode.ACT)
        await send_message(it.ws, it.session_id, f"Count them; {TOKEN}.")
        before = it.ws.ports.sessions.messages(it.session_id)
        done = await compact(it.ws, it.session_id)
        after = it.ws.ports.sessions.messages(it.session_id)
        assert done.before > 10 * done.after
        assert after == (*before, done.message)
        reader.read = FILES - 3
        await send_message(it.ws, it.session_id, "And now?")
        assert compactions(reader.seen) == 1
        assert SUMMARY in text_of(reader.seen[-1])
        again = await compact(it.ws, it.session_id)
    assert again.message is not None
    assert TOKEN in again.message.content
    assert "create_file a.txt: done" in again.message.content


async def test_where_there_is_nothing_to_leave_out_nobody_is_asked(tmp_path: Path, loader: LitellmLoader) -> None:
    with LoopbackModel(lambda _: Say("Hello.")) as server:
        it = scene(tmp_path, server.url, loader)
        assert (await compact(it.ws, it.session_id)).message is None
        await it.ws.work(it.session_id, busy(it))
        assert server.requests == []


async def busy(it: Scene) -> None:
    with pytest.raises(Conflict, match="BUSY"):
        await compact(it.ws, it.session_id)


@pytest.mark.parametrize(
    "summary",
    [Say(finish_reason="content_filter"), Fault(400, "maximum context length is 10 tokens", "context_length_exceeded")],
    ids=["refused", "too long"],
)
async def test_without_a_summary_the_facts_are_kept(
    tmp_path: Path, loader: LitellmLoader, summary: Say | Fault
) -> None:
    reader = Reader()
    with LoopbackModel(filling(WINDOW, lambda r: reader(r) if "tools" in r else summary)) as server:
        it = scene(tmp_path, server.url, loader, WINDOW, Mode.ACT)
        result = await send_message(it.ws, it.session_id, f"Count them; {TOKEN}.")
    assert result is not None
    assert result.kind == "finished"
    assert TOKEN in text_of(reader.seen[-1])
    assert "create_file a.txt: done" in text_of(reader.seen[-1])


async def test_what_can_not_be_made_to_fit_pauses_with_the_reason(tmp_path: Path, loader: LitellmLoader) -> None:
    reader = Reader()
    with LoopbackModel(filling(1_000, reader)) as server:
        it = scene(tmp_path, server.url, loader, mode=Mode.ACT)
        with pytest.raises(ModelFailure, match="MODEL_CONTEXT_FULL"):
            await send_message(it.ws, it.session_id, "Count them.")
        assert len(server.requests) < 10
    (run,) = it.ws.ports.records.executions()
    assert run.status == "paused"
