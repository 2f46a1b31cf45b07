"""From the transcript to the messages of a request, in the shape of chat completions.

A call's result directly follows it, whatever was said in between; a call without a result was interrupted. What is only
for people (answers to questions, which the tool's result carries too) stays out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planact.model.message import Message

INTERRUPTED = (
    '{"error": {"code": "INTERRUPTED", "message": "This call was interrupted and may have acted. '
    'Look at the present state before you repeat it."}}'
)


def request_messages(system: str, transcript: Sequence[Message]) -> list[Mapping[str, Any]]:
    """The messages of a request: the system prompt, then what was said since the context last began anew."""
    results = {message.tool_call_id: message.content for message in transcript if message.role == "tool"}
    shaped: list[Mapping[str, Any]] = [{"role": "system", "content": system}]
    for message in _in_order(transcript):
        shaped += _shape(message, results)
    return shaped


def _in_order(transcript: Sequence[Message]) -> Sequence[Message]:
    """What the user wrote while the model spoke comes after what it then said. Ids are sorted by time, and a reply's
    id is as old as its request.
    """
    ordered: list[Message] = []
    for message in transcript:
        if message.metadata.get("begins_context"):
            ordered.clear()
        at = len(ordered)
        while (
            message.role == "assistant"
            and at > 0
            and ordered[at - 1].role == "user"
            and message.id < ordered[at - 1].id
        ):
            at -= 1
        ordered.insert(at, message)
    return ordered


def _shape(message: Message, results: Mapping[str, str]) -> Iterable[Mapping[str, Any]]:
    if message.role == "assistant":
        yield _assistant(message)
        for call in message.tool_calls:
            yield {"role": "tool", "tool_call_id": call.id, "content": results.get(call.id, INTERRUPTED)}
    elif message.role == "user" and "question_answer" not in message.metadata:
        yield {"role": "user", "content": message.content}
    elif message.role == "system" and message.metadata.get("for_model"):
        yield {"role": "user", "content": f"[planact] {message.content}"}


def _assistant(message: Message) -> Mapping[str, Any]:
    shaped: dict[str, Any] = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        shaped["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments or "{}"}}
            for call in message.tool_calls
        ]
    return shaped
