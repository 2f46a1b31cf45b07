"""Title and sentence of what the user may decide about work that is at rest. Pure."""

from collections.abc import Sequence

from planact.base.text import counted, first_few, one_line, time_taken
from planact.model.plan import Plan
from planact.model.runs.execution import Execution
from planact.model.work import Work
from planact.workflows.runs.plan_marks import SETTLED

_NAMED = 3
_LONGEST = 200


def run_card(work: Work, run: Execution, *, is_broken_off: bool) -> tuple[str, str]:
    """Return title and text for the last run; `is_broken_off` = its process or folder went away."""
    where = f"step {work.step} of {work.of}" if work.step and work.of else "the work"
    match work.state:
        case "interrupted":
            return f"Interrupted in {where}", _broken_off_text(work, run)
        case "paused" if is_broken_off or not _is_between(work, run):
            return f"Paused in {where}", _sentence(run.reason)
        case "paused":
            return f"Paused after step {work.step - 1} of {work.of}", _sentence(run.reason)
        case "failed":
            title = f"{where[:1].upper()}{where[1:]} failed" if work.step else "The work failed"
            return title, _sentence(run.reason)
        case "partly":
            return f"Partly done · {work.finished} of {counted(work.of, 'step')}", _sentence(run.reason) or _proof(run)
        case "nothing_done":
            return "Nothing was done", _sentence(run.reason)
        case "rolled_back":
            back = {file.path for rollback in run.rollbacks for file in rollback.files}
            stayed = {path for rollback in run.rollbacks for path in rollback.stayed}
            text = "1 file is as it was." if len(back) == 1 else f"{len(back)} files are as they were."
            left = _sentence(f"{_listed(sorted(stayed))} can't be taken back") if stayed else ""
            return "Rolled back", f"{text} {left}".rstrip()
        case _:
            steps = counted(work.of, "step") if work.of and work.finished == work.of else ""
            steps = steps or (f"{work.finished} of {counted(work.of, 'step')}" if work.of else "")
            files = counted(work.files, "file") if work.files else ""
            return " · ".join(filter(None, ("Done", steps, files))), _proof(run)


def review_card(
    work: Work, plan: Plan, changed: Sequence[str], *, is_approved: bool, changed_lines: int
) -> tuple[str, str]:
    """Return title and text for a plan that waits for the user; `changed` files have changed since planning, and
    `changed_lines` of its own since its approval.
    """
    if work.state == "outdated":
        return f"{counted(len(changed), 'file')} changed since planning", f"{_listed(changed)}."
    if work.state == "changed":
        lines = f"{counted(changed_lines, 'line')}." if changed_lines else ""
        return "The plan changed since you approved it", lines
    if work.comments:
        return f"Plan · {counted(work.comments, 'comment')}", ""
    files = {path for step in plan.steps for path in step.files}
    parts = ["Plan", counted(len(plan.steps), "step"), counted(len(files), "file") if files else ""]
    risk = f"Risk: {one_line(risks[0], _LONGEST)}" if (risks := plan.named_risks) else ""
    return " · ".join(filter(None, (*parts, "approved" if is_approved else ""))), risk


def _is_between(work: Work, run: Execution) -> bool:
    """The run paused before a step, not in it."""
    tried = {record.step_number for record in run.steps}
    return work.step > 1 and work.step not in tried


def _broken_off_text(work: Work, run: Execution) -> str:
    why = _sentence(run.reason) or "Planact ended before the run did."
    if not work.step:
        return why
    done = [str(record.step_number) for record in run.steps if record.status in SETTLED]
    before = f"Step {done[0]} is done; " if len(done) == 1 else f"{len(done)} steps are done; " if done else ""
    again = f"step {work.step} starts again from what is on disk."
    return f"{why} {before}{again if before else again[:1].upper() + again[1:]}"


def _proof(run: Execution) -> str:
    passed = sum(check.passed for record in run.steps for check in record.checks)
    return " · ".join(filter(None, (f"{counted(passed, 'check')} passed" if passed else "", time_taken(run.duration))))


def _sentence(text: str) -> str:
    """Return a reason as a sentence of its own."""
    text = one_line(text, _LONGEST).strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', '…')) else '.'}" if text else ""


def _listed(paths: Sequence[str]) -> str:
    return first_few(paths, _NAMED)
