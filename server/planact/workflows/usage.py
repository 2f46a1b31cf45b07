"""What requests cost, by the events that tell of them: also in attempts at a step that broke off without a record."""

from collections.abc import Iterable

from planact.model.event import Event
from planact.model.execution import StepRecord
from planact.model.usage import Usage
from planact.workflows.workspace import Workspace


def usage_of(request: Event) -> Usage:
    """What one request cost, as a part of a sum. Older versions didn't say what it was for."""
    return Usage.model_validate(request.data).of(str(request.data.get("model", "")), request.data.get("purpose"))


def usage_of_run(ws: Workspace, execution_id: str, steps: Iterable[StepRecord]) -> Usage:
    """What all requests of a run cost; its `steps` know it where events were lost."""
    told = Usage()
    for request in ws.ports.events.requests(execution_id):
        told = told.plus(usage_of(request))
    recorded = usage_of_steps(steps)
    return told if told.requests > recorded.requests else recorded


def usage_of_steps(steps: Iterable[StepRecord]) -> Usage:
    """What the attempts with a record cost."""
    usage = Usage()
    for step in steps:
        usage = usage.plus(step.usage)
    return usage
