"""What litellm raises, said in planact's words: a stable code, the model, the cause and the next step.

It goes by the names of the exceptions, so that it can be read and tested without importing litellm.
"""

import re
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from planact.base.errors import ModelFailure

_BILLING = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context_length_exceeded|context[ _](?:length|window|size)|(?:prompt|input|request) is too long"
    r"|too many (?:input )?tokens|input token count.*exceeds",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(?:does not|doesn't|not) support (?:tool|function|parameters: \[.*'tools')"
    r"|(?:tool|function)[ _-]?(?:use|call\w*|choice|s)\b.{0,40}(?:not supported|unsupported|requires --enable)"
    r"|no endpoints found that support tool",
    re.IGNORECASE,
)
_NO_IMAGES = re.compile(
    r"(?:does not|doesn't|not) support (?:image|vision)"
    r"|image[ _-]?(?:input|url|s)?\b.{0,40}(?:not supported|unsupported)"
    r"|no endpoints found that support image|not a (?:multimodal|vision) model",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"content[ _](?:filter|policy|management)|safety system|flagged", re.IGNORECASE)
_REPEATS = re.compile(r"repeating the same chunk", re.IGNORECASE)
_CUT_CONNECTIONS = {"ClientPayloadError", "RemoteProtocolError", "ServerDisconnectedError"}
_OVERLOADED = re.compile(r"overloaded", re.IGNORECASE)
_HTML = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
_HTML_TITLE = re.compile(r"<(title|h1)\b[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_LOGIN = re.compile(r"(?<=://)[^/@\s'\"]+@")
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
        if _HTML.search(text):
            title = _HTML_TITLE.search(text)
            text = f"it answered with a web page{f' (“{title[2].strip()}”)' if title else ''}"
        text = _LOGIN.sub("", " ".join(text.partition("Original exception:")[0].split())).rstrip(". ")
        while (shorter := _NOISE.sub("", text, count=1)) != text:
            text = shorter
        return text if len(text) <= _LONGEST_CAUSE else text[:_LONGEST_CAUSE] + "…"


def failure_of(error: Exception, context: Context) -> ModelFailure:
    """The ModelFailure that says what `error`, raised by litellm, means."""
    error = getattr(error, "original_exception", None) or error  # litellm wraps what breaks a stream
    names = {cls.__name__ for cls in type(error).__mro__}
    cause = context.clean(getattr(error, "message", None) or str(error))
    if "RateLimitError" in names or _status(error) == 402:
        return _rate_limited(error, cause, context)
    if "ContextWindowExceededError" in names or (_status(error) in (None, 400, 413, 422) and _TOO_LONG.search(cause)):
        return ModelFailure(
            "MODEL_CONTEXT_FULL",
            f"the conversation is too long for the model '{context.model}': {cause}",
            "Begin a new session, or choose a model that takes more",
        )
    if "ContentPolicyViolationError" in names or (_status(error) == 400 and _REFUSED.search(cause)):
        return refused(context.model, cause)
    if "AuthenticationError" in names or _status(error) in (401, 403) or _NO_KEY.search(cause):
        return _refused_key(error, cause, context)
    if "NotFoundError" in names and not _NO_TOOLS.search(cause) and not _NO_IMAGES.search(cause):
        return ModelFailure(
            "MODEL_UNKNOWN",
            f"{context.place} knows no model '{context.model}': {cause}",
            "Check the setting `model`"
            + (", and that `modelEndpoint` ends as its API asks" if context.endpoint else ""),
        )
    if names & {"BadRequestError", "UnprocessableEntityError", "NotFoundError"}:
        return ModelFailure(
            "MODEL_BAD_REQUEST",
            f"the model '{context.model}' rejected the request: {cause}",
            "Check `modelParameters`, and that the model can call tools",
        )
    return _trouble(error, names, cause, context)


def lacks_tools(failure: ModelFailure) -> bool:
    """Whether the request failed because the model can't call tools."""
    return failure.code == "MODEL_BAD_REQUEST" and bool(_NO_TOOLS.search(failure.message))


def lacks_sight(failure: ModelFailure) -> bool:
    """Whether the request failed because the model takes no images."""
    return failure.code == "MODEL_BAD_REQUEST" and bool(_NO_IMAGES.search(failure.message))


def refused(model: str, cause: str) -> ModelFailure:
    """The provider's filter, or the model itself, wants nothing to do with it. Asking again would cost, not help."""
    return ModelFailure(
        "MODEL_REFUSED",
        f"the model '{model}' refused to answer: {cause}",
        "Say it in another way, or choose another model, then go on",
    )


def no_stream(kind: str, context: Context) -> ModelFailure:
    """What came is of the content type `kind`, which no model's stream has."""
    return ModelFailure(
        "MODEL_UNAVAILABLE",
        f"what answers at {context.place} for the model '{context.model}' is no model: it sent {kind}",
        "Check the setting `modelEndpoint`; a proxy or a page to sign in may stand before it",
    )


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


def endless(cause: str, context: Context) -> ModelFailure:
    """The answer was given up, since it would not end. Asking the same again would cost as much once more."""
    message = f"the answer of the model '{context.model}' was given up: {cause}"
    return ModelFailure("MODEL_STREAM_BROKEN", message, "Say what you want in another way, or choose another model")


def _rate_limited(error: Exception, cause: str, context: Context) -> ModelFailure:
    is_billing = _status(error) == 402 or bool(_BILLING.search(cause))
    seconds = _retry_after(error)
    wait = f"Wait {_duration(seconds)}, then try again" if seconds else "Wait, then try again"
    return ModelFailure(
        "MODEL_RATE_LIMITED",
        f"{context.provider} accepts no more requests for the model '{context.model}': {cause}",
        f"Check the plan and billing of your {context.provider} account" if is_billing else wait,
        is_transient=not is_billing,
        retry_after=seconds,
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
    if (status is not None and status >= 500 and "Timeout" not in names) or _OVERLOADED.search(cause):
        shown = f" (status {status})" if status is not None and status >= 500 else ""
        return ModelFailure(
            "MODEL_OVERLOADED",
            f"{context.place} can't serve the model '{context.model}' now{shown}: {cause}",
            "Try again later",
            is_transient=True,
            retry_after=_retry_after(error),
        )
    if _REPEATS.search(cause):
        return endless("it kept repeating the same piece", context)
    if any(type(link).__name__ in _CUT_CONNECTIONS for link in _chain(error)):
        return broken("the connection was closed before its end", context)
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
    """Seconds, from headers that hold them, milliseconds or a date. The date is measured from the server's own clock
    where it says what that shows.
    """
    for link in _chain(error):
        headers: Mapping[str, str] = getattr(getattr(link, "response", None), "headers", None) or {}
        milliseconds, value = _number(headers.get("retry-after-ms")), headers.get("retry-after")
        if milliseconds is not None:
            return milliseconds / 1000
        if (seconds := _number(value)) is not None:
            return seconds
        if (moment := _moment(value)) is not None:
            now = _moment(headers.get("date"))
            return max(moment - (time.time() if now is None else now), 0.0)
    return None


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else "some hours"


def _number(text: str | None) -> float | None:
    is_number = text is not None and text.isascii() and text.replace(".", "", 1).isdigit()
    return float(text) if text is not None and is_number else None


def _moment(text: str | None) -> float | None:
    """Seconds since 1970 of an HTTP date."""
    try:
        return parsedate_to_datetime(text).timestamp() if text else None
    except (ValueError, OverflowError):
        return None
