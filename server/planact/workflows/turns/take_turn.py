"""Start a turn of the agent in a session, and return what it wrote and changed."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from planact.agent.budget import TurnBudget, TurnSpent
from planact.agent.loop import EndKind, TurnResult
from planact.agent.prompt import PromptContext
from planact.model.chat.message import Session, Usage
from planact.model.rights.permission import Mode, Role
from planact.policy.context import PolicyContext
from planact.tools.commands.background import Background
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn, Turn
from planact.workflows.hooks import before_hooks
from planact.workflows.outcomes.run_outcomes import RunOutcomes
from planact.workflows.plans.amend import PlannedStep
from planact.workflows.plans.library import PlanDocument
from planact.workflows.questions.answers_as_result import agent_subject
from planact.workflows.questions.use_approvals import use_approvals
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.sessions.instructions import find_instructions
from planact.workflows.sessions.roles import RoleWatch, load_roles, mode_of_role
from planact.workflows.sessions.surroundings import add_surroundings
from planact.workflows.turns.conversation import SessionConversation
from planact.workflows.turns.delegate import delegate
from planact.workflows.turns.mcp_tools import find_mcp_tools, servers_in_use, trusted_readers
from planact.workflows.turns.turn_runner import TurnRunner
from planact.workflows.workspace import Workspace

_GOES_ON: frozenset[EndKind] = frozenset({"waiting", "limit"})
"""Ends of a turn after which its work goes on another time."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a turn: the plan, step and files that the user approved for it.

    Attributes:
        execution_id: empty while planning.
        step: the step that is carried out, and that a question belongs to: an answer given after its run paused counts
            in that step's next run and in no other; None = it belongs to the session, as in work without a plan.
        approved_plan: text that is pinned before the messages of the run.
        files, commands: those that the approved step and plan name, commands also without the filters at their end;
            files_of_others: those of other steps only.
        touched: files that the run changed before.
        rests_on: files whose changes by others the run looks for.
        target: the document that a plan is to go into.
        background: commands that the run has started; they end with it.
        is_hooked: whether the hooks before a plan have run.
    """

    execution_id: str = ""
    step: PlannedStep | None = None
    approved_plan: str = ""
    files: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    files_of_others: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()
    target: PlanDocument | None = None
    background: Background | None = None
    is_hooked: bool = False

    @property
    def named(self) -> frozenset[str]:
        """Return the files that the step names, also since the user added some."""
        return self.files.union(self.step.added) if self.step else self.files


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """Result of a turn.

    Attributes:
        written: the plan that it wrote last.
        trace: files and commands that its calls read, changed and ran.
        spent: its requests and their usage, which count towards its limits.
        is_held: whether the user was asked to execute that plan, and didn't say yes.
        offer: where a plan waits as a revision, since the user typed in the document meanwhile; empty = nowhere.
    """

    result: TurnResult
    written: PlanDocument | None
    trace: Trace
    spent: TurnSpent
    is_held: bool
    offer: str

    @property
    def usage(self) -> Usage:
        return self.spent.usage


def make_turn(
    ws: Workspace, session_id: str, scope: Scope, trace: Trace, model: str
) -> tuple[Turn, SessionConversation]:
    """Return a turn for the gate, which loads the role's rights again at each verdict.

    `model` = name of the model that calls; empty = planact itself.
    """
    conversation = SessionConversation(ws, session_id, trace, scope.target, scope.step, is_hooked=scope.is_hooked)

    watch = RoleWatch(ws, session_id)

    def policy_context() -> PolicyContext:
        session = ws.ports.sessions.get(session_id)
        context = policy_context_of(ws, session, watch.role(session), scope, frozenset(trace.changed))
        return replace(context, has_packages=_has_fetched_packages(trace))

    def mode_of(name: str) -> Mode | None:
        return mode_of_role(ws, name)

    outcomes = RunOutcomes(
        *(ws, session_id, scope.execution_id, trace, scope.files, scope.files_of_others), step=scope.step
    )
    conversation.outcomes = outcomes if scope.background is not None else None
    work = ws.running.get(session_id)
    turn = Turn(
        *(session_id, scope.execution_id, policy_context, conversation, trace, ws.limits(), model, mode_of),
        reading=ws.reading[session_id],
        background=scope.background,
        outcomes=conversation.outcomes,
        refresh=partial(load_roles, [ws]),
        hurry=work.hurry if work else asyncio.Event(),
    )
    return turn, conversation


def _has_fetched_packages(trace: Trace) -> bool:
    ran = [call.about for call in trace.calls if call.has_effect and call.exit_code == 0]
    if not ran:
        return False
    from planact.shell.package_managers import fetches_packages  # loaded with the first command, not with the server

    return any(map(fetches_packages, ran))


def policy_context_of(
    ws: Workspace, session: Session, role: Role, scope: Scope, changed: frozenset[str] = frozenset()
) -> PolicyContext:
    """Return the policy context of this moment for a session, which need not be saved, and a role with its rights of
    this moment; `changed` = files that the turn has changed.
    """
    settings = ws.settings
    return PolicyContext(
        mode=session.mode,
        role=role,
        changed=changed,
        plans_directory=PurePosixPath(settings.plans_directory),
        made_plans=frozenset(session.made_plans),
        locked_plans=ws.ports.approvals.paths(),
        planned_files=scope.named,
        files_of_others=scope.files_of_others - scope.named,
        planned_commands=frozenset() if scope.step and scope.step.is_unasked else scope.commands,
        mcp_read_only=trusted_readers(ws),
        approval=ws.approval(session.id),
        commands_allow=with_bare(settings.commands.allow),
        commands_deny=frozenset(settings.commands.deny),
        contain=settings.contain,
        held=ws.ports.runner.enforced(),
        # What runs on with more rights would use at once what a command on trial changes.
        can_try=scope.background is not None and not scope.background.runs_on and ws.ports.footprints.can_try(),
        hides_credentials=ws.ports.runner.hides_credentials(),
        rules=frozenset(rule.allows for rule in ws.ports.rules.list()),
        readable=tuple(ws.ports.readable.now()),
        session_reading=tuple(ws.reading[session.id]) if session.id in ws.reading else (),
        has_step=scope.step is not None,
        is_restricted=ws.is_restricted(),
        awaits_trust=ws.awaits_trust(),
    )


async def take_turn(ws: Workspace, session_id: str, scope: Scope, earlier: TurnTaken | None = None) -> TurnTaken:
    """Let the agent work until it is done or the turn ends otherwise. The transcript already holds the request.

    A turn that goes on with an `earlier` one adds to its trace, and has what is left of its budget.

    Raises:
        ModelFailure, StorageFailure: what `TurnLoop.run` raises.
    """
    runner, conversation = await _make_runner(ws, session_id, scope, earlier)
    result = await (runner.run() if scope.step else _run_with_answers(ws, session_id, runner))
    trace, spent = conversation.trace, runner.spent
    return TurnTaken(result, conversation.written, trace, spent, conversation.is_held, conversation.offer)


async def _run_with_answers(ws: Workspace, session_id: str, runner: TurnRunner) -> TurnResult:
    """Run a turn outside of a step: answers to it count until it is done. In a step they count until its result."""
    ws.questions.reserve_answers(session_id)
    is_done = False
    try:
        result = await runner.run()
        is_done = result.kind not in _GOES_ON
    finally:
        ws.questions.release_answers(session_id, agent_subject(""), are_used=is_done)
        if is_done:
            use_approvals(ws.ports, session_id, lambda asked: asked.step is None)
    return result


async def judge_outcomes(ws: Workspace, session_id: str, scope: Scope, taken: TurnTaken) -> TurnTaken:
    """Judge what commands on trial changed in a turn that is over, and tell the model. The turn ends otherwise where
    the user can't be asked and their setting ends the run.
    """
    turn, _ = make_turn(ws, session_id, scope, taken.trace, model="")
    try:
        if turn.outcomes:
            await turn.outcomes.judge()
    except EndTurn as end:
        return replace(taken, result=TurnResult(end.kind, taken.result.text, end.reason))
    if told := taken.trace.take_put_back():
        ws.add_message(session_id, "system", told, for_model=True)
    return taken


async def take_planning_turn(ws: Workspace, session_id: str, target: PlanDocument | None) -> TurnTaken:
    """Take a turn that makes or revises a plan, after the user's hooks.

    Raises:
        Conflict: HOOK_FAILED before it begins. What `take_turn` raises.
    """
    await before_hooks(ws, session_id, "Plan", plan_file=target.path if target else "")
    return await take_turn(ws, session_id, Scope(target=target, is_hooked=True))


async def plan_on_message(ws: Workspace, session_id: str, target: PlanDocument | None) -> TurnTaken:
    """Tell the model its surroundings, then take a planning turn on the message that the user just wrote. Raises as
    `take_planning_turn`.
    """
    await add_surroundings(ws, session_id)
    return await take_planning_turn(ws, session_id, target)


async def ask_reviewer(ws: Workspace, session_id: str, task: str) -> str:
    """Have the role `reviewer` work on a task in the session, and return its report. Raises as `delegate`."""
    runner, _ = await _make_runner(ws, session_id, Scope())
    return await delegate(runner, "reviewer", task)


async def _make_runner(
    ws: Workspace, session_id: str, scope: Scope, earlier: TurnTaken | None = None
) -> tuple[TurnRunner, SessionConversation]:
    begun = Trace(touched=scope.touched, rests_on=scope.rests_on, known=ws.known_texts(session_id))
    trace, spent = (earlier.trace, earlier.spent) if earlier else (begun, TurnSpent())

    def load() -> tuple[PromptContext, str]:
        ws.ports.runner.enforced()  # the first time, it looks at the machine
        return _prompt_context(ws), model_name(ws, session_id)

    prompt_context, model = await load_roles([ws], load)
    turn, conversation = make_turn(ws, session_id, scope, trace, model)
    tools = await find_mcp_tools(ws, session_id, turn.policy_context())
    budget = TurnBudget.of(ws.settings.limits)
    runner = TurnRunner(ws, turn, prompt_context, budget, spent, tools, scope.approved_plan)
    conversation.hand_out = partial(delegate, runner)
    return runner, conversation


def _prompt_context(ws: Workspace) -> PromptContext:
    return PromptContext(ws.ports.files.root.name, ws.platform, tuple(find_instructions(ws)), servers_in_use(ws))


def with_bare(commands: Collection[str]) -> frozenset[str]:
    """Return the commands, and each without the filters at its end."""
    # Loaded with the first command, not with the server.
    from planact.shell.compare.without_filters import without_filters

    return frozenset((*commands, *map(without_filters, commands)))
