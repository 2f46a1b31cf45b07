"""planact's own messages beside LSP's, each with one object in and one out.

Keys are snake_case on the wire, unlike LSP's own. Send with `model_dump(mode="json", by_alias=True)`, since
`Question.schema_` is `schema` there. `client-vscode/src/protocol.ts` is generated from this module and `lsp.commands`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, SecretStr

from planact.base.frozen_model import FrozenModel
from planact.base.positions import Encoding
from planact.lsp.protocol import arguments, results
from planact.model.chat.message import Message, Usage
from planact.model.file import ProblemSeverity
from planact.model.notice import ExecutionProgress, MessageDelta, ModelRetry
from planact.model.rights.permission import Mode
from planact.model.work import Work

# --- initialize


class Capability(FrozenModel):
    """`capabilities.experimental.planact`: the extras a client handles. All work without them.

    Attributes:
        questions: shows `planact/questionPending` and answers by command.
        save: answers `planact/save`.
        diagnostics: answers `planact/diagnostics`.
        references: answers `planact/references`.
        symbols: answers `planact/definitions`, `planact/renameEdits` and `planact/codeActions`.
        messages: follows the `planact/*` notifications; without it none is sent but those for questions.
        models: answers `planact/complete` for the models that it tells of by `planact/modelsOffered`.
    """

    questions: bool = False
    save: bool = False
    diagnostics: bool = False
    references: bool = False
    symbols: bool = False
    messages: bool = False
    models: bool = False


def _table(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


def _is_true(value: Any) -> bool:
    return value is True


Sure = Annotated[bool, BeforeValidator(_is_true)]
"""True only for JSON's `true`: a malformed value must not widen a right."""


class InitializationOptions(FrozenModel):
    """The user's settings and trust, from the client; missing fields have their defaults.

    Attributes:
        settings: the user's, named and nested as in `model.settings`.
        workspace_trusted: false = the user doesn't trust the workspace's files. Clients without a notion of trust leave
            it out, and there opening a folder is trusting it.
    """

    settings: Annotated[dict[str, Any], BeforeValidator(_table)] = Field(default_factory=dict)
    workspace_trusted: Sure = True


class ErrorData(FrozenModel):
    """`data` of an error response; `code` is one of `base.errors.ErrorCode`, and the error's message is for people."""

    code: str
    hint: str = ""


# --- messages


class ModeChanged(FrozenModel):
    """`folder` is the URI of the workspace folder, `plan_file` the plan in hand, relative to it; empty = none."""

    folder: str
    session_id: str
    mode: Mode
    role: str
    plan_file: str


class PlanChanged(FrozenModel):
    """A plan document was written or marked, or its records changed."""

    session_id: str
    plan_id: str
    path: str
    uri: str


class WorkChanged(FrozenModel):
    """The work of a folder has changed: all of it, as it is now.

    Attributes:
        session_id: the session whose work changed; `is_running` says whether it works in this process.
        folder: URI of the workspace folder.
        work: the work to show where there is room for one.
        works: all that isn't idle, `work` first.
    """

    session_id: str
    is_running: bool
    folder: str = ""
    work: Work = Field(default_factory=Work)
    works: tuple[Work, ...] = ()


class UsageChanged(FrozenModel):
    """Usage of the session so far, and fill of the model's context; 0 = unknown."""

    session_id: str
    usage: Usage
    context_tokens: int = 0
    context_window: int = 0


class Save(FrozenModel):
    """Documents that must be on disk before a command reads them."""

    uris: tuple[str, ...]


class Saved(FrozenModel):
    """The documents whose text is on disk now."""

    saved: tuple[str, ...]


class Diagnosed(FrozenModel):
    """Files whose diagnostics are wanted, or folders, whose URIs end with a slash: for those, what is shown is enough.

    The client opens files that aren't, without showing them, and waits up to `wait_ms` for language servers that look
    at them. `versions` has the version of each file's text as planact knows it; null = what is on disk.
    """

    uris: tuple[str, ...]
    versions: tuple[int | None, ...]
    wait_ms: int = Field(default=0, ge=0)


