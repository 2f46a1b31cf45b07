"""One step of an approved plan: the agent works, the checks run, and what came of it is the evidence."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from planact.agent.loop import EndKind
from planact.base.text import counted, first_few
from planact.model.plan import Plan, Step, StepStatus
from planact.model.runs.execution import Adaptation, EndedBy, Evidence, Execution, FileChange, StepRecord
from planact.plan.syntax.path_name import is_plain_path
from planact.policy.context import is_planned
from planact.tools.commands.background import Background
from planact.tools.commands.file_changes import not_covered, record_changes_beside
from planact.tools.registry import BY_NAME
from planact.tools.shielded import run_shielded
from planact.tools.trace import CallDone, Trace
from planact.workflows.history.interruption import interruption_of, merged_changes, report_interruption
from planact.workflows.plans.amend import PlannedStep
from planact.workflows.runs.checks.check_results import failed_check
from planact.workflows.runs.checks.repair_checks import PAUSES, StepWork, work_and_repair
from planact.workflows.runs.handle_failure import failure_text
from planact.workflows.runs.run_plan import RunPlan
from planact.workflows.turns.take_turn import Scope, with_bare
from planact.workflows.workspace import Workspace

_NAMED = 5
"""So many files are named in one adaptation."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """The step's record. `pauses` is the reason why the run ends here, empty = it goes on; `kind` is how the step's
    turn ended.
    """

    record: StepRecord
    pauses: str
    kind: EndKind


async def run_step(
    ws: Workspace,
    execution: Execution,
    doing: PlannedStep,
    plan: RunPlan,
    step: Step,
    failed: StepRecord | None,
    background: Background,
    touched: frozenset[str],
    *,
    is_last: bool,
) -> StepResult:
    """Run one step of the `plan`, in which `doing` then has what the user added to it. The last one also carries the
    plan's own validation. `execution` has the steps before it, `failed` is what came of this one before, `background`
    what the run has started, and `touched` the files that it and earlier runs of the plan changed.

    Raises:
        ModelFailure: the step has no result and can be run again.
    """
    planned = plan.step(step.step_number)
    started = ws.ports.clock.seconds()
    allowed = plan.allowed.in_step(planned)
    checks = [*step.validation_checks, *(plan.plan.validation_commands if is_last else ())]
    scope = Scope(
        execution_id=execution.id,
        step=doing,
        approved_plan=plan.text_for(planned),
        files=allowed.files,
        commands=allowed.commands,
        files_of_others=allowed.files_of_others,
        touched=touched,
        rests_on=plan.rests_on,
        background=background,
    )
    interruption = interruption_of(ws, doing.path, step, execution.id)
    if interruption:
        report_interruption(ws, execution.session_id, interruption)
    ws.add_message(
        execution.session_id, "system", _task(plan.plan, planned, failed), for_model=True, step=step.step_number
    )
    before = interruption.files if interruption else ()
    earlier = (*_changed_earlier(execution, step, failed), *before)
    work = await work_and_repair(ws, execution, plan.plan, step, scope, checks, earlier)
    taken = work.taken
    await run_shielded(record_changes_beside(ws.ports, background, taken.trace))
    merged = merged_changes((*before, *taken.trace.changed.values()))
    files = tuple(file for file in merged if file.before != file.after or file.path not in taken.trace.as_before)
    record = _record(step, work, files, evidence_of(taken.trace, scope.commands, str(ws.ports.files.root)))
    pauses = work.waits or (taken.result.reason if taken.result.kind in PAUSES else "")
    if pauses:
        record = record.model_copy(update={"status": StepStatus.PENDING, "error": pauses})
    elif taken.result.kind == "refused":
        record = record.model_copy(update={"status": StepStatus.FAILED, "error": taken.result.reason})
    else:
        evidence = merged_changes((*(interruption.evidence if interruption else ()), *work.changed.values()))
        unchanged = tuple(_unchanged(ws, step, files, taken.trace.rejected))
        record = record.model_copy(update={"unchanged": unchanged})
        record = _judged(step, record, _lack(step, evidence, taken.trace), work.made)
    deviations = tuple(_deviations(step, files, taken.trace, scope))
    update = {
        "uncovered": not_covered(taken.trace),
        "adaptations": deviations,
        "duration": ws.ports.clock.seconds() - started,
    }
    return StepResult(record.model_copy(update=update), pauses, taken.result.kind)


def _changed_earlier(execution: Execution, step: Step, failed: StepRecord | None) -> Iterator[FileChange]:
    """Yield the changes of the step's attempts before, in this run and the last of one before it."""
    attempts = [record for record in execution.steps if record.step_number == step.step_number]
    for record in attempts or filter(None, (failed,)):
        yield from record.files


