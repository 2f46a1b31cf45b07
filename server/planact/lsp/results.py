"""What planact's commands give back: one object each, or a noun of `model` as it is."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from planact.lsp.convert import uri_of
from planact.lsp.differences import FileCompared
from planact.model.execution import Execution
from planact.model.language_model import LanguageModel
from planact.model.permission import Mode, Permission
from planact.model.plan import Plan, PlanStatus, PlanSummary
from planact.model.question import AskedInStep, Purpose, Question, QuestionSet, QuestionStatus
from planact.model.role import Role, RoleSource
from planact.model.rule import Rule
from planact.model.session import Session
from planact.plan.templates.template import KnownTemplate, json_schema
from planact.tools.registry import offered


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


class Sessions(_Result):
    """The last used first."""

    sessions: tuple[Session, ...]


class TurnEnded(_Result):
    """What came of a message.

    `done`: `text` is the answer; `waiting`: a question is open; `stopped`, `refused` (a repeated refusal ended the
    turn): `reason` says why; `queued`: work is running, and the message is read at the next safe point.
    """

    session_id: str
    status: Literal["done", "waiting", "stopped", "refused", "queued"]
    text: str = ""
    reason: str = ""


class Stopped(_Result):
    """`stopped` is false when nothing ran."""

    session_id: str
    stopped: bool


class PlanMade(_Result):
    """Where a plan is: `path` is relative to its workspace folder. `plan_id` is empty when no plan came of it."""

    session_id: str
    plan_id: str
    path: str
    uri: str


class PlanApproved(PlanMade):
    """`plan_hash` is what was approved."""

    plan_hash: str


class PlannedAndActed(PlanMade):
    """`execution` is missing when the user didn't agree."""

    execution: Execution | None = None


class PlanShown(_Result):
    """A plan as data, the hash of the content that the user now sees, and how many comments wait for a revision.

    `status` is the plan's own as far as the user ever approved it. `usage` says in words what its planning and its runs
    took so far; empty = nothing, or nobody asked.
    """

    plan: Plan
    uri: str
    path: str
    plan_hash: str
    status: PlanStatus
    is_approved: bool
    comments: int
    usage: str = ""


class PlanPinned(_Result):
    """Whether the plan stays whatever its age."""

    path: str
    is_pinned: bool


class PlanExported(_Result):
    """`path` is the plan's own; `text` ends with a line end."""

    path: str
    text: str


class TemplateParameter(_Result):
    """`value_schema` is JSON Schema of its value; empty = any text."""

    name: str
    description: str
    default: str
    is_required: bool
    value_schema: dict[str, Any]


class TemplateListed(_Result):
    """A template; `source` says whose it is."""

    name: str
    goal: str
    description: str
    category: str
    source: Literal["planact", "workspace"]
    parameters: tuple[TemplateParameter, ...]


def listed(known: KnownTemplate) -> dict[str, Any]:
    """What `TemplateListed` says of a template."""
    template = known.template
    return {
        "name": template.name,
        "goal": template.goal,
        "description": template.description,
        "category": template.category,
        "source": known.source,
        "parameters": tuple(
            TemplateParameter(
                name=each.name,
                description=each.description,
                default=each.default,
                is_required=each.is_required,
                value_schema=json_schema(template.name, each),
            )
            for each in template.parameters
        ),
    }


class Templates(_Result):
    """By name; `problems` tell of those of the workspace that can't be used."""

    templates: tuple[TemplateListed, ...]
    problems: tuple[str, ...]


class TemplateShown(TemplateListed):
    """With its text."""

    text: str


class TemplateCreated(_Result):
    """Where it is."""

    name: str
    path: str
    uri: str


class TemplateDeleted(_Result):
    """Where it was."""

    name: str
    path: str


class PlanListed(PlanSummary):
    """A row of the list, with the address of its document; `is_pinned` = it stays whatever its age."""

    uri: str
    is_pinned: bool = False


class Plans(_Result):
    """The newest first."""

    plans: tuple[PlanListed, ...]


class SessionDeleted(_Result):
    """What is gone."""

    session_id: str


