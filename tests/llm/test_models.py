"""Which model a name stands for."""

from pathlib import Path

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.base.errors import InvalidInput, ModelFailure
from planact.model.chat.message import ModelRequest
from planact.model.settings import Settings
from planact.ports import Models


class UnusedLoader(LitellmLoader):
    """Counts instead of loading."""

    starts = 0

    def start(self) -> None:
        self.starts += 1


def source(folder: Path) -> tuple[Models, UnusedLoader]:
    loader = UnusedLoader({})
    return ModelSource(Settings().of_model, loader, ModelTable({}), folder), loader


def test_no_name_is_answered_with_how_to_choose_one(tmp_path: Path) -> None:
    models, loader = source(tmp_path)
    with pytest.raises(ModelFailure) as caught:
        models.open("")
    assert caught.value.code == "MODEL_NOT_CHOSEN"
    assert "PLANACT_MODEL" in caught.value.hint
    assert "_API_KEY" in caught.value.hint
    assert loader.starts == 0


def test_any_other_name_begins_to_load_litellm(tmp_path: Path) -> None:
    models, loader = source(tmp_path)
    assert isinstance(models.open("openai/gpt-4o"), LitellmModel)
    assert loader.starts == 1


def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    models, _ = source(tmp_path)
    with pytest.raises(InvalidInput, match=r"nonesuch\.yaml") as caught:
        models.open("scripted:nonesuch.yaml")
    assert caught.value.code == "CONFIG_INVALID"


async def test_a_scripted_failure_is_counted_over_all_that_open_the_script(tmp_path: Path) -> None:
    models, loader = source(tmp_path)
    script = "scenes: [{turns: [{say: hello, fail: {code: MODEL_OVERLOADED, times: 1}}]}]"
    (tmp_path / "script.yaml").write_text(script, "utf-8")
    request = ModelRequest([{"role": "user", "content": "x"}], [])
    with pytest.raises(ModelFailure, match="MODEL_OVERLOADED"):
        _ = [item async for item in models.open("scripted:script.yaml").stream(request)]
    *_, reply = [item async for item in models.open("scripted:script.yaml").stream(request)]
    assert reply.text == "hello"
    assert loader.starts == 0


def test_every_provider_that_litellm_lists_is_known_without_its_import(tmp_path: Path) -> None:
    models, loader = source(tmp_path)
    assert {"openai", "anthropic", "ollama_chat", "lm_studio", "hosted_vllm", "vertex_ai"} <= {*models.providers()}
    assert loader.starts == 0
    import litellm

    assert {getattr(each, "value", each) for each in litellm.provider_list} <= {*models.providers()}
