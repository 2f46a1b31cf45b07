"""Refusals and troubles in each provider's own words and form: what a person is told, and whether it is tried again."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest
from tests.real.wire.conversation import READ
from tests.real.wire.providers import WIRES
from tests.real.wire.server import Answer, Provider
from tests.real.wire.test_conversation import model_of

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated")
BY_TITLE = {wire.title: wire for wire in WIRES}

KEY, CREDIT, RATE, BUSY = "MODEL_KEY_REFUSED", "MODEL_NO_CREDIT", "MODEL_RATE_LIMITED", "MODEL_OVERLOADED"
FULL, UNKNOWN = "MODEL_CONTEXT_FULL", "MODEL_UNKNOWN"
TRANSIENT = {RATE, BUSY}


def openai(message: str, type: str, code: Any = None, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": type, "param": None, "code": code, **more}}


def claude(type: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": type, "message": message}, "request_id": "req_011"}


def google(code: int, status: str, message: str, *details: Mapping[str, Any]) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


def router(code: int, message: str, **metadata: Any) -> dict[str, Any]:
    return {"error": {"message": message, "code": code, "metadata": metadata}}


_KEY_INVALID = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
_RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "28s"}
_QUOTA = "You exceeded your current quota, please check your plan and billing details."
_PER_MINUTE = "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29500."
OPENAI = {
    "key": (401, openai("Incorrect API key provided: sk-x.", "invalid_request_error", "invalid_api_key"), KEY),
    "credit": (429, openai(_QUOTA, "insufficient_quota", "insufficient_quota"), CREDIT),
    "rate": (429, openai(f"{_PER_MINUTE} Please try again in 2s.", "tokens", "rate_limit_exceeded"), RATE),
    "unknown": (
        404,
        openai("The model `gpt-9` does not exist or you do not have access to it.", "x", "model_not_found"),
        UNKNOWN,
    ),
    "full": (
        400,
        openai(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130201 tokens.",
            "invalid_request_error",
            "context_length_exceeded",
        ),
        FULL,
    ),
    "fault": (500, openai("The server had an error while processing your request.", "server_error"), BUSY),
    "busy": (503, openai("The engine is currently overloaded, please try again later", "server_error"), BUSY),
}
CLAUDE = {
    "key": (401, claude("authentication_error", "invalid x-api-key"), KEY),
    "credit": (
        400,
        claude("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
        CREDIT,
    ),
    "rate": (429, claude("rate_limit_error", "This request would exceed your organization's rate limit."), RATE),
    "unknown": (404, claude("not_found_error", "model: claude-nine"), UNKNOWN),
    "full": (400, claude("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"), FULL),
    "large": (413, claude("request_too_large", "Request exceeds the maximum size"), FULL),
    "fault": (500, claude("api_error", "Internal server error"), BUSY),
    "busy": (529, claude("overloaded_error", "Overloaded"), BUSY),
}
GEMINI = {
    "key": (
        400,
        google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", _KEY_INVALID),
        KEY,
    ),
    "rate": (429, google(429, "RESOURCE_EXHAUSTED", f"{_QUOTA} Please retry in 28.3s.", _RETRY), RATE),
    "unknown": (
        404,
        google(404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta, or is not supported."),
        UNKNOWN,
    ),
    "full": (
        400,
        google(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ),
        FULL,
    ),
    "fault": (500, google(500, "INTERNAL", "An internal error has occurred. Please retry."), BUSY),
    "busy": (503, google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), BUSY),
}
PROVIDERS: Mapping[str, Mapping[str, tuple[int, Mapping[str, Any], str]]] = {
    "OpenAI, chat": OPENAI,
    "OpenAI, responses": OPENAI,
    "Azure, chat": {
        "key": (
            401,
            {"error": {"code": "401", "message": "Access denied due to invalid subscription key or wrong endpoint."}},
            KEY,
        ),
        "rate": (
            429,
            {
                "error": {
                    "code": "429",
                    "message": "Requests have exceeded call rate limit. Please retry after 6 seconds.",
                }
            },
            RATE,
        ),
        "unknown": (
            404,
            {
                "error": {
                    "code": "DeploymentNotFound",
                    "message": "The API deployment for this resource does not exist.",
                }
            },
            UNKNOWN,
        ),
        "full": OPENAI["full"],
    },
    "Anthropic": CLAUDE,
    "Vertex, Claude": {name: CLAUDE[name] for name in ("rate", "full", "fault", "busy")},
    "Gemini 3": GEMINI,
    "Vertex, Gemini 3": {name: GEMINI[name] for name in ("unknown", "full", "fault", "busy")},
    "OpenRouter": {
        "key": (401, router(401, "No auth credentials found"), KEY),
        "credit": (402, router(402, "This request requires more credits, or fewer max_tokens."), CREDIT),
        "rate": (429, router(429, "Provider returned error", raw="rate-limited upstream", provider_name="X"), RATE),
        "busy": (502, router(502, "Provider returned error", raw="upstream error", provider_name="X"), BUSY),
        "nobody": (503, router(503, "No available model provider that meets your routing requirements"), BUSY),
    },
    "DeepSeek": {
        "key": (401, openai("Authentication Fails, Your api key: ****x is invalid", "authentication_error"), KEY),
        "credit": (402, openai("Insufficient Balance", "unknown_error", "invalid_request_error"), CREDIT),
        "busy": (503, openai("Service is too busy.", "service_unavailable_error"), BUSY),
    },
    "Mistral": {
        "key": (401, {"message": "Unauthorized", "request_id": "1"}, KEY),
        "rate": (429, {"object": "error", "message": "Requests rate limit exceeded", "type": "rate_limited"}, RATE),
        "unknown": (400, {"object": "error", "message": "Invalid model: mistral-9", "code": "1500"}, UNKNOWN),
    },
    "Groq": {
        "key": (401, openai("Invalid API Key", "invalid_request_error", "invalid_api_key"), KEY),
        "rate": (
            429,
            openai(
                "Rate limit reached for model `x` on tokens per minute (TPM): Limit 8000. Please try again in 7.66s. "
                "Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
                "tokens",
                "rate_limit_exceeded",
            ),
            RATE,
        ),
        "full": (400, openai("Please reduce the length of the messages.", "x", "context_length_exceeded"), FULL),
    },
    "xAI": {
        "key": (
            400,
            {"code": "Client specified an invalid argument", "error": "Incorrect API key provided: x***y."},
            KEY,
        ),
        "credit": (
            403,
            {"code": "The caller does not have permission", "error": "Your team has used all available credits."},
            CREDIT,
        ),
    },
    "Moonshot": {
        "key": (401, openai("Invalid Authentication", "invalid_authentication_error"), KEY),
        "credit": (
            429,
            openai(
                "Your account is suspended, please check your plan and billing details", "exceeded_current_quota_error"
            ),
            CREDIT,
        ),
        "busy": (
            429,
            openai("The engine is currently overloaded, please try again later", "engine_overloaded_error"),
            BUSY,
        ),
    },
    "Z.ai": {
        "key": (401, {"error": {"code": "1000", "message": "Authentication Failed"}}, KEY),
        "credit": (
            429,
            {"error": {"code": "1113", "message": "Insufficient balance or no resource package. Please recharge."}},
            CREDIT,
        ),
        "rate": (429, {"error": {"code": "1302", "message": "High concurrency usage of this API"}}, RATE),
    },
    "Qwen": {
        "key": (401, openai("Incorrect API key provided. ", "invalid_request_error", "invalid_api_key"), KEY),
        "credit": (
            400,
            openai("Access denied, please make sure your account is in good standing.", "Arrearage", "Arrearage"),
            CREDIT,
        ),
        "rate": (429, openai("You exceeded your current requests limit", "limit_requests", "limit_requests"), RATE),
    },
    "Ollama": {"unknown": (404, {"error": "model 'gpt-oss:20b' not found"}, UNKNOWN)},
    "vLLM": {
        "unknown": (404, {"object": "error", "message": "The model `x` does not exist.", "code": 404}, UNKNOWN),
        "full": (
            400,
            {
                "object": "error",
                "message": "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens.",
                "type": "BadRequestError",
                "code": 400,
            },
            FULL,
        ),
    },
    "LM Studio": {
        "full": (
            400,
            {
                "error": "Trying to keep the first 9000 tokens when context the overflows. However, the model is "
                "loaded with context length of only 4096 tokens, which is not enough."
            },
            FULL,
        ),
    },
}
CASES = [
    pytest.param(title, status, body, code, id=f"{title}: {name}")
    for title, cases in PROVIDERS.items()
    for name, (status, body, code) in cases.items()
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("title", "status", "body", "code"), CASES)
async def test_a_refusal_is_told_by_its_kind(
    title: str, status: int, body: Mapping[str, Any], code: str, loader: LitellmLoader, tmp_path: Path
) -> None:
    wire = BY_TITLE[title]
    answer = Answer(json.dumps(body).encode(), "application/json", status)
    with Provider(wire.family, lambda _: answer) as server:
        stream = model_of(wire, server.url, loader, tmp_path).stream(
            ModelRequest([{"role": "user", "content": "Go"}], [READ])
        )
        with pytest.raises(ModelFailure) as caught:
            _ = [piece async for piece in stream]
    failure = caught.value
    assert (failure.code, failure.is_transient) == (code, code in TRANSIENT), failure
    assert failure.hint
    assert "litellm" not in str(failure).lower()
    assert "Traceback" not in str(failure)
    if code in TRANSIENT:
        assert failure.reason


def test_every_provider_of_the_table_has_its_own_words() -> None:
    shares = {"OpenAI, codex", "Anthropic, adaptive", "Azure, responses", "OpenAI-like server"}
    bedrock = {"Bedrock", "Bedrock, adaptive"}  # with their streams, in `test_shapes`
    assert {wire.title for wire in WIRES} - shares - bedrock == set(PROVIDERS)
