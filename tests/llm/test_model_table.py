"""litellm's table, read without litellm."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.model.chat.language_model import LanguageModel
from planact.model.settings import ModelSettings, Settings

ENTRY = {
    "litellm_provider": "openai",
    "mode": "chat",
    "max_input_tokens": 1000,
    "max_output_tokens": 100,
    "input_cost_per_token": 2.5e-06,
    "output_cost_per_token": 1e-05,
    "supports_vision": True,
    "supports_function_calling": True,
}
KNOWN = LanguageModel(
    name="openai/big",
    provider="openai",
    context_tokens=1000,
    output_tokens=100,
    input_cost=2.5,
    output_cost=10.0,
    calls_tools=True,
    takes_images=True,
    reasons=False,
    key_variable="OPENAI_API_KEY",
    has_key=True,
)


def table(folder: Path, entries: Any, **environment: str) -> ModelTable:
    path = folder / "table.json"
    path.write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return ModelTable(environment, path)


def test_a_model_is_found_with_its_provider_and_without(tmp_path: Path) -> None:
    it = table(tmp_path, {"big": ENTRY}, OPENAI_API_KEY="k")
    assert it.about("openai/big") == KNOWN
    assert it.about("big") == KNOWN.model_copy(update={"name": "big"})
    assert it.list() == [KNOWN]


def test_all_models_of_the_real_table_are_found_by_name_as_they_are_listed() -> None:
    it = ModelTable({})
    listed = it.list()
    assert len(listed) > 1_000
    some = [model for number, model in enumerate(listed) if number % 20 == 0 or model.name.count("/") > 1]
    assert [it.about(model.name) for model in some] == some


def test_an_entry_with_the_full_name_counts_before_one_without_its_provider(tmp_path: Path) -> None:
    it = table(tmp_path, {"openai/big": ENTRY, "big": {**ENTRY, "max_input_tokens": 5}}, OPENAI_API_KEY="k")
    assert (it.about("openai/big"), it.list()) == (KNOWN, [KNOWN])


def test_of_another_model_nothing_is_said(tmp_path: Path) -> None:
    assert table(tmp_path, {"big": ENTRY}).about("other/big") == LanguageModel(name="other/big")


@pytest.mark.parametrize(
    ("name", "provider", "expected"),
    [
        ("anthropic.claude-v1:0", "bedrock_converse", "bedrock/anthropic.claude-v1:0"),
        ("vertex_ai/claude", "vertex_ai-anthropic_models", "vertex_ai/claude"),
        ("gemini-pro", "vertex_ai-language-models", "vertex_ai/gemini-pro"),
        ("openrouter/x/y", "openrouter", "openrouter/x/y"),
    ],
)
def test_models_are_named_as_settings_name_them(tmp_path: Path, name: str, provider: str, expected: str) -> None:
    (found,) = table(tmp_path, {name: {**ENTRY, "litellm_provider": provider}}).list()
    assert found.name == expected


def test_what_nobody_can_talk_to_is_left_out(tmp_path: Path) -> None:
    assert table(tmp_path, {"paint": {**ENTRY, "mode": "image_generation"}, "odd": "no table"}).list() == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"big": {"mode": "chat", "max_input_tokens": "many"}}'])
def test_a_table_that_can_not_be_read_disturbs_nobody(tmp_path: Path, text: str) -> None:
    assert table(tmp_path, text).about("openai/gpt-4o").context_tokens == 0


def test_the_installed_table_is_read_without_importing_litellm() -> None:
    code = """
import sys
from planact.adapters.llm.model_table import ModelTable
table = ModelTable({})
assert table.about("anthropic/claude-sonnet-4-5").context_tokens == 200_000
assert len(table.list()) > 1000
print("litellm" in sys.modules)
"""
    run = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, timeout=180)
    assert run.stdout == "False\n", run.stderr


def test_what_the_user_says_counts_more_than_the_table(tmp_path: Path) -> None:
    settings = Settings(models={"openai/big": ModelSettings(context_tokens=10, images=False)})
    source = ModelSource(settings.of_model, LitellmLoader({}), table(tmp_path, {"big": ENTRY}), tmp_path)
    assert source.about("openai/big") == KNOWN.model_copy(
        update={"context_tokens": 10, "takes_images": False, "has_key": False}
    )
