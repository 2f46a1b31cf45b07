"""What the words of providers are taken for."""

import re
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest

from planact.adapters.llm import failures
from planact.adapters.llm.failures import Context, model_failure, refuses
from planact.base.errors import ErrorCode, ModelFailure

DATA = tomllib.loads(Path(failures.__file__).with_suffix(".toml").read_text("utf-8"))
CONTEXT = Context("openai/gpt-4o-2024-08-06", "openai", "", "OPENAI_API_KEY", ())


class BadRequestError(Exception):
    """As litellm raises it, from an HTTP response."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.response = of(status)


class ApiError(Exception):
    """What litellm raises for other statuses."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.response = of(status)


class RateLimitError(ApiError):
    """As litellm raises it for 429."""


def of(status: int) -> SimpleNamespace:
    return SimpleNamespace(status_code=status, headers={})


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
    assert refuses(meant_by(message), "no_tools")


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
    refused = (refuses(failure, "no_tools"), refuses(failure, "no_images"))
    assert (failure.code, *refused) == ("MODEL_BAD_REQUEST", False, False)


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
    assert refuses(meant_by(message), "no_images")


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
        (403, "Your newly created team doesn't have any credits yet. You can purchase credits on our site."),
        (401, "Your account is not active, please check your billing details on our website."),
        (429, "You exceeded your current quota, please check your plan and billing details."),
    ],
)
def test_an_account_without_money_is_told_from_one_that_asks_too_often(status: int, message: str) -> None:
    failure = model_failure(BadRequestError(message, status), CONTEXT)
    assert (failure.code, failure.is_transient) == ("MODEL_NO_CREDIT", False)
    assert "billing of your openai account" in failure.hint


@pytest.mark.parametrize(
    ("status", "begin", "hint"),
    [
        (401, "the endpoint of openai refused the key for the model", "Check OPENAI_API_KEY"),
        (402, "your openai account has no credit or quota left for the model", "Check the plan and billing of your"),
        (403, "the endpoint of openai doesn't let this key use the model", "Check that the account of OPENAI_API_KEY"),
    ],
)
def test_key_credit_and_right_have_words_of_their_own(status: int, begin: str, hint: str) -> None:
    failure = model_failure(BadRequestError("no", status), CONTEXT)
    assert failure.message.startswith(begin)
    assert failure.hint.startswith(hint)
    assert not failure.is_transient


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (408, "The provider has a fault of its own (408)"),
        (429, "The provider takes no more requests for now (429)"),
        (500, "The provider has a fault of its own (500)"),
        (502, "The provider has a fault of its own (502)"),
        (503, "The provider is overloaded (503)"),
        (504, "The provider has a fault of its own (504)"),
        (529, "The provider is overloaded (529)"),
    ],
)
def test_what_passes_says_why_in_a_few_words(status: int, reason: str) -> None:
    failure = model_failure((RateLimitError if status == 429 else ApiError)("no", status), CONTEXT)
    assert (failure.reason, failure.is_transient) == (reason, True)


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Rate limit reached. Please try again in 20s. Visit https://x.example/limits", 20),
        ("Rate limit reached for tokens per day. Please try again in 7m12.5s.", 432.5),
        ("Limit 5, Requested 6. Please try again in 86ms. Need more? Ask.", 0.086),
        ("Too many requests; wait for 1 minute, 5 seconds and come back", 65),
        ("Please retry after 2 hours.", 7200),
        ("Limit 6000. Please try again in 7.66s. Need more? Upgrade at https://x.example/settings/billing", 7.66),
        ('{"error": {"message": "Slow", "details": [{"@type": "RetryInfo", "retryDelay": "34.07s"}]}}', 34.07),
        ("You exceeded your current quota, please check your plan and billing details. Please retry in 34.5s.", 34.5),
        ("Rate limit reached: 20 requests, 3 models", None),
        ("Try again in 3 colours", None),
    ],
)
def test_the_wait_is_also_read_from_the_words(message: str, seconds: float | None) -> None:
    failure = model_failure(RateLimitError(message, 429), CONTEXT)
    assert (failure.code, failure.is_transient) == ("MODEL_RATE_LIMITED", True)
    assert failure.retry_after == (pytest.approx(seconds) if seconds is not None else None)


@pytest.mark.parametrize(
    "message", ["insufficient_quota; try again in 20s", "Your credit balance is too low. Retry after 1 s."]
)
def test_no_wait_brings_money(message: str) -> None:
    failure = model_failure(RateLimitError(message, 429), CONTEXT)
    assert (failure.code, failure.is_transient, failure.retry_after) == ("MODEL_NO_CREDIT", False, None)


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


def test_what_litellm_adds_to_a_providers_words_is_left_out() -> None:
    failure = model_failure(
        ApiError("AnthropicError: It broke. Handle with `litellm.InternalServerError`.", 500), CONTEXT
    )
    assert failure.message.endswith(": It broke")


def test_a_large_page_in_place_of_an_answer_takes_no_time() -> None:
    begun = time.process_time()
    failure = model_failure(ApiError("<html>" + "<h1>" * 100_000, 502), CONTEXT)
    assert "it answered with a web page" in failure.message
    assert time.process_time() - begun < 2  # without a limit: minutes


def test_each_text_has_a_known_code_and_only_facts_that_its_failure_gives() -> None:
    facts = dict.fromkeys(
        ("model", "place", "provider", "key", "cause", "long", "short", "wait", "endpoint_too", "package"), ""
    )
    for name, text in DATA["texts"].items():
        assert text.keys() - {"is_transient", "reason"} == {"code", "message", "hint", "title"}, name
        assert text.keys() >= {"reason"} or not text.get("is_transient"), name
        assert text["code"] in get_args(ErrorCode), name
        assert (text["message"].format(**facts), text["hint"].format(**facts)) != ("", ""), name


def test_no_sign_of_a_provider_is_in_every_text() -> None:
    assert [sign for signs in DATA["signs"].values() for sign in signs if re.search(sign, "The sun shines.")] == []
