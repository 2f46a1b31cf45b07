"""Redaction of secrets in texts that planact stores or logs.

Neither replacements nor matched texts (but private keys) contain quotes or backslashes, so that a JSON text stays one.
"""

import json
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from planact.adapters.observe.disguises import as_plain, disguises
from planact.model.chat.message import REDACTED
from planact.model.rights.credentials import names_secret

_NAME = (
    r"(?:pass(?:word|wd|phrase)|secret|credential"
    r"|(?:api|access|account|private|signing|encryption)[_-]?key|(?:auth|access|refresh|session|bearer)[_-]?token)"
)
_WORD = r"[^\s\"'\\,;)&]"
_QUOTE = r"\\{0,15}[\"']"  # JSON within JSON escapes what is escaped
_IS = rf"(?:{_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}"

# The text behind a name is a secret unless it is plainly a reference: a keyword, a variable, a placeholder, a call.
_UNLESS_REFERENCE = (
    r"(?!(?:self|cls|os|this|none|null|true|false)\b|[$<{%*\[]|[a-z_][\w.]*\("
    r"|[\w.]*(?:password|passwd|secret|token|api_?key)\b)"
)

# How providers begin their keys, so that they are told apart from other words.
_BEGINNINGS = (
    r"gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-|hf_|gsk_|npm_|pypi-|dckr_pat_|dop_v1_|doo_v1_"
    r"|r8_|fw_|xai-|pplx-|dapi|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|pscale_[a-z]{2,5}_|glsa_|glc_|sbp_|figd_|PMAK-|NRAK-"
    r"|sntry[su]_|ATATT3|GOCSPX-|ya29\.|hv[sbr]\.|dp\.(?:pt|st|sa)\.|SG\.|AGE-SECRET-KEY-1|whsec_|rk_live_"
)

_GIVEN = rf"(?:{_QUOTE})?\s{{0,3}}[:=]"

_NAMED = tuple(f"{end}{_GIVEN}" for end in ("passw(?:or)?d", "passphrase", "secret", "credential", "key", "token"))
"""Signs of a name with a value; each ends a name, and begins with letters, which are searched for ten times as fast as
alternatives."""

