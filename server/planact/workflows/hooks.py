"""The user's hooks: commands that run at moments of a session and around a run and its steps."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from planact.base.errors import Conflict
from planact.model.chat.message import ToolCall
from planact.model.notice import ToolNotice
from planact.model.plan import Plan
from planact.model.question import Decision, Option, ProposedEdit, Question, QuestionPurpose, QuestionSet
from planact.model.rights.permission import Mode, Permission, Rights, Role
from planact.model.runs.execution import Execution
from planact.policy.context import PolicyContext
from planact.tools.calls.judged_call import REJECT
from planact.tools.tool_result import Done
from planact.tools.trace import Trace
from planact.tools.turn import Turn
from planact.workflows.trials import runs_that_wait
from planact.workflows.trust_folder import notify_untrusted
from planact.workflows.workspace import Stopped, Workspace

Moment = Literal["Plan", "Approve", "Execution", "Step", "Question"]

_SHOWN = 2_000
"""Characters at the end of what a hook that failed has said, which are shown."""


async def before_hooks(ws: Workspace, session_id: str, moment: Moment, execution_id: str = "", **about: str) -> None:
    """Run the hooks before an action, until one fails.

    Args:
        ws: the workspace.
        session_id: the session of the action.
        moment: the action.
        execution_id: the run, if the action belongs to one.
        about: facts for their environment: `plan_id` becomes PLANACT_PLAN_ID.

    Raises:
        Conflict: HOOK_FAILED; the action must not happen.
    """
    for command in _commands(ws, session_id, f"before_{moment.lower()}"):
        problem = await _run(ws, session_id, f"before{moment}", command, {**about, "execution_id": execution_id})
        if problem:
            _notify(ws, session_id, problem)
            hint = f"Correct what it minds, or the setting hooks.before{moment}."
            raise Conflict("HOOK_FAILED", problem.partition("\n")[0], hint)


async def after_hooks(ws: Workspace, session_id: str, moment: Moment, execution_id: str = "", **about: str) -> None:
    """Run all hooks after an action. A failure is shown, and changes no result."""
    for command in _commands(ws, session_id, f"after_{moment.lower()}"):
        problem = await _run(ws, session_id, f"after{moment}", command, {**about, "execution_id": execution_id})
        if problem:
            _notify(ws, session_id, problem)


async def ask_user(
    ws: Workspace,
    session_id: str,
    questions: Sequence[Question],
    purpose: QuestionPurpose,
    subject: str,
    edits: Sequence[ProposedEdit] = (),
) -> QuestionSet:
    """Ask and wait, as `QuestionService.ask` does, between the hooks for questions.

    Raises:
        Conflict: HOOK_FAILED. What `QuestionService.ask` raises.
    """

    async def before(new: QuestionSet) -> None:
        await before_hooks(ws, session_id, "Question", question_id=new.id, purpose=purpose)

    ended = await ws.questions.ask(session_id, questions, purpose, subject, before, edits)
    await after_hooks(ws, session_id, "Question", question_id=ended.id, purpose=purpose, status=ended.status)
    return ended


async def confirm_deletion(ws: Workspace, session_id: str, name: str, subject: str, context: str = "") -> bool:
    """Return whether the user says yes to deleting the thing of that name. Raises as `ask_user`."""
    options = (Option(label="Delete", value=True, variant="danger"), Option(label="Keep", value=False))
    question = Question(name="delete", question=f"Delete {name}?", context=context, severity="major", options=options)
    ended = await ask_user(ws, session_id, (question,), "confirm", subject)
    return ended.status == "answered" and ended.answers["delete"] is True


async def ask_without_hooks(ws: Workspace, session_id: str, question: Question, subject: str) -> QuestionSet:
    """Ask about what hooks could run themselves, and so without them. Raises what `QuestionService.ask` raises."""
    return await ws.questions.ask(session_id, (question,), "approval", subject)


def decision(ended: QuestionSet) -> Decision:
    """Return the user's decision on a call. A missing answer is a no."""
    if ended.status != "answered":
        return Decision(REJECT)
    return Decision(str(ended.answers[ended.questions[0].name]), frozenset(ended.rejected), ended.comment)


def _commands(ws: Workspace, session_id: str, setting: str) -> Sequence[str]:
    """The commands of one of the settings; none, which the user is told, where they wait for trust in the folder."""
    found: Sequence[str] = getattr(ws.settings.hooks, setting)
    if found and ws.awaits_trust():
        notify_untrusted(ws, session_id, "hook")
        return ()
    return found


def _notify(ws: Workspace, session_id: str, problem: str) -> None:
    ws.add_message(session_id, "system", problem)
    ws.ports.editor.notify(ToolNotice(session_id, "hook", problem.partition("\n")[0], "HOOK_FAILED"))


