"""Failures of models: litellm's exceptions as `ModelFailure` with a stable code, the model, the cause and the next
step. Their texts, and the words of providers that tell them apart, are in `failures.toml`.

Exceptions are told apart by their names, so this module needs no import of litellm.
"""

import re
import time
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal

from planact.base.errors import ModelFailure
from planact.base.text import without_controls

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SIGNS = {name: re.compile("|".join(signs), re.IGNORECASE) for name, signs in _DATA["signs"].items()}
EDITOR_FAILURES: Mapping[str, str] = _DATA["editor_failures"]
FAILED_ENDS: Mapping[str, str] = {word: name for name, words in _DATA["failed_ends"].items() for word in words}
"""Providers' words for the end of an answer that failed, each with the name of the failure's text."""

_BUSY = (503, 529)
_PASSING = (408, 409, 425)
"""Statuses below 500 of requests that may be sent again as they are."""

_UNREADABLE = ("JSONDecodeError", "UnicodeDecodeError", "UnknownFormError", "ValidationError")

_WAIT_IN_WORDS = re.compile(
    r'(?:\b(?:try again|retry|wait) (?:in|after|for) |"retryDelay"\s*:\s*")((?:\d+(?:\.\d+)?\s*[a-z]+[ ,]*)+)',
    re.IGNORECASE,
)
_PART_OF_WAIT = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.IGNORECASE)
_UNITS = {
    "ms": 0.001, "milli": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "hour": 3600.0,
    "d": 86400.0, "day": 86400.0,
}  # fmt: skip
_CUT_CONNECTIONS = {"ClientPayloadError", "RemoteProtocolError", "ServerDisconnectedError"}
_HTML = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
_HTML_TITLE = re.compile(r"<(title|h1)\b[^>]{0,200}>(.{0,200}?)</\1>", re.IGNORECASE | re.DOTALL)
_LOGIN = re.compile(r"(?<=://)[^/@\s'\"]+@")
_SECRET_PARTS = re.compile(r"(?<=//)[^/]*@|[?#].*", re.DOTALL)
_MESSAGE_IN_JSON = re.compile(r'"message"\s*:\s*"((?:\\.|[^"\\])+)"')
_NOISE = re.compile(r"^(?:litellm\.)?\w*(?:Error|Exception|Timeout)\w*(?: Error)?\s*[:-]\s*")
_REMARKS = re.compile(r"Original exception:|Traceback \(most recent call last\)|Handle with `litellm\.")
_LONGEST_CAUSE = 300
_LONGEST_READ = 10_000
"""Characters of what a provider says that are looked at; a page in its place may have millions."""