# Pairs: quick signs, of which a text in lower case has one where it may have such a secret at all, and the pattern that
# finds it. What it finds is lost but for its first group, where it has one.
PATTERNS: tuple[tuple[tuple[re.Pattern[str], ...], re.Pattern[str]], ...] = tuple(
    (tuple(map(re.compile, signs)), re.compile(pattern))
    for signs, pattern in (
        (
            ("private key",),
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-\"]|-(?!----))*(?:-----END [A-Z ]{0,40}-----)?",
        ),
        (
            ("authorization",),
            rf"(?i)((?:proxy-)?authorization{_IS}(?:{_QUOTE})?(?:(?:bearer|basic|token|digest)\s+)?){_WORD}{{4,}}",
        ),
        (("bearer",), r"(?i)(\bbearer\s+)[a-z0-9._~+/=-]{16,}"),
        (("sk-",), r"\bsk-[A-Za-z0-9_-]{16,}"),
        (("k_live_", "k_test_"), r"\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}"),
        (("akia", "asia"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
        (("xox", "xapp-"), r"\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}"),
        (("aiza",), r"\bAIza[A-Za-z0-9_-]{30,}"),
        ((_BEGINNINGS.lower(),), rf"\b(?:{_BEGINNINGS})(?=[A-Za-z_.=-]{{0,100}}[0-9])[A-Za-z0-9_.=-]{{18,}}"),
        (("eyj",), r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
        ((":aa",), r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"),
        ((r"hooks\.slack",), r"(\bhooks\.slack\.com/services/)[A-Za-z0-9/]{20,}"),
        # in addresses
        (("://",), r"(\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@\"'\\]{0,100}:)[^\s/@\"'\\]{1,200}(?=@)"),
        (("://",), r"(\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://)[A-Za-z0-9_-]{20,200}(?=@)"),
        (
            (r"\?", "&"),
            r"(?i)([?&](?:[a-z_-]{0,30}(?:token|secret|api_?key|signature|credential)|key|sig|code|auth|password)=)"
            r"[^\s&#\"'\\]{4,}",
        ),
        # name = "literal", in code, JSON and YAML
        (_NAMED, rf"(?i)({_NAME}{_IS}{_QUOTE}){_UNLESS_REFERENCE}[^\"'\\\n]{{4,500}}"),
        # "token": "literal", where it looks like one
        (
            (f"token{_GIVEN}",),
            rf"(?i)(\btoken{_IS}{_QUOTE}){_UNLESS_REFERENCE}(?=[a-z._~+/=-]{{0,500}}[0-9])[a-z0-9._~+/=-]{{16,}}",
        ),
        # NAME=literal, in environments, options and logs
        (_NAMED, rf"(?i)({_NAME}=){_UNLESS_REFERENCE}{_WORD}{{4,}}"),
        # name: literal and name = literal, where a digit tells it from prose
        (_NAMED, rf"(?i)({_NAME}(?:: | = )){_UNLESS_REFERENCE}(?={_WORD}*[0-9]){_WORD}{{6,}}"),
    )
)

_SECRET_FIELD = re.compile(rf"(?i)(?:[\w-]{{0,30}}[_-])?{_NAME}s?")


_OFTEN_MET = 64
"""Characters up to which a text is likely to come again."""


class Redactor:
    """A redactor that knows the shapes of common keys, and the values of `environment` whose names say that they are
    secrets.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._values: set[str] = set()
        self._forms: tuple[str, ...] = ()
        self._short = self._remembering()
        self.learn(environment)

    def learn(self, settings: Mapping[str, Any]) -> None:
        """Redact from now on the values under names that say they are secrets, at any depth."""
        self._know(_secrets(settings))

    def learn_key(self, key: str) -> None:
        """Redact from now on a key that the user entered, whatever its shape."""
        self._know([key] if len(key) >= _SHORTEST else [])

    def _know(self, values: Iterable[str]) -> None:
        new = set(values) - self._values
        if new:
            self._values |= new
            forms = {form for value in self._values for form in disguises(value)}
            self._forms = tuple(sorted(forms, key=len, reverse=True))
            self._short = self._remembering()  # a new one: another thread may be about to add an earlier result

    def text(self, text: str) -> str:
        """Return `text` without secrets, in time linear in its length."""
        # Names of fields, ids and the like come with every record, and there are 20 patterns to look for.
        return self._short(text) if len(text) <= _OFTEN_MET else self._searched(text)

    def _remembering(self) -> Callable[[str], str]:
        return lru_cache(maxsize=2_048)(self._searched)

    def _searched(self, text: str) -> str:
        redacted = self._without(text)
        plain = as_plain(redacted)
        if plain == redacted:
            return redacted
        without = self._without(plain)
        return redacted if without == plain else without

    def data(self, value: Any) -> Any:
        """Return a JSON value with every string redacted, and every field whose name says that it is a secret."""
        match value:
            case str():
                return self.text(self._nested(value))
            case Mapping():
                return {self.text(str(key)): self._field(str(key), item) for key, item in value.items()}
            case list() | tuple():
                return [self.data(item) for item in value]
            case _:
                return value

    def _without(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, REDACTED)
        lowered = text.lower()
        for signs, pattern in PATTERNS:
            if any(sign.search(lowered) for sign in signs):
                text = pattern.sub(rf"\g<1>{REDACTED}" if pattern.groups else REDACTED, text)
        return text

    def _nested(self, text: str) -> str:
        """Redact a text that is JSON itself, such as the arguments of a call; return other texts unchanged."""
        if not text.startswith(("{", "[")):
            return text
        try:
            value = json.loads(text)
            redacted = self.data(value)
        except (ValueError, RecursionError):
            return text
        return text if redacted == value else json.dumps(redacted, ensure_ascii=False)

    def _field(self, name: str, value: Any) -> Any:
        is_secret = _SECRET_FIELD.fullmatch(name) or (name.lower() == "token" and len(str(value)) >= 16)
        return REDACTED if is_secret and value and isinstance(value, str) else self.data(value)


class RedactedFormatter(logging.Formatter):
    """A formatter whose lines, tracebacks included, hold no secrets."""

    def __init__(self, form: str, redact: Callable[[str], str]) -> None:
        super().__init__(form)
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


def _secrets(settings: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found += _secrets(value)
        elif isinstance(value, str) and names_secret(name) and _is_opaque(value):
            found.append(value)
    return found


_SHORTEST = 8


def _is_opaque(value: str) -> bool:
    # A path, a plain word or a number (`SSH_TOKEN_FILE=/run/x`, `API_KEY_SOURCE=keychain`, `MAX_TOKEN=100000`) would
    # blot out innocent text.
    if value.startswith(("/", "~", "http:", "https:")):
        return False
    return len(value) >= (16 if value.isalpha() or value.isdigit() else _SHORTEST)