class PlanDeleted(_Result):
    """What is gone."""

    plan_id: str
    path: str


class QuestionPending(_Result):
    """Questions that wait for an answer, given together: also a row of `planact.listQuestions`. `folder` is the URI of
    the workspace folder in which they are asked.

    `edits`: what would be done to files, where it is asked whether a call may; each can be rejected by itself.
    `step`: the step of a plan in whose work it came up.
    """

    folder: str
    question_id: str
    session_id: str
    questions: tuple[Question, ...]
    created_at: str
    purpose: Purpose = "agent"
    edits: tuple[FileCompared, ...] = ()
    step: AskedInStep | None = None

    @classmethod
    def of(cls, question: QuestionSet, root: Path) -> "QuestionPending":
        """What a client may know of it; `root` is the workspace folder."""
        return cls(
            folder=uri_of(root),
            question_id=question.id,
            session_id=question.session_id,
            questions=question.questions,
            created_at=question.created_at,
            purpose=question.purpose,
            edits=tuple(FileCompared.of(edit.path, edit.before, edit.after) for edit in question.edits),
            step=question.step,
        )


class QuestionResolved(_Result):
    """A question ended, by whoever was first."""

    question_id: str
    session_id: str
    status: QuestionStatus

    @classmethod
    def of(cls, question: QuestionSet) -> "QuestionResolved":
        """What a client may know of it."""
        return cls(question_id=question.id, session_id=question.session_id, status=question.status)


class OpenQuestions(_Result):
    """The oldest first."""

    questions: tuple[QuestionPending, ...]


class RuleListed(Rule):
    """What the user always allows in a folder; `text` says it for people."""

    text: str

    @classmethod
    def of(cls, rule: Rule) -> "RuleListed":
        """The rule with its text."""
        return cls(id=rule.id, created_at=rule.created_at, allows=rule.allows, text=str(rule.allows))


class Rules(_Result):
    """The oldest first."""

    rules: tuple[RuleListed, ...]


class FolderTrusted(_Result):
    """The folder's `.planact/` counts as it is now; `fingerprint` is the SHA-256 of what was trusted, or empty."""

    folder: str
    fingerprint: str


class FileRolledBack(_Result):
    """A file that is as it was before the steps, and what was done to it for that."""

    path: str
    what: Literal["restored", "deleted", "brought back"]


class RolledBack(_Result):
    """What was taken back of which runs; `steps` are empty for work without a plan. `stayed` tells, for people, what
    the steps changed and nobody could put back.
    """

    session_id: str
    execution_ids: tuple[str, ...]
    steps: tuple[int, ...]
    files: tuple[FileRolledBack, ...]
    stayed: tuple[str, ...]


class Executions(_Result):
    """The newest first; `left_out` says how many older ones there are."""

    executions: tuple[Execution, ...]
    left_out: int = 0


class ExecutionShown(Execution):
    """The record of a run, and all that it says as Markdown."""

    report: str


class RoleListed(_Result):
    """A role that can be chosen in sessions of its mode.

    `tools` are names; `paths` the patterns that limit what it may write, empty = the mode's limits alone; `model` is
    empty where that of the mode speaks.
    """

    name: str
    description: str
    mode: Mode
    source: RoleSource
    permissions: tuple[Permission, ...]
    tools: tuple[str, ...]
    paths: tuple[str, ...]
    model: str

    @classmethod
    def of(cls, role: Role) -> "RoleListed":
        """What a client may want to show of it."""
        return cls(
            name=role.name,
            description=role.description,
            mode=role.mode,
            source=role.source,
            permissions=tuple(permission for permission in Permission if permission in role.rights.permissions),
            tools=tuple(tool.name for tool in offered(role.rights)),
            paths=tuple(sorted(pattern for patterns in role.rights.paths for pattern in patterns)),
            model=role.model,
        )


class Roles(_Result):
    """By name; `problems` says which role files are not used, and why."""

    roles: tuple[RoleListed, ...]
    problems: tuple[str, ...]


class Models(_Result):
    """Those in the settings first, then by name. Any other that litellm reaches can be chosen, too."""

    models: tuple[LanguageModel, ...]
