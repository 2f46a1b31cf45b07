"""Questions to the user, and the three ways in which one ends: answered, declined or cancelled."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator
from pydantic.json_schema import SkipJsonSchema

from planact.base.frozen_model import FrozenModel

QUESTION_FORMAT_VERSION = "1.0"
MOMENTARY = "now "
"""Prefix of the subject of a question that ends with the work that waits for it, and is never asked again."""

_HASH = re.compile(r"[0-9a-f]{64}")
EXECUTES = "execute "
"""Beginning of the subject of a question whether to execute a plan; the plan's path and hash follow."""

QuestionSeverity = Literal["critical", "major", "minor"]
OptionEffect = Literal["continue", "pause", "stop", "replan"]

_EFFECTS: dict[str, OptionEffect] = {
    "pause": "pause",
    "review": "pause",
    "stop": "stop",
    "abort": "stop",
    "cancel": "stop",
}
"""Effects of options that state none, by value."""

_WORDS: dict[OptionEffect, str] = {
    "replan": "the plan is revised",
    "pause": "the work pauses",
    "stop": "the work ends",
}
"""Words for the user about each effect, the weakest first."""


QuestionAbout = Literal[
    "agent",
    "change",
    "command",
    "network",
    "call",
    "hook",
    "outcome",
    "failure",
    "execute",
    "way_on",
    "stale",
    "repeat",
    "confirm",
]
"""Matter of a question: the agent's own; a call that would change files, run a command, run one with the network, or do
something else; a hook's; what commands changed; a step that failed; whether to execute a plan; how to go on after
nothing was done; files that changed since planning; whether to repeat what may be done already; another act of the
user's.
"""

_ABOUT: dict[str, QuestionAbout] = {
    "outcome": "outcome",
    "failed": "failure",
    "execute": "execute",
    "way_on": "way_on",
    "stale": "stale",
    "interrupted": "repeat",
}
"""Matters of planact's own questions, by their names."""


class Option(FrozenModel):
    """A choice the user can make with one click.

    `effect` is what the server does when the user chooses it in answer to the agent; None = by the value.
    """

    label: str = Field(min_length=1)
    value: JsonValue
    description: str = ""
    variant: Literal["primary", "secondary", "danger"] = "secondary"
    effect: OptionEffect | None = None

    @property
    def chosen_effect(self) -> OptionEffect:
        """The effect that was stated, else the one that the value means."""
        by_value = (
            _EFFECTS.get(self.value.strip().casefold(), "continue") if isinstance(self.value, str) else "continue"
        )
        return self.effect or by_value

    @property
    def with_effect_told(self) -> "Option":
        """The option with its effect at the end of its description, for the user."""
        words = _WORDS.get(self.chosen_effect, "")
        parts = [part for part in (self.description, words) if part]
        return self.model_copy(update={"description": "; ".join(parts)}) if words else self


class AgentQuestion(FrozenModel):
    """One question to the user, as the agent may ask it.

    Attributes:
        name: key of the answer.
        question: Markdown.
        schema_: JSON Schema of the answer, `schema` on the wire; empty = one of the options, or else text. Its choices
            and its default count where the question has none of its own; then no other answer is valid.
        default: what a client may preselect; never assumed unless the user said `--defaults`.
        allow_custom: an answer outside `options` is valid.
    """

    model_config = ConfigDict(populate_by_name=True)

    name: str = Field(default="answer", min_length=1)
    question: str = Field(min_length=1)
    context: str = ""
    severity: QuestionSeverity = "minor"
    schema_: dict[str, Any] = Field(default_factory=dict, alias="schema")
    options: tuple[Option, ...] = ()
    default: JsonValue = None
    allow_custom: bool = False

    @property
    def takes_several(self) -> bool:
        """Any number of the options may be chosen together, as a list."""
        return bool(self.options) and self.schema_.get("type") == "array"

    @property
    def with_effects_told(self) -> Self:
        """The question with the effects of its options in their descriptions."""
        return self.model_copy(update={"options": tuple(option.with_effect_told for option in self.options)})

    def chosen_options(self, value: JsonValue) -> tuple[Option, ...]:
        """Return the options that an answer chose."""
        chosen = value if self.takes_several and isinstance(value, list) else [value]
        return tuple(option for option in self.options if option.value in chosen)

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
        own = data.get("options") or data.get("buttons")
        if named and not own:
            return {**data, "options": named, "default": default, "allow_custom": False}
        return {**data, "options": own or (), "default": default}


class Question(AgentQuestion):
    """One question to the user. planact alone sets these attributes, so that no question of the agent passes for one of
    planact's.

    Attributes:
        title, reason: the question in two parts for clients that show it so, both Markdown; empty = only as a whole.
        about: the matter, where neither the name nor the purpose of the question tells it.
        counted_as: the kind of question, for counts; neither kept nor sent.
    """

    title: str = ""
    reason: str = ""
    about: QuestionAbout | None = None
    counted_as: SkipJsonSchema[str] = Field(default="", exclude=True)

    @classmethod
    def of_agent(cls, asked: AgentQuestion) -> "Question":
        """Return the question as planact asks it for the agent."""
        return cls(**dict(asked))


