"""The providers that the suite speaks with: each has a published API, a model and what its user sets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.real.wire.families.anthropic import Anthropic
from tests.real.wire.families.bedrock import Bedrock
from tests.real.wire.families.gemini import Gemini
from tests.real.wire.families.ollama import Ollama
from tests.real.wire.families.openai_chat import OPENAI, STREAMS, THINKING, USAGE, OpenaiChat
from tests.real.wire.families.openai_responses import OpenaiResponses
from tests.real.wire.families.vertex import VertexClaude, VertexGemini
from tests.real.wire.families.vertex import parameters as vertex_parameters
from tests.real.wire.server import FLAG, OBJECT, TEXT, WHOLE, Family, items, record


@dataclass(frozen=True)
class Wire:
    """A provider as a user has it.

    Attributes:
        title: its name in the documentation.
        model: a model of it, as litellm names it.
        base: what follows the server's address in `modelEndpoint`.
        parameters: the user's `modelParameters`, for a server at an address.
        carries: how its reasoning goes back: `signed`, `plain`, or not at all.
        effort: path to where the effort stands in the request's body; empty where the model can't be told so.
        takes_pictures: the model does.
        tells_cache: its usage says how many tokens it had kept.
    """

    title: str
    model: str
    family: Family
    base: str = ""
    parameters: Callable[[str], Mapping[str, Any]] = lambda _: {"api_key": "sk-user-0123456789"}
    carries: str = ""
    effort: str = ""
    takes_pictures: bool = True
    tells_cache: bool = True


_ROUTER = {
    **OPENAI,
    "reasoning": record((), effort=TEXT, max_tokens=WHOLE, exclude=FLAG, enabled=FLAG),
    "usage": record(("include",), include=FLAG),
    "provider": OBJECT,
    "models": items(TEXT),
    "transforms": items(TEXT),
}
_MARKED = {"cache_control": record(("type",), type={"const": "ephemeral"}, ttl=TEXT)}
_COST = {**USAGE, "cost": 0.0123, "is_byok": False, "cost_details": {"upstream_inference_cost": None}}
_EFFORT = {"reasoning_effort": {"enum": ["none", "minimal", "low", "medium", "high"]}}
_PLAIN = {"reasoning_content": TEXT}
_BEDROCK = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "aws_region_name": "us-east-1"}
_AZURE = {"api_key": "k", "api_version": "2025-04-01-preview"}


def _none(_: str) -> Mapping[str, Any]:
    return {}


WIRES: Sequence[Wire] = (
    Wire("OpenAI, chat", "openai/gpt-4o", OpenaiChat(), "/v1"),
    Wire("OpenAI, responses", "openai/responses/gpt-5", OpenaiResponses(), "/v1", carries="signed", effort="reasoning"),
    Wire("OpenAI, codex", "openai/gpt-5-codex", OpenaiResponses(), "/v1", carries="signed", effort="reasoning"),
    Wire("Anthropic", "anthropic/claude-sonnet-4-5", Anthropic(), carries="signed", effort="thinking.budget_tokens"),
    Wire(
        "Anthropic, adaptive", "anthropic/claude-opus-4-6", Anthropic(), carries="signed", effort="output_config.effort"
    ),
    Wire(
        "Bedrock",
        "bedrock/converse/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        Bedrock(),
        parameters=lambda _: _BEDROCK,
        carries="signed",
        effort="additionalModelRequestFields.thinking.budget_tokens",
    ),
    Wire(
        "Bedrock, adaptive",
        "bedrock/us.anthropic.claude-opus-4-6-v1",
        Bedrock(),
        parameters=lambda _: _BEDROCK,
        carries="signed",
        effort="additionalModelRequestFields.output_config.effort",
    ),
    Wire(
        "Gemini 3",
        "gemini/gemini-3.1-pro-preview",
        Gemini(),
        carries="signed",
        effort="generationConfig.thinkingConfig",
    ),
    Wire(
        "Vertex, Gemini 3",
        "vertex_ai/gemini-3.1-pro-preview",
        VertexGemini(),
        parameters=vertex_parameters,
        carries="signed",
        effort="generationConfig.thinkingConfig",
    ),
    Wire(
        "Vertex, Claude",
        "vertex_ai/claude-sonnet-4-5@20250929",
        VertexClaude(),
        parameters=vertex_parameters,
        carries="signed",
        effort="thinking.budget_tokens",
    ),
    Wire(
        "OpenRouter",
        "openrouter/anthropic/claude-sonnet-4.5",
        OpenaiChat(
            r"/v1/chat/completions$",
            _ROUTER,
            {"reasoning_details": items(OBJECT), "reasoning": TEXT},
            _MARKED,
            reasoning_field="reasoning",
            signs=True,
            usage=_COST,
        ),
        "/v1",
        carries="signed",
        effort="reasoning_effort",
    ),
    Wire(
        "DeepSeek",
        "deepseek/deepseek-reasoner",
        OpenaiChat(r"/chat/completions$", {**STREAMS, **THINKING}, _PLAIN),
        carries="plain",
        effort="thinking",
        takes_pictures=False,
    ),
    Wire(
        "Mistral",
        "mistral/magistral-medium-latest",
        OpenaiChat(
            fields={
                "random_seed": WHOLE,
                "safe_prompt": FLAG,
                "prompt_mode": {"enum": ["reasoning"]},
                "parallel_tool_calls": FLAG,
            },
            id_length=9,
        ),
        "/v1",
    ),
    Wire(
        "Groq",
        "groq/openai/gpt-oss-120b",
        OpenaiChat(
            r"/openai/v1/chat/completions$",
            {**STREAMS, **_EFFORT, "reasoning_format": TEXT, "include_reasoning": FLAG, "max_completion_tokens": WHOLE},
            {"reasoning": TEXT},
            reasoning_field="reasoning",
        ),
        "/openai/v1",
        effort="reasoning_effort",
        takes_pictures=False,
    ),
    Wire(
        "xAI",
        "xai/grok-4.3",
        OpenaiChat(fields={**STREAMS, **_EFFORT, "max_completion_tokens": WHOLE}),
        "/v1",
        effort="reasoning_effort",
    ),
    Wire(
        "Moonshot",
        "moonshot/kimi-k2.6",
        OpenaiChat(fields={**STREAMS, **THINKING, **_EFFORT, "max_completion_tokens": WHOLE}, of_answers=_PLAIN),
        "/v1",
        carries="plain",
        effort="reasoning_effort",
    ),
    Wire(
        "Z.ai",
        "zai/glm-4.6",
        OpenaiChat(r"/v4/chat/completions$", {**STREAMS, **THINKING, "do_sample": FLAG, "tool_stream": FLAG}, _PLAIN),
        "/v4",
        carries="plain",
        takes_pictures=False,
    ),
    Wire(
        "Qwen",
        "dashscope/qwen3-max",
        OpenaiChat(
            fields={**STREAMS, **_EFFORT, "enable_thinking": FLAG, "thinking_budget": WHOLE},
            of_answers=_PLAIN,
        ),
        "/v1",
        effort="reasoning_effort",
        takes_pictures=False,
    ),
    Wire("Ollama", "ollama/gpt-oss:20b", Ollama(), parameters=_none, effort="think", tells_cache=False),
    Wire(
        "vLLM",
        "hosted_vllm/qwen3-coder",
        OpenaiChat(fields={**OPENAI, "chat_template_kwargs": OBJECT, "top_k": WHOLE}, of_answers=_PLAIN),
        "/v1",
        parameters=_none,
        carries="plain",
        effort="reasoning_effort",
    ),
    Wire("LM Studio", "lm_studio/qwen3-coder", OpenaiChat(), "/v1", parameters=_none),
    Wire("OpenAI-like server", "openai/of-ones-own", OpenaiChat(), "/v1", parameters=_none, effort="reasoning_effort"),
    Wire(
        "Azure, chat",
        "azure/gpt-4o",
        OpenaiChat(r"/openai/deployments/gpt-4o/chat/completions\?api-version=", OPENAI),
        parameters=lambda _: _AZURE,
    ),
    Wire(
        "Azure, responses",
        "azure/gpt-5.4",
        OpenaiResponses(r"/openai/responses\?api-version="),
        parameters=lambda _: _AZURE,
        carries="signed",
        effort="reasoning",
    ),
)
