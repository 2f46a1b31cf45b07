"""Messages of a request, in the shape of chat completions, made from the transcript.

Each call's result directly follows it, also where messages came in between; a call without a result was interrupted.
Messages for people only are left out: so are answers to questions, unless the call that asked ended without the answer.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from planact.base.text import shortened
from planact.model.chat.image import Image
from planact.model.chat.message import PLAN_HEADING, REDACTED, Message, ToolCall

INTERRUPTED = (
    '{"error": {"code": "INTERRUPTED", "message": "This call was interrupted and may have acted. '
    'Look at the present state before you repeat it."}}'
)
CUT_OFF = "cut_off"
"""In the metadata of an answer that broke off: people see what was said; the model, if it wasn't asked again."""

COMPACTION = "compaction"
"""In the metadata of a message that replaces earlier ones: `keeps_from`, id of the first message that stays, empty =
none; `results`, characters that stay of each older result; `lacks_answer`, whether a question was open; `summary`, what
the model wrote.
"""

SURROUNDINGS = "surroundings"
"""In the metadata of a message about the place that the agent works in: the facts that can change."""

TOLD_APART = "told_apart"
"""In the metadata of an answer of which the model is told by a result or a message of its own, not by this one."""

_PINNED = "pinned"
"""In the metadata of the approved plan, which is part of a request only; what begins the context anew leaves it."""

_LONG_RESULT = 400
"""Characters from which on a result that the request already has isn't sent again."""

_BYTES_PER_TOKEN = 3
TOKENS_PER_IMAGE = 1_600


def request_messages(system: str, transcript: Sequence[Message], model: str = "") -> list[Mapping[str, Any]]:
    """Return the messages of a request to `model`: the system prompt, then the transcript since the context last began
    anew.
    """
    return [{"role": "system", "content": system}, *RequestMessages(model).shape(transcript)]


def _with_plan(transcript: Sequence[Message], plan: str) -> list[Message]:
    """Return the messages with the approved plan before the one that last began a run, else before them all."""
    messages = list(transcript)
    if plan:
        begun = [at for at, message in enumerate(messages) if "begins_context" in message.metadata]
        text = f"{PLAN_HEADING}\n\n{plan.strip()}"
        pinned = Message(
            id=_PINNED, session_id="", role="system", content=text, metadata={"for_model": True, _PINNED: True}
        )
        messages.insert(begun[-1] if begun else 0, pinned)
    return messages


class RequestMessages:
    """Request messages of a transcript that grows: the part that can't change any more is shaped once. `load` returns
    the bytes of a picture by their SHA-256.
    """

    def __init__(self, model: str, load: Callable[[str], bytes | None] = lambda _: b"") -> None:
        self._model = model
        self._load = load
        self._known: list[Message] = []  # up to the answer behind the shaped part
        self._shaped: list[Mapping[str, Any]] = []
        self._told: dict[str, ToolCall] = {}

    def of(self, system: str, transcript: Sequence[Message], plan: str = "") -> list[Mapping[str, Any]]:
        """Return the messages of the next request, as `request_messages` does, with the approved plan where the run
        began.
        """
        messages = _with_plan(transcript, plan)
        known = len(self._known)
        if messages[:known] != self._known or any(map(_begins_anew, messages[known:])):
            self._known, self._shaped, self._told, known = [], [], {}, 0
        shaped = max(known - 1, 0)
        settled = _unchanging_count(messages, shaped)
        self._shaped += self.shape(messages[shaped:settled])
        self._known = messages[: settled + 1]
        return [{"role": "system", "content": system}, *self._shaped, *self.shape(messages[settled:])]

    def shape(self, transcript: Sequence[Message]) -> list[Mapping[str, Any]]:
        """Return the messages for the part of a transcript that follows the part shaped before."""
        shaped: list[Mapping[str, Any]] = []
        results: dict[str, Message] = {}
        lacks_answer = False
        for message, after in _with_results(in_context(transcript)):
            if "begins_context" in message.metadata:
                self._told.clear()  # what a run reads again is sent again, also where the conversation goes on
            if message.role == "assistant":
                results = {result.tool_call_id: result for result in after}
                lacks_answer = any(call.id not in results for call in message.tool_calls)
                lacks_answer = lacks_answer or any(result.metadata.get("lacks_answer") for result in after)
                shaped.append(_assistant(message, self._model))
                shaped += [self._result(call, results.get(call.id)) for call in message.tool_calls]
            elif "question_answer" in message.metadata:
                if lacks_answer and not message.metadata.get(TOLD_APART):
                    shaped.append({"role": "user", "content": f"[planact] The user answered: {message.content}"})
            elif message.role == "user":
                shaped.append({"role": "user", "content": _with_images(message)})
            elif message.role == "system" and message.metadata.get("for_model"):
                lacks_answer = lacks_answer or bool(message.metadata.get(COMPACTION, {}).get("lacks_answer"))
                shaped.append({"role": "user", "content": f"[planact] {message.content}"})
        return shaped

    def _result(self, call: ToolCall, result: Message | None) -> Mapping[str, Any]:
        """Return a call's result. A long result that the same request already has word for word is replaced by a
        pointer to the earlier call: a file that hasn't changed, a test that fails as before.
        """
        content = INTERRUPTED if result is None else result.content
        earlier = self._told.setdefault(content, call)
        if earlier is not call and len(content) >= _LONG_RESULT:
            about = f"{earlier.name} {shortened(earlier.arguments, 200)}"
            content = f"[planact: the result is, word for word, that of your earlier call above: {about}]"
        loaded = [(picture, self._load(picture.sha256)) for picture in (result.pictures if result else ())]
        images = [
            {"type": "image_url", "image_url": {"url": Image.of(picture.media_type, data).url}}
            for picture, data in loaded
            if data is not None
        ]
        told = [{"type": "text", "text": content}, *images] if images else content
        return {"role": "tool", "tool_call_id": call.id, "content": told}


