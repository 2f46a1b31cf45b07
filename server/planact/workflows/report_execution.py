"""What became of a run, for people."""

from planact.model.execution import Execution


def summary(execution: Execution) -> str:
    """In a few lines, as the session says it."""
    lines = [f"{execution.goal or 'Work without a plan'}: {execution.status.replace('_', ' ')}"]
    if execution.reason:
        lines[0] += f" ({execution.reason})"
    for record in execution.steps:
        parts = [f"{record.duration:.0f} s"]
        if record.files:
            parts.append(", ".join(change.path for change in record.files))
        parts += [f"check {'passed' if check.passed else 'failed'}: {check.command}" for check in record.checks]
        again = f", attempt {record.attempt}" if record.attempt > 1 else ""
        lines.append(f"{record.step_number}. {record.action}{again}: {record.status.value} ({'; '.join(parts)})")
    return "\n".join(lines)
