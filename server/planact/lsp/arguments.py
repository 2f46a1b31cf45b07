"""What planact's commands take: one object each. A key that nobody knows is a mistake to report."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from planact.model.image import Image
from planact.model.permission import Mode, parse_mode
from planact.workflows.export_plan import Format


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class NoArguments(_Arguments):
    """An empty object, or none at all."""


class OneFolder(_Arguments):
    """`folder` is the URI of a workspace folder; empty = the first one."""

    folder: str = ""


class TrustFolder(OneFolder):
    """`seen` is the `fingerprint` of `planact.showStatus` when the user was asked; empty = whatever is there now."""

    seen: str = ""


class OneSession(OneFolder):
    """`session_id`; empty = the session in hand of the folder, which each has from its first command on.

    What has an id, or a document, is in the folder it is in: a folder that is named besides is the only one to look in.
    """

    session_id: str = ""


class PlanNamed(OneSession):
    """A plan, by the URI of its document or by its id."""

    uri: str = ""
    plan_id: str = ""


class OnePlan(PlanNamed):
    """A plan, by the URI of its document or by its id (one of them)."""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if bool(self.uri) == bool(self.plan_id):
            raise ValueError("name the plan by uri or by plan_id")
        return self


class ShowPlan(OnePlan):
    """With the number of a `step`, the plan is opened there too, in an editor that opens documents when told to.
    `with_usage` = what it took so far is told, too, which is to be added up first.
    """

    step: int | None = Field(default=None, ge=1)
    with_usage: bool = False


class OneQuestion(_Arguments):
    """A question that is open."""

    question_id: str


def _mode(word: Any) -> Any:
    return parse_mode(word) or word if isinstance(word, str) else word


class NewSession(OneFolder):
    """`mode`: as the setting `startMode` says, if missing."""

    mode: Annotated[Mode | None, BeforeValidator(_mode)] = None


class OpenSession(OneSession):
    """The session to take in hand."""

    session_id: str


class RenameSession(OneSession):
    """`title` in one line."""

    title: str = Field(min_length=1, max_length=200)


class SendMessage(OneSession):
    """What the user says. While work runs it is queued and read at the next safe point.

    `about` is a place in the folder such as `src/app.py:10-20`; then the server asks for the text if there is
    none, in a session of its own in Plan, and shows the answer. `images` go to models that take them.

    Files and folders that the text mentions (`@src/app.py:10-20`, `@folder:src`) are read for the model as it could
    itself. `selection`, a place like that, is what `@selection` means, and `problems`, one a line, what `@problems`.
    """

    text: str = ""
    about: str = ""
    images: tuple[Image, ...] = ()
    selection: str = ""
    problems: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if not self.text and not self.about:
            raise ValueError("give a text, or the place that it is about")
        return self


class Stop(OneSession):
    """Without `session_id`, whatever works: in the folder first, and there the session in hand."""


class SetMode(OneSession):
    """Switch the mode, by name or alias.

    `confirm_stop` says what to do when work is running that the switch to Plan would stop: true = stop it,
    false = refuse with MODE_CONFLICT (the client asks and sends again), missing = the server asks.
    """

    mode: Annotated[Mode, BeforeValidator(_mode)]
    confirm_stop: bool | None = None


class SetRole(OneSession):
    """The role that works from the next tool call on. It must be for the session's mode, else MODE_CONFLICT."""

    role: str = Field(min_length=1)


class SetModel(OneSession):
    """The model that speaks from the session's next turn on, as litellm names it; empty = by the settings again."""

    model: str


class ListModels(OneFolder):
    """Models that have all words of `search` in their names: those in the settings and those whose provider's key is
    set, or all that are known.
    """

    search: str = ""
    all: bool = False


class GeneratePlan(OneSession):
    """From the document at `uri` that holds a request (replaced in place), or from `request` into a new document.

    `about` is a place in the folder such as `src/app.py:10-20`; then the server asks for the request if there is none,
    and opens the plan.
    """

    uri: str = ""
    request: str = ""
    about: str = ""

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if bool(self.uri) == bool(self.request.strip() or self.about):
            raise ValueError("give the uri of a document with the request, or the request")
        return self


class RevisePlan(OnePlan):
    """Work in `feedback` and the comments in the document; the server asks when there is neither."""

    feedback: str = ""


