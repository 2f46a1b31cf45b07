r"""The file format of scripted models: YAML that says what the model answers, turn by turn.

    scenes:
      - when: rename .* to (\w+)         # regular expression, searched in the last user message; default: any message
        mode: act                         # plan | act, as the system prompt says it; default: either
        turns:
          - think: Where is it defined?   # reasoning, streamed before the text
            say: I look at the file.      # text, streamed in small pieces
            calls:                        # several are made in parallel
              - tool: read_file
                args: {path: src/app.py}
          - find:                         # text to build on; the script fails when it isn't there
              - name: signature
                in: read_file
                pattern: (def load\(.*\):)
            expect:                       # what else must be there
              - {in: system, text: APPROVED EXECUTION PLAN}
            calls:
              - tool: update_file
                args: {path: src/app.py, edits: [{old: "${signature}", new: "def read(path):"}]}
          - say: Done.

**Which turn.** The scene is the first whose `when` and `mode` fit. The turn in it is the number of assistant messages
after the last user message. Both come from the request alone, so a script plays the same in any process and for any
number of sessions. A request that no scene or turn fits fails.

**find** looks, in the moment of its turn, in the results of tool calls made since the scene began, the newest first;
with `anywhere: true` also in older ones. `in` narrows that to a tool's name or to the number of a result (from 0, or
from the end: -1), or looks elsewhere: `user` is the last user message, `system` all system text and the approved plan.
`pattern` is a regular expression (`^` and `$` match at lines) that gives its first group, or all that it matches;
`text` stands for itself. `otherwise` is the value where it isn't there.
`${name}` in `say`, `think`, `args` and `raw_arguments` of this and later turns of the scene becomes what was found;
`$${` is a plain `${`.

**expect** takes `in` (`system`, `user`, or `tool` for any result since the scene began) and `pattern` or `text`.

**calls** take `tool` and `args`, or `raw_arguments`: the text of the arguments, which then needn't even be JSON.

**Also in a turn:** `usage: {input_tokens, output_tokens, cached_tokens, cost}` in place of numbers made from lengths;
`delay`, seconds before each piece of text; `finish_reason`; and `fail: {code, message, transient, retry_after, times}`
to fail with a MODEL_ code after the text, the first `times` that a process comes here (default: always).
"""

import re
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    ValidationError,
    model_validator,
)

from planact.base.errors import InvalidInput
from planact.base.patterns import Pattern

_DEEPEST = 100

SCRIPT_PLACEHOLDER = re.compile(r"\$(?:(?P<escaped>\$\{)|\{(?P<name>\w+)\})")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class _Sought(_Part):
    pattern: Pattern | None = None
    text: str | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.pattern is None) == (self.text is None):
            raise ValueError("give either `pattern` or `text`")
        return self

    @property
    def sought(self) -> str:
        """For messages."""
        return f"the text {self.text!r}" if self.pattern is None else f"the pattern {self.pattern!r}"

    def search(self, text: str) -> str | None:
        """Return the match in `text`."""
        regex = re.escape(self.text or "") if self.pattern is None else self.pattern
        match = re.search(regex, text, re.MULTILINE)
        return match and (match[1] if match.re.groups else match[0])


class Find(_Sought):
    """Text to be found, under a name."""

    name: str = Field(pattern=r"^\w+$")
    where: str | int | None = Field(None, alias="in")
    anywhere: bool = False
    otherwise: str | None = None


class Expectation(_Sought):
    """Text that must be there."""

    where: Literal["system", "user", "tool"] = Field(alias="in")


class ScriptedCall(_Part):
    """A tool call."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    raw_arguments: str | None = None


class ScriptedUsage(_Part):
    """Numbers to report."""

    input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt = 0
    cached_tokens: NonNegativeInt = 0
    cost: NonNegativeFloat | None = None


class Failure(_Part):
    """A failure to report."""

    code: Literal[
        "MODEL_BAD_REQUEST",
        "MODEL_CONTEXT_FULL",
        "MODEL_KEY_MISSING",
        "MODEL_KEY_REFUSED",
        "MODEL_OVERLOADED",
        "MODEL_RATE_LIMITED",
        "MODEL_STREAM_BROKEN",
        "MODEL_UNAVAILABLE",
        "MODEL_UNKNOWN",
    ]
    message: str = "the script says so"
    transient: bool = False
    retry_after: NonNegativeFloat | None = None
    times: PositiveInt | None = None


class ScriptedTurn(_Part):
    """One answer."""

    think: str = ""
    say: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    find: tuple[Find, ...] = ()
    expect: tuple[Expectation, ...] = ()
    usage: ScriptedUsage | None = None
    fail: Failure | None = None
    delay: NonNegativeFloat = 0.0
    finish_reason: str = ""

    def placeholders(self) -> set[str]:
        """Every name that is used in it."""
        texts = [self.think, self.say]
        for call in self.calls:
            texts += [call.raw_arguments or "", *_strings(call.args)]
        return {match["name"] for text in texts for match in SCRIPT_PLACEHOLDER.finditer(text) if match["name"]}


class Scene(_Part):
    """The answers to one user message."""

    when: Pattern = ""
    mode: Literal["plan", "act"] | None = None
    turns: tuple[ScriptedTurn, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_are_found_before_use(self) -> Self:
        known: set[str] = set()
        for number, turn in enumerate(self.turns):
            known |= {find.name for find in turn.find}
            if unknown := sorted(turn.placeholders() - known):
                raise ValueError(f"turns[{number}] uses ${{{unknown[0]}}}, and no `find` up to there gives it")
        return self


class Script(_Part):
    """The whole file."""

    scenes: tuple[Scene, ...] = Field(min_length=1)


def load(path: Path) -> Script:
    """Return the script at `path`. Raises InvalidInput CONFIG_INVALID, naming every wrong place."""
    try:
        return Script.model_validate(_parse(path.read_text("utf-8")))
    except FileNotFoundError as error:
        raise InvalidInput("CONFIG_INVALID", f"there is no model script {path}", "Name one that is there") from error
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid(path, f"can't be read: {error}") from error
    except yaml.YAMLError as error:
        raise _invalid(path, f"isn't YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        faults = [f"{_place(fault['loc'])}: {fault['msg']}" for fault in error.errors()]
        raise _invalid(path, "; ".join(faults)) from error


def _parse(text: str) -> Any:
    if not yaml.__with_libyaml__:
        return yaml.safe_load(text)
    # libyaml is ten times as fast, but what is nested too deeply would end the process in its constructor.
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise yaml.YAMLError(f"more than {_DEEPEST} levels")
    return yaml.load(text, Loader=yaml.CSafeLoader)


def _invalid(path: Path, cause: str) -> InvalidInput:
    return InvalidInput("CONFIG_INVALID", f"the model script {path} is unusable: {cause}", "Mend it")


def _place(location: tuple[int | str, ...]) -> str:
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return words.removeprefix(".") or "the whole"


def _strings(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for item in value.values() for text in _strings(item)]
        case list():
            return [text for item in value for text in _strings(item)]
        case _:
            return []