class Diagnostic(FrozenModel):
    """A diagnostic of a language server or a linter; `line` counts from 0."""

    line: int = Field(ge=0)
    severity: ProblemSeverity
    message: str
    source: str = ""
    code: str = ""


class DiagnosedFile(FrozenModel):
    """A file with its diagnostics, without planact's own.

    `state`: `known` = they are of the present text; `not_yet` = a language server looks at the file and hasn't said so;
    `unserved` = none that the client knows of looks at it.
    """

    uri: str
    state: Literal["known", "not_yet", "unserved"]
    diagnostics: tuple[Diagnostic, ...] = ()


class Diagnostics(FrozenModel):
    """The files that were asked for, and those with diagnostics in folders that were."""

    files: tuple[DiagnosedFile, ...]


class Referenced(FrozenModel):
    """A name in a line, from 0, whose uses or definition are wanted; `occurrence`, from 0, tells the places of the name
    in that line apart.
    """

    uri: str
    line: int = Field(ge=0)
    name: str
    occurrence: int = Field(default=0, ge=0)


class SymbolUse(FrozenModel):
    """A line, from 0, in which a name stands."""

    uri: str
    line: int = Field(ge=0)


class References(FrozenModel):
    """The uses of a name that language servers know, with its definition; or its definitions alone."""

    references: tuple[SymbolUse, ...]


class RenameWanted(Referenced):
    """A name that is to be another one everywhere."""

    new_name: str


class EditedRange(FrozenModel):
    """A text that is to stand in a range; positions as in LSP."""

    start_line: int = Field(ge=0)
    start_character: int = Field(ge=0)
    end_line: int = Field(ge=0)
    end_character: int = Field(ge=0)
    new_text: str


class DocumentEdits(FrozenModel):
    """The edits of a document, whose version is -1 where it isn't open."""

    uri: str
    version: int = -1
    edits: tuple[EditedRange, ...]


class ProposedEdits(FrozenModel):
    """Edits that a language server proposes; none of them is made by that. None and no `problem` = no server knows."""

    documents: tuple[DocumentEdits, ...] = ()
    encoding: Encoding = "utf-16"
    problem: str = ""


class ActionsWanted(FrozenModel):
    """A line, from 0, whose quick fixes are wanted, beside those that organise the imports of its file."""

    uri: str
    line: int = Field(ge=0)


class ProposedAction(FrozenModel):
    """A quick fix that is edits and nothing else."""

    title: str
    edits: ProposedEdits


class ProposedActions(FrozenModel):
    """The quick fixes that language servers propose."""

    actions: tuple[ProposedAction, ...]


class TranscriptPage(arguments.OneSession):
    """Up to `limit` messages before the one with the id `before`; empty = the last ones."""

    before: str = ""
    limit: int = Field(default=50, ge=1, le=500)


class Transcript(FrozenModel):
    """Messages in the order of their ids; `has_earlier` = there are more before them."""

    session_id: str
    messages: tuple[Message, ...]
    has_earlier: bool


class Secret(FrozenModel):
    """A key of a model provider, named by the variable that usually holds it; an empty one is forgotten. It is stored
    in the server's memory only.
    """

    variable: str = Field(pattern=r"^[A-Z][A-Z0-9_]{0,60}_API_KEY$")
    value: SecretStr = Field(max_length=4_000)


class SecretTaken(FrozenModel):
    """`has_key` = there is a key for that variable now, from the client or the environment."""

    variable: str
    has_key: bool


class WorkspaceTrust(FrozenModel):
    """The user trusts the workspace's files, or no longer."""

    is_trusted: Sure = False


class OfferedModel(FrozenModel):
    """A model that the client can ask; `context_tokens` = 0 where it doesn't know."""

    name: str = Field(pattern=r"^vscode/[!-~]+$", max_length=300)
    context_tokens: int = Field(default=0, ge=0)


