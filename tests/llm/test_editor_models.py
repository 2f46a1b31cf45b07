"""Models that the editor brings along: what they say, how they fail, and what they are sent."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.editor_models import EditorModels
from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.adapters.llm.provider_shape import NO_IMAGE
from planact.app.models import ModelServices
from planact.base.errors import ModelFailure
from planact.model.chat.language_model import EditorModelError, LanguageModel
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall
from planact.model.rights.permission import Mode
from planact.model.settings import Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.sessions.choose_model import list_models, model_warning
from tests.workflows.scene import Scene

NAME = "vscode/copilot/gpt-5"
TOOLS = [{"type": "function", "function": {"name": "read_file", "description": "Read", "parameters": {}}}]
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
HELLO = ModelRequest([{"role": "system", "content": "Help."}, {"role": "user", "content": "hello"}], TOOLS)
READ = ToolCall(id="call_1", name="read_file", arguments='{"path": "a"}')
SILENCE = object()
"""Lasts until the request is ended."""

Step = TextDelta | ToolCall | EditorModelError | object


class Editor:
    """Plays answers, each a list of what comes; the last one again and again."""

    def __init__(self, *answers: Sequence[Step]) -> None:
        self.answers = answers
        self.requests: list[ModelRequest] = []
        self.ended = 0

    async def ask(self, name: str, request: ModelRequest) -> AsyncGenerator[TextDelta | ToolCall]:
        assert name == NAME
        self.requests.append(request)
        try:
            for each in self.answers[min(len(self.requests), len(self.answers)) - 1]:
                if isinstance(each, EditorModelError):
                    raise each
                if each is SILENCE:
                    await asyncio.Event().wait()
                assert isinstance(each, TextDelta | ToolCall)
                yield each
        finally:
            self.ended += 1


def source(root: Path, editor: Editor | None, **settings: Any) -> ModelSource:
    models = EditorModels()
    if editor is not None:
        models.replace([LanguageModel(name=NAME, provider="vscode", context_tokens=128_000)], editor.ask)
    chosen = Settings(model=NAME, **settings)
    return ModelSource(chosen.of_model, LitellmLoader({}), ModelTable({}), root, editor=models, idle_seconds=0.3)


async def said(models: ModelSource, request: ModelRequest = HELLO) -> tuple[str, Reply]:
    """What was shown, and the whole reply."""
    *shown, reply = [each async for each in models.open(NAME).stream(request)]
    assert isinstance(reply, Reply)
    return "".join(each.text for each in shown if isinstance(each, TextDelta) and not each.is_reasoning), reply


async def test_a_character_that_is_cut_in_two_is_one_again(tmp_path: Path) -> None:
    cut = [TextDelta("\ud83d", is_reasoning=True), TextDelta("a \ud83d"), TextDelta("\ude00")]
    shown, reply = await said(source(tmp_path, Editor([*cut, TextDelta("\ude80", is_reasoning=True)])))
    assert (shown, reply.text, reply.reasoning) == ("a 😀", "a 😀", "🚀")


async def test_text_thoughts_and_calls_become_one_reply(tmp_path: Path) -> None:
    nameless = ToolCall(id="", name="read_file", arguments="{}")
    editor = Editor([TextDelta("Hm.", is_reasoning=True), TextDelta("I "), TextDelta("look."), READ, nameless])
    shown, reply = await said(source(tmp_path, editor))
    assert (shown, reply.text, reply.reasoning) == ("I look.", "I look.", "Hm.")
    assert reply.tool_calls[0] == READ
    assert reply.tool_calls[1].id not in ("", READ.id)
    assert reply.finish_reason == "tool_calls"
    assert editor.requests[0].tools == TOOLS


@pytest.mark.parametrize(
    ("failure", "code", "is_transient", "says"),
    [
        (EditorModelError("forbidden", "the user said no"), "MODEL_UNAVAILABLE", False, "the user said no"),
        (EditorModelError("gone", "no extension brings it"), "MODEL_UNAVAILABLE", False, "no extension brings it"),
        (EditorModelError("blocked", "quota"), "MODEL_NO_CREDIT", False, "quota"),
        (EditorModelError("other", "Request Failed: 502"), "MODEL_OVERLOADED", True, "502"),
        (EditorModelError("other", "the prompt is too long"), "MODEL_CONTEXT_FULL", False, "too long"),
        (EditorModelError("other", "blocked by the content filter"), "MODEL_REFUSED", False, "content filter"),
        (EditorModelError("what comes later", ""), "MODEL_OVERLOADED", True, NAME),
    ],
    ids=lambda value: value.kind if isinstance(value, EditorModelError) else None,
)
async def test_a_failure_is_told_by_its_kind_or_its_words(
    tmp_path: Path, failure: EditorModelError, code: str, says: str, *, is_transient: bool
) -> None:
    with pytest.raises(ModelFailure) as caught:
        await said(source(tmp_path, Editor([failure])))
    assert (caught.value.code, caught.value.is_transient) == (code, is_transient)
    assert says in caught.value.message
    assert caught.value.hint


async def test_an_answer_that_breaks_off_or_falls_silent_is_told_so_and_ended(tmp_path: Path) -> None:
    for end in (EditorModelError("other", "socket hang up"), SILENCE):
        editor = Editor([TextDelta("I begin"), end])
        with pytest.raises(ModelFailure) as caught:
            await said(source(tmp_path, editor))
        assert (caught.value.code, caught.value.is_transient) == ("MODEL_STREAM_BROKEN", True)
        assert editor.ended == 1


async def test_a_stop_ends_the_request(tmp_path: Path) -> None:
    editor = Editor([TextDelta("I begin"), TextDelta("."), SILENCE])
    stream = source(tmp_path, editor).open(NAME).stream(HELLO)
    assert isinstance(stream, AsyncGenerator)
    assert await anext(stream) == TextDelta("")
    assert await anext(stream) == TextDelta("I begin")
    await stream.aclose()
    assert editor.ended == 1


async def test_what_it_refuses_is_learned(tmp_path: Path) -> None:
    """Tools and pictures are put into words from then on."""
    editor = Editor(
        [EditorModelError("other", "This VS Code does not support image input.")],
        [EditorModelError("other", "the model does not support tool calling")],
        [TextDelta('I look.\n```tool_call\n{"tool": "read_file", "arguments": {"path": "a"}}\n```')],
    )
    models = source(tmp_path, editor)
    shown = [{"role": "user", "content": [{"type": "text", "text": "see"}, IMAGE]}]
    text, reply = await said(models, ModelRequest(shown, TOOLS))
    assert text.strip() == "I look."
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("read_file", '{"path": "a"}')]
    assert (editor.requests[-1].tools, NO_IMAGE in str(editor.requests[-1].messages)) == ((), True)
    await said(models, ModelRequest(shown, TOOLS))
    assert len(editor.requests) == 4


async def test_without_an_editor_it_says_who_can_ask(tmp_path: Path) -> None:
    with pytest.raises(ModelFailure, match="only an editor") as caught:
        await said(source(tmp_path, None))
    assert caught.value.code == "MODEL_UNAVAILABLE"
    with pytest.raises(ModelFailure) as caught:
        await ModelServices({}, {}).doubt_about(Settings(), NAME)  # type: ignore[arg-type]
    assert caught.value.hint == "Choose another model for the terminal"


async def test_work_with_it_needs_no_key_and_counts_tokens_by_an_estimate(tmp_path: Path) -> None:
    make = ToolCall(id="call_1", name="create_file", arguments='{"path": "a.txt", "content": "a"}')
    torn = [TextDelta("First"), EditorModelError("other", "socket hang up")]
    editor = Editor(torn, [TextDelta("I make it."), make], [TextDelta("Done.")])
    it = Scene(tmp_path, mode=Mode.ACT, settings=Settings(model=NAME, approval="acceptAll"))
    object.__setattr__(it.ws.ports, "models", source(tmp_path, editor))
    await send_message(it.ws, it.session_id, "Make a file.")
    assert [*it.world.tree()] == ["a.txt"]
    usage = it.world.store.sessions.get(it.session_id).usage
    assert usage.is_estimated
    assert usage.input_tokens > 100
    assert usage.cost is None
    assert next(model.name for model in list_models(it.ws, "gpt-5", is_whole=False)) == NAME
    assert model_warning(it.ws, NAME) == ""
    assert editor.ended == len(editor.requests) == 3


def test_it_takes_only_names_of_its_own() -> None:
    models = EditorModels()
    models.replace([LanguageModel(name="openai/gpt-4o"), LanguageModel(name=NAME)], Editor().ask)
    assert [model.name for model in models.list()] == [NAME]
