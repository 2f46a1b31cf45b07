"""Gemini's `streamGenerateContent`. Source: ai.google.dev/api/generate-content, and its page on thought signatures.

Names of fields may be written as `thisOne` or as `this_one`, as for all of Google's APIs.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.real.wire.server import (
    ANY,
    FLAG,
    NUMBER,
    OBJECT,
    TEXT,
    WHOLE,
    Answer,
    Said,
    Sent,
    items,
    record,
    sse,
)

USAGE = {
    "promptTokenCount": 100,
    "cachedContentTokenCount": 40,
    "candidatesTokenCount": 15,
    "thoughtsTokenCount": 5,
    "totalTokenCount": 120,
}


def _both(**fields: Any) -> dict[str, Any]:
    snake = {re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name): schema for name, schema in fields.items()}
    return snake | fields


def google(_required: tuple[str, ...] = (), **fields: Any) -> dict[str, Any]:
    """Return the schema of an object with these fields and no others."""
    return record(_required, **_both(**fields))


_PART = google(
    (),
    text=TEXT,
    thought=FLAG,
    thoughtSignature={"type": "string", "minLength": 1},
    inlineData=google((), mimeType=TEXT, data=TEXT),
    fileData=google((), mimeType=TEXT, fileUri=TEXT),
    functionCall=google(("name",), id=TEXT, name=TEXT, args=OBJECT),
    functionResponse=google(("name", "response"), id=TEXT, name=TEXT, response=OBJECT, parts=ANY),
)
_CONTENT = google(("parts",), role={"enum": ["user", "model"]}, parts=items(_PART, minItems=1))
_DECLARATION = google(("name",), name=TEXT, description=TEXT, parameters=OBJECT, parametersJsonSchema=OBJECT)
_LEVELS = {"enum": ["minimal", "low", "medium", "high", "MINIMAL", "LOW", "MEDIUM", "HIGH"]}
FIELDS = {
    "contents": items(_CONTENT, minItems=1),
    "tools": items(google((), functionDeclarations=items(_DECLARATION, minItems=1))),
    "toolConfig": OBJECT,
    "safetySettings": items(OBJECT),
    "systemInstruction": google(("parts",), role=TEXT, parts=items(_PART, minItems=1)),
    "cachedContent": TEXT,
    "generationConfig": google(
        (),
        stopSequences=items(TEXT),
        responseMimeType=TEXT,
        candidateCount=WHOLE,
        maxOutputTokens=WHOLE,
        temperature=NUMBER,
        topP=NUMBER,
        topK=NUMBER,
        seed=WHOLE,
        thinkingConfig=google((), includeThoughts=FLAG, thinkingBudget=WHOLE, thinkingLevel=_LEVELS),
        mediaResolution=TEXT,
    ),
}


class Gemini:
    """Google AI Studio's API; signatures have to come back, on one part each."""

    path = r"/models/[^/]+:streamGenerateContent\?alt=sse$|:streamGenerateContent"

    def schema(self) -> Mapping[str, Any]:
        return google(("contents",), **FIELDS)

    def more_problems(self, sent: Sent) -> Iterator[str]:
        """Yield turns out of order, parts without data, and calls whose signature is gone or there twice."""
        if not sent.headers.get("x-goog-api-key") and "key=" not in sent.path:
            yield "no key"
        yield from gemini_problems(sent)

    def answer(self, said: Said, sent: Sent) -> Answer:
        return Answer(sse(*chunks(said)))


def gemini_problems(sent: Sent) -> Iterator[str]:
    """Yield what Gemini refuses beside unknown fields."""
    asked = 0
    signatures: list[str] = []
    for content in sent.body.get("contents", ()):
        parts = [{re.sub(r"_(.)", lambda m: m[1].upper(), k): v for k, v in part.items()} for part in content["parts"]]
        calls = [part for part in parts if "functionCall" in part]
        results = [part for part in parts if "functionResponse" in part]
        if len(results) != asked:
            yield f"{len(results)} results for {asked} calls"
        asked = len(calls)
        if calls and not calls[0].get("thoughtSignature"):
            yield "Function call is missing a thought_signature in functionCall parts"
        for part in parts:
            if not part.keys() & {"text", "inlineData", "fileData", "functionCall", "functionResponse"}:
                yield "a part without data"
            if part.get("text") == "" and "thoughtSignature" not in part:
                yield "an empty text parameter"
            signatures += filter(None, [part.get("thoughtSignature")])
    if len(signatures) != len({*signatures}):
        yield "a signature is there twice, and billed twice"


def chunks(said: Said, finish_reason: str = "STOP") -> list[dict[str, Any]]:
    """Return the chunks of a whole stream: the first call carries the signature, else the last piece of text."""
    parts: list[dict[str, Any]] = []
    if said.reasoning:
        parts.append({"text": said.reasoning, "thought": True})
    parts += [{"text": piece} for piece in _pieces(said.text)]
    for number, call in enumerate(said.calls):
        signed = {} if number else {"thoughtSignature": said.mark}
        parts.append({"functionCall": {"name": call.name, "args": dict(call.arguments)}, **signed})
    found = [chunk([part]) for part in parts]
    last = [] if said.calls else [{"text": "", "thoughtSignature": said.mark}]
    return [*found, chunk(last or [{"text": ""}], finish_reason)]


def chunk(parts: list[dict[str, Any]], finish_reason: str = "") -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finish_reason:
        candidate["finishReason"] = finish_reason
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "m", "responseId": "r"}


def _pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]
