"""One step of an approved plan: the agent works, the checks run, and what came of it is the evidence."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from planact.agent.loop import EndKind
from planact.model.execution import Adaptation, CheckResult, EndedBy, Evidence, Execution, FileChange, StepRecord
from planact.model.plan import Plan, Step, StepStatus
from planact.model.tool_call import ToolCall
from planact.plan.approval import approved_text
from planact.policy.standing import is_planned
from planact.tools.background import Background
from planact.tools.finding import look_beside, not_covered
from planact.tools.finish import finish
from planact.tools.permit import EndTurn
from planact.tools.registry import BY_NAME
from planact.tools.trace import CallDone, Trace
from planact.workflows.heed_failure import failure_text
from planact.workflows.interruption import interruption_of, tell_interruption
from planact.workflows.library import PlanDocument
from planact.workflows.take_turn import Scope, TurnTaken, make_turn, take_turn
from planact.workflows.workspace import Workspace

_NAMED = 5
"""So many files are named in one adaptation."""

_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class StepEnd:
    """The step's record; `pauses` says why the run must pause here, empty = it goes on."""

    record: StepRecord
    pauses: str = ""


async def run_step(
    ws: Workspace,
    execution: Execution,
    document: PlanDocument,
    step: Step,
    failed: StepRecord | None,
    background: Background,
    *,
    is_last: bool,
) -> StepEnd:
    """Run one step. The last one also carries the plan's own validation. `execution` has the steps before it, and
    `failed` is what came of this one before, and `background` what the run has started.

    Raises:
        ModelFailure: the step has no result and can be run again.
    """
    plan = document.complete()
    started = ws.ports.clock.seconds()
    checks = [*step.validation_checks, *(plan.validation_commands if is_last else ())]
    scope = Scope(
        execution_id=execution.id,
        asked_in=f"{document.path} {document.hash} {step.step_number}",
        approved_plan=approved_text(document.file.text),
        files=frozenset(step.files),
        commands=named_commands(plan),
        files_of_others=_files_of_others(plan, step),
        touched=_touched(ws, execution),
        rests_on=rests_on(plan),
        background=background,
    )
    interruption = interruption_of(ws, document.path, step, execution.id)
    if interruption:
        tell_interruption(ws, execution.session_id, interruption)
    ws.say(execution.session_id, "system", _task(plan, step, failed), for_model=True, step=step.step_number)
    taken = await take_turn(ws, execution.session_id, scope)
    before = interruption.files if interruption else ()
    record = _record(step, taken, _files(taken.trace, before))
    lack = _lack(step, record, taken.trace)
    pauses = taken.result.reason if taken.result.kind in ("waiting", "stopped", "limit", "review") else ""
    if taken.result.kind == "refused":
        record = record.model_copy(update={"status": StepStatus.FAILED, "error": taken.result.reason})
    elif not pauses:
        try:
            results = await _run_checks(ws, execution.session_id, scope, taken.trace, checks)
        except EndTurn as end:
            pauses = end.reason
        else:
            record = _judged(step, record, lack, results)
    if pauses:
        record = record.model_copy(update={"status": StepStatus.PENDING, "error": pauses})
    await finish(look_beside(ws.ports, background, taken.trace))
    files = _files(taken.trace, before)  # the checks may have changed some, too
    deviations = tuple(_deviations(step, files, taken.trace, scope))
    update = {
        "files": files,
        "uncovered": not_covered(taken.trace),
        "adaptations": deviations,
        "duration": ws.ports.clock.seconds() - started,
    }
    return StepEnd(record.model_copy(update=update), pauses)


def rests_on(plan: Plan) -> frozenset[str]:
    """The files that a run keeps an eye on: those of the plan's context, and those that steps name."""
    return frozenset(file.path for file in plan.context).union(*(step.files for step in plan.steps))


def _files_of_others(plan: Plan, step: Step) -> frozenset[str]:
    return frozenset(path for each in plan.steps for path in each.files).difference(step.files)


def _touched(ws: Workspace, execution: Execution) -> frozenset[str]:
    """What this run and earlier ones of the plan changed."""
    return ws.ports.journal.paths_changed(execution.plan_file)


def named_commands(plan: Plan) -> frozenset[str]:
    """The commands that the plan names exactly: its checks, its validation, and code in steps that say they run
    commands.
    """
    named = [check for step in plan.steps for check in step.validation_checks]
    named += plan.validation_commands
    named += [
        command
        for step in plan.steps
        if {"execute_command", "start_command"}.intersection(step.tools_needed)
        for command in _CODE.findall(step.action)
    ]
    return frozenset(command.strip() for command in named)


def _task(plan: Plan, step: Step, failed: StepRecord | None) -> str:
    files = f" Files: {', '.join(step.files)}." if step.files else ""
    before = f" It was tried before and failed: {failure_text(failed)}" if failed else ""
    return f"Carry out step {step.step_number} of {len(plan.steps)}: {step.action}.{files}{before}"


_ENDED_BY: dict[EndKind, EndedBy] = {
    "refused": "refusal",
    "waiting": "question",
    "stopped": "user",
    "review": "user",
    "limit": "limit",
}


