"""Gemini and Claude on Vertex AI, and the login that both need. Sources: cloud.google.com/vertex-ai/docs/reference,
RFC 7523.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import jwt

from tests.real.wire.families.anthropic import FIELDS, claude_problems, events
from tests.real.wire.families.gemini import Gemini, gemini_problems
from tests.real.wire.server import TEXT, Answer, Said, Sent, record, sse

_MODELS = r"^/v1(?:beta1)?/projects/throw-away/locations/us-east5/publishers"
_TOKEN = "ya29.throw-away"
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class _Login:
    """Google's exchange of a service account's signature for a token."""

    def log_in(self, sent: Sent) -> Answer | None:
        if sent.path != "/token":
            return None
        claims = jwt.decode(sent.body["assertion"], certs=_keys()[1])
        if sent.body["grant_type"] != _GRANT or "cloud-platform" not in claims["scope"]:
            return Answer(b'{"error": "invalid_grant"}', "application/json", 400)
        body = {"access_token": _TOKEN, "expires_in": 3599, "token_type": "Bearer"}
        return Answer(json.dumps(body).encode(), "application/json")


class VertexGemini(_Login, Gemini):
    """Gemini, with a token in place of a key."""

    path = rf"{_MODELS}/google/models/gemini-[^/]+:streamGenerateContent\?alt=sse$"

    def more_problems(self, sent: Sent) -> Iterator[str]:
        yield from _token_problems(sent)
        yield from gemini_problems(sent)


class VertexClaude(_Login):
    """Claude; the model is in the path, and the version in the body."""

    path = rf"{_MODELS}/anthropic/models/claude-[^/]+:streamRawPredict"

    def schema(self) -> Mapping[str, Any]:
        version = {"const": "vertex-2023-10-16"}
        more = {"anthropic_version": version, "stream": {"const": True}, "output_config": record((), effort=TEXT)}
        return record(("anthropic_version", "messages", "max_tokens"), **FIELDS, **more)

    def more_problems(self, sent: Sent) -> Iterator[str]:
        yield from _token_problems(sent)
        yield from claude_problems(sent.body, "interleaved-thinking" in sent.headers.get("anthropic-beta", ""))

    def answer(self, said: Said, sent: Sent) -> Answer:
        return Answer(sse(*events(said), names=True))


def parameters(url: str) -> dict[str, Any]:
    """Return a user's settings for Vertex AI, whose service account logs in at `url`."""
    account = {
        "type": "service_account",
        "project_id": "throw-away",
        "private_key_id": "k",
        "private_key": _keys()[0],
        "client_email": "a@throw-away.iam.gserviceaccount.com",
        "token_uri": f"{url}/token",
    }
    return {
        "vertex_project": "throw-away",
        "vertex_location": "us-east5",
        "vertex_credentials": json.dumps(account),
    }


def _token_problems(sent: Sent) -> Iterator[str]:
    if sent.headers.get("authorization") != f"Bearer {_TOKEN}":
        yield "Request had invalid authentication credentials"


@cache
def _keys() -> tuple[str, str]:
    """Return a private and a public key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    public = key.public_key().public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()
