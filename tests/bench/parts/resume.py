"""What it takes to go on with a session of 1,000 messages in a new process: from its database to the next request."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from planact.adapters.store.state.database import state_folder
from planact.agent.context import request_messages
from planact.model.chat.message import Message, Session, ToolCall, active_messages
from tests.bench.calls import a_workspace, opened
from tests.bench.row import Room, Row, in_turns


def bench(room: Room) -> Iterator[Row]:
    count = room.pick(1_000, 30)
    workspace = a_workspace(room)
    root = workspace.ports.files.root
    workspace.ports.sessions.put(Session(id="s"))
    for number in range(0, count, 2):
        call = ToolCall(id=f"call_{number}", name="read_file", arguments=json.dumps({"path": f"file_{number}.py"}))
        for message in (
            Message(id=f"m{number:05}", session_id="s", role="assistant", message_type="tool_call", tool_calls=(call,)),
            Message(
                id=f"m{number + 1:05}",
                session_id="s",
                role="tool",
                message_type="tool_result",
                tool_call_id=call.id,
                content="a line of a file\n" * 60,
            ),
        ):
            workspace.ports.sessions.add_message(message)

    def resume() -> None:
        sessions = opened(root).ports.sessions
        messages = active_messages(sessions.messages(sessions.get("s").id))
        assert len(request_messages("You plan.", messages)) == count + 1

    def raw() -> None:
        with closing(sqlite3.connect(state_folder(root) / "state.db")) as connection:
            rows = connection.execute("SELECT data FROM messages WHERE session_id = 's' ORDER BY sequence")
            assert len([json.loads(text) for (text,) in rows]) == count

    took = in_turns(room.pick(15, 1), {"ours": resume, "raw": raw})
    yield Row(f"resume a session of {count:,} messages", "ms", took["ours"], took["raw"], "SQLite and json")