def _task(plan: Plan, step: Step, failed: StepRecord | None) -> str:
    files = f" Files: {', '.join(step.files)}." if step.files else ""
    before = f" It was tried before and failed: {failure_text(failed)}" if failed else ""
    return f"Carry out step {step.step_number} of {len(plan.steps)}: {step.action}.{files}{before}"


_ENDED_BY: dict[EndKind, EndedBy] = {
    "refused": "refusal",
    "waiting": "question",
    "stopped": "user",
    "cancelled": "user",
    "replan": "user",
    "review": "user",
    "limit": "limit",
}


def _record(step: Step, work: StepWork, files: tuple[FileChange, ...], evidence: tuple[Evidence, ...]) -> StepRecord:
    taken = work.taken
    return StepRecord(
        step_number=step.step_number,
        action=step.action,
        status=StepStatus.PENDING,
        output=taken.result.text,
        ended_by=_ENDED_BY.get(taken.result.kind, ""),
        tool_results=sum(call.has_succeeded for call in taken.trace.calls),
        evidence=evidence,
        checks=tuple(work.results or ()),
        repairs=tuple(work.repairs),
        files=files,
        usage=taken.usage,
    )


def evidence_of(trace: Trace, commands: Collection[str] = (), root: str = "") -> tuple[Evidence, ...]:
    """Return the actions in the trace as evidence for the record. `commands` are those of the approved plan, `root` is
    the workspace folder.
    """
    return tuple(
        Evidence(
            tool=call.tool,
            about=call.about,
            exit_code=call.exit_code,
            variant_of=_varied(call.about, commands, root) if _is_command(call) else "",
        )
        for call in trace.calls
    )


def _varied(command: str, commands: Collection[str], root: str) -> str:
    """Return the approved command that a command varies; empty where it is none of them, or exactly one."""
    from planact.shell.compare.similar_calls import similar_calls  # loaded with the first command, not with the server
    from planact.shell.compare.without_filters import without_filters

    bare = without_filters(command, root)
    if command in commands or bare in commands:
        return "" if command in commands else bare
    alike = similar_calls(bare, root)
    return next(
        (each for each in sorted(commands) if any(start in alike for start in similar_calls(each, root)[:1])), ""
    )


def _deviations(step: Step, files: Sequence[FileChange], trace: Trace, scope: Scope) -> Iterator[Adaptation]:
    """Yield the files and tools that the step used but doesn't name; tools that only read don't count. A tool stands
    with the files that it changed.
    """
    changed = [change for change in files if change.before != change.after or not change.is_covered]
    others = [change for change in changed if not is_planned(change.path, scope.files)]
    tools = _unnamed_tools(step, trace, scope)
    told: set[str] = set()
    for change in others:
        if not change.by_command:
            by = [tool for tool, calls in tools.items() if any(change.path in call.paths for call in calls)]
            told.update(by)
            adapted = " ".join([f"also changed {change.path}", *(["with", " and ".join(by)] if by else [])])
            yield _adaptation(step, _why([change.path], scope, by), adapted)
    unnamed = [change.path for change in others if change.by_command]
    added = [path for path in unnamed if path in scope.named]
    for by_commands in filter(None, (added, [path for path in unnamed if path not in added])):
        # It may be a whole folder; all of them are in the record.
        adapted = f"also changed {first_few(by_commands, _NAMED, 'more files')}, by a command or a tool"
        yield _adaptation(step, _why(by_commands, scope, ()), adapted)
    for tool, calls in tools.items():
        if tool not in told:
            yield _adaptation(step, "the step did not name this tool", f"also used {tool}: {calls[-1].about}")


