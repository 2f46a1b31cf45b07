"""What it takes to go on with a long session in a new process: its newest page in the chat, the next request, going
back to its middle, and putting it together for the model. Beside it, a request where the process has read it before.
"""

import asyncio
import json
import sqlite3
import statistics
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from planact.adapters.store.state.database import state_folder
from planact.agent.ask_model import Asker
from planact.agent.budget import TurnSpent
from planact.agent.compact import Compactor
from planact.agent.context import request_messages
from planact.lsp.protocol.messages import Transcript
from planact.model.chat.message import Message, Reply, Session, ToolCall, active_messages
from planact.tools.trace import Trace
from planact.workflows.turns.take_turn import Scope, make_turn
from planact.workflows.undo.rewind import rewind
from planact.workflows.workspace import Workspace
from tests.bench.calls import a_workspace, opened
from tests.bench.row import Room, Row, in_turns
from tests.fakes.world import PlayedModel

PAGE = 50
"""Messages that the chat asks for first."""


def bench(room: Room) -> Iterator[Row]:
    medians: dict[str, dict[int, float]] = {}
    sizes = room.pick((1_000, 5_000, 10_000), (30,))
    for count in sizes:
        for name, goal, took, raw in measured(room, count, room.pick(7, 1)):
            medians.setdefault(name, {})[count] = statistics.median(took)
            goal = goal if count == room.pick(5_000, 30) else ""
            yield Row(f"session of {count:,} messages: {name}", "ms", took, raw, "SQLite and json", goal)
    few, many = sizes[0], sizes[-1]
    for name, by_size in medians.items() if few != many else ():
        times = by_size[many] / by_size[few]
        yield Row(f"session: {name}, {many:,} messages beside {few:,}", "times", [times], goal=f"≤ {many // few}")


def measured(room: Room, count: int, runs: int) -> Iterator[tuple[str, str, list[float], list[float]]]:
    """Name, goal, and milliseconds: ours and raw. Each act that changes a session has one of its own each time."""
    root = a_workspace(room, f"of-{count}").ports.files.root
    sessions = [f"s{number}" for number in range(runs)]
    say(opened(root), sessions, count)

    def page(session_id: str) -> None:
        found = [message for message in opened(root).ports.sessions.messages(session_id) if message.is_shown]
        shown = Transcript(session_id=session_id, messages=tuple(found[-PAGE:]), has_earlier=True)
        assert len(shown.model_dump_json()) > PAGE

    def request(session_id: str) -> None:
        request_again(session_id, opened(root))

    def request_again(session_id: str, ws: Workspace) -> None:
        messages = active_messages(ws.ports.sessions.messages(session_id))
        assert len(request_messages("You plan.", messages)) > count

    def go_back(session_id: str) -> None:
        ws = opened(root)
        asyncio.run(rewind(ws, session_id, f"{session_id}-{count // 6 * 3:05}"))
        assert len(active_messages(ws.ports.sessions.messages(session_id))) == count // 6 * 3 + 1

    def put_together(session_id: str) -> None:
        ws = opened(root)
        turn, _ = make_turn(ws, session_id, Scope(), Trace(), "played")
        asker = Asker(ws.ports, PlayedModel([Reply("It was long.")]), turn, TurnSpent(), window=200_000)
        transcript = ws.ports.sessions.messages(session_id)
        assert asyncio.run(Compactor(asker).compact(transcript, is_wish=True)) is not None

    known = opened(root)
    for session_id in sessions:
        request_again(session_id, known)

    def raw(session_id: str) -> None:
        with closing(sqlite3.connect(state_folder(root) / "state.db")) as connection:
            rows = connection.execute("SELECT data FROM messages WHERE session_id = ? ORDER BY sequence", (session_id,))
            assert len([json.loads(text) for (text,) in rows]) >= count

    acts: tuple[tuple[str, str, Callable[[str], None]], ...] = (
        ("newest page", "< 200", page),
        ("next request", "< 50", request),
        ("next request, where it was read before", "< 50", partial(request_again, ws=known)),
        ("put together", "", put_together),
        ("/rewind to its middle", "", go_back),
    )
    for name, goal, act in acts:
        ours, bare = iter(sessions), iter(sessions)
        took = in_turns(runs, {"ours": lambda: act(next(ours)), "raw": lambda: raw(next(bare))})  # noqa: B023
        yield name, goal, took["ours"], took["raw"]


def say(ws: Workspace, sessions: list[str], count: int) -> None:
    """Write sessions of that many messages down, at once: the user's, and calls with their results."""
    for session_id in sessions:
        ws.ports.sessions.put(Session(id=session_id))
    with closing(sqlite3.connect(state_folder(Path(ws.ports.files.root)) / "state.db")) as connection:
        connection.executemany(
            "INSERT INTO messages (session_id, data) VALUES (?, ?)",
            ((session_id, message.model_dump_json()) for session_id in sessions for message in said(session_id, count)),
        )
        connection.commit()


def said(session_id: str, count: int) -> Iterator[Message]:
    """A question, and a call with its result, again and again."""
    for number in range(count):
        path = json.dumps({"path": f"file_{number}.py"})
        call = ToolCall(id=f"call_{number // 3}", name="read_file", arguments=path)
        name = f"{session_id}-{number:05}"
        match number % 3:
            case 0:
                yield Message(id=name, session_id=session_id, role="user", content=f"Look at file {number}.")
            case 1:
                yield Message(
                    id=name, session_id=session_id, role="assistant", message_type="tool_call", tool_calls=(call,)
                )
            case _:
                text = f"line {number} of a file\n" * 60
                yield Message(
                    id=name,
                    session_id=session_id,
                    role="tool",
                    message_type="tool_result",
                    tool_call_id=call.id,
                    content=text,
                )