@dataclass(frozen=True, slots=True)
class Context:
    """The request that failed.

    Attributes:
        endpoint: the URL the user chose, or empty for the provider's own.
        key_variable: the environment variable of the provider's key, or empty when unknown.
        secrets: texts that no message may contain.
        is_streaming: the answer had begun.
    """

    model: str
    provider: str
    endpoint: str
    key_variable: str
    secrets: Collection[str]
    is_streaming: bool = False

    @property
    def place(self) -> str:
        """The endpoint without credentials and query."""
        if not self.endpoint:
            return f"the endpoint of {self.provider}"
        return _SECRET_PARTS.sub("", self.endpoint)

    @property
    def key(self) -> str:
        """The name of the key in messages."""
        return self.key_variable or f"the key of {self.provider}"

    def clean(self, text: str) -> str:
        """One line of `text`: the message, where it is JSON; without secrets and without litellm's prefixes."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        text = text[:_LONGEST_READ]
        if match := _MESSAGE_IN_JSON.search(text):
            text = match[1].replace("\\", "")
        if _HTML.search(text):
            title = _HTML_TITLE.search(text)
            text = f"it answered with a web page{f' (“{title[2].strip()}”)' if title else ''}"
        text = _REMARKS.split(text, maxsplit=1)[0]
        text = _LOGIN.sub("", " ".join(without_controls(text).split())).rstrip(". ")
        while (shorter := _NOISE.sub("", text, count=1)) != text:
            text = shorter
        return text if len(text) <= _LONGEST_CAUSE else text[:_LONGEST_CAUSE] + "…"


def model_failure(error: Exception, context: Context) -> ModelFailure:
    """Return the ModelFailure for an exception that litellm raised."""
    error = getattr(error, "original_exception", None) or error  # litellm wraps the failure of a stream
    names = {cls.__name__ for cls in type(error).__mro__}
    cause, status = context.clean(getattr(error, "message", None) or str(error)), _status(error)
    is_unpaid = status in (400, 401, 403, 429) and _says("billing", _words(error))
    is_busy = status == 429 and not is_unpaid and _says("overloaded", cause)
    if ("RateLimitError" in names or status == 402 or is_unpaid) and not is_busy:
        return _rate_limited(error, cause, context)
    is_too_long = status == 413 or (status in (None, 400, 422) and _says("too_long", cause))
    if "ContextWindowExceededError" in names or is_too_long:
        return _failure("too_long", context, cause)
    if "ContentPolicyViolationError" in names or (status == 400 and _says("refused", cause)):
        return _failure("refused", context, cause)
    is_bad_key = status in (401, 403) or (status == 400 and _says("bad_key", cause))
    if "AuthenticationError" in names or is_bad_key or _says("no_key", cause):
        if status is None:  # litellm itself found no key: nothing was sent
            return key_missing(context, cause)
        return _failure("not_allowed" if status == 403 else "key_refused", context, cause)
    is_unknown = "NotFoundError" in names or (status == 400 and _says("no_model", cause))
    if is_unknown and not _says("no_tools", cause) and not _says("no_images", cause):
        endpoint_too = ", and that `modelEndpoint` ends as its API asks" if context.endpoint else ""
        return _failure("unknown", context, cause, endpoint_too=endpoint_too)
    if names & {"BadRequestError", "UnprocessableEntityError", "NotFoundError"}:
        return _failure("bad_request", context, cause)
    return _trouble(error, names, cause, context)


def _says(sign: str, text: str) -> bool:
    return _SIGNS[sign].search(text) is not None


def _failure(
    name: str,
    context: Context,
    cause: str,
    *,
    is_transient: bool = False,
    after: float | None = None,
    status: int | None = None,
    **more: str,
) -> ModelFailure:
    text: Mapping[str, Any] = _DATA["texts"][name]
    facts = {"model": context.model, "provider": context.provider, "place": context.place, "key": context.key}
    facts["wait"] = f"Wait {_duration(after)}, then try again" if after else "Try again later"
    parts = (text.get(part, "").format(cause=cause, **facts, **more) for part in ("message", "hint", "reason"))
    message, hint, reason = parts
    is_transient = is_transient or text.get("is_transient", False)
    return ModelFailure(
        *(text["code"], message, hint),
        reason=reason,
        is_transient=is_transient,
        retry_after=after or None,  # at once, all attempts would be over in a moment
        title=text.get("title", ""),
        status=status or 0,
    )


def editor_failure(kind: str, cause: str, context: Context) -> ModelFailure:
    """Return the failure of a request to a model of the editor, which says only in words what went wrong, but for a few
    kinds.
    """
    cause = context.clean(cause)
    signs = ("too_long", "refused", "overloaded")
    name = EDITOR_FAILURES.get(kind) or next((sign for sign in signs if _says(sign, cause)), "")
    if not name and (_says("no_tools", cause) or _says("no_images", cause)):
        name = "bad_request"
    return _failure(name or ("broken" if context.is_streaming else "failing"), context, cause, long="", short="")


def refuses(failure: ModelFailure, want: Literal["no_tools", "no_images", "bad_image", "no_summaries"]) -> bool:
    """Return True if the request failed because the model calls no tools or takes no images, because one of its images
    is broken or of another kind, or because the provider doesn't show this account how the model reasons.
    """
    return failure.code == "MODEL_BAD_REQUEST" and _says(want, failure.message)


def no_stream(kind: str, context: Context) -> ModelFailure:
    """Return the failure of a response whose content type `kind` is no stream's."""
    return _failure("no_stream", context, kind)


def no_answer(seconds: float, context: Context) -> ModelFailure:
    """Return the failure of a request without an answer for `seconds`."""
    if context.is_streaming:
        return broken(f"nothing came for {seconds:g} s", context)
    return _failure("no_answer", context, f"{seconds:g} s")


def broken(cause: str, context: Context) -> ModelFailure:
    """Return the failure of an answer that stopped in the middle."""
    return _failure("broken", context, cause)


def failed_end(word: str, context: Context) -> ModelFailure | None:
    """Return the failure that the provider's word for the end of an answer stands for, or None."""
    name = FAILED_ENDS.get(word)
    return _failure(name, context, f"its provider ended it with {word}") if name else None


def endless(cause: str, context: Context) -> ModelFailure:
    """Return the failure of an answer that planact cut off because it would not end. A retry would cost the same."""
    return _failure("endless", context, cause)