class ApprovePlan(OnePlan):
    """`approve_hash`: what the user saw, as `planact.showPlan` gives it; missing = the document as it is now."""

    approve_hash: str = ""


class ExecutePlan(ApprovePlan):
    """Approve and run all that is left, or the steps with the numbers in `steps`. Without `approve_hash` the server
    asks, unless this very content is approved already.
    """

    steps: tuple[Annotated[int, Field(ge=1)], ...] = ()


class ExecuteStep(ApprovePlan):
    """Run one step; `step` is its number. `approve_hash` counts as for the whole plan."""

    step: int = Field(ge=1)


class RetryStep(ExecuteStep):
    """Run a failed step again; `step` is its number."""


class SkipStep(OnePlan):
    """`step` is its number."""

    step: int = Field(ge=1)


class ShowFailure(OnePlan):
    """`step` is the number of a step that failed."""

    step: int = Field(ge=1)


class _RunNamed(PlanNamed):
    execution_id: str = ""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if sum(map(bool, (self.uri, self.plan_id, self.execution_id))) != 1:
            raise ValueError("name one of uri, plan_id and execution_id")
        return self


class RollBack(_RunNamed):
    """One run by its `execution_id`, or all runs of a plan; with the number of a `step`, only that step of them."""

    step: int | None = Field(default=None, ge=0)


class DiffStep(_RunNamed):
    """What the step with that number did to files, in a run by its `execution_id`, or in the newest run of a plan in
    which it changed any; `step` 0 is the work of a run without a plan.
    """

    step: int = Field(ge=0)


class DiffPlan(OnePlan):
    """From revision `number` to revision `other`; 0 = the document as it is. Without both: to it from its last other
    text.
    """

    number: int = Field(default=0, ge=0)
    other: int = Field(default=0, ge=0)


class RestoreRevision(OnePlan):
    """`number` as `planact.diffPlan` lists it."""

    number: int = Field(ge=1)


class PinPlan(OnePlan):
    """`is_pinned` = keep it whatever its age."""

    is_pinned: bool = True


class ExportPlan(OnePlan):
    """As Markdown or as JSON."""

    format: Format = "markdown"


class OneTemplate(OneSession):
    """A template by its name."""

    name: str


class UseTemplate(OneTemplate):
    """`values` by parameter; what is missing is asked."""

    values: dict[str, str] = Field(default_factory=dict)


class CreateTemplate(OnePlan):
    """From a plan: `parameters` are texts of the plan by the names they get."""

    name: str
    description: str = ""
    parameters: dict[str, str] = Field(default_factory=dict)


class PlanAndAct(OneSession):
    """What is wanted; it is planned, then carried out if the plan is safe or the user agrees. `is_scrutinized` = a
    reviewer criticises the plan, and it is revised once, before that.
    """

    request: str = Field(min_length=1)
    is_scrutinized: bool = False


class AnswerQuestion(OneQuestion):
    """Values by question name. What doesn't fit is refused with ANSWER_INVALID, and the question stays open.

    Without `answers` they are what is ticked and written in the plan at `uri`. Where the question isn't written there,
    it is shown again, and its answer waited for.

    `rejected` are paths of its `edits` that stay as they are while the rest is allowed; `comment` is what the user has
    to say to it, which the agent hears with a refusal.
    """

    uri: str = ""
    answers: dict[str, JsonValue] | None = None
    rejected: tuple[str, ...] = ()
    comment: str = Field(default="", max_length=10_000)


class OneRule(_Arguments):
    """A rule by its id, in any folder."""

    rule_id: str


class ListExecutions(OneFolder):
    """`plan_id` leaves those of other plans out; of more than `limit`, the oldest are left out."""

    plan_id: str = ""
    limit: int = Field(default=100, ge=1)


class ShowExecution(_Arguments):
    """An execution by its id, or the end of it."""

    execution_id: str


class ResumeExecution(PlanNamed):
    """A run by its `execution_id`, or the newest of a plan; without any of them the newest that stopped before it was
    done, in the folder.
    """

    execution_id: str = ""

    @model_validator(mode="after")
    def _names_one_at_most(self) -> Self:
        if sum(map(bool, (self.uri, self.plan_id, self.execution_id))) > 1:
            raise ValueError("name one of uri, plan_id and execution_id")
        return self
