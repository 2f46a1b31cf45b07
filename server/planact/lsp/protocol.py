"""What planact adds to LSP: its commands, messages and capability, each with one object in and one out.

Keys are snake_case on the wire, unlike LSP's own. Send with `model_dump(mode="json", by_alias=True)`, since
`Question.schema_` is `schema` there. `client-vscode/src/protocol.ts` is generated from this module.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from planact.lsp import arguments, differences, results, standing
from planact.model.execution import Execution, StepRecord
from planact.model.file import Severity
from planact.model.message import Message
from planact.model.permission import Mode
from planact.model.session import Session
from planact.model.usage import Usage


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


# --- initialize


class Capability(BaseModel):
    """`capabilities.experimental.planact`: the extras a client handles. All work without them.

    Attributes:
        questions: shows `planact/questionPending` and answers by command.
        save: answers `planact/save`.
        diagnostics: answers `planact/diagnostics`.
        messages: follows the `planact/*` notifications; without it none is sent but those for questions.
    """

    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    questions: bool = False
    save: bool = False
    diagnostics: bool = False
    messages: bool = False


def _table(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


def _is_true(value: Any) -> bool:
    return value is True


Sure = Annotated[bool, BeforeValidator(_is_true)]
"""True where the client says just that. Anything else means no, so that nothing odd widens a right."""


class InitializationOptions(BaseModel):
    """What the client tells of the user; what is missing has its default.

    Attributes:
        settings: the user's, named and nested as in `model.settings`.
        workspace_trusted: whether the user trusts what is in the workspace; for clients that know such a thing. Those
            that don't leave it out, and there opening a folder is trusting it.
    """

    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    settings: Annotated[dict[str, Any], BeforeValidator(_table)] = Field(default_factory=dict)
    workspace_trusted: Sure = True


# --- commands


@dataclass(frozen=True, slots=True)
class Command:
    """One `workspace/executeCommand`: its name, the one object it takes and the one it gives back."""

    name: str
    arguments: type[BaseModel]
    result: type[BaseModel]


COMMANDS: tuple[Command, ...] = (
    Command("planact.newSession", arguments.NewSession, Session),
    Command("planact.openSession", arguments.OpenSession, Session),
    Command("planact.listSessions", arguments.OneFolder, results.Sessions),
    Command("planact.renameSession", arguments.RenameSession, Session),
    Command("planact.deleteSession", arguments.OneSession, results.SessionDeleted),
    Command("planact.sendMessage", arguments.SendMessage, results.TurnEnded),
    Command("planact.stop", arguments.Stop, results.Stopped),
    Command("planact.setMode", arguments.SetMode, Session),
    Command("planact.setRole", arguments.SetRole, Session),
    Command("planact.listRoles", arguments.OneFolder, results.Roles),
    Command("planact.setModel", arguments.SetModel, Session),
    Command("planact.listModels", arguments.ListModels, results.Models),
    Command("planact.generatePlan", arguments.GeneratePlan, results.PlanMade),
    Command("planact.revisePlan", arguments.RevisePlan, results.PlanMade),
    Command("planact.approvePlan", arguments.ApprovePlan, results.PlanApproved),
    Command("planact.executePlan", arguments.ExecutePlan, Execution),
    Command("planact.executeStep", arguments.ExecuteStep, Execution),
    Command("planact.skipStep", arguments.SkipStep, results.PlanMade),
    Command("planact.retryStep", arguments.RetryStep, Execution),
    Command("planact.resumeExecution", arguments.ResumeExecution, Execution),
    Command("planact.rollBack", arguments.RollBack, results.RolledBack),
    Command("planact.planAndAct", arguments.PlanAndAct, results.PlannedAndActed),
    Command("planact.showPlan", arguments.ShowPlan, results.PlanShown),
    Command("planact.listPlans", arguments.OneFolder, results.Plans),
    Command("planact.deletePlan", arguments.OnePlan, results.PlanDeleted),
    Command("planact.diffPlan", arguments.DiffPlan, differences.PlanDifference),
    Command("planact.diffStep", arguments.DiffStep, differences.StepDifference),
    Command("planact.restoreRevision", arguments.RestoreRevision, results.PlanMade),
    Command("planact.showChanges", arguments.OnePlan, differences.PlanChanges),
    Command("planact.showFailure", arguments.ShowFailure, StepRecord),
    Command("planact.pinPlan", arguments.PinPlan, results.PlanPinned),
    Command("planact.exportPlan", arguments.ExportPlan, results.PlanExported),
    Command("planact.listTemplates", arguments.OneFolder, results.Templates),
    Command("planact.showTemplate", arguments.OneTemplate, results.TemplateShown),
    Command("planact.useTemplate", arguments.UseTemplate, results.PlanMade),
    Command("planact.createTemplate", arguments.CreateTemplate, results.TemplateCreated),
    Command("planact.deleteTemplate", arguments.OneTemplate, results.TemplateDeleted),
    Command("planact.answerQuestion", arguments.AnswerQuestion, results.QuestionResolved),
    Command("planact.declineQuestion", arguments.OneQuestion, results.QuestionResolved),
    Command("planact.cancelQuestion", arguments.OneQuestion, results.QuestionResolved),
    Command("planact.listQuestions", arguments.NoArguments, results.OpenQuestions),
    Command("planact.listRules", arguments.OneFolder, results.Rules),
    Command("planact.revokeRule", arguments.OneRule, results.RuleListed),
    Command("planact.trustFolder", arguments.TrustFolder, results.FolderTrusted),
    Command("planact.listExecutions", arguments.ListExecutions, results.Executions),
    Command("planact.showExecution", arguments.ShowExecution, results.ExecutionShown),
    Command("planact.showStatus", arguments.OneFolder, standing.Status),
)


class ErrorData(_Data):
    """`data` of an error response; `code` is one of `base.errors.ErrorCode`, and the error's message is for people."""

    code: str
    hint: str = ""


