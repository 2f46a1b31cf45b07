"""One run of a plan, step by step: what was done, how it was checked, and how it ended."""

from typing import Any, Literal

from pydantic import Field, model_validator

from planact.base.frozen_model import FrozenModel
from planact.base.text import counted
from planact.model.chat.message import Usage
from planact.model.plan import StepStatus

ExecutionStatus = Literal["running", "success", "partial_success", "failed", "aborted", "paused", "nothing_done"]


EndedBy = Literal["", "refusal", "question", "user", "limit", "kill"]

CheckEnd = Literal["exited", "timeout", "stopped", "held", "not_run"]


class FileErrors(FrozenModel):
    """The numbers of errors that language servers find in a file before a step and after it; None = not known. `new` is
    the number of those that count against the step.
    """

    path: str
    before: int | None
    after: int | None
    new: int = 0


class CheckResult(FrozenModel):
    """A `check:` command that ran: the evidence for a step. Or, of the kind `diagnostics`, what language servers say of
    the `errors` in the files that the step changed; its `command` is then the word for that.

    `ended` says how: it `exited` by itself, after the `timeout`, `stopped` by the user, while its jail `held` it back,
    or `not_run`, since it was refused. Only the first says something about the work. `duration` is in seconds.
    `failed_before` = it failed alike before the run, and isn't held against the step. `failed_first` = it failed, and
    passed when it ran again with nothing changed.
    """

    command: str
    exit_code: int | None
    output: str
    passed: bool
    ended: CheckEnd = "exited"
    duration: float = 0.0
    failed_before: bool = False
    failed_first: bool = False
    kind: Literal["command", "diagnostics"] = "command"
    errors: tuple[FileErrors, ...] = ()

    @property
    def ending(self) -> str:
        """Describe the end, for a sentence that begins with the command."""
        if self.kind == "diagnostics":
            return f"found {counted(sum(file.new for file in self.errors), 'new error')}"
        match self.ended:
            case "exited" if self.exit_code is not None:
                return f"ended with {self.exit_code}"
            case "timeout":
                return "took longer than a command may"
            case "stopped":
                return "was stopped"
            case "held":
                return "was held back by the sandbox"
            case _:
                return "did not run"


class Repair(FrozenModel):
    """An attempt of the agent to repair the `check` that had failed before it, and the files that it changed.

    `number` counts from 1 until the step has a result, over pauses and kills of its run.
    """

    number: int
    check: CheckResult
    files: tuple[str, ...] = ()


class FileChange(FrozenModel):
    """A file a step touched, with SHA-256 (hex) of its bytes before and after; empty = no file.

    `by_command` = a command, or a tool of an MCP server, was found to have changed it. `is_covered` = the bytes before
    are stored, so that the change can be rolled back; otherwise empty hashes mean unknown.
    """

    path: str
    before: str = ""
    after: str = ""
    by_command: bool = False
    is_covered: bool = True


class Adaptation(FrozenModel):
    """A deviation from the plan."""

    reason: str
    original_action: str
    adapted_action: str


class Evidence(FrozenModel):
    """A tool call that was carried out: `about` is the command, the paths, or what else it was for. A command that
    failed is one too; its `exit_code` says so. `variant_of` is the command of the approved plan that it varies, in its
    filters, options or files; empty = none.
    """

    tool: str
    about: str
    exit_code: int | None = None
    variant_of: str = ""


class StepRecord(FrozenModel):
    """The result of one step. `step_number` 0 = the implicit step of work without a plan.

    `attempt` counts from 1 in each run; `tool_results` counts calls that succeeded; `duration` is in seconds;
    `ended_by` names the cause that kept the agent from finishing: a repeated refusal, a question without an answer, the
    user, a limit, or a killed process; `uncovered` describes the changes that can't be rolled back, since no image was
    taken before; `unchanged` has the files that the step names and that were neither created nor changed; `repairs` are
    those of this attempt, and `checks` the results after the last of them.
    """

    step_number: int
    action: str
    status: StepStatus
    attempt: int = 1
    output: str = ""
    error: str = ""
    ended_by: EndedBy = ""
    duration: float = 0.0
    tool_results: int = 0
    evidence: tuple[Evidence, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    repairs: tuple[Repair, ...] = ()
    files: tuple[FileChange, ...] = ()
    uncovered: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    adaptations: tuple[Adaptation, ...] = ()
    usage: Usage = Field(default_factory=Usage)


class Rollback(FrozenModel):
    """A rollback of a run, and its time: the steps, and the files with their SHA-256 (hex) before and after the
    rollback. `stayed` names files that the steps changed and that couldn't be put back.
    """

    id: str
    at: str
    steps: tuple[int, ...]
    files: tuple[FileChange, ...] = ()
    stayed: tuple[str, ...] = ()


class Execution(FrozenModel):
    """A run, kept as `executions/<id>.json`. `plan_id` and `plan_file` are empty for work without a plan, which alone
    can end as `nothing_done`: its message asked for a change, and none was made.

    `only_steps` has the numbers of the steps that it was to run, if not all that were left. `steps` has each attempt,
    in order, and `adaptations` what is in them; `checks_before` has the checks that failed before the first of them;
    `duration` is in seconds, with all the time that the user was waited
    for, but not that in which it was paused.
    """

    id: str
    session_id: str
    plan_id: str = ""
    plan_file: str = ""
    plan_hash: str = ""
    goal: str = ""
    only_steps: tuple[int, ...] = ()
    status: ExecutionStatus = "running"
    started_at: str = ""
    finished_at: str = ""
    duration: float = 0.0
    steps: tuple[StepRecord, ...] = ()
    adaptations: tuple[Adaptation, ...] = ()
    usage: Usage = Field(default_factory=Usage)
    reason: str = ""
    rollbacks: tuple[Rollback, ...] = ()
    checks_before: tuple[CheckResult, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _take_one(cls, data: Any) -> Any:
        """Records of runs of one step once had its number, or 0."""
        if isinstance(data, dict) and "only_step" in data:
            one = data["only_step"]
            rest = {key: each for key, each in data.items() if key != "only_step"}
            return {"only_steps": (one,) if one else (), **rest}
        return data

    @property
    def broken_off(self) -> Usage:
        """The cost of attempts without a record, which broke off."""
        left = self.usage
        for step in self.steps:
            left = left.less(step.usage)
        return left

    @property
    def rolled_back(self) -> frozenset[int]:
        """The numbers of the steps that were taken back."""
        return frozenset(step for rollback in self.rollbacks for step in rollback.steps)

    @property
    def to_roll_back(self) -> frozenset[int]:
        """The numbers of the steps that changed files which can be put back."""
        changed = {step.step_number for step in self.steps if any(file.is_covered for file in step.files)}
        return frozenset(changed - self.rolled_back)