async def _run(ws: Workspace, session_id: str, name: str, command: str, about: dict[str, str]) -> str:
    """Run one hook. Return its problem for people, or an empty string."""
    if runs_that_wait(ws):  # the command could use what those on trial changed
        return f"The hook {name} `{command}` was not run, since what commands changed waits to be judged"
    trace = Trace()
    turn = Turn(
        *(session_id, about["execution_id"], lambda: _standing(ws, session_id, command)),
        conversation=_HookConversation(ws, session_id),
        trace=trace,
        limits=ws.limits(),
        model="",
        mode_of_role=lambda _: None,
        variables=_variables(ws, session_id, name, about),
    )
    call = ToolCall.of(f"hook_{ws.ports.ids.uuid7()}", "execute_command", {"command": command})
    outcome = await ws.gate.call(call, turn)
    if not trace.commands:
        why = outcome.text if isinstance(outcome, Done) else f"{outcome.message.rstrip('.')}. {outcome.hint}".rstrip()
        return f"The hook {name} `{command}` was not run.\n{why}"
    result = trace.commands[-1]
    if result.ended == "exited" and result.exit_code == 0:
        return ""
    return f"The hook {name} `{command}` failed: {result.ending}.\n{result.output[-_SHOWN:]}"


def _variables(ws: Workspace, session_id: str, name: str, about: dict[str, str]) -> dict[str, str]:
    known = {"hook": name, "session_id": session_id, "mode": ws.ports.sessions.get(session_id).mode.value, **about}
    return {f"PLANACT_{key.upper()}": value.replace("\0", "") for key, value in known.items() if value}


def _standing(ws: Workspace, session_id: str, command: str) -> PolicyContext:
    settings, mode = ws.settings, ws.ports.sessions.get(session_id).mode
    permissions = {Permission.READ_FILES, *([Permission.EXECUTE_COMMANDS] if mode is Mode.ACT else [])}
    return PolicyContext(
        mode=mode,
        role=Role("user's hooks", "Runs the user's own commands.", mode, Rights(frozenset(permissions))),
        plans_directory=PurePosixPath(settings.plans_directory),
        planned_commands=frozenset({command}),
        commands_deny=frozenset(settings.commands.deny),
        contain=settings.contain,
        held=ws.ports.runner.enforced(),
        hides_credentials=ws.ports.runner.hides_credentials(),
        is_restricted=ws.is_restricted(),
    )


@dataclass(frozen=True, slots=True)
class _HookConversation:
    """The conversation as a hook sees it: it may only ask the user about its own command."""

    ws: Workspace
    session_id: str

    async def approve(self, question: Question, subject: str, edits: Sequence[ProposedEdit] = ()) -> Decision:
        about = f"hook {subject}"
        return decision(await self.ws.questions.ask(self.session_id, (question,), "approval", about, edits=edits))

    async def ask(self, questions: Sequence[Question]) -> str:  # noqa: ARG002
        raise PermissionError("a hook asks nothing")

    async def write_plan(self, plan: Plan) -> str:  # noqa: ARG002
        raise PermissionError("a hook writes no plan")

    async def exit_plan(self, path: str) -> str:  # noqa: ARG002
        raise PermissionError("a hook ends no planning")

    async def delegate(self, role: str, task: str) -> str:  # noqa: ARG002
        raise PermissionError("a hook hands nothing out")

    def report(self, report: str, skip: int) -> str:  # noqa: ARG002
        raise PermissionError("a hook hears no report")


async def why_hooks_pause(ws: Workspace, execution: Execution, moment: Moment, step: int = 0) -> str:
    """Run the hooks before the run or a step of it; why the run must pause here, empty = none of them minds."""
    try:
        await before_hooks(ws, execution.session_id, moment, execution.id, **_about_run(execution, step))
    except Conflict as conflict:
        return conflict.message
    return ""


async def hooks_after_step(ws: Workspace, execution: Execution, step: int, status: str) -> None:
    """Run those after a step, as a part of the run."""
    about = _about_run(execution, step)
    await after_hooks(ws, execution.session_id, "Step", execution.id, **about, status=status)


async def hooks_after_run(ws: Workspace, execution: Execution) -> None:
    """Run those after the run. The user can stop them too."""
    if not ws.settings.hooks.after_execution:
        return
    about = _about_run(execution)
    hooks = after_hooks(ws, execution.session_id, "Execution", execution.id, **about, status=execution.status)
    with contextlib.suppress(Stopped):
        await ws.work(execution.session_id, hooks)


def _about_run(execution: Execution, step: int = 0) -> dict[str, str]:
    return {
        "plan_id": execution.plan_id,
        "plan_file": execution.plan_file,
        "step": str(step) if step else "",
    }
