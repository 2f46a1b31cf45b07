"""Models through litellm; the only module that imports it.

litellm takes two seconds to import and more for its first call, so a background thread does both, once. Before that,
planact turns off litellm's `.env`, downloads of prices and counting of tokens.
"""

import asyncio
import gc
import logging
import os
import threading
import time
import warnings
from collections.abc import AsyncGenerator, Awaitable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from planact.adapters.llm.assembly import Assembly
from planact.adapters.llm.effort import Effort
from planact.adapters.llm.failures import (
    Context,
    broken,
    endless,
    failed_end,
    key_missing,
    model_failure,
    no_answer,
    no_stream,
)
from planact.adapters.llm.known_names import is_listed, nearest, provider_of
from planact.adapters.llm.learning_model import LearningModel, ModelAbilities
from planact.adapters.llm.patches import AFTER_IMPORT, BEFORE_IMPORT, apply
from planact.adapters.llm.provider_shape import copied, shaped_for, wants_marks
from planact.adapters.llm.route import route_to
from planact.adapters.llm.usage import reported_usage
from planact.base.errors import ModelFailure
from planact.base.memory import check_limit, memory_failure
from planact.model.chat.message import ModelRequest, Reply, TextDelta

IDLE_SECONDS = 180.0
"""So long an answer that has begun may pause."""

FIRST_SECONDS = 600.0
"""So long an answer may take to begin."""

_CONNECT_SECONDS = 15.0
_MEMORY_NEEDED = 400_000_000
"""Bytes of address space for planact, litellm and a request."""

_LONGEST_ANSWER = 2_000_000
"""Characters; a model that goes on after that repeats itself."""

_SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_WARM_UP_STREAM = (
    b'data: {"id":"w","object":"chat.completion.chunk","created":1,"model":"w","choices":[{"index":0,'
    b'"delta":{"tool_calls":[{"index":0,"id":"w","type":"function","function":{"name":"w","arguments":"{}"}}]},'
    b'"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\ndata: [DONE]\n\n'
)