def _files(trace: Trace, before: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """What the step changed, also `before` in runs that broke off."""
    all_ = Trace()
    for change in (*before, *trace.changed.values()):
        all_.note(change)
    return tuple(all_.changed.values())


def _record(step: Step, taken: TurnTaken, files: tuple[FileChange, ...]) -> StepRecord:
    return StepRecord(
        step_number=step.step_number,
        action=step.action,
        status=StepStatus.PENDING,
        output=taken.result.text,
        ended_by=_ENDED_BY.get(taken.result.kind, ""),
        tool_results=sum(call.has_succeeded for call in taken.trace.calls),
        evidence=evidence_of(taken.trace),
        files=files,
        usage=taken.usage,
    )


def evidence_of(trace: Trace) -> tuple[Evidence, ...]:
    """What was done, for the record."""
    return tuple(Evidence(tool=call.tool, about=call.about, exit_code=call.exit_code) for call in trace.calls)


def _deviations(step: Step, files: Sequence[FileChange], trace: Trace, scope: Scope) -> Iterator[Adaptation]:
    """What the step was done with though it names only others: files, and tools that do more than read. A tool is told
    with the files that it changed.
    """
    others = [change for change in files if not is_planned(change.path, scope.files)]
    tools = _unnamed_tools(step, trace, scope)
    told: set[str] = set()
    for change in others:
        if not change.by_command:
            by = [tool for tool, calls in tools.items() if any(change.path in call.paths for call in calls)]
            told.update(by)
            adapted = " ".join([f"also changed {change.path}", *(["with", " and ".join(by)] if by else [])])
            yield _adaptation(step, _why([change.path], scope, by), adapted)
    if by_commands := [change.path for change in others if change.by_command]:
        left = f" and {len(by_commands) - _NAMED} more files" if len(by_commands) > _NAMED else ""
        # It may be a whole folder; all of them are in the record.
        adapted = f"also changed {', '.join(by_commands[:_NAMED])}{left}, by a command or a tool"
        yield _adaptation(step, _why(by_commands, scope, ()), adapted)
    for tool, calls in tools.items():
        if tool not in told:
            yield _adaptation(step, "the step did not name this tool", f"also used {tool}: {calls[-1].about}")


def _unnamed_tools(step: Step, trace: Trace, scope: Scope) -> Mapping[str, Sequence[CallDone]]:
    """The calls that did more than read, by tools that the step doesn't name, if it names any."""
    found: dict[str, list[CallDone]] = {}
    for call in trace.calls if step.tools_needed else ():
        if call.has_effect and call.tool not in step.tools_needed and call.about not in scope.commands:
            found.setdefault(call.tool, []).append(call)
    return found


def _why(paths: Sequence[str], scope: Scope, tools: Sequence[str]) -> str:
    if any(is_planned(path, scope.files_of_others) for path in paths):
        return f"another step names this file{', and this one did not name the tool' if tools else ''}"
    return f"the step did not name this file{', nor this tool' if tools else ''}"


def _adaptation(step: Step, why: str, adapted: str) -> Adaptation:
    return Adaptation(reason=why, original_action=step.action, adapted_action=adapted)


async def _run_checks(
    ws: Workspace, session_id: str, scope: Scope, trace: Trace, checks: Sequence[str]
) -> Sequence[CheckResult]:
    """Run the checks through the gate, like any other command, until one fails."""
    turn, _ = make_turn(ws, session_id, scope, trace, model="")
    results: list[CheckResult] = []
    for command in dict.fromkeys(checks):
        call = ToolCall(
            id=f"check_{ws.ports.ids.uuid7()}",
            name="execute_command",
            arguments=json.dumps({"command": command}, ensure_ascii=False),
        )
        ran = len(trace.commands)
        outcome = await ws.gate.call(call, turn)
        if ran < len(trace.commands):
            result = trace.commands[-1]
            passed = result.ended == "exited" and result.exit_code == 0
            results.append(
                CheckResult(command=command, exit_code=result.exit_code, output=result.output, passed=passed)
            )
        else:
            results.append(CheckResult(command=command, exit_code=None, output=outcome.for_model(), passed=False))
        if not results[-1].passed:
            break
    return results


def _judged(step: Step, record: StepRecord, lack: str, results: Sequence[CheckResult]) -> StepRecord:
    """Done needs evidence and no check that failed. The step's own checks are evidence; those of the whole plan say
    nothing about this step.
    """
    failed = next((result for result in results if not result.passed), None)
    if failed is not None:
        code = "did not run" if failed.exit_code is None else f"ended with {failed.exit_code}"
        update = {"status": StepStatus.FAILED, "error": f"the check `{failed.command}` {code}"}
    elif lack and not step.validation_checks:
        update = {"status": StepStatus.FAILED, "error": f"nothing was done: {lack}, and there is no check"}
    else:
        update = {"status": StepStatus.DONE}
    return record.model_copy(update={"checks": tuple(results), **update})


def _lack(step: Step, record: StepRecord, trace: Trace) -> str:
    """Why what was done is no evidence for the step, empty = it is. Having read is some only where the step names tools
    that read, a command that only read only where it names commands, and nothing but such tools.
    """
    if any(change.before != change.after for change in record.files):
        return ""
    succeeded = [call for call in trace.calls if call.has_succeeded]
    if not succeeded:
        return "no command succeeded" if trace.calls else "no tool call succeeded"
    tools = [BY_NAME.get(name) for name in step.tools_needed]
    if tools and all(tool is not None and (tool.read_only or tool.category == "execute") for tool in tools):
        may_read = any(tool is not None and tool.read_only for tool in tools)
        may_run = any(tool is not None and tool.category == "execute" for tool in tools)
        is_done = any(may_run if _is_command(call) else may_read for call in succeeded)
        return "" if is_done else "the agent only read"
    effects = [call for call in succeeded if call.has_effect]
    if not effects:
        return "the agent only read"
    return "all that was changed was changed back" if record.files and not any(map(_is_command, effects)) else ""


def _is_command(call: CallDone) -> bool:
    tool = BY_NAME.get(call.tool)
    return tool is not None and tool.category == "execute"