def _unnamed_tools(step: Step, trace: Trace, scope: Scope) -> Mapping[str, Sequence[CallDone]]:
    """The calls that did more than read, by tools that the step doesn't name, if it names any."""
    found: dict[str, list[CallDone]] = {}
    for call in trace.calls if step.tools_needed else ():
        is_named = call.tool in step.tools_needed or not scope.commands.isdisjoint(with_bare((call.about,)))
        if call.has_effect and not is_named:
            found.setdefault(call.tool, []).append(call)
    return found


def _why(paths: Sequence[str], scope: Scope, tools: Sequence[str]) -> str:
    if not tools and scope.named.issuperset(paths):
        return f"you added {'it' if len(paths) == 1 else 'them'} to the step"
    if any(is_planned(path, scope.files_of_others) for path in paths):
        return f"another step names this file{', and this one did not name the tool' if tools else ''}"
    return f"the step did not name this file{', nor this tool' if tools else ''}"


def _adaptation(step: Step, why: str, adapted: str) -> Adaptation:
    return Adaptation(reason=why, original_action=step.action, adapted_action=adapted)


def _judged(step: Step, record: StepRecord, lack: str, repairs: int) -> StepRecord:
    """Judge the step: it is done with evidence and no failed check. Its own checks are evidence; those of the whole
    plan aren't.
    """
    failed = failed_check(record.checks)
    is_proven = any(
        check.passed and check.kind == "command" and check.command in step.validation_checks for check in record.checks
    )
    no_check = "no check passed" if step.validation_checks else "there is no check"
    if failed is not None:
        after = f" after {counted(repairs, 'repair')}" if repairs else ""
        update = {"status": StepStatus.FAILED, "error": f"the check `{failed.command}` {failed.ending}{after}"}
    elif lack and not is_proven:
        update = {"status": StepStatus.FAILED, "error": f"nothing was done: {lack}, and {no_check}"}
    elif record.unchanged and not is_proven:
        named = first_few(record.unchanged, _NAMED)
        error = f"the step names {named}, neither created nor changed, and {no_check}"
        update = {"status": StepStatus.FAILED, "error": error}
    else:
        update = {"status": StepStatus.DONE}
    return record.model_copy(update=update)


def _unchanged(ws: Workspace, step: Step, files: Sequence[FileChange], rejected: Collection[str]) -> Iterator[str]:
    """Yield the files that the step names and that were neither created nor changed. A step with only tools that read
    or run needs no change, a folder only has to exist, and a file whose change the user rejected has to stay.
    """
    if _only_reads_or_runs(step):
        return
    settled = {*rejected, *(change.path for change in files if change.before != change.after or not change.is_covered)}
    for name in step.files:
        place = ws.ports.files.resolve(name)
        names = {place.shown, ws.ports.files.resolve_entry(name).shown}  # a link, or its target
        is_file = is_plain_path(name) and place.relative is not None and not place.is_directory
        if is_file and settled.isdisjoint(names):
            yield name


def _only_reads_or_runs(step: Step) -> bool:
    tools = [BY_NAME.get(name) for name in step.tools_needed]
    return bool(tools) and all(tool is not None and (tool.read_only or tool.category == "execute") for tool in tools)


def _lack(step: Step, files: Sequence[FileChange], trace: Trace) -> str:
    """Return the reason why the actions are no evidence for the step; empty = they are. A read is evidence only if the
    step names only tools that read, a command that only reads only if the step names commands.
    """
    if any(change.before != change.after for change in files):
        return ""
    succeeded = [call for call in trace.calls if call.has_succeeded]
    if not succeeded:
        return "no command succeeded" if trace.calls else "no tool call succeeded"
    if _only_reads_or_runs(step):
        tools = [BY_NAME.get(name) for name in step.tools_needed]
        may_read = any(tool is not None and tool.read_only for tool in tools)
        may_run = any(tool is not None and tool.category == "execute" for tool in tools)
        is_done = any(may_run if _is_command(call) else may_read for call in succeeded)
        return "" if is_done else "the agent only read"
    effects = [call for call in succeeded if call.has_effect]
    if not effects:
        return "the agent only read"
    return "all that was changed was changed back" if files and not any(map(_is_command, effects)) else ""


def _is_command(call: CallDone) -> bool:
    tool = BY_NAME.get(call.tool)
    return tool is not None and tool.category == "execute"