# --- messages


class ModeChanged(_Data):
    """`folder` is the URI of the workspace folder, `plan_file` the plan in hand, relative to it; empty = none."""

    folder: str
    session_id: str
    mode: Mode
    role: str
    plan_file: str


class MessageDelta(_Data):
    """A piece of the message to come, as it streams."""

    session_id: str
    message_id: str
    text: str
    is_reasoning: bool = False


class PlanChanged(_Data):
    """A plan document was written or marked, or what is kept of it changed."""

    session_id: str
    plan_id: str
    path: str
    uri: str


class ExecutionProgress(_Data):
    """A run has moved; `text` is one line for people."""

    execution: Execution
    text: str


class UsageChanged(_Data):
    """What the session has used so far, and how full the model's context is; 0 = nobody knows."""

    session_id: str
    usage: Usage
    context_tokens: int = 0
    context_window: int = 0


class WorkChanged(_Data):
    """Work began in the session, or it is over."""

    session_id: str
    is_running: bool


class Save(_Data):
    """Documents that must be on disk before a command reads them there."""

    uris: tuple[str, ...]


class Saved(_Data):
    """Those of the documents whose text is on disk now."""

    saved: tuple[str, ...]


class Diagnosed(_Data):
    """Whose diagnostics are wanted: a file, or all files in a folder."""

    uri: str


class Diagnostic(_Data):
    """What a language server or a linter says of a file; `line` counts from 0."""

    uri: str
    line: int = Field(ge=0)
    severity: Severity
    message: str
    source: str = ""


class Diagnostics(_Data):
    """Those that the editor shows, planact's own left out."""

    diagnostics: tuple[Diagnostic, ...]


class TranscriptPage(arguments.OneSession):
    """Up to `limit` messages before the one with the id `before`; empty = the last ones."""

    before: str = ""
    limit: int = Field(default=50, ge=1, le=500)


class Transcript(_Data):
    """Messages in order; `has_earlier` says whether there are some before them."""

    session_id: str
    messages: tuple[Message, ...]
    has_earlier: bool


class Secret(_Data):
    """A key of a model provider, named by the variable that usually holds it; an empty one is forgotten. It is kept in
    the server's memory, and nowhere else.
    """

    variable: str = Field(pattern=r"^[A-Z][A-Z0-9_]{0,60}_API_KEY$")
    value: SecretStr = Field(max_length=4_000)


class SecretTaken(_Data):
    """Whether there is a key for that variable now, be it the environment's."""

    variable: str
    has_key: bool


class WorkspaceTrust(_Data):
    """Whether the user trusts what is in the workspace, from now on."""

    is_trusted: Sure = False


MODE_CHANGED = "planact/modeChanged"
QUESTION_PENDING = "planact/questionPending"
QUESTION_RESOLVED = "planact/questionResolved"
MESSAGE = "planact/message"
MESSAGE_DELTA = "planact/messageDelta"
PLAN_CHANGED = "planact/planChanged"
EXECUTION_PROGRESS = "planact/executionProgress"
USAGE = "planact/usage"
WORK_CHANGED = "planact/workChanged"
SAVE = "planact/save"
DIAGNOSTICS = "planact/diagnostics"
TRANSCRIPT = "planact/transcript"
SECRET = "planact/secret"  # noqa: S105  (the name of the request)
WORKSPACE_TRUST = "planact/workspaceTrust"

NOTIFICATIONS: dict[str, type[BaseModel]] = {
    MODE_CHANGED: ModeChanged,
    QUESTION_PENDING: results.QuestionPending,
    QUESTION_RESOLVED: results.QuestionResolved,
    MESSAGE: Message,
    MESSAGE_DELTA: MessageDelta,
    PLAN_CHANGED: PlanChanged,
    EXECUTION_PROGRESS: ExecutionProgress,
    USAGE: UsageChanged,
    WORK_CHANGED: WorkChanged,
}
"""Server to client, by method."""

REQUESTS: dict[str, tuple[type[BaseModel], type[BaseModel]]] = {
    SAVE: (Save, Saved),
    DIAGNOSTICS: (Diagnosed, Diagnostics),
    TRANSCRIPT: (TranscriptPage, Transcript),
    SECRET: (Secret, SecretTaken),
    WORKSPACE_TRUST: (WorkspaceTrust, WorkspaceTrust),
}
"""By method, with parameters and result; `planact/save` and `planact/diagnostics` go to the client, the others to the
server.
"""
