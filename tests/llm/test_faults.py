"""Every way in which a model misbehaves, with what the user sees and what the run does: the real litellm over HTTP.

The task has two calls: one makes `a.txt`, the other `b.txt`. What an answer that broke off had begun is never done.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.agent.context import CUT_OFF
from planact.base.errors import ModelFailure
from planact.model.notice import ModelRetry, ToolNotice
from planact.model.rights.permission import Mode
from planact.model.settings import LimitSettings, Settings
from planact.workflows.chat.send_message import send_message
from tests.fakes.loopback_model import (
    CONTEXT_FULL,
    HANG_UP,
    MODEL_NOT_FOUND,
    OVERLOADED,
    SIGN_IN,
    UNAUTHORIZED,
    UNAVAILABLE,
    Call,
    Fault,
    LoopbackModel,
    Page,
    Say,
    rate_limited,
)
from tests.workflows.scene import Scene

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]

MODEL = "openai/rehearsal"
MAKE_A = Call("create_file", {"path": "a.txt", "content": "a"}, "call_a")
MAKE_B = Call("create_file", {"path": "b.txt", "content": "b"}, "call_b")
WORDS = "First I look around."
DONE = Say("Done.")
BOTH = ("a.txt", "b.txt")
IDLE_SECONDS = 30.0  # a busy machine is silent, too
DATE = {"date": "Fri, 20 Nov 2026 10:00:00 GMT", "retry-after": "Fri, 20 Nov 2026 10:00:09 GMT"}
NO_TOOLS = Fault(400, "registry.example/library/small:2b does not support tools", "invalid_request_error")
IN_WORDS = Say('I make it.\n```tool_call\n{"tool": "create_file", "arguments": {"path": "a.txt", "content": "a"}}\n```')
HALF_IN_WORDS = Say('Now:\n```tool_call\n{"tool": "create_file", "arguments": {"path": "a.txt", "con', drop_after=11)
READ = Say(calls=[Call("list_directory", {"path": "."}, "call_r")])

Step = Say | Fault | Page | Callable[[dict[str, Any]], Say | Fault | Page]


@dataclass(frozen=True)
class Row:
    """What the model does, and what becomes of it.

    Attributes:
        answers: one for each request; the last is given again and again.
        run: status of the run; it can go on where that is `paused`.
        code: of the failure that the user gets; empty = none.
        says: what is in its message, or in the reason for the pause.
        told: codes of what is shown meanwhile.
        made: files that are there in the end.
        kept: what broke off, was not replaced by another attempt, and so is kept.
        results: codes that the model was told, in order; empty = the call was done.
        waits: seconds that were waited, where the server says how many.
        requests: how many were sent.
    """

    answers: tuple[Step, ...]
    run: str = "success"
    code: str = ""
    says: str = ""
    told: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    waits: tuple[float, ...] = ()
    requests: int = 0
    limits: LimitSettings = field(default_factory=LimitSettings)

    @property
    def idle_seconds(self) -> float:
        """How long silence lasts until it is a fault."""
        is_silent = any(isinstance(each, Say) and each.stall_after is not None for each in self.answers)
        return 1.5 if is_silent else IDLE_SECONDS


def passing(fault: Step, code: str, **more: Any) -> Row:
    """What passes is tried again."""
    answers = (fault, Say(calls=[MAKE_A]), DONE)
    return Row(answers, told=(code,), made=("a.txt",), results=("",), requests=3, **more)


def lasting(fault: Step, code: str, **more: Any) -> Row:
    """What doesn't pass pauses the run at once."""
    return Row((fault,), **{"run": "paused", "code": code, "requests": 1, **more})


def wrong(calls: Iterable[Call], *results: str, made: tuple[str, ...] = (), **say: Any) -> Row:
    """What the model did wrong is told to it, and disturbs nothing else."""
    run = "success" if made else "nothing_done"
    return Row((Say(calls=list(calls), **say), DONE), run, results=results, made=made, requests=2)