class ModelsOffered(FrozenModel):
    """All models that the client can ask, in place of those that it told of before."""

    models: tuple[OfferedModel, ...] = Field(max_length=1_000)


class CompletionWanted(FrozenModel):
    """A request to a model of the client's: `messages` and `tools` are as in OpenAI's chat completions. What it says
    comes as `planact/completionDelta` with the same `completion_id`, before the result; cancelling ends it.
    """

    completion_id: str
    model: str
    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...]


class CompletedCall(FrozenModel):
    """A whole call of a tool; `arguments` is JSON."""

    id: str = ""
    name: str
    arguments: str = "{}"


class CompletionDelta(FrozenModel):
    """A piece of an answer: text, or a call."""

    completion_id: str
    text: str = ""
    is_reasoning: bool = False
    call: CompletedCall | None = None


class CompletionEnd(FrozenModel):
    """The answer is whole, or failed with a `message`; `failure` is `forbidden`, `gone`, `blocked`, or `other`."""

    failure: str = ""
    message: str = ""


MODE_CHANGED = "planact/modeChanged"
QUESTION_PENDING = "planact/questionPending"
QUESTION_RESOLVED = "planact/questionResolved"
MESSAGE = "planact/message"
MESSAGE_DELTA = "planact/messageDelta"
MODEL_RETRY = "planact/modelRetry"
PLAN_CHANGED = "planact/planChanged"
EXECUTION_PROGRESS = "planact/executionProgress"
USAGE = "planact/usage"
WORK_CHANGED = "planact/workChanged"
SAVE = "planact/save"
DIAGNOSTICS = "planact/diagnostics"
REFERENCES = "planact/references"
DEFINITIONS = "planact/definitions"
RENAME_EDITS = "planact/renameEdits"
CODE_ACTIONS = "planact/codeActions"
TRANSCRIPT = "planact/transcript"
SECRET = "planact/secret"  # noqa: S105  (the name of the request)
WORKSPACE_TRUST = "planact/workspaceTrust"
COMPLETE = "planact/complete"
MODELS_OFFERED = "planact/modelsOffered"
COMPLETION_DELTA = "planact/completionDelta"

NOTIFICATIONS: dict[str, type[BaseModel]] = {
    MODE_CHANGED: ModeChanged,
    QUESTION_PENDING: results.QuestionPending,
    QUESTION_RESOLVED: results.QuestionResolved,
    MESSAGE: Message,
    MESSAGE_DELTA: MessageDelta,
    MODEL_RETRY: ModelRetry,
    PLAN_CHANGED: PlanChanged,
    EXECUTION_PROGRESS: ExecutionProgress,
    USAGE: UsageChanged,
    WORK_CHANGED: WorkChanged,
}
"""Server to client, by method."""

CLIENT_NOTIFICATIONS: dict[str, type[BaseModel]] = {
    MODELS_OFFERED: ModelsOffered,
    COMPLETION_DELTA: CompletionDelta,
}
"""Client to server, by method."""

REQUESTS: dict[str, tuple[type[BaseModel], type[BaseModel]]] = {
    SAVE: (Save, Saved),
    DIAGNOSTICS: (Diagnosed, Diagnostics),
    REFERENCES: (Referenced, References),
    DEFINITIONS: (Referenced, References),
    RENAME_EDITS: (RenameWanted, ProposedEdits),
    CODE_ACTIONS: (ActionsWanted, ProposedActions),
    COMPLETE: (CompletionWanted, CompletionEnd),
    TRANSCRIPT: (TranscriptPage, Transcript),
    SECRET: (Secret, SecretTaken),
    WORKSPACE_TRUST: (WorkspaceTrust, WorkspaceTrust),
}
"""By method, with parameters and result; those about files, names in them and the client's models go to the client, the
others to the server.
"""
