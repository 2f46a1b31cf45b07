"""The user's hooks: their own commands around what planact does, through the gate like any other command.

In Act each counts as named by the user; in Plan it is held to what every command is held to there.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from planact.base.errors import Conflict
from planact.model.notice import ToolNotice
from planact.model.permission import Mode, Permission
from planact.model.plan import Plan
from planact.model.question import Decision, ProposedEdit, Purpose, Question, QuestionSet
from planact.model.role import Rights, Role
from planact.model.tool_call import ToolCall
from planact.policy.standing import Standing
from planact.tools.approval import REJECT
from planact.tools.gate import Turn
from planact.tools.outcome import Done
from planact.tools.trace import Trace
from planact.workflows.workspace import Workspace

Moment = Literal["Plan", "Approve", "Execution", "Step", "Question"]

_SHOWN = 2_000
"""Characters at the end of what a hook that failed has said, which are shown."""


async def before_hooks(ws: Workspace, session_id: str, moment: Moment, execution_id: str = "", **about: str) -> None:
    """Run the hooks before something, until one fails.

    Args:
        ws: the workspace.
        session_id: the session that it is about.
        moment: what they are before.
        execution_id: the run, if it is one's.
        about: what they are told of it, as PLANACT_PLAN_ID for `plan_id` and so on.

    Raises:
        Conflict: HOOK_FAILED, and what they are before must not happen.
    """
    for command in getattr(ws.settings.hooks, f"before_{moment.lower()}"):
        problem = await _run(ws, session_id, f"before{moment}", command, {**about, "execution_id": execution_id})
        if problem:
            _tell(ws, session_id, problem)
            hint = f"Correct what it minds, or the setting hooks.before{moment}."
            raise Conflict("HOOK_FAILED", problem.partition("\n")[0], hint)


async def after_hooks(ws: Workspace, session_id: str, moment: Moment, execution_id: str = "", **about: str) -> None:
    """Run all hooks after something. That one fails is shown, and changes nothing."""
    for command in getattr(ws.settings.hooks, f"after_{moment.lower()}"):
        problem = await _run(ws, session_id, f"after{moment}", command, {**about, "execution_id": execution_id})
        if problem:
            _tell(ws, session_id, problem)


async def ask_user(
    ws: Workspace,
    session_id: str,
    questions: Sequence[Question],
    purpose: Purpose,
    subject: str,
    edits: Sequence[ProposedEdit] = (),
) -> QuestionSet:
    """Ask and wait, as `QuestionDesk.ask` does, between the hooks for questions.

    Raises:
        Conflict: HOOK_FAILED. What `QuestionDesk.ask` raises.
    """

    async def before(new: QuestionSet) -> None:
        await before_hooks(ws, session_id, "Question", question_id=new.id, purpose=purpose)

    ended = await ws.desk.ask(session_id, questions, purpose, subject, before, edits)
    await after_hooks(ws, session_id, "Question", question_id=ended.id, purpose=purpose, status=ended.status)
    return ended


def decision(ended: QuestionSet) -> Decision:
    """What was said to a call. Whatever isn't an answer is a no."""
    if ended.status != "answered":
        return Decision(REJECT)
    return Decision(str(ended.answers[ended.questions[0].name]), frozenset(ended.rejected), ended.comment)


def _tell(ws: Workspace, session_id: str, problem: str) -> None:
    ws.say(session_id, "system", problem)
    ws.ports.editor.tell(ToolNotice(session_id, "hook", problem.partition("\n")[0], "HOOK_FAILED"))


async def _run(ws: Workspace, session_id: str, name: str, command: str, about: dict[str, str]) -> str:
    """What went wrong, for people; empty when the command ended well."""
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
    arguments = json.dumps({"command": command}, ensure_ascii=False)
    call = ToolCall(id=f"hook_{ws.ports.ids.uuid7()}", name="execute_command", arguments=arguments)
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


def _standing(ws: Workspace, session_id: str, command: str) -> Standing:
    settings, mode = ws.settings, ws.ports.sessions.get(session_id).mode
    permissions = {Permission.READ_FILES, *([Permission.EXECUTE_COMMANDS] if mode is Mode.ACT else [])}
    return Standing(
        mode=mode,
        role=Role("user's hooks", "Runs the user's own commands.", mode, Rights(frozenset(permissions))),
        plans_directory=PurePosixPath(settings.plans_directory),
        planned_commands=frozenset({command}),
        commands_deny=frozenset(settings.commands.deny),
        contain=settings.contain,
        held=ws.ports.runner.held(),
        is_restricted=ws.is_restricted(),
    )


@dataclass(frozen=True, slots=True)
class _HookConversation:
    """What a hook can do to the conversation: nothing, but that the user may be asked about its own command."""

    ws: Workspace
    session_id: str

    async def approve(self, question: Question, subject: str, edits: Sequence[ProposedEdit] = ()) -> Decision:
        about = f"hook {subject}"
        return decision(await self.ws.desk.ask(self.session_id, (question,), "approval", about, edits=edits))

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