TABLE = {
    "rate limit with seconds": passing(rate_limited("7"), "MODEL_RATE_LIMITED", waits=(7.0,)),
    "rate limit with a date": passing(Fault(429, "slow down", headers=DATE), "MODEL_RATE_LIMITED", waits=(9.0,)),
    "rate limit told in words": passing(
        Fault(429, "You exceeded your current quota, check your billing. Please retry in 34s."),
        "MODEL_RATE_LIMITED", waits=(34.0,),
    ),
    "no quota": lasting(
        Fault(429, "You exceeded your current quota", "insufficient_quota"), "MODEL_NO_CREDIT", says="billing"
    ),
    "rate limit longer than anyone waits": lasting(
        rate_limited("3600"), "MODEL_RATE_LIMITED", says="wait of over 60 s. Wait 60 min"
    ),
    "rate limit without end": Row(
        (rate_limited("1"),), "paused", "MODEL_RATE_LIMITED", "Wait 1 s, then", ("MODEL_RATE_LIMITED",) * 4, requests=5
    ),
    "no money": lasting(Fault(402, "Insufficient credits"), "MODEL_NO_CREDIT", says="billing"),
    "overload 529": passing(OVERLOADED, "MODEL_OVERLOADED"),
    "overload 503": passing(UNAVAILABLE, "MODEL_OVERLOADED"),
    "web page in place of a gateway": passing(Page(502, SIGN_IN), "MODEL_OVERLOADED"),
    "time out of a gateway": passing(Fault(504, "Gateway timeout"), "MODEL_OVERLOADED"),
    "hung up": passing(HANG_UP, "MODEL_STREAM_BROKEN"),
    "dropped before the first word": passing(Say(WORDS, drop_after=0), "MODEL_STREAM_BROKEN"),
    "dropped in the text": passing(Say(WORDS, drop_after=2), "MODEL_STREAM_BROKEN"),
    "dropped in a call": passing(Say(WORDS, calls=[MAKE_A, MAKE_B], drop_after=7), "MODEL_STREAM_BROKEN"),
    "dropped after a whole call": passing(
        Say(calls=[MAKE_B], end_after=7), "MODEL_STREAM_BROKEN"
    ),
    "garbage in the stream": passing(Say(WORDS, garbage_after=2), "MODEL_STREAM_BROKEN"),
    "stalled": passing(Say(WORDS, stall_after=2), "MODEL_STREAM_BROKEN"),
    "stalled without an end": Row(
        (Say(WORDS, stall_after=2),), "paused", "MODEL_STREAM_BROKEN", "nothing came for",
        ("MODEL_STREAM_BROKEN",) * 4, kept=("First I",), requests=5,
    ),
    "repeats itself": lasting(
        Say("again ", is_endless=True), "MODEL_STREAM_BROKEN", says="repeating", kept=("again again",)
    ),
    "without an end": lasting(
        Say("again % " * 2000, is_endless=True), "MODEL_STREAM_BROKEN", says="didn't end", kept=("again 1 again",)
    ),
    "truncated arguments": wrong([Call("create_file", '{"path": "b.txt", "con')], "INVALID_ARGUMENTS"),
    "truncated by the length limit": Row(
        (Say(calls=[Call("create_file", '{"path": "b.txt", "con'), MAKE_A], finish_reason="length"), DONE),
        run="nothing_done", results=("ANSWER_CUT_OFF",) * 2, told=("ANSWER_CUT_OFF",), requests=2,
    ),
    "text cut by the length limit": Row(
        (Say(WORDS, finish_reason="length"), DONE), "nothing_done", told=("ANSWER_CUT_OFF",), requests=2
    ),
    "always cut by the length limit": Row(
        (Say(WORDS, finish_reason="length"),), "paused", says="[ANSWER_CUT_OFF]", told=("ANSWER_CUT_OFF",) * 2,
        requests=3,
    ),
    "arguments that are no JSON": wrong([Call("create_file", "path=b.txt")], "INVALID_ARGUMENTS"),
    "arguments that are no object": wrong([Call("create_file", '["b.txt"]')], "INVALID_ARGUMENTS"),
    "unknown tool": wrong([Call("make_file", {"path": "b.txt"})], "UNKNOWN_TOOL"),
    "one of several calls is bad": wrong(
        [MAKE_A, Call("create_file", "{", "bad"), MAKE_B], "", "INVALID_ARGUMENTS", "", made=BOTH
    ),
    "the same id twice": wrong([replace(MAKE_A, id="x"), replace(MAKE_B, id="x")], "", "", made=BOTH),
    "calls without an id": wrong([replace(MAKE_A, id=""), replace(MAKE_B, id="")], "", "", made=BOTH),
    "empty answer": passing(Say(), "MODEL_EMPTY_ANSWER"),
    "nothing but empty answers": Row(
        (Say(),), "paused", "MODEL_EMPTY_ANSWER", "answered nothing", ("MODEL_EMPTY_ANSWER",) * 4, requests=5
    ),
    "only thinks": passing(Say(reasoning="Hm, hm."), "MODEL_EMPTY_ANSWER"),
    "thinks up to the length limit": lasting(
        Say(reasoning="Hm, hm.", finish_reason="length"), "MODEL_EMPTY_ANSWER", says="`max_tokens`"
    ),
    "the same call thrice": Row(
        (READ, READ, READ, DONE), "nothing_done", results=("", "", "SAME_CALL_AGAIN"), requests=4
    ),
    "the same call for ever": Row(
        (READ,), "paused", says="Say what to do instead, or go on. [SAME_CALL_AGAIN]",
        results=("", "", "SAME_CALL_AGAIN", "SAME_CALL_AGAIN"), requests=4,
    ),
    "context overflow with nothing to leave out": lasting(CONTEXT_FULL, "MODEL_CONTEXT_FULL", says="too long"),
    "no tools": Row((NO_TOOLS, IN_WORDS, DONE), made=("a.txt",), results=("",), requests=3),
    "no tools, and dropped in a call": Row(
        (NO_TOOLS, HALF_IN_WORDS, IN_WORDS, DONE),
        told=("MODEL_STREAM_BROKEN",), made=("a.txt",), results=("",), requests=4,
    ),
    "refusal": lasting(Say(WORDS, finish_reason="content_filter"), "MODEL_REFUSED", kept=(WORDS,), says="filter"),
    "refused request": lasting(Fault(400, "flagged by our content policy", "content_filter"), "MODEL_REFUSED"),
    "401": lasting(UNAUTHORIZED, "MODEL_KEY_REFUSED", says="Incorrect API key"),
    "403": lasting(Fault(403, "not in your country"), "MODEL_KEY_REFUSED", says="not in your country"),
    "404": lasting(MODEL_NOT_FOUND, "MODEL_UNKNOWN"),
    "web page in place of a model": lasting(Page(200, SIGN_IN), "MODEL_UNAVAILABLE", says="it sent text/html"),
    "JSON in place of a stream": lasting(Page(200, "{}", "application/json"), "MODEL_UNAVAILABLE"),
    "web page for an error": lasting(Page(404, SIGN_IN), "MODEL_UNKNOWN", says="a web page (“Sign in”)"),
    "usage missing": Row(
        (Say(calls=[MAKE_A], usage=None), Say(WORDS)), "paused", says="[LIMIT_TOKENS]", made=("a.txt",), results=("",),
        requests=1, limits=LimitSettings(max_tokens=500),
    ),
    "price not known": Row(
        (Say(calls=[MAKE_A]), DONE), told=("COST_UNKNOWN",), made=("a.txt",), results=("",),
        requests=2, limits=LimitSettings(max_cost=1),
    ),
    "price not known, and the limit near": Row(
        (Say(calls=[MAKE_A]), Say(calls=[MAKE_B])), "paused", says="[LIMIT_COST]", told=("COST_UNKNOWN",),
        made=("a.txt",), results=("",), requests=1, limits=LimitSettings(max_cost=0.001),
    ),
    "too many requests": Row(
        (Say(calls=[MAKE_A]), Say(calls=[MAKE_B])), "paused", says="[LIMIT_TURNS]", made=("a.txt",), results=("",),
        requests=1, limits=LimitSettings(max_turns=1),
    ),
}  # fmt: skip


