"""Questions to the user, and the three ways in which one ends: answered, declined or cancelled."""

import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

QUESTION_FORMAT_VERSION = "1.0"
MOMENTARY = "now "
"""How the subject of a question begins that nobody asks again: with the work that waits for it, it is over."""

Severity = Literal["critical", "major", "minor"]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")


class Option(_Data):
    """A choice the user can make with one click."""

    label: str = Field(min_length=1)
    value: JsonValue
    description: str = ""
    variant: Literal["primary", "secondary", "danger"] = "secondary"


class Question(_Data):
    """One thing to know from the user.

    Attributes:
        name: key of the answer.
        question: Markdown.
        schema_: JSON Schema of the answer, `schema` on the wire; empty = whatever the options allow, else text. The
            choices that it names are the options, its default is the default, where there are no others.
        default: what a client may preselect; never assumed unless the user said `--defaults`.
        allow_custom: whether an answer outside `options` is fine.
    """

    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", populate_by_name=True)

    name: str = Field(default="answer", min_length=1)
    question: str = Field(min_length=1)
    context: str = ""
    severity: Severity = "minor"
    schema_: dict[str, Any] = Field(default_factory=dict, alias="schema")
    options: tuple[Option, ...] = ()
    default: JsonValue = None
    allow_custom: bool = False

    @property
    def takes_several(self) -> bool:
        """Whether any number of the options may be chosen together, as a list."""
        return bool(self.options) and self.schema_.get("type") == "array"

    @model_validator(mode="before")
    @classmethod
    def _take_buttons(cls, data: Any) -> Any:
        if isinstance(data, dict) and "buttons" in data and "options" not in data:
            return {**{key: value for key, value in data.items() if key != "buttons"}, "options": data["buttons"]}
        return data

    @model_validator(mode="before")
    @classmethod
    def _take_what_the_schema_says(cls, data: Any) -> Any:
        schema = data.get("schema", data.get("schema_")) if isinstance(data, dict) else None
        if not isinstance(schema, dict) or not schema:
            return data
        named = named_choices(schema.get("items") if schema.get("type") == "array" else schema)
        default = schema.get("default") if data.get("default") is None else data["default"]
        return {**data, "options": data.get("options") or data.get("buttons") or named, "default": default}


def named_choices(schema: Any) -> tuple[Option, ...]:
    """What a schema offers that is nothing but a choice among values, most of them with titles; else empty."""
    listed = schema.get("oneOf", schema.get("anyOf")) if isinstance(schema, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, dict) and "const" in each for each in listed):
        return ()
    return tuple(
        Option(
            label=_text(each.get("title")) or _text(each["const"]) or json.dumps(each["const"]),
            value=each["const"],
            description=_text(each.get("description")),
        )
        for each in listed
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


class ProposedEdit(_Data):
    """What a call would do to one file: the SHA-256 (hex) of what it says before and after, both kept; empty = none."""

    path: str
    before: str = ""
    after: str = ""

    @property
    def what(self) -> Literal["changed", "created", "deleted"]:
        """What would become of the file."""
        if not self.after:
            return "deleted"
        return "changed" if self.before else "created"


class AskedInStep(_Data):
    """The step of a plan in whose work a question came up."""

    number: int
    action: str


QuestionStatus = Literal["open", "answered", "declined", "cancelled"]
Purpose = Literal["agent", "approval", "exit_plan_mode", "confirm"]


class QuestionSet(_Data):
    """Questions that are asked and answered together, under one id (UUIDv7).

    Attributes:
        purpose: who wants to know: the agent, the gate (approval of one call), `exit_plan_mode`, or a workflow.
        subject: what exactly the answer is about (a plan's path and hash, a tool call),
            so that it can't count for another.
        answers: by question name, once answered; `assumed` says that they are defaults nobody gave.
        edits: what the call would do to files, where it is about one; `rejected` are those of them that stay as they
            are though the call is allowed.
        comment: the user's words, which go with the answer.
        step: in whose work it came up; None = asked outside of any, or to have something confirmed.
    """

    id: str
    session_id: str
    questions: tuple[Question, ...] = Field(min_length=1)
    created_at: str
    purpose: Purpose = "agent"
    subject: str = ""
    status: QuestionStatus = "open"
    answers: dict[str, JsonValue] = Field(default_factory=dict)
    assumed: bool = False
    edits: tuple[ProposedEdit, ...] = ()
    rejected: tuple[str, ...] = ()
    comment: str = ""
    step: AskedInStep | None = None
    reason: str = ""
    format_version: str = QUESTION_FORMAT_VERSION

    @property
    def is_momentary(self) -> bool:
        """Whether only the work that asked it can use the answer."""
        return self.subject.startswith(MOMENTARY)

    def confirms(self, path: str) -> bool:
        """Whether it asks the user to confirm something about that plan, whose path is the subject's second word."""
        return self.purpose == "confirm" and self.subject.partition(" ")[2].startswith(f"{path} ")


@dataclass(frozen=True, slots=True)
class Decision:
    """What the user says to one call; of several files they may have `rejected` some."""

    value: str
    rejected: frozenset[str] = frozenset()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The user answered: values by question name, still unchecked; `rejected` and `comment` as in `QuestionSet`.

    `assumed` = defaults taken because the user said so.
    """

    answers: dict[str, Any]
    assumed: bool = False
    rejected: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class DeclinedByUser:
    """The user said they won't answer."""


@dataclass(frozen=True, slots=True)
class Dismissed:
    """The question went away unanswered, or was shown by means that answer later. It stays open. Never a yes."""


@dataclass(frozen=True, slots=True)
class NobodyThere:
    """No person can be asked (a script's run without answers). The question stays open and the run pauses."""


Shown = Answered | DeclinedByUser | Dismissed | NobodyThere
