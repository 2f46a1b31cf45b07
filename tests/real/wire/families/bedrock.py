"""Bedrock's `ConverseStream`. Source: AWS's own description of the API, as it comes with botocore."""

import binascii
import json
import re
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import botocore.session

from tests.real.wire.families.anthropic import claude_problems
from tests.real.wire.server import FLAG, NUMBER, OBJECT, TEXT, WHOLE, Answer, Said, Sent, items, record

USAGE = {
    "inputTokens": 50,
    "cacheReadInputTokens": 40,
    "cacheWriteInputTokens": 10,
    "outputTokens": 20,
    "totalTokens": 120,
}
KIND = "application/vnd.amazon.eventstream"
_SIGNED = r"AWS4-HMAC-SHA256 Credential=[^/]+/\d{8}/us-east-1/bedrock/aws4_request, SignedHeaders=\S+, Signature=\w{64}"
_PLAIN = {"boolean": FLAG, "integer": WHOLE, "long": WHOLE, "float": NUMBER, "double": NUMBER, "timestamp": TEXT}


class Bedrock:
    """Claude as AWS serves it: requests are signed, and answers come as binary events."""

    path = r"/model/[^/]+/converse-stream$"

    def schema(self) -> Mapping[str, Any]:
        return _schema()

    def more_problems(self, sent: Sent) -> Iterator[str]:
        """Yield an unsigned request, and what Claude refuses."""
        if not re.fullmatch(_SIGNED, sent.headers.get("authorization", "")) or "x-amz-date" not in sent.headers:
            yield "The request signature we calculated does not match the signature you provided"
        more = sent.body.get("additionalModelRequestFields", {})
        if unknown := more.keys() - {"thinking", "output_config", "anthropic_beta", "top_k"}:
            yield f"{sorted(unknown)}: Extra inputs are not permitted"
        body = {
            "thinking": more.get("thinking", {}),
            "max_tokens": sent.body.get("inferenceConfig", {}).get("maxTokens", 0),
            "tools": sent.body.get("toolConfig"),
            "messages": [{"content": [_as_claude(part) for part in each["content"]]} for each in sent.body["messages"]],
        }
        yield from claude_problems(body, "interleaved-thinking" in str(more.get("anthropic_beta", "")))

    def answer(self, said: Said, sent: Sent) -> Answer:
        return stream(*events(said))


def _as_claude(part: Mapping[str, Any]) -> dict[str, Any]:
    if "toolUse" in part:
        return {"type": "tool_use", "id": part["toolUse"]["toolUseId"]}
    if "toolResult" in part:
        return {"type": "tool_result", "tool_use_id": part["toolResult"]["toolUseId"]}
    return {"type": "thinking" if "reasoningContent" in part else "text"}


@cache
def _schema() -> Mapping[str, Any]:
    operation = botocore.session.get_session().get_service_model("bedrock-runtime").operation_model("ConverseStream")
    return _schema_of(operation.input_shape)


def _schema_of(shape: Any) -> dict[str, Any]:
    """Return the JSON schema of a shape of AWS's."""
    limits = {"min": "minLength", "max": "maxLength"} if shape.type_name == "string" else {}
    found = {limits[name]: value for name, value in shape.metadata.items() if name in limits}
    match shape.type_name:
        case "structure" if getattr(shape, "is_document_type", False):
            return OBJECT
        case "structure":
            members = {n: m for n, m in shape.members.items() if m.serialization.get("location") != "uri"}
            required = [name for name in shape.required_members if name in members]
            one = {"minProperties": 1, "maxProperties": 1} if shape.is_tagged_union else {}
            return record(required, **{name: _schema_of(each) for name, each in members.items()}) | one
        case "list":
            return items(_schema_of(shape.member))
        case "map":
            return {"type": "object", "additionalProperties": _schema_of(shape.value)}
        case "string":
            pattern = shape.metadata.get("pattern")
            more = {"enum": list(shape.enum)} if shape.enum else {"pattern": f"^(?:{pattern})$"} if pattern else {}
            return TEXT | found | more
        case "blob":
            return TEXT | {"pattern": "^[A-Za-z0-9+/]+=*$"}
        case kind:
            return _PLAIN[kind]


def events(said: Said, stop_reason: str = "") -> list[tuple[str, Mapping[str, Any]]]:
    """Return the events of a whole stream, each with its type."""
    found: list[tuple[str, Mapping[str, Any]]] = [("messageStart", {"role": "assistant"})]
    index = 0
    if said.reasoning:
        deltas: list[Any] = [{"reasoningContent": {"text": piece}} for piece in _pieces(said.reasoning)]
        found += _block(index, None, *deltas, {"reasoningContent": {"signature": said.mark}})
        index += 1
    if said.text:
        found += _block(index, None, *({"text": piece} for piece in _pieces(said.text)))
        index += 1
    for number, call in enumerate(said.calls):
        begun = {"toolUse": {"toolUseId": f"tooluse_{said.mark[-4:]}{number}", "name": call.name}}
        pieces = _pieces(json.dumps(call.arguments)) if call.arguments else [""]
        found += _block(index, begun, *({"toolUse": {"input": piece}} for piece in pieces))
        index += 1
    found.append(("messageStop", {"stopReason": stop_reason or ("tool_use" if said.calls else "end_turn")}))
    return [*found, ("metadata", {"usage": USAGE, "metrics": {"latencyMs": 1}})]


def _block(index: int, begun: Mapping[str, Any] | None, *deltas: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if begun:
        yield "contentBlockStart", {"start": begun, "contentBlockIndex": index}
    for delta in deltas:
        yield "contentBlockDelta", {"delta": delta, "contentBlockIndex": index}
    yield "contentBlockStop", {"contentBlockIndex": index}


def stream(*found: tuple[str, Mapping[str, Any]]) -> Answer:
    return Answer(b"".join(frame(kind, body) for kind, body in found), KIND)


def frame(kind: str, body: Mapping[str, Any]) -> bytes:
    """Return an event, or an exception by whose name the stream ends, in AWS's binary form."""
    is_failure = kind.endswith("Exception")
    names = {":message-type": "exception", ":exception-type": kind} if is_failure else {":event-type": kind}
    names = {":message-type": "event"} | names | {":content-type": "application/json"}
    headers = b"".join(_header(name, value) for name, value in names.items())
    payload = json.dumps(body | ({} if is_failure else {"p": "abcdefghij"})).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    checked = prelude + struct.pack("!I", binascii.crc32(prelude)) + headers + payload
    return checked + struct.pack("!I", binascii.crc32(checked))


def _header(name: str, value: str) -> bytes:
    return struct.pack("!B", len(name)) + name.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()


def _pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]
