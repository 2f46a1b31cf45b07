"""Which model speaks, and how the user has another one speak."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from planact.base.errors import ModelFailure
from planact.model.chat.language_model import LanguageModel
from planact.model.rights.permission import Mode
from planact.model.settings import ModelSettings, Settings
from planact.workflows.sessions.choose_model import choose_model, list_models, model_name
from planact.workflows.sessions.switch_mode import enter_mode
from tests.fakes.world import PlayedModel
from tests.workflows.scene import Scene

KNOWN = (
    LanguageModel(name="anthropic/big-one", provider="anthropic", has_key=True),
    LanguageModel(name="openai/big-two", provider="openai", has_key=False),
)


class Listed(PlayedModel):
    """Some models are known by name, and no other."""

    def about(self, name: str) -> LanguageModel:
        return next((model for model in KNOWN if model.name == name), LanguageModel(name=name))

    def list(self) -> Sequence[LanguageModel]:
        return KNOWN

    def providers(self) -> Sequence[str]:
        return ("anthropic", "lm_studio", "openai")


def scene(root: Path, settings: Settings | None = None) -> Scene:
    it = Scene(root, settings=settings)
    object.__setattr__(it.ws.ports, "models", Listed(()))
    return it


def test_the_mode_has_its_model_until_the_session_has_one(tmp_path: Path) -> None:
    it = scene(tmp_path, Settings(model="a/all", planner_model="a/plan", actor_model="a/act"))
    assert model_name(it.ws, it.session_id) == "a/plan"
    enter_mode(it.ws, it.session_id, Mode.ACT, "by hand")
    assert model_name(it.ws, it.session_id) == "a/act"
    choose_model(it.ws, it.session_id, "openai/big-two")
    assert model_name(it.ws, it.session_id) == "openai/big-two"
    assert it.ws.ports.sessions.messages(it.session_id)[-1].content == "The model is openai/big-two from now on."
    choose_model(it.ws, it.session_id, "")
    assert (it.session.model, model_name(it.ws, it.session_id)) == ("", "a/act")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("big-onne", "Did you mean 'anthropic/big-one'?"),
        ("zzzzzzzzz", "Name it as litellm does, `provider/model`"),
        ("opnai/big-two", "Did you mean 'openai/big-two'?"),
        ("antropic/brand-new", "Did you mean 'anthropic/brand-new'?"),
        ("zzzzzzzzz/zzz", "Name it as litellm does, `provider/model`"),
    ],
)
def test_a_name_that_leads_nowhere_is_refused_and_changes_nothing(tmp_path: Path, name: str, hint: str) -> None:
    it = scene(tmp_path)
    with pytest.raises(ModelFailure, match="MODEL_UNKNOWN") as caught:
        choose_model(it.ws, it.session_id, name)
    assert caught.value.hint == hint
    assert it.session.model == ""


@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("openai/brand-new", "The table of models doesn't list it: it may be newer than the table."),
        ("openai/big-too", "The table of models doesn't list it: it may be newer than the table. If you meant"),
        ("lm_studio/of-my-own", ""),
        ("openai/big-two", ""),
    ],
)
def test_a_model_that_no_list_has_is_taken_with_a_warning(tmp_path: Path, name: str, doubt: str) -> None:
    it = scene(tmp_path)
    assert choose_model(it.ws, it.session_id, name).model == name
    told = it.ws.ports.sessions.messages(it.session_id)[-1].content
    assert told.startswith(f"The model is {name} from now on. {doubt}".rstrip())
    assert ("table" in told) is bool(doubt)


def test_an_endpoint_may_have_providers_that_nobody_else_knows(tmp_path: Path) -> None:
    it = scene(tmp_path, Settings(model_endpoint="http://127.0.0.1:1/v1"))
    assert choose_model(it.ws, it.session_id, "ours/model").model == "ours/model"


@pytest.mark.parametrize(
    ("search", "is_whole", "expected"),
    [
        ("", False, ["x/chosen", "y/own", "anthropic/big-one"]),
        ("", True, ["x/chosen", "y/own", "anthropic/big-one", "openai/big-two"]),
        ("BIG two", True, ["openai/big-two"]),
        ("nothing", True, []),
    ],
)
def test_those_that_can_be_used_are_listed_first(
    tmp_path: Path, search: str, is_whole: bool, expected: list[str]
) -> None:
    it = scene(tmp_path, Settings(model="x/chosen", models={"y/own": ModelSettings(context_tokens=1)}))
    assert [model.name for model in list_models(it.ws, search, is_whole=is_whole)] == expected