@dataclass
class Answers:
    """Gives the answers in order, the last for ever."""

    steps: list[Step]

    def __call__(self, request: dict[str, Any]) -> Say | Fault | Page:
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        return step(request) if callable(step) else step


def is_told(notice: object) -> TypeGuard[ModelRetry | ToolNotice]:
    """Return whether people get a line of the notice about the model: of a wait the first one."""
    if isinstance(notice, ModelRetry):
        return bool(notice.line)
    return isinstance(notice, ToolNotice) and notice.tool == "model"


def scene(
    root: Path, url: str, loader: LitellmLoader, limits: LimitSettings, idle_seconds: float = IDLE_SECONDS
) -> Scene:
    settings = Settings(model=MODEL, model_endpoint=url, approval="acceptAll", limits=limits)
    it = Scene(root, mode=Mode.ACT, settings=settings)
    source = ModelSource(settings.of_model, loader, ModelTable({}), root, idle_seconds=idle_seconds)
    object.__setattr__(it.ws.ports, "models", source)
    return it


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
async def test_every_fault_has_its_end(tmp_path: Path, loader: LitellmLoader, row: Row) -> None:
    code = said = hint = ""
    with LoopbackModel(Answers(list(row.answers))) as server:
        it = scene(tmp_path, server.url, loader, row.limits, row.idle_seconds)
        try:
            result = await send_message(it.ws, it.session_id, "Make both files.")
            assert result is not None
            said = result.reason
        except ModelFailure as failure:
            code, said, hint = failure.code, str(failure), failure.hint
        requests = len(server.requests)
    (run,) = it.ws.ports.records.executions()
    assert (run.status, code, requests) == (row.run, row.code, row.requests), said
    assert row.says in said
    assert bool(hint) == bool(code)
    assert run.reason == said
    assert "litellm" not in said.lower()
    assert tuple(sorted(it.world.tree())) == row.made
    told = [notice for notice in it.world.editor.notices if is_told(notice)]
    assert tuple(notice.code for notice in told) == row.told
    for retry in (notice for notice in told if isinstance(notice, ModelRetry)):
        assert retry.reason not in ("", retry.detail)
    messages = it.ws.ports.sessions.messages(it.session_id)
    kept = [message.content for message in messages if message.metadata.get(CUT_OFF)]
    assert len(kept) == len(row.kept)
    assert all(whole.startswith(begin) for whole, begin in zip(kept, row.kept, strict=True))
    results = [message.content for message in messages if message.role == "tool"]
    assert tuple(text.partition('"code": "')[2].partition('"')[0] for text in results) == row.results
    if row.waits:
        assert (sum(it.world.store.clock.slept),) == row.waits
    assert it.world.store.lock.acquire("next") == ""


@pytest.mark.parametrize(
    "name", [name for name, row in TABLE.items() if row.run == "paused" and not row.limits.max_tokens]
)
async def test_what_paused_goes_on_with_the_next_message(tmp_path: Path, loader: LitellmLoader, name: str) -> None:
    row = TABLE[name]
    answers = Answers(list(row.answers))
    with LoopbackModel(answers) as server:
        it = scene(tmp_path, server.url, loader, LimitSettings(), row.idle_seconds)
        try:
            it.ws.settings = it.ws.settings.model_copy(update={"limits": row.limits})
            await send_message(it.ws, it.session_id, "Make both files.")
        except ModelFailure:
            pass
        it.ws.settings = it.ws.settings.model_copy(update={"limits": LimitSettings()})
        answers.steps = [Say(calls=[MAKE_B]), DONE]
        result = await send_message(it.ws, it.session_id, "Go on.")
        users = [message["content"] for message in server.requests[-1].json["messages"] if message["role"] == "user"]
    assert result is not None
    assert result.kind == "finished"
    assert "b.txt" in it.world.tree()
    assert [text for text in users if not text.startswith("[planact]")] == ["Make both files.", "Go on."]
