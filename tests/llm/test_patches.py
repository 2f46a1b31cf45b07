"""Each patch over litellm and its clients is needed by the installed version: without patches, the cost is there."""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from typing import Any

import pytest

from planact.adapters.llm.failures import FAILED_ENDS
from planact.adapters.llm.patches import AFTER_IMPORT, BEFORE_IMPORT, LibraryPatch
from planact.adapters.llm.patches.imports import REEXPORTING, UNUSED

PATCHES = (*BEFORE_IMPORT, *AFTER_IMPORT)

UNPATCHED = """
import asyncio, json, os, sys, types
read = []
sys.addaudithook(lambda event, arguments: read.append(str(arguments[0])) if event == "open" else None)
os.environ |= {"LITELLM_MODE": "PRODUCTION", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
import litellm
costs = {
    "leave_out_tokenizers": sum(path.endswith("tokenizer.json") for path in read),
    "leave_out_command_line": len({"click", "pygments", "rich"} & sys.modules.keys()),
}
litellm.suppress_debug_info = litellm.disable_token_counter = True
import httpx, openai
from openai import _base_client
from openai._utils import _json, _transform
from openai.resources.chat.completions import completions
from litellm.litellm_core_utils.core_helpers import map_finish_reason
from litellm.completion_extras.litellm_responses_transformation import transformation as responses_chat
from litellm.litellm_core_utils.prompt_templates import factory
from litellm.llms.anthropic.chat import handler as anthropic_chat
from litellm.llms.ollama.chat import transformation as ollama_chat
from litellm.llms.openai.chat import gpt_transformation as openai_chat
from litellm.llms.vertex_ai.gemini import vertex_and_google_ai_studio_gemini as gemini_chat
WORDS = json.loads(sys.argv[1])
costs["keep_words_of_failed_ends"] = sum(map_finish_reason(word) != word for word in WORDS)

def count(owner, name, counted_as):
    own = getattr(owner, name)
    costs[counted_as] = 0
    def counted(*arguments, **named):
        costs[counted_as] += 1
        return own(*arguments, **named)
    setattr(owner, name, counted)

count(_transform, "_async_transform_recursive", "send_requests_unchanged")
count(_json._CustomEncoder, "iterencode", "write_requests_fast")
count(_base_client, "construct_type", "read_pieces_fast")
count(litellm, "stream_chunk_builder", "end_streams_at_once")
count(litellm.types.utils.StreamingChoices, "_setattr_handler", "set_fields_of_pieces_fast")
count(litellm.litellm_core_utils.litellm_logging.Logging, "response_cost_calculator", "price_no_unfinished_answers")

PIECE = {"id": "w", "object": "chat.completion.chunk", "created": 1, "model": "w"}
def piece(delta, **more):
    choices = [{"index": 0, "delta": delta, "finish_reason": more.pop("finish_reason", None)}]
    return f"data: {json.dumps(PIECE | {'choices': choices} | more)}\\n\\n"

def gemini(**candidate):
    return f"data: {json.dumps({'candidates': [{'content': {'parts': [{'text': 'w'}]}, **candidate}]})}\\n\\n"

async def ends_of_gemini(*chunks):
    async def lines():
        for chunk in chunks:
            yield chunk.strip()
    iterator = gemini_chat.ModelResponseIterator(lines(), True, types.SimpleNamespace(optional_params={}))
    return [(each.choices[0].finish_reason, each.hidden_params["is_finished"]) async for each in iterator]

USED = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
TEXT = "".join(piece({"role": "assistant", "content": f"word {number} "}) for number in range(50))
TEXT += piece({}, finish_reason="stop", usage=USED) + "data: [DONE]\\n\\n"

class Bytes(httpx.AsyncByteStream):
    async def __aiter__(self):
        for _ in range(30):
            yield b"a" * 1_000_000

async def main():
    begun = []
    first, last = sys.get_asyncgen_hooks()
    def begin(generator):
        begun.append(generator)
        first(generator)
    answer = httpx.MockTransport(lambda _: httpx.Response(
        200, headers={"content-type": "text/event-stream"}, content=TEXT.encode()))
    client = openai.AsyncOpenAI(
        api_key="none", base_url="http://model", http_client=httpx.AsyncClient(transport=answer))
    sys.set_asyncgen_hooks(begin, last)
    chunks = await litellm.acompletion(model="openai/w", api_key="none", client=client, stream=True,
        messages=[{"role": "user", "content": "."}], _skip_mcp_handler=True)
    long = httpx.Response(200, request=httpx.Request("GET", "http://model"), stream=Bytes())
    try:
        costs["bound_responses"] = int(len(await long.aread()) == 30_000_000)
    except httpx.ReadError:
        costs["bound_responses"] = 0
    priced = costs["price_no_unfinished_answers"]
    async for _ in chunks:
        pass
    costs["price_no_unfinished_answers"] = priced
    given = litellm.types.utils.ModelResponseStream(choices=[{"delta": {"content": "w", "role": "assistant"}}])
    costs["leave_roles_in_pieces"] = int(chunks.strip_role_from_delta(given).choices[0].delta.role is None)
    plain = [{"role": "user", "content": "."}]
    costs["find_signatures_in_calls"] = int(
        litellm.utils._remove_thought_signatures_from_messages(plain, "__thought__")[0] is not plain[0])
    costs["leave_messages_as_made"] = int(litellm.main.validate_and_fix_openai_messages(plain)[0] is not plain[0])
    signed = openai.types.chat.ChatCompletionChunk.model_validate(PIECE | {"choices": [
        {"index": 0, "delta": {"content": "", "reasoning_details": [{"signature": "s"}]}, "finish_reason": None}]})
    chunks.completion_stream = None
    costs["hand_on_signed_pieces"] = int(chunks.chunk_creator(signed) is None)
    refusal = openai.types.chat.ChatCompletionChunk.model_validate(
        PIECE | {"choices": [{"index": 0, "delta": {"refusal": "w"}, "finish_reason": None}]})
    heard = chunks.chunk_creator(refusal)
    costs["hear_refusals"] = int(heard is None or not heard.choices[0].delta.content)
    odd = openai.types.chat.ChatCompletionChunk.model_validate(
        PIECE | {"choices": [{"index": 0, "delta": {"content": "w"}, "finish_reason": None}]})
    odd.choices[0].delta = openai.types.chat.chat_completion_chunk.ChoiceDelta.model_construct(
        content=[{"type": "text", "text": "w"}])
    costs["read_odd_pieces"] = int(chunks.chunk_creator(odd) is None)
    plain = openai.types.chat.ChatCompletionChunk.model_validate(
        PIECE | {"choices": [{"index": 0, "delta": {"content": "w"}, "finish_reason": None}]})
    chunks.received_finish_reason = None
    costs["hand_on_plain_pieces"] = int(chunks.chunk_creator(plain) is not plain)
    done = openai_chat.OpenAIChatCompletionStreamingHandler(iter(()), True)
    costs["end_streams_by_their_ends"] = int(bool(done._handle_string_chunk("data: [DONE]")["is_finished"]))
    told = {"model": "w", "message": {"role": "assistant", "content": "<think>w"}, "done": False}
    thought = ollama_chat.OllamaChatCompletionResponseIterator(iter(()), True).chunk_parser(told)
    costs["leave_texts_of_ollama_alone"] = int(thought.choices[0].delta.content != "<think>w")
    sent = factory.BedrockConverseMessagesProcessor.translate_thinking_blocks_to_reasoning_content_blocks(
        [{"type": "redacted_thinking", "data": "w"}])
    costs["send_encrypted_thoughts_to_bedrock"] = int("redactedContent" not in str(sent))
    claude = anthropic_chat.ModelResponseIterator(iter(()), False)
    block = {"type": "tool_use", "id": "w", "name": "w", "input": {"w": 1}}
    claude.chunk_parser({"type": "content_block_start", "index": 0, "content_block": block})
    ended = claude.chunk_parser({"type": "content_block_stop", "index": 0})
    costs["keep_input_of_calls_apart"] = int(not ended.choices[0].delta.tool_calls)
    iterator = responses_chat.OpenAiResponsesToChatCompletionStreamIterator(iter(()), True)
    refused = iterator.chunk_parser({"type": "response.refusal.delta", "delta": "No."})
    costs["hear_all_of_responses"] = int(not refused.choices[0].delta.content)
    try:
        await ends_of_gemini(gemini(content={"parts": [{"functionCall": {"name": "w"}}]}))
        costs["fill_in_what_gemini_left_out"] = 0
    except Exception:
        costs["fill_in_what_gemini_left_out"] = 1
    found = await ends_of_gemini(gemini(), gemini(finishReason="STOP"))
    costs["detect_ends_of_gemini_streams"] = sum(a != b for a, b in zip(found, [(None, False), ("stop", True)]))
    # One for the whole answer would be no cost.
    costs["iterate_streams_directly"] = sum("__aiter__" in generator.__qualname__ for generator in begun) - 1

asyncio.run(main())
costs["leave_out_unused"] = sum(name in sys.modules for name in json.loads(sys.argv[2]))
costs["import_names_late"] = sum(any(name.startswith(f"{package}.") for name in sys.modules)
    for package in json.loads(sys.argv[3]))
print(json.dumps(costs))
sys.stdout.flush()
os._exit(0)
"""


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """How often each patched part did its needless work in a process without patches, by the patch's name."""
    folder = tmp_path_factory.mktemp("unpatched")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", UNPATCHED, *map(json.dumps, ([*FAILED_ENDS], UNUSED, REEXPORTING))],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


def name_of(value: Any) -> str:
    return getattr(value.apply, "__name__", "")


@pytest.mark.parametrize("patch", PATCHES, ids=name_of)
def test_a_patch_is_needed_by_the_installed_version(patch: LibraryPatch, costs: dict[str, int]) -> None:
    assert costs[name_of(patch)] > 0, f"{patch.package} no longer needs {name_of(patch)}: take the patch out"


def test_all_that_is_left_out_would_be_imported(costs: dict[str, int]) -> None:
    assert costs["leave_out_unused"] == len(UNUSED)
    assert costs["import_names_late"] == len(REEXPORTING)


@pytest.mark.parametrize("patch", PATCHES, ids=name_of)
def test_a_patch_is_for_the_installed_version(patch: LibraryPatch) -> None:
    message = f"try {name_of(patch)} with the new {patch.package}, and write its version into the patch"
    assert version(patch.package) == patch.version, message
