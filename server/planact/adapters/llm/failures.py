"""What litellm raises, said in planact's words: a stable code, the model, the cause and the next step.

It goes by the names of the exceptions, so that it can be read and tested without importing litellm.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from planact.base.errors import ModelFailure

_BILLING = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_TOO_LONG = re.compile(r"context_length_exceeded|maximum context length|prompt is too long", re.IGNORECASE)
_SECRET_PARTS = re.compile(r"(?<=//)[^/]*@|[?#].*", re.DOTALL)
_NO_KEY = re.compile(r"missing credentials|unable to locate credentials", re.IGNORECASE)
_MESSAGE_IN_JSON = re.compile(r'"message"\s*:\s*"((?:\\.|[^"\\])+)"')
_NOISE = re.compile(r"^(?:litellm\.)?\w*(?:Error|Exception|Timeout)\w*(?: Error)?\s*[:-]\s*")
_LONGEST_CAUSE = 300


@dataclass(frozen=True, slots=True)
class Context:
    """Where the failure happened.

    Attributes:
        endpoint: the URL the user chose, or empty for the provider's own.
        key_variable: the environment variable the provider's key is read from, or empty when it isn't known.
        secrets: what must not appear in a message.
        is_streaming: whether the answer had begun.
    """

    model: str
    provider: str
    endpoint: str
    key_variable: str
    secrets: Collection[str]
    is_streaming: bool = False

    @property
    def place(self) -> str:
        """The endpoint without anything secret in it."""
        if not self.endpoint:
            return f"the endpoint of {self.provider}"
        return _SECRET_PARTS.sub("", self.endpoint)

    @property
    def key(self) -> str:
        """What to call the key."""
        return self.key_variable or f"the key of {self.provider}"

    def clean(self, text: str) -> str:
        """One line of `text`: the message, where it is JSON; without secrets and without litellm's prefixes."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        if match := _MESSAGE_IN_JSON.search(text):
            text = match[1].replace("\\", "")
        text = " ".join(text.partition("Original exception:")[0].split()).rstrip(". ")
        while (shorter := _NOISE.sub("", text, count=1)) != text:
            text = shorter
        return text if len(text) <= _LONGEST_CAUSE else text[:_LONGEST_CAUSE] + "…"


def failure_of(error: Exception, context: Context) -> ModelFailure:
    """The ModelFailure that says what `error`, raised by litellm, means."""
    error = getattr(error, "original_exception", None) or error  # litellm wraps what breaks a stream
    names = {cls.__name__ for cls in type(error).__mro__}
    cause = context.clean(getattr(error, "message", None) or str(error))
    if "RateLimitError" in names:
        return _rate_limited(error, cause, context)
    if "ContextWindowExceededError" in names or _TOO_LONG.search(cause):
        return ModelFailure(
            "MODEL_CONTEXT_FULL",
            f"the conversation is too long for the model '{context.model}': {cause}",
            "Begin a new session, or choose a model that takes more",
        )
    if "AuthenticationError" in names or _status(error) in (401, 403) or _NO_KEY.search(cause):
        return _refused_key(error, cause, context)
    if "NotFoundError" in names:
        return ModelFailure(
            "MODEL_UNKNOWN",
            f"{context.place} knows no model '{context.model}': {cause}",
            "Check the setting `model`"
            + (", and that `modelEndpoint` ends as its API asks" if context.endpoint else ""),
        )
    if names & {"BadRequestError", "UnprocessableEntityError"}:
        return ModelFailure(
            "MODEL_BAD_REQUEST",
            f"the model '{context.model}' rejected the request: {cause}",
            "Check `modelParameters`, and that the model can call tools",
        )
    return _trouble(error, names, cause, context)


def no_answer(seconds: float, context: Context) -> ModelFailure:
    """Nothing came for so long that it counts as broken."""
    if context.is_streaming:
        return broken(f"nothing came for {seconds:g} s", context)
    return ModelFailure(
        "MODEL_UNAVAILABLE",
        f"{context.place} gave no answer for the model '{context.model}' within {seconds:g} s",
        "Try again, or raise `timeout` in `modelParameters`",
        is_transient=True,
    )


def broken(cause: str, context: Context) -> ModelFailure:
    """The answer stopped in the middle."""
    return ModelFailure(
        "MODEL_STREAM_BROKEN",
        f"the answer of the model '{context.model}' broke off: {cause}",
        "Try again",
        is_transient=True,
    )


def _rate_limited(error: Exception, cause: str, context: Context) -> ModelFailure:
    is_billing = bool(_BILLING.search(cause))
    return ModelFailure(
        "MODEL_RATE_LIMITED",
        f"{context.provider} accepts no more requests for the model '{context.model}': {cause}",
        f"Check the plan and billing of your {context.provider} account" if is_billing else "Wait, then try again",
        is_transient=not is_billing,
        retry_after=_retry_after(error),
    )


def _refused_key(error: Exception, cause: str, context: Context) -> ModelFailure:
    if _status(error) is None:  # litellm itself found none: nothing was sent
        return key_missing(context, cause)
    return ModelFailure(
        "MODEL_KEY_REFUSED",
        f"{context.place} refused the key for the model '{context.model}': {cause}",
        f"Check {context.key}",
    )


def key_missing(context: Context, cause: str = "") -> ModelFailure:
    """No key, so nothing was sent."""
    return ModelFailure(
        "MODEL_KEY_MISSING",
        f"no key for the model '{context.model}': {cause or context.key + ' is not set'}",
        f"Set {context.key} in the environment that planact, or your editor, is started in",
    )


def _trouble(error: Exception, names: Collection[str], cause: str, context: Context) -> ModelFailure:
    """The model or the way to it is in trouble, which may pass."""
    status = _status(error)
    if status is not None and status >= 500 and "Timeout" not in names:
        return ModelFailure(
            "MODEL_OVERLOADED",
            f"{context.place} can't serve the model '{context.model}' now (status {status}): {cause}",
            "Try again later",
            is_transient=True,
            retry_after=_retry_after(error),
        )
    if context.is_streaming:
        return broken(cause, context)
    *_, root = _chain(error)
    reason = "the connection is refused" if isinstance(root, ConnectionRefusedError) else context.clean(str(root))
    return ModelFailure(
        "MODEL_UNAVAILABLE",
        f"can't reach the model '{context.model}' at {context.place}: {reason}",
        "Check the network and the setting `modelEndpoint`, then try again",
        is_transient=isinstance(root, OSError) or "Timeout" in names,
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _status(error: Exception) -> int | None:
    """The status of a real response: what litellm's exceptions stem from has it, they themselves make one up."""
    for link in _chain(error):
        status = getattr(getattr(link, "response", None), "status_code", None)
        if isinstance(status, int) and not type(link).__module__.startswith("litellm."):
            return status
    return None


def _retry_after(error: Exception) -> float | None:
    """Seconds, from a header that may also hold a date, which nobody sends here."""
    for link in _chain(error):
        headers = getattr(getattr(link, "response", None), "headers", None) or {}
        value = str(headers.get("retry-after", ""))
        if value.isascii() and value.replace(".", "", 1).isdigit():
            return float(value)
    return None