def key_missing(context: Context, cause: str = "") -> ModelFailure:
    """Return the failure of a request that was not sent for lack of a key."""
    return _failure("key_missing", context, cause or f"{context.key} is not set")


def _rate_limited(error: Exception, cause: str, context: Context) -> ModelFailure:
    seconds, status = _retry_after(error), _status(error)
    # Gemini speaks of billing also where only the requests of this minute are used up, but then says when to come back.
    words = _words(error)
    is_passing = status == 429 and seconds is not None and not _says("no_credit", words)
    if status == 402 or (_says("billing", words) and not is_passing):
        return _failure("not_paid", context, cause)
    return _failure(
        "rate_limited", context, cause, after=seconds, status=status, short=f" ({status})" if status else ""
    )


def _trouble(error: Exception, names: Collection[str], cause: str, context: Context) -> ModelFailure:
    """Return a failure of the model or the connection that a retry may overcome."""
    status = _status(error)
    has_failed = status is not None and (status >= 500 or status in _PASSING)
    if has_failed or _says("overloaded", cause):
        long, short = (f" (status {status})", f" ({status})") if has_failed else ("", "")
        name = "failing" if has_failed and status not in _BUSY and not _says("overloaded", cause) else "overloaded"
        after = _retry_after(error)
        return _failure(
            name, context, cause, after=after, status=status if has_failed else None, long=long, short=short
        )
    if _says("repeats", cause):
        return endless("it kept repeating the same piece", context)
    if _says("torn", cause) or any(type(link).__name__ in _CUT_CONNECTIONS for link in _chain(error)):
        return broken("the connection was closed before its end", context)
    *_, root = _chain(error)
    if type(root).__name__ in _UNREADABLE:  # maybe of its first piece, before it has begun
        return broken("a piece of it can't be read", context)
    if context.is_streaming:
        return broken(cause, context)
    if isinstance(root, ModuleNotFoundError):
        package = str(root.name).partition(".")[0]
        return _failure("not_installed", context, str(root), package=_DATA["packages"].get(package, package))
    reason = "the connection is refused" if isinstance(root, ConnectionRefusedError) else context.clean(str(root))
    is_transient = isinstance(root, OSError) or "Timeout" in names
    return _failure("unreachable", context, reason, is_transient=is_transient)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _words(error: Exception) -> str:
    """Return all that the provider said, with the codes that its message needn't have."""
    codes = [getattr(link, name, None) for link in _chain(error) for name in ("code", "type")]
    said = str(getattr(error, "message", None) or error)[:_LONGEST_READ]
    return " ".join([said, *(code for code in codes if isinstance(code, str))])


def _status(error: Exception) -> int | None:
    """Return the HTTP status of a real response; litellm's own exceptions make one up, the exceptions they wrap have
    it.
    """
    for link in _chain(error):
        status = getattr(getattr(link, "response", None), "status_code", None)
        if isinstance(status, int) and not type(link).__module__.startswith("litellm."):
            return status
    return None


def _retry_after(error: Exception) -> float | None:
    """Return seconds to wait: from headers that hold seconds, milliseconds or a date, else from the answer's words. A
    date is measured from the server's own clock where a header shows that clock.
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
    return _wait_in_words(_words(error))


def _wait_in_words(text: str) -> float | None:
    """Return the seconds of words such as "try again in 1m12.5s", or of Google's `retryDelay`."""
    match = _WAIT_IN_WORDS.search(text)
    parts = [(number, _unit(word)) for number, word in _PART_OF_WAIT.findall(match[1])] if match else []
    known = [float(number) * unit for number, unit in parts if unit is not None]
    return sum(known) if known else None


def _unit(word: str) -> float | None:
    """Return the seconds of a unit of time, which may be written out."""
    word = word.lower()
    written_out = (seconds for begin, seconds in _UNITS.items() if len(begin) > 2 and word.startswith(begin))
    return _UNITS.get(word) or next(written_out, None)


def _duration(seconds: float) -> str:
    return (
        f"{max(seconds, 1):.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else "some hours"
    )


def _number(text: str | None) -> float | None:
    is_number = text is not None and text.isascii() and text.replace(".", "", 1).isdigit()
    return float(text) if text is not None and is_number else None


def _moment(text: str | None) -> float | None:
    """Return an HTTP date as seconds since 1970."""
    try:
        return parsedate_to_datetime(text).timestamp() if text else None
    except (ValueError, OverflowError):
        return None
