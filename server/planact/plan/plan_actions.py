"""Actions that a plan allows now, computed once for lenses and code actions, so that the two can't differ.

The caller gives the state: the status that a file claims for itself doesn't count.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from planact.base.span import Span, line_spans
from planact.base.text import counted
from planact.model.plan import StepStatus
from planact.plan.lint_context import CODE, ChangedFile, replan_feedback
from planact.plan.question_blocks import blocks_of, question_id
from planact.plan.syntax.tree import PlanTree, StepNode

ActionCommand = Literal[
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


_EXECUTE: tuple[str, ActionCommand] = ("Execute Plan", "planact.executePlan")
_CONTINUE: tuple[str, ActionCommand] = ("Continue", "planact.resumeExecution")
_RUN: tuple[str, ActionCommand] = ("Run step", "planact.executeStep")
_RETRY: tuple[str, ActionCommand] = ("Retry", "planact.retryStep")


@dataclass(frozen=True, slots=True)
class PlanState:
    """The state of a plan, as the server knows it.

    Attributes:
        is_approved: for exactly this text.
        is_paused: its newest run, of exactly this text, can go on.
        is_elsewhere: another process has the run, so this one can't stop it.
        is_rolling_back: the run undoes the changes of others and can't be stopped.
        running_step: number of the step that runs now, 0 = of none; None = no run.
        is_busy_generating: a model is writing or revising it.
        open_question_id: of a question about this plan that waits for the user.
        open_questions: ids of all open questions, also after a restart, with or without work that waits for them.
        rests_on: how many files the plan rests on.
        changed: files that have changed since planning; None = not checked yet.
        to_roll_back: numbers of the steps that changed files which can be put back.
        changed_files: numbers of the steps that changed any file.
        failed: numbers of the steps with a recorded failure.
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
        """No run, no model and no question is at work, so that an action can start."""
        return self.running_step is None and not self.is_busy_generating and self.open_question_id is None


@dataclass(frozen=True, slots=True)
class PlanAction:
    """A title at a place in the text. `command` None = a state to read, not to click; `step` None = about the plan.

    `problem_code` = the lint code of the problems that the action solves, empty for none.
    """

    span: Span
    title: str
    command: ActionCommand | None = None
    arguments: Mapping[str, str | int | Sequence[int]] = field(default_factory=dict)
    step: StepNode | None = None
    problem_code: str = ""


def plan_actions(tree: PlanTree, state: PlanState) -> tuple[PlanAction, ...]:
    """Return all actions and states, in the order of the text."""
    return (*_for_plan(tree, state), *_for_questions(tree, state), *_for_steps(tree, state))


def _for_plan(tree: PlanTree, state: PlanState) -> Iterator[PlanAction]:
    at = tree.goal_span or _first_words(tree)
    if tree.is_template or at is None:
        return
    if state.open_question_id is not None:
        yield PlanAction(at, "Waiting for your answer")
        if not blocks_of(tree, state.open_question_id):
            yield PlanAction(at, "Answer", "planact.answerQuestion", {"question_id": state.open_question_id})
    elif state.is_busy_generating:
        yield PlanAction(at, "Generating plan" if tree.is_request else "Revising plan")
        yield PlanAction(at, "Stop", "planact.stop")
    elif state.running_step is not None:
        told = _doing(tree, state)
        yield PlanAction(at, f"{told} in another window" if state.is_elsewhere else told)
        if not (state.is_elsewhere or state.is_rolling_back):
            yield PlanAction(at, "Stop", "planact.stop")
    elif tree.is_request:
        yield PlanAction(at, "Generate plan", "planact.generatePlan")
    elif tree.steps:
        yield from _at_rest(tree, state, at)


def _doing(tree: PlanTree, state: PlanState) -> str:
    if state.is_rolling_back:
        return "Rolling back"
    running = tree.step(state.running_step or 0)
    return f"Running step {running.position} of {len(tree.steps)}" if running else "Running"


def _for_questions(tree: PlanTree, state: PlanState) -> Iterator[PlanAction]:
    """Yield actions at the first block of each open question. Ticks in other blocks answer no question."""
    for asked_id, block in {question_id(block): block for block in reversed(tree.questions)}.items():
        if asked_id in state.open_questions:
            yield PlanAction(block.span, "Answer", "planact.answerQuestion", {"question_id": asked_id})
            yield PlanAction(block.span, "Decline to answer", "planact.declineQuestion", {"question_id": asked_id})


def _at_rest(tree: PlanTree, state: PlanState, at: Span) -> Iterator[PlanAction]:
    yield PlanAction(at, _progress(tree, state))
    comments = counted(len(tree.comments), "comment")
    revise = PlanAction(at, f"Revise ({comments})" if tree.comments else "Revise", "planact.revisePlan")
    if tree.comments:
        yield revise
    if any(step.is_open for step in tree.steps) and tree.goal:
        if not state.is_approved:
            yield PlanAction(at, "Approve", "planact.approvePlan")
        is_begun = state.is_approved and state.is_paused
        title, command = _CONTINUE if is_begun else _EXECUTE
        yield PlanAction(at, title, command)
    if not tree.comments:
        yield revise
    if state.changed and any(step.is_open for step in tree.steps):
        wish = {"feedback": replan_feedback(state.changed)}
        yield PlanAction(at, "Re-plan", "planact.revisePlan", wish, problem_code=CODE)
        yield PlanAction(at, "Show changes", "planact.showChanges", problem_code=CODE)
    if state.to_roll_back:
        yield PlanAction(at, "Roll back", "planact.rollBack")


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


def _for_steps(tree: PlanTree, state: PlanState) -> Iterator[PlanAction]:
    if tree.is_template:
        return
    for step in tree.steps:
        arguments = {"step": step.step_number}
        # A mark left running by a run that was killed is work to be done again.
        if state.is_at_rest and step.is_open and step.action:
            title, command = _RETRY if step.status is StepStatus.FAILED else _RUN
            yield PlanAction(step.action_span, title, command, arguments, step)
            yield PlanAction(step.action_span, "Skip", "planact.skipStep", arguments, step)
        if step.status is StepStatus.FAILED and step.step_number in state.failed:
            yield PlanAction(step.action_span, "Show what failed", "planact.showFailure", arguments, step)
        if step.step_number in state.changed_files and step.status in (StepStatus.DONE, StepStatus.FAILED):
            yield PlanAction(step.action_span, "Show diff", "planact.diffStep", arguments, step)
        if state.is_at_rest and step.step_number in state.to_roll_back:
            yield PlanAction(step.action_span, "Roll back", "planact.rollBack", arguments, step)


def _first_words(tree: PlanTree) -> Span | None:
    """Return the first line of the body that isn't blank."""
    body = tree.text[tree.body_start :]
    for start, end in line_spans(body):
        if body[start:end].strip(" \t"):
            return Span(tree.body_start + start, tree.body_start + end)
    return None
