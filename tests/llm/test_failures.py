"""What the words of providers are taken for."""

import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest

from planact.adapters.llm import failures
from planact.adapters.llm.failures import Context, lacks_sight, lacks_tools, model_failure
from planact.base.errors import ErrorCode, ModelFailure

DATA = tomllib.loads(Path(failures.__file__).with_suffix(".toml").read_text("utf-8"))
CONTEXT = Context("openai/gpt-4o-2024-08-06", "openai", "", "OPENAI_API_KEY", ())


class BadRequestError(Exception):
    """As litellm raises it, from an HTTP response."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.response = SimpleNamespace(status_code=status, headers={})


def meant_by(message: str) -> ModelFailure:
    return model_failure(BadRequestError(message), CONTEXT)


@pytest.mark.parametrize(
    "message",
    [
        "registry.ollama.ai/library/gemma:2b does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "No endpoints found that support tool use. To learn more about provider routing, visit the documentation",
        "Function calling is not supported with this model",
        "`tools` is not supported in this model",
        "acme does not support parameters: ['tools'], for model=small",
        "This model doesn't support function calling",
    ],
)
def test_a_model_that_says_it_calls_no_tools_is_understood(message: str) -> None:
    assert lacks_tools(meant_by(message))


@pytest.mark.parametrize(
    "message",
    [
        "Invalid schema for function 'read_file': 'type' is missing",
        "An assistant message with 'tool_calls' must be followed by tool messages",
        "tools.0.name: String should match pattern",
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
    ],
)
def test_what_is_wrong_with_a_call_is_not_taken_for_that(message: str) -> None:
    failure = meant_by(message)
    assert (failure.code, lacks_tools(failure), lacks_sight(failure)) == ("MODEL_BAD_REQUEST", False, False)


@pytest.mark.parametrize(
    "message",
    [
        "This model does not support image input",
        "image_url is not supported by this model",
        "No endpoints found that support image input",
        "small-7b is not a multimodal model",
    ],
)
def test_a_model_that_says_it_takes_no_images_is_understood(message: str) -> None:
    assert lacks_sight(meant_by(message))


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
        "the request exceeds the available context size. try increasing the context size or enable context shift",
        "Input is too long for requested model.",
        "Requested token count exceeds the model's maximum context length of 131072 tokens.",
    ],
)
def test_too_much_is_told_from_what_is_wrong(message: str) -> None:
    assert meant_by(message).code == "MODEL_CONTEXT_FULL"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Your credit balance is too low to access the Anthropic API."),
        (402, "Insufficient Balance"),
        (403, "Your team has insufficient credits."),
        (429, "You exceeded your current quota, please check your plan and billing details."),
    ],
)
def test_an_account_without_money_is_told_from_one_that_asks_too_often(status: int, message: str) -> None:
    failure = model_failure(BadRequestError(message, status), CONTEXT)
    assert (failure.code, failure.is_transient) == ("MODEL_RATE_LIMITED", False)
    assert "billing of your openai account" in failure.hint


@pytest.mark.parametrize(
    ("module", "package"), [("google", "planact[vertex]"), ("google.auth", "planact[vertex]"), ("x", "x")]
)
def test_a_package_that_a_provider_needs_is_named(module: str, package: str) -> None:
    def fail() -> None:
        raise ModuleNotFoundError(f"No module named '{module}'", name=module)

    try:
        fail()
    except ModuleNotFoundError as cause:
        error = RuntimeError(f"{cause} Traceback (most recent call last): …")
        error.__cause__ = cause
    failure = model_failure(error, CONTEXT)
    assert (failure.code, failure.is_transient) == ("MODEL_UNAVAILABLE", False)
    assert failure.hint == f"Install `{package}` where planact is installed, then start it again"
    assert "Traceback" not in failure.message


@pytest.mark.parametrize("word", failures.FAILED_ENDS)
def test_a_word_for_a_failed_end_is_a_failure_that_names_it(word: str) -> None:
    failure = failures.failed_end(word, CONTEXT)
    assert failure is not None
    assert word in failure.message


def test_the_usual_ends_are_no_failures() -> None:
    assert [
        word for word in ("stop", "length", "tool_calls", "content_filter") if failures.failed_end(word, CONTEXT)
    ] == []


def test_each_text_has_a_known_code_and_only_facts_that_its_failure_gives() -> None:
    facts = dict.fromkeys(
        ("model", "place", "provider", "key", "cause", "status", "wait", "endpoint_too", "package"), ""
    )
    for name, text in DATA["texts"].items():
        assert text.keys() - {"is_transient"} == {"code", "message", "hint"}, name
        assert text["code"] in get_args(ErrorCode), name
        assert (text["message"].format(**facts), text["hint"].format(**facts)) != ("", ""), name


def test_no_sign_of_a_provider_is_in_every_text() -> None:
    assert [sign for signs in DATA["signs"].values() for sign in signs if re.search(sign, "The sun shines.")] == []