def named_choices(schema: Any) -> tuple[Option, ...]:
    """Return the choices of a schema that only lists values, by titles, by `enum` or as a boolean; otherwise an empty
    tuple.
    """
    listed = _listed(schema) if isinstance(schema, dict) else []
    named = {json.dumps(each["const"], sort_keys=True, ensure_ascii=False): each for each in listed}
    labels = [_text(each.get("title")) or _called(each["const"]) for each in named.values()]
    return tuple(
        Option(
            label=f"{label} ({text})" if labels.count(label) > 1 else label,
            value=each["const"],
            description=_text(each.get("description")),
        )
        for (text, each), label in zip(named.items(), labels, strict=True)
    )


def _listed(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the values that a schema lists, each as a schema of its own."""
    titled = schema.get("oneOf", schema.get("anyOf"))
    if isinstance(titled, list) and titled and all(isinstance(each, dict) and "const" in each for each in titled):
        return titled
    values = schema.get("enum")
    if not isinstance(values, list):
        values = [True, False] if schema.get("type") == "boolean" else []
    return [{"const": value} for value in values]


def _called(value: JsonValue) -> str:
    """Return a value as a choice is called; never empty."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return _text(value) or json.dumps(value, ensure_ascii=False)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


class ProposedEdit(FrozenModel):
    """The edit that a call would make to one file: SHA-256 (hex) of the text before and after, both stored; empty = no
    file.
    """

    path: str
    before: str = ""
    after: str = ""

    @property
    def what(self) -> Literal["changed", "created", "deleted"]:
        """The change to the file: changed, created or deleted."""
        if not self.after:
            return "deleted"
        return "changed" if self.before else "created"


class AskedInStep(FrozenModel):
    """The step of a plan in whose work a question came up."""

    number: int
    action: str


QuestionStatus = Literal["open", "answered", "declined", "cancelled"]
QuestionPurpose = Literal["agent", "approval", "exit_plan_mode", "confirm"]


class QuestionSet(FrozenModel):
    """Questions that are asked and answered together, under one id (UUIDv7).

    Attributes:
        purpose: the asker: the agent, the gate (approval of one call), `exit_plan_mode`, or a workflow.
        subject: the exact matter (a plan's path and hash, a tool call), so that the answer can't count for another.
        answers: by question name, once answered; `assumed` = they are defaults that the user didn't choose.
        edits: edits that the call in question would make; files in `rejected` stay as they are though the call is
            allowed.
        comment: the user's words, which go with the answer.
        step: the step that was running; None = asked outside of a step, or to confirm an action.
        execution_id: the run that asked; empty = none.
    """

    id: str
    session_id: str
    questions: tuple[Question, ...] = Field(min_length=1)
    created_at: str
    purpose: QuestionPurpose = "agent"
    subject: str = ""
    status: QuestionStatus = "open"
    answers: dict[str, JsonValue] = Field(default_factory=dict)
    assumed: bool = False
    edits: tuple[ProposedEdit, ...] = ()
    rejected: tuple[str, ...] = ()
    comment: str = ""
    step: AskedInStep | None = None
    execution_id: str = ""
    reason: str = ""
    format_version: str = QUESTION_FORMAT_VERSION

    @property
    def about(self) -> QuestionAbout:
        """The matter of the question."""
        first = self.questions[0]
        if self.purpose == "agent":
            return "agent"
        if self.purpose == "exit_plan_mode":
            return "execute"
        if self.subject.startswith("hook "):
            return "hook"
        return first.about or _ABOUT.get(first.name, "call" if self.purpose == "approval" else "confirm")

    @property
    def is_momentary(self) -> bool:
        """Only the work that asked the question can use the answer."""
        return self.subject.startswith(MOMENTARY)

    @property
    def effect(self) -> OptionEffect:
        """What the server does upon the answer to the agent; of several choices the strongest effect counts."""
        if self.purpose != "agent" or self.status != "answered":
            return "continue"
        chosen = (question.chosen_options(self.answers.get(question.name)) for question in self.questions)
        effects = {option.chosen_effect for options in chosen for option in options}
        return next((effect for effect in reversed(_WORDS) if effect in effects), "continue")

    @property
    def plan_hash(self) -> str:
        """The approval hash of the plan's text that the question asks to confirm; empty for other questions."""
        last = self.subject.rpartition(" ")[2]
        is_to_execute = self.purpose == "confirm" and self.subject.startswith(EXECUTES)
        is_about_plan = is_to_execute or self.purpose == "exit_plan_mode"
        return last if is_about_plan and _HASH.fullmatch(last) else ""

    def confirms(self, path: str) -> bool:
        """The question asks the user to confirm an action on the plan at `path`, the second word of the subject."""
        return self.purpose == "confirm" and self.subject.partition(" ")[2].startswith(f"{path} ")


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's decision on one call; of several files they may have `rejected` some."""

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
