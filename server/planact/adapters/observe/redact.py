"""Takes secrets out of what is about to be stored.

Replacements hold no quotes and no backslashes, and nothing that is matched does (but in private keys), so that a JSON
text stays one.
"""

import re
from collections.abc import Mapping
from typing import Any

MARK = "[redacted]"

_NAME = r"(?:pass(?:word|wd|phrase)|secret|client[_-]?secret|(?:api|access)[_-]?key|(?:auth|access)[_-]?token)"
_WORD = r"[^\s\"'\\,;)&]"
_MAYBE_QUOTE = r"[\"'\\]{0,2}"
_IS = rf"{_MAYBE_QUOTE}\s{{0,3}}[:=]\s{{0,3}}"

# What follows a name is a secret unless it is plainly a reference: a keyword, a variable, a placeholder, a call.
_UNLESS_REFERENCE = (
    r"(?!(?:self|cls|os|this|none|null|true|false)\b|[$<{%*\[]|[a-z_][\w.]*\("
    r"|[\w.]*(?:password|passwd|secret|token|api_?key)\b)"
)

# Each keeps its first group, where it has one, and loses the rest.
PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-\"]|-(?!----))*(?:-----END [A-Z ]{0,40}-----)?",
        rf"(?i)((?:proxy-)?authorization{_IS}{_MAYBE_QUOTE}(?:(?:bearer|basic|token|digest)\s+)?){_WORD}{{4,}}",
        r"(?i)(\bbearer\s+)[a-z0-9._~+/=-]{16,}",
        r"\bsk-[A-Za-z0-9_-]{16,}",
        r"\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}",
        r"\bgithub_pat_[A-Za-z0-9_]{20,}",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\b(?:hf|gsk|npm)_[A-Za-z0-9]{20,}",
        r"\bpypi-[A-Za-z0-9_-]{30,}",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        # in addresses
        r"(\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@\"'\\]{0,100}:)[^\s/@\"'\\]{1,200}(?=@)",
        r"(?i)([?&](?:[a-z_-]{0,30}(?:token|secret|api_?key)|key|sig|signature|code|auth|password)=)[^\s&#\"'\\]{4,}",
        # name = "literal", in code, JSON and YAML
        rf"(?i)({_NAME}{_IS}\\?[\"']){_UNLESS_REFERENCE}[^\"'\\\n]{{4,500}}",
        # NAME=literal, in environments, options and logs
        rf"(?i)({_NAME}=){_UNLESS_REFERENCE}{_WORD}{{4,}}",
        # name: literal, where a digit tells it from prose
        rf"(?i)({_NAME}: ){_UNLESS_REFERENCE}(?={_WORD}*[0-9]){_WORD}{{6,}}",
    )
)

_SECRET_VARIABLE = re.compile(r"(?i)(?:api_?key|token|secret|password|passwd)")
_SECRET_FIELD = re.compile(rf"(?i)(?:[\w-]{{0,30}}[_-])?{_NAME}")


class Redactor:
    """Knows the shapes of common keys, and the very values of secrets in `environment` (8 characters or more)."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        values = {value for name, value in environment.items() if _SECRET_VARIABLE.search(name) and _is_opaque(value)}
        longest_first = sorted(values, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if values else None

    def text(self, text: str) -> str:
        """`text` without secrets; takes time linear in its length."""
        if self._known is not None:
            text = self._known.sub(MARK, text)
        for pattern in PATTERNS:
            text = pattern.sub(rf"\g<1>{MARK}" if pattern.groups else MARK, text)
        return text

    def data(self, value: Any) -> Any:
        """A JSON value with every string in it redacted, and every field whose name says that it is a secret."""
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {self.text(str(key)): self._field(str(key), item) for key, item in value.items()}
            case list() | tuple():
                return [self.data(item) for item in value]
            case _:
                return value

    def _field(self, name: str, value: Any) -> Any:
        if isinstance(value, str) and value and _SECRET_FIELD.fullmatch(name):
            return MARK
        return self.data(value)


def _is_opaque(value: str) -> bool:
    # A path or a plain word (`SSH_TOKEN_FILE=/run/x`, `API_KEY_SOURCE=keychain`) would blot out innocent text.
    return len(value) >= 8 and not value.startswith(("/", "~", "http:", "https:")) and not value.isalpha()
