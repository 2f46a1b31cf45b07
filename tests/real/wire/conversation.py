"""A conversation of four turns with a picture, reasoning, one call and two at once, as the agent holds it."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planact.agent.context import request_messages
from planact.model.chat.image import Image
from planact.model.chat.message import Message, ModelRequest, Reply, TextDelta
from planact.ports import Model
from tests.real.wire.server import Called, Said

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE = Image(media_type="image/png", data=PNG)
READ = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Return a file's text.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "lines": {"type": "integer", "minimum": 1}},
            "required": ["path"],
            "additionalProperties": False,
        },
    },
}
TURNS = (
    Said("Let me look.", "A picture of a file.", (Called("read_file", {"path": "a.py"}),), "SIGNEDaaa1"),
    Said("", "Two more are named.", tuple(Called("read_file", {"path": p}) for p in ("b.py", "ü.py")), "SIGNEDbbb2"),
    Said("It is a plan.", "Now I know.", (), "SIGNEDccc3"),
    Said("You're welcome.", "Be polite.", (), "SIGNEDddd4"),
)
SESSION = "0199ab12-session"
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Heard:
    """A reply and the pieces in which it came."""

    reply: Reply
    pieces: Sequence[TextDelta]


async def hold(model: Model, name: str, *, with_picture: bool = True) -> list[Heard]:
    """Hold the conversation and return the four replies."""
    transcript = [_message("user", "What is this?", images=[PICTURE] if with_picture else [])]
    heard: list[Heard] = []
    for turn in range(len(TURNS)):
        request = ModelRequest(request_messages("Be brief.", transcript, name), [READ], SESSION)
        *pieces, reply = [each async for each in model.stream(request)]
        assert isinstance(reply, Reply)
        heard.append(Heard(reply, [piece for piece in pieces if isinstance(piece, TextDelta)]))
        transcript.append(
            _message(
                "assistant",
                reply.text,
                message_type="tool_call" if reply.tool_calls else "text",
                tool_calls=reply.tool_calls,
                reasoning=reply.reasoning,
                thinking_blocks=[dict(block) for block in reply.thinking_blocks],
                model=name,
            )
        )
        transcript += [_message("tool", f"text of {call.arguments}", tool_call_id=call.id) for call in reply.tool_calls]
        if turn == len(TURNS) - 2:
            transcript.append(_message("user", "Thank you"))
    return heard


def _message(role: str, content: str, **more: Any) -> Message:
    known = {"id": f"{next(_NUMBERS):04}", "session_id": "s", "role": role, "content": content}
    return Message.model_validate({**known, **more})