class LitellmLoader:
    """Imports and warms litellm beside a running event loop. `environment` holds the user's keys."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self._loaded: Future[Any] = Future()
        self._loaded.set_running_or_notify_cancel()  # else cancelling one waiter would cancel them all
        self._is_started = False

    def start(self) -> None:
        """Begin to load in a thread, once; returns at once."""
        if not self._is_started:
            self._is_started = True
            threading.Thread(target=self._load, name="litellm", daemon=True).start()

    async def ready(self) -> Any:
        """Return the module `litellm` once it is warm. Raises ModelFailure MODEL_UNAVAILABLE if litellm can't be
        loaded.
        """
        self.start()
        return await asyncio.wrap_future(self._loaded)

    def _load(self) -> None:
        # Collecting takes a third of the import's time; without the freeze, 200 ms of the loop's time after it.
        gc.disable()
        try:
            os.environ.update(self.environment)
            os.environ["LITELLM_MODE"] = "PRODUCTION"  # else a `.env` above site-packages sets keys and endpoints
            os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else prices are downloaded
            os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"  # else a list is, before Claude is asked
            _ask_own_models_directly()
            check_limit(_MEMORY_NEEDED, "litellm")
            apply(BEFORE_IMPORT)
            import litellm

            litellm.suppress_debug_info = True  # else it prints to stdout
            litellm.disable_token_counter = True  # else it loads a tokenizer; cost comes from the reported usage
            litellm.modify_params = True  # else Claude refuses to think in a conversation that has tool calls
            apply(AFTER_IMPORT, litellm)
            # Its own types don't fit what OpenAI's API of responses sends; people would read that between the answers.
            warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
            logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its failures reach the user as ModelFailure
            asyncio.run(_warm_up(litellm))
        except Exception as error:  # noqa: BLE001  an import can raise anything, and the waiters must hear of it
            told = f"litellm can't be loaded: {type(error).__name__}: {error}"
            failure = ModelFailure("MODEL_UNAVAILABLE", told, "Install planact anew, unless memory is short")
            self._loaded.set_exception(memory_failure(error, ModelFailure) or failure)
        else:
            self._loaded.set_result(litellm)
        finally:
            gc.freeze()
            gc.enable()


class LitellmModel(LearningModel):
    """One model of one provider, at the `endpoint` of the user's choice or, when that is empty, the provider's own.

    `parameters` go to litellm as they are; their `timeout` is the seconds to wait for the answer to begin.
    After that it may pause for `idle_seconds`. What `abilities` learn outlives the model.
    """

    def __init__(
        self,
        name: str,
        endpoint: str,
        parameters: Mapping[str, Any],
        loader: LitellmLoader,
        *,
        idle_seconds: float = IDLE_SECONDS,
        abilities: ModelAbilities | None = None,
        effort: Effort | None = None,
    ) -> None:
        super().__init__(abilities or ModelAbilities())
        self._name = name
        # Ollama's other API has no tools: litellm would paste them into the prompt.
        self._sent_name = f"ollama_chat/{name.removeprefix('ollama/')}" if name.startswith("ollama/") else name
        self._endpoint = endpoint
        self._parameters = {"timeout": FIRST_SECONDS, **parameters}
        self._loader = loader
        self._idle_seconds = idle_seconds
        self._effort = effort or Effort()

    async def _stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Reply]:
        litellm = await self._loader.ready()
        missing = self._missing_keys(litellm)
        context = self._context(litellm, missing)
        if missing and not self._endpoint:
            raise key_missing(context)
        arguments = self._arguments(litellm, request, context.provider, needs_key=bool(missing))
        seconds = self._parameters["timeout"]
        chunks = await _within(seconds, litellm.acompletion(**arguments), context)
        assembly = Assembly(id_prefix=f"call_{len(request.messages)}")
        patience = Patience(self._parameters["timeout"])
        try:
            while (chunk := await _within(seconds, anext(chunks, None), context)) is not None:
                # For some providers litellm connects only now, so the answer begins with its first chunk.
                if not context.is_streaming:
                    yield TextDelta("")
                    seconds, context = self._idle_seconds, replace(context, is_streaming=True)
                for delta in _added(assembly, chunk, context):
                    yield delta
                patience.check(assembly.size, context)
            if chunks.received_finish_reason is None:  # litellm makes up a `stop` for a stream that just ends
                if not assembly.size and (kind := _strange_kind(chunks)):
                    raise no_stream(kind, context)
                raise broken("it ended without saying that it was complete", context)
            for delta in assembly.rest():
                yield delta
            if failure := failed_end(assembly.finish_reason, context):
                raise failure
            yield assembly.reply(reported_usage(litellm, self._name, context.provider, chunks.chunks))
        finally:
            await chunks.aclose()

    def _missing_keys(self, litellm: Any) -> Collection[str]:
        """Return the variables without which no request is sent. For providers with other ways to log in, litellm
        decides.
        """
        missing = litellm.validate_environment(model=self._sent_name)["missing_keys"]
        is_plain = "api_key" not in self._parameters and all(name.endswith("_API_KEY") for name in missing)
        return missing if is_plain else ()

    def _context(self, litellm: Any, missing: Collection[str]) -> Context:
        provider = _provider(litellm, self._sent_name, self._endpoint)
        environment = self._loader.environment
        usual = f"{provider.upper()}_API_KEY"
        key_variable = " or ".join(missing) or (usual if usual in environment else "")
        secrets = {**environment, **self._parameters}
        return Context(self._name, provider, self._endpoint, key_variable, _secrets(secrets))

    def _arguments(self, litellm: Any, request: ModelRequest, provider: str, *, needs_key: bool) -> dict[str, Any]:
        import httpx

        arguments: dict[str, Any] = {
            **self._parameters,
            **self._effort.arguments(litellm, self._sent_name, provider, self._parameters),
            "stream": True,
            "stream_options": {"include_usage": True},
            "timeout": httpx.Timeout(self._parameters["timeout"], connect=_CONNECT_SECONDS),
            "num_retries": 0,
            "max_retries": 0,
            "_skip_mcp_handler": True,  # else every call with tools wants a package that isn't there
        }
        if request.tools:
            arguments["tools"] = copied(request.tools)
        if self._endpoint:
            arguments["api_base"] = self._endpoint
        if needs_key:
            arguments["api_key"] = "none"  # one's own server mostly wants no key, the client library always does
        route = route_to(litellm, self._sent_name, provider, self._endpoint, arguments, self._loader.environment)
        images, marks = self._abilities.takes_images, wants_marks(litellm, provider, self._name)
        messages = shaped_for(
            provider, request.messages, with_images=images, with_marks=marks, as_responses=route.is_responses
        )
        effort = arguments.get("reasoning_effort")
        if route.is_responses and isinstance(effort, str) and self._abilities.sums_up_reasoning:
            arguments["reasoning_effort"] = {"effort": effort, "summary": "auto"}  # else none of it is shown
        return {**route.arguments(request.session_id), **arguments, "model": route.name, "messages": messages}


def _added(assembly: Assembly, chunk: Any, context: Context) -> Sequence[TextDelta]:
    try:
        return [*assembly.add(chunk)]
    except Exception as error:
        raise broken(f"a piece of it has no known form ({type(error).__name__})", context) from error


class Patience:
    """A limit on answers that grow without bounds, or that go on for `seconds` without new text."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._size = 0
        self._since = time.monotonic()

    def check(self, size: int, context: Context) -> None:
        """Raise ModelFailure MODEL_STREAM_BROKEN past a limit; `size` counts the characters so far."""
        if size > _LONGEST_ANSWER:
            raise endless(f"it didn't end after {_LONGEST_ANSWER:,} characters", context)
        if size > self._size:
            self._size, self._since = size, time.monotonic()
        elif time.monotonic() - self._since > self._seconds:
            raise endless(f"it went on for {self._seconds:g} s and said nothing", context)


