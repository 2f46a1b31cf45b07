"""What planact itself takes for a turn with many tool calls: from the end of an answer to the next request.

The model's server measures it, with the real program and litellm over HTTP. A bare client that sends the same is the
baseline. What the requests are made of is counted too, since the user pays for it.
"""

import http.client
import json
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import psutil

from tests.bench import program
from tests.bench.row import Room, Row
from tests.fakes.loopback_model import Call, LoopbackModel, Received, Say, turn

FILES = 50
LARGEST = 6
"""Tools whose descriptions are counted each."""

LINES = 40
"""Of each file; a call reads one line, so that a request grows by some 400 bytes."""


def bench(room: Room) -> Iterator[Row]:
    late: dict[int, float] = {}
    worked: dict[int, float] = {}
    for turns in room.pick((20, 100, 500), (3,)):
        ours, memory, worked[turns] = planact(room, turns)
        base = bare([request.body for request in ours.requests], turns)
        own = waits(ours)
        late[turns] = statistics.median(own[-min(turns, 20) :])
        yield Row(f"own time per tool turn, of {turns}", "ms", own, waits(base), "a bare client", "< 20")
        yield Row(
            f"own time per tool turn, the last 20 of {turns}", "ms", own[-20:], waits(base)[-20:], "a bare client"
        )
        yield Row(f"peak memory, {turns} tool turns", "MB", [memory], goal="< 230" if turns == 100 else "")
        if turns == room.pick(100, 3):
            yield from sizes(ours.requests)
    fewest, most = min(late), max(late)
    if fewest != most:
        each = (worked[most] - worked[fewest]) / (most - fewest)
        yield Row(f"own time per tool turn, processor, from {fewest} to {most}", "ms", [each], goal="< 20")
        slope = (late[most] - late[fewest]) / (most - fewest) * 100
        yield Row(
            f"own time per tool turn, slope from {fewest} to {most}", "ms more per 100 turns", [slope], goal="flat"
        )


def sizes(requests: Sequence[Received]) -> Iterator[Row]:
    """Bytes, tokens as litellm counts them for gpt-4o, and what a provider can take from its cache."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks the net for prices when it is imported
    from litellm import token_counter

    for part, text in told(requests[0].json).items():
        yield Row(f"tokens of request 1: {part}", "tokens", [token_counter(model="gpt-4o", text=text)])
    for number, goal in ((1, "< 4,500"), (len(requests) - 1, "")):
        request = requests[number - 1]
        tokens = token_counter(model="gpt-4o", text=text_of(request.json))
        yield Row(f"tokens of request {number}", "tokens", [tokens], goal=goal)
        yield Row(f"bytes of request {number}", "bytes", [len(request.body)])
    shares = [share(earlier, later) for earlier, later in pairwise(requests)]
    yield Row("share of a request that begins the next, byte for byte", "%", shares)
    yield Row(
        "requests that begin the next wholly",
        "%",
        [statistics.mean(100 * (part == 100) for part in shares)],
        goal="100",
    )


def told(request: dict[str, Any]) -> dict[str, str]:
    """The parts of a request, the largest tools by themselves."""
    prompt, *rest = request["messages"]
    tools = {tool["function"]["name"]: json.dumps(tool, ensure_ascii=False) for tool in request.get("tools", [])}
    largest = sorted(tools, key=lambda name: -len(tools[name]))[:LARGEST]
    others = "".join(text for name, text in tools.items() if name not in largest)
    messages = {"system prompt": prompt["content"], "messages": json.dumps(rest, ensure_ascii=False)}
    return messages | {name: tools[name] for name in largest} | {"all other tools": others}


def text_of(request: dict[str, Any]) -> str:
    """What the model has to read of a request, as JSON."""
    return json.dumps([request["messages"], request.get("tools", [])], ensure_ascii=False)


def share(earlier: Received, later: Received) -> float:
    """Percent of the bytes of the messages, from the first on, that stand in the later request too; none where anything
    else of it differs, since that stands before them for the model.
    """
    (messages, rest), (more, later_rest) = parts_of(earlier), parts_of(later)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(messages, more, strict=False)))
    return 100 * alike / len(messages) if rest == later_rest else 0.0


def parts_of(request: Received) -> tuple[str, str]:
    """The messages as they were sent, without the bracket that ends them, and all else."""
    text = request.body.decode()
    start = text.index("[", text.index('"messages"'))
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start : end - 1], text[:start] + text[end:]


def waits(model: LoopbackModel) -> list[float]:
    """Milliseconds between the end of an answer and the next request."""
    came = [request.came for request in model.requests]
    return [(came - ended) * 1_000 for ended, came in zip(model.ended, came[1:], strict=False)]


def reader(turns: int, at_end: Callable[[], None] = lambda: None) -> LoopbackModel:
    """A model that reads `turns` times, then says that it is done."""

    def answer(request: dict[str, Any]) -> Say:
        number = turn(request) + 1
        if number > turns:
            at_end()
            return Say("Done.")
        line = number // FILES % LINES + 1
        arguments = {"path": f"file_{number % FILES}.txt", "first_line": line, "last_line": line}
        return Say(calls=[Call("read_file", arguments, f"call_{number}")])

    return LoopbackModel(answer)


def planact(room: Room, turns: int) -> tuple[LoopbackModel, float, float]:
    """The turn as planact makes it, its peak memory in MB, and the milliseconds that it had of the processor, all until
    the last answer.
    """
    workspace = room.make(f"of-{turns}")
    for number in range(FILES):
        (workspace / f"file_{number}.txt").write_text("".join(f"{line}\n" for line in range(LINES)))
    running: list[int] = []
    peak: list[float] = []
    used: list[float] = []

    def look() -> None:
        times = psutil.Process(running[0]).cpu_times()
        used.append((times.user + times.system) * 1_000)
        peak.append(peak_memory(running[0]))

    with reader(turns, look) as model:
        variables = program.environment(model, PLANACT_LIMITS_MAX_TURNS=str(turns + 1))
        process = program.start(["plan", "Look at all of it"], workspace, variables)
        running.append(process.pid)
        process.wait(3_600)
    assert len(model.requests) == turns + 1
    return model, peak[0], used[0]


def peak_memory(pid: int) -> float:
    """MB."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1_024
    return psutil.Process(pid).memory_info().rss / 2**20


def bare(requests: Sequence[bytes], turns: int) -> LoopbackModel:
    """The same requests from a bare client."""
    with reader(turns) as model:
        bare_client(model, requests)
    return model


def bare_client(model: LoopbackModel, requests: Sequence[bytes]) -> None:
    """Send requests, parsing each answer and writing the next request as JSON, and no more."""
    connection = http.client.HTTPConnection(model.url.split("/")[2])
    for request in requests:
        body = json.dumps(json.loads(request))
        connection.request("POST", "/v1/chat/completions", body)
        for line in connection.getresponse().read().splitlines():
            if line.startswith(b"data: {"):
                json.loads(line[6:])
    connection.close()
