"""Puts a session of many messages into planact's state of a folder, as weeks of use would: FOLDER COUNT."""

import os
import sys
from pathlib import Path

from planact.app.compose import App
from planact.model.chat.message import Message, Session, ToolCall, Usage
from planact.ports import Ports

ANSWER = """What there is, for the **{number}**th time, with `code` in it:

1. `store.py` reads the configuration
2. `app.py` greets

```python
def load(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))
```

| file | lines |
| --- | --- |
| store.py | 9 |
"""


def main(folder: Path, count: int) -> None:
    ports = App(os.environ, Path.home(), lambda *_: None, {}).workspace(folder).ports
    session = Session(id=ports.ids.uuid7(), title="A long session", created_at=now(ports), updated_at=now(ports))
    ports.sessions.put(session)
    for number in range(1, count + 1):
        ports.sessions.add_message(message(ports, session.id, number))


def message(ports: Ports, session_id: str, number: int) -> Message:
    """A request, an answer, a call and its result, again and again."""
    common = {"id": ports.ids.uuid7(), "session_id": session_id, "created_at": now(ports)}
    match number % 4:
        case 1:
            return Message(**common, role="user", content=f"Request {number}: what is there?")
        case 2:
            usage = Usage(input_tokens=1000, output_tokens=100, requests=1)
            return Message(**common, role="assistant", content=ANSWER.format(number=number), usage=usage)
        case 3:
            call = ToolCall(id=f"call{number}", name="read_file", arguments='{"path": "store.py"}')
            return Message(**common, role="assistant", message_type="tool_call", tool_calls=(call,))
        case _:
            text = "def load(path): ...\n" * 30
            common["tool_call_id"] = f"call{number - 1}"
            return Message(**common, role="tool", message_type="tool_result", content=text)


def now(ports: Ports) -> str:
    return ports.clock.now().isoformat()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
