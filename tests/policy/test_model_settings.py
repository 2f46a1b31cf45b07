"""Settings of single models: each by itself, and none of their values in a message."""

from typing import Any

import pytest

from planact.model.layer import Layer
from planact.model.settings import ModelSettings
from planact.policy.merge_settings import merge

SECRET = "sk-of-the-user"


def layer(models: Any, source: Any = "user") -> Layer:
    return Layer(source, "config.toml", {"models": models})


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (5, 'models in config.toml is no table of models; write [models."provider/name"]'),
        (
            {"a/b": 5},
            "models.a/b in config.toml is no table; its keys are endpoint, parameters, reasoningEffort, contextTokens, "
            "tools, images",
        ),
        (
            {"a/b": {"contextToken": 5, "parameters": {"api_key": SECRET}}},
            "models.a/b.contextToken in config.toml is not known; did you mean 'contextTokens'?",
        ),
        (
            {"a/b": {"contextTokens": SECRET}},
            "models.a/b.contextTokens in config.toml doesn't fit: input should be a valid integer; correct it",
        ),
        (
            {"a/b": {"tools": SECRET}},
            "models.a/b.tools in config.toml doesn't fit: input should be 'auto' or 'text'; correct it",
        ),
    ],
)
def test_what_is_wrong_is_named_without_its_value_and_the_others_count(said: Any, message: str) -> None:
    others = {"c/d": {"contextTokens": 7}} if isinstance(said, dict) else {}
    merged = merge((layer({**said, **others} if isinstance(said, dict) else said),))
    assert [problem.message for problem in merged.problems] == [message]
    assert merged.settings.models == ({"c/d": ModelSettings(context_tokens=7)} if others else {})


def test_each_source_adds_its_models(tmp_path: object) -> None:
    of_user = layer({"a/b": {"contextTokens": 1}, "c/d": {"contextTokens": 2}})
    of_editor = layer({"c/d": {"contextTokens": 3}}, "editor")
    models = merge((of_user, of_editor)).settings.models
    assert {name: model.context_tokens for name, model in models.items()} == {"a/b": 1, "c/d": 3}


def test_a_repository_that_is_not_trusted_says_nothing_of_models() -> None:
    hostile = Layer("repository", "config.toml", {"models": {"a/b": {"endpoint": "http://evil"}}}, is_trusted=False)
    merged = merge((hostile,))
    assert merged.settings.models == {}
    assert len(merged.problems) == 1


def test_what_is_not_said_of_a_model_holds_as_for_all() -> None:
    said = {"modelEndpoint": "http://all", "modelParameters": {"temperature": 1, "top_p": 1}, "reasoningEffort": "low"}
    models = {"a/b": {"parameters": {"temperature": 0}}}
    settings = merge((Layer("user", "config.toml", {**said, "models": models}),)).settings
    assert settings.of_model("a/b") == ModelSettings(
        endpoint="http://all", parameters={"temperature": 0, "top_p": 1}, reasoning_effort="low"
    )
    assert settings.of_model("c/d").parameters == {"temperature": 1, "top_p": 1}