def _begins_anew(message: Message) -> bool:
    return bool(message.metadata) and bool(message.metadata.get("begins_context") or message.metadata.get(COMPACTION))


def _unchanging_count(messages: Sequence[Message], since: int) -> int:
    """Return how many messages can't change any more: those before the last answer, unless the context began anew with
    or after that answer, or it moves to another place; `since` where there is no such answer.
    """
    for at in range(len(messages) - 1, since, -1):
        message, before = messages[at], messages[at - 1]
        if _begins_anew(message):
            break
        is_moved = any(other.role == "user" and message.id < other.id for other in messages[since:at])
        takes_out = before.metadata.get(CUT_OFF) or _begins_anew(
            before
        )  # the kept part may end with one that was cut off
        if message.role == "assistant" and not is_moved and not takes_out:
            return at
    return since


def in_context(transcript: Sequence[Message]) -> Sequence[Message]:
    """Return the messages that the model gets, in order: since the context last began anew or was compacted.

    What tells the surroundings comes before the user's words, which were kept first. A message that the user wrote
    while the model answered comes after that answer: ids are sorted by time, and a reply's id is as old as its request.
    """
    ordered: list[Message] = []
    for message in transcript:
        pinned = [each for each in ordered if _PINNED in each.metadata] if _begins_anew(message) else []
        metadata = message.metadata
        if metadata.get("begins_context"):
            ordered = [*pinned]
        if compaction := metadata.get(COMPACTION):
            kept = _kept(ordered, compaction["keeps_from"], compaction["results"])
            ordered = [message, *pinned, *(each for each in kept if each not in pinned)]
            continue
        if ordered and message.role == "assistant" and ordered[-1].metadata.get(CUT_OFF):
            ordered.pop()  # it was asked again
        is_in_front = SURROUNDINGS in metadata
        at = len(ordered)
        while at > 0 and ordered[at - 1].role == "user":
            if not (is_in_front or (message.role == "assistant" and message.id < ordered[at - 1].id)):
                break
            at -= 1
        ordered.insert(at, message)
    return ordered


def tokens_of(*messages: Mapping[str, Any]) -> int:
    """Return an estimate of a request's tokens: too high for English and code, right for most other scripts."""
    images = 0
    size = 0
    for message in messages:
        content = message.get("content")
        if isinstance(content, list):
            images += sum(part["type"] != "text" for part in content)
            message = {**message, "content": [part for part in content if part["type"] == "text"]}
        size += len(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))
    return size // _BYTES_PER_TOKEN + images * TOKENS_PER_IMAGE


def _kept(ordered: Sequence[Message], keeps_from: str, limit: int) -> list[Message]:
    """Return the messages that a compaction keeps, with long results cut. A picture counts as one."""
    at = next((at for at, message in enumerate(ordered) if message.id == keeps_from), len(ordered))
    return [_cut(message, limit) if message.role == "tool" else message for message in ordered[at:]]


def _cut(result: Message, limit: int) -> Message:
    content = shortened(result.content, limit)
    if content != result.content:
        content += f'\n[planact: read_output with id "{result.id}" has all of it]'
    update: dict[str, Any] = {"content": content}
    if result.pictures and limit < TOKENS_PER_IMAGE * _BYTES_PER_TOKEN:
        update = {"content": f"{content}\n[planact: the image is left out]", "pictures": ()}
    return result.model_copy(update=update)


def _with_results(transcript: Sequence[Message]) -> Sequence[tuple[Message, Sequence[Message]]]:
    """Return each message with the results of its calls: those up to the next reply, since providers reuse ids."""
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


def _assistant(message: Message, model: str) -> Mapping[str, Any]:
    cut = "\n[planact: cut off here]" if message.metadata.get(CUT_OFF) else ""
    shaped: dict[str, Any] = {"role": "assistant", "content": f"{message.content}{cut}"}
    if message.model == model and not cut:
        if message.reasoning:
            shaped["reasoning_content"] = message.reasoning
        # Signed parts must come back unchanged, or not at all.
        if message.thinking_blocks and not any(REDACTED in json.dumps(block) for block in message.thinking_blocks):
            shaped["thinking_blocks"] = [dict(block) for block in message.thinking_blocks]
    if message.tool_calls:
        shaped["tool_calls"] = [_call(call) for call in message.tool_calls]
    return shaped


def _with_images(message: Message) -> str | list[dict[str, Any]]:
    # A part that seems to hold a secret is stored redacted, so it has changed when the session is loaded again.
    kept = [image for image in message.images if REDACTED not in image.data]
    if not kept:
        return message.content
    images = [{"type": "image_url", "image_url": {"url": image.url}} for image in kept]
    return [{"type": "text", "text": message.content}, *images]


def _call(call: ToolCall) -> Mapping[str, Any]:
    """Return the call as the model made it, changed only where providers would refuse it in every later request."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unnamed"
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": _arguments(call.arguments)}}


def _arguments(text: str) -> str:
    if _is_object(text):
        return text
    return json.dumps({"not_an_object": text}) if text.strip() else "{}"


def _is_object(text: str) -> bool:
    for read in (from_json, json.loads):  # the first is quicker, and refuses half characters
        try:
            return isinstance(read(text), dict)
        except (ValueError, RecursionError):
            continue
    return False
