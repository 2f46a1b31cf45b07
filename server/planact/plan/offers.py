"""What can be done with a plan now, once for lenses and code actions, so that the two can't differ.

The state is given by the caller: what a file says about its own status counts for nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from planact.base.span import Span, line_spans
from planact.base.text import counted
from planact.model.plan import StepStatus
from planact.plan.asked import blocks_of, question_id
from planact.plan.changes import CODE, ChangedFile, wish_for
from planact.plan.tree import PlanTree, StepNode

Command = Literal[
    "planact.generatePlan",
    "planact.revisePlan",
    "planact.approvePlan",
    "planact.executePlan",
    "planact.executeStep",
    "planact.retryStep",
    "planact.resumeExecution",
    "planact.showChanges",
    "planact.diffStep",
    "planact.showFailure",
    "planact.skipStep",
    "planact.rollBack",
    "planact.stop",
    "planact.answerQuestion",
    "planact.declineQuestion",
]


_EXECUTE: tuple[str, Command] = ("Execute Plan", "planact.executePlan")
_CONTINUE: tuple[str, Command] = ("Continue", "planact.resumeExecution")
_RUN: tuple[str, Command] = ("Run step", "planact.executeStep")
_RETRY: tuple[str, Command] = ("Retry", "planact.retryStep")


@dataclass(frozen=True, slots=True)
class PlanState:
    """What the server knows of a plan.

    Attributes:
        is_approved: for exactly this text.
        is_paused: whether its newest run, of exactly this text, can go on.
        is_elsewhere: whether another process has the run, which can't be stopped here.
        is_rolling_back: whether the run takes back what others did, which can't be stopped.
        running_step: number of the step that runs now, 0 = of none; None = no run.
        is_busy_generating: whether a model is writing or revising it.
        open_question_id: of a question about this plan that waits for the user.
        open_questions: ids of all that do, also after a restart, whether or not work waits for them.
        rests_on: how many files the plan rests on.
        changed: those that have changed since planning; None = nobody has looked.
        to_roll_back: numbers of the steps that changed files which can be put back.
        changed_files: numbers of those that changed any.
        failed: numbers of the steps of which it is known how they failed.
    """

    is_approved: bool = False
    is_paused: bool = False
    is_elsewhere: bool = False
    is_rolling_back: bool = False
    running_step: int | None = None
    is_busy_generating: bool = False
    open_question_id: str | None = None
    open_questions: Collection[str] = frozenset()
    rests_on: int = 0
    changed: tuple[ChangedFile, ...] | None = None
    to_roll_back: Collection[int] = frozenset()
    changed_files: Collection[int] = frozenset()
    failed: Collection[int] = frozenset()

    @property
    def is_at_rest(self) -> bool:
        """Whether something can be started."""
        return self.running_step is None and not self.is_busy_generating and self.open_question_id is None


@dataclass(frozen=True, slots=True)
class Offer:
    """Words at a place in the text. `command` None = nothing to click, only to read; `step` None = about the plan.
    `mends` = the code of the problems that it is for.
    """

    span: Span
    title: str
    command: Command | None = None
    arguments: Mapping[str, str | int | Sequence[int]] = field(default_factory=dict)
    step: StepNode | None = None
    mends: str = ""


def offers(tree: PlanTree, state: PlanState) -> tuple[Offer, ...]:
    """Everything that is offered, in the order of the text."""
    return (*_for_plan(tree, state), *_for_questions(tree, state), *_for_steps(tree, state))


def _for_plan(tree: PlanTree, state: PlanState) -> Iterator[Offer]:
    at = tree.goal_span or _first_words(tree)
    if tree.is_template or at is None:
        return
    if state.open_question_id is not None:
        yield Offer(at, "Waiting for your answer")
        if not blocks_of(tree, state.open_question_id):
            yield Offer(at, "Answer", "planact.answerQuestion", {"question_id": state.open_question_id})
    elif state.is_busy_generating:
        yield Offer(at, "Generating plan" if tree.is_request else "Revising plan")
        yield Offer(at, "Stop", "planact.stop")
    elif state.running_step is not None:
        told = _doing(tree, state)
        yield Offer(at, f"{told} in another window" if state.is_elsewhere else told)
        if not (state.is_elsewhere or state.is_rolling_back):
            yield Offer(at, "Stop", "planact.stop")
    elif tree.is_request:
        yield Offer(at, "Generate plan", "planact.generatePlan")
    elif tree.steps:
        yield from _at_rest(tree, state, at)


def _doing(tree: PlanTree, state: PlanState) -> str:
    if state.is_rolling_back:
        return "Rolling back"
    running = tree.step(state.running_step or 0)
    return f"Running step {running.position} of {len(tree.steps)}" if running else "Running"


def _for_questions(tree: PlanTree, state: PlanState) -> Iterator[Offer]:
    """At the first block of each that is open. Others answer nothing, whatever is ticked in them."""
    for asked_id, block in {question_id(block): block for block in reversed(tree.questions)}.items():
        if asked_id in state.open_questions:
            yield Offer(block.span, "Answer", "planact.answerQuestion", {"question_id": asked_id})
            yield Offer(block.span, "Decline to answer", "planact.declineQuestion", {"question_id": asked_id})


def _at_rest(tree: PlanTree, state: PlanState, at: Span) -> Iterator[Offer]:
    yield Offer(at, _progress(tree, state))
    if any(step.is_open for step in tree.steps) and tree.goal:
        if not state.is_approved:
            yield Offer(at, "Approve", "planact.approvePlan")
        is_begun = state.is_approved and state.is_paused
        title, command = _CONTINUE if is_begun else _EXECUTE
        yield Offer(at, title, command)
    comments = counted(len(tree.comments), "comment")
    yield Offer(at, f"Revise ({comments})" if tree.comments else "Revise", "planact.revisePlan")
    if state.changed and any(step.is_open for step in tree.steps):
        wish = {"feedback": wish_for(state.changed)}
        yield Offer(at, "Re-plan", "planact.revisePlan", wish, mends=CODE)
        yield Offer(at, "Show changes", "planact.showChanges", mends=CODE)
    if state.to_roll_back:
        yield Offer(at, "Roll back", "planact.rollBack")


def _progress(tree: PlanTree, state: PlanState) -> str:
    statuses = [step.status for step in tree.steps]
    if all(status == StepStatus.PENDING for status in statuses):
        word = "Approved" if state.is_approved else "Draft"
        return " · ".join((word, counted(len(statuses), "step"), *_freshness(tree, state)))
    done = f"{statuses.count(StepStatus.DONE)} of {len(statuses)} done"
    others = ((statuses.count(status), status.value) for status in (StepStatus.FAILED, StepStatus.SKIPPED))
    return " · ".join((done, *(f"{count} {word}" for count, word in others if count), *_freshness(tree, state)))


def _freshness(tree: PlanTree, state: PlanState) -> Iterator[str]:
    if state.changed is None or not state.rests_on or not any(step.is_open for step in tree.steps):
        return
    if state.changed:
        yield f"{len(state.changed)} of {counted(state.rests_on, 'file')} changed"
    else:
        yield f"based on {counted(state.rests_on, 'file')}, unchanged"


def _for_steps(tree: PlanTree, state: PlanState) -> Iterator[Offer]:
    if tree.is_template:
        return
    for step in tree.steps:
        arguments = {"step": step.step_number}
        # A mark left running by a run that was killed is work to be done again.
        if state.is_at_rest and step.is_open and step.action:
            title, command = _RETRY if step.status is StepStatus.FAILED else _RUN
            yield Offer(step.action_span, title, command, arguments, step)
            yield Offer(step.action_span, "Skip", "planact.skipStep", arguments, step)
        if step.status is StepStatus.FAILED and step.step_number in state.failed:
            yield Offer(step.action_span, "Show what failed", "planact.showFailure", arguments, step)
        if step.step_number in state.changed_files and step.status in (StepStatus.DONE, StepStatus.FAILED):
            yield Offer(step.action_span, "Show diff", "planact.diffStep", arguments, step)
        if state.is_at_rest and step.step_number in state.to_roll_back:
            yield Offer(step.action_span, "Roll back", "planact.rollBack", arguments, step)


def _first_words(tree: PlanTree) -> Span | None:
    """The first line of the body that says something."""
    body = tree.text[tree.body_start :]
    for start, end in line_spans(body):
        if body[start:end].strip(" \t"):
            return Span(tree.body_start + start, tree.body_start + end)
    return None
