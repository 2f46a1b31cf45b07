"""From the transcript to the messages of a request, in the shape of chat completions.

A call's result directly follows it, whatever was said in between; a call without a result was interrupted. What is only
for people stays out: so do answers to questions, unless the call that asked ended without the answer.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from planact.model.message import Message
from planact.model.tool_call import ToolCall

INTERRUPTED = (
    '{"error": {"code": "INTERRUPTED", "message": "This call was interrupted and may have acted. '
    'Look at the present state before you repeat it."}}'
)


def request_messages(system: str, transcript: Sequence[Message]) -> list[Mapping[str, Any]]:
    """The messages of a request: the system prompt, then what was said since the context last began anew."""
    shaped: list[Mapping[str, Any]] = [{"role": "system", "content": system}]
    results: dict[str, str] = {}
    lacks_answer = False
    for message, after in _with_results(_in_order(transcript)):
        if message.role == "assistant":
            results = {result.tool_call_id: result.content for result in after}
            lacks_answer = any(call.id not in results for call in message.tool_calls)
            lacks_answer = lacks_answer or any(result.metadata.get("lacks_answer") for result in after)
            shaped.append(_assistant(message))
            shaped += [_result(call, results.get(call.id, INTERRUPTED)) for call in message.tool_calls]
        elif "question_answer" in message.metadata:
            if lacks_answer:
                shaped.append({"role": "user", "content": f"[planact] The user answered: {message.content}"})
        elif message.role == "user":
            shaped.append({"role": "user", "content": message.content})
        elif message.role == "system" and message.metadata.get("for_model"):
            shaped.append({"role": "user", "content": f"[planact] {message.content}"})
    return shaped


def _with_results(transcript: Sequence[Message]) -> Sequence[tuple[Message, Sequence[Message]]]:
    """Each message with the results of its calls: those up to the next reply, since providers use ids again."""
    paired: list[tuple[Message, list[Message]]] = []
    results: list[Message] = []
    for message in transcript:
        if message.role == "tool":
            results.append(message)
            continue
        if message.role == "assistant":
            results = []
        paired.append((message, results))
    return paired


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


def _assistant(message: Message) -> Mapping[str, Any]:
    shaped: dict[str, Any] = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        shaped["tool_calls"] = [_call(call) for call in message.tool_calls]
    return shaped


def _call(call: ToolCall) -> Mapping[str, Any]:
    """The call as the model made it; what providers would not take back is put so that they do, or the session would be
    stuck with it.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unnamed"
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": _arguments(call.arguments)}}


def _arguments(text: str) -> str:
    try:
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    return text if is_object else json.dumps({"not_an_object": text}) if text.strip() else "{}"


def _result(call: ToolCall, content: str) -> Mapping[str, Any]:
    return {"role": "tool", "tool_call_id": call.id, "content": content}