def _strange_kind(chunks: Any) -> str:
    """Return the content type of an empty response that is no stream; empty for a stream or an unknown type."""
    response = getattr(getattr(chunks, "completion_stream", None), "response", None)
    kind = str(getattr(response, "headers", {}).get("content-type", "")).partition(";")[0].strip().lower()
    return "" if kind in ("", "text/event-stream", "application/x-ndjson", "application/octet-stream") else kind


async def doubt_about(name: str, endpoint: str, loader: LitellmLoader) -> str | None:
    """Return the listed name nearest to `name`, empty without one; None when litellm lists the model or the user chose
    the endpoint.

    Raises:
        ModelFailure: MODEL_UNKNOWN when it can't be used at all, MODEL_UNAVAILABLE when litellm can't be loaded or the
            endpoint is no address.
    """
    litellm = await loader.ready()
    provider = _provider(litellm, name, endpoint)
    return None if endpoint or is_listed(litellm, name, provider) else nearest(litellm, name, provider)


def _provider(litellm: Any, name: str, endpoint: str) -> str:
    if endpoint and not endpoint.lower().startswith(("http://", "https://")):
        message = f"the endpoint of the model '{name}' doesn't begin with http:// or https://"
        raise ModelFailure("MODEL_UNAVAILABLE", message, "Correct the setting `modelEndpoint`")
    provider = provider_of(litellm, name, endpoint)
    if provider:
        return provider
    near = f"openai/{name}" if endpoint else nearest(litellm, name)
    hint = f"Did you mean '{near}'?" if near else "Name it as litellm does, `provider/model`"
    raise ModelFailure("MODEL_UNKNOWN", f"no provider is known for the model '{name}'", hint)


async def _within(seconds: float, answer: Awaitable[Any], context: Context) -> Any:
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        raise no_answer(seconds, context) from None
    except Exception as error:  # noqa: BLE001  the one border where litellm's exceptions end
        raise model_failure(error, context) from None


def _secrets(values: Mapping[str, Any]) -> Collection[str]:
    """Return the values that no message may show; values under 8 characters are no secrets and would mangle the
    text.
    """
    return [
        value
        for name, value in values.items()
        if isinstance(value, str) and len(value) >= 8 and any(word in name.upper() for word in _SECRET_WORDS)
    ]


def _ask_own_models_directly() -> None:
    """Have models of this machine asked without a proxy, which can't reach them and would see what they are asked."""
    name = "no_proxy" if "no_proxy" in os.environ else "NO_PROXY"
    os.environ[name] = ",".join(filter(None, (os.environ.get(name), "localhost", "127.0.0.1", "::1")))


async def _warm_up(litellm: Any) -> None:
    """Make one call to a model in memory, so that litellm's late imports are done."""
    import httpx
    import openai

    answer = httpx.MockTransport(
        lambda _: httpx.Response(200, headers={"content-type": "text/event-stream"}, content=_WARM_UP_STREAM)
    )
    client = openai.AsyncOpenAI(api_key="none", base_url="http://warm", http_client=httpx.AsyncClient(transport=answer))
    async with client:
        chunks = await litellm.acompletion(
            model="openai/warm",
            api_key="none",
            client=client,
            messages=[{"role": "user", "content": "."}],
            tools=[{"type": "function", "function": {"name": "w", "description": "w", "parameters": {}}}],
            stream=True,
            stream_options={"include_usage": True},
            _skip_mcp_handler=True,
        )
        async for _ in chunks:
            pass
