"""Add up what happened in a folder.

Refusals are counted twice, in the gate's own journal and in the events, so that a lost event shows.
"""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from planact.model.event import Event, EventKind
from planact.model.metrics import (
    Latency,
    Metrics,
    ModelMetrics,
    PlanMetrics,
    Planning,
    Questions,
    Refusals,
    Spent,
    StepMetrics,
)
from planact.model.permission import Mode
from planact.model.usage import Usage
from planact.workflows.workspace import Workspace

_Purpose = tuple[str, int]
"""What a request was for: a plan's id and the number of its step."""

_PLANNING: _Purpose = ("planning", 0)
_LOOSE: _Purpose = ("", 0)


def measure(ws: Workspace) -> Metrics:
    """The metrics of all that happened so far.

    Raises:
        StorageFailure: the state can't be read.
    """
    made = ws.ports.journal.count("call_refused")
    events = ws.ports.events.list()
    refused = _of(events, "tool_refused")
    requests = _requests(events)
    models = sorted({str(event.data.get("model", "")) for event in events} - {""})
    return Metrics(
        refusals=Refusals(made=made, recorded=len(refused), by_code=_counted(refused, "code")),
        models=tuple(_model([event for event in events if event.data.get("model") == name], name) for name in models),
        questions=_questions(events),
        planning=_planning(events, _spent(request for purpose, request in requests if purpose == _PLANNING)),
        plans=_plans(events, requests),
        without_plan=_spent(request for purpose, request in requests if purpose == _LOOSE),
    )


def _of(events: Iterable[Event], *kinds: EventKind) -> list[Event]:
    return [event for event in events if event.kind in kinds]


def _counted(events: Iterable[Event], name: str) -> dict[str, int]:
    return dict(Counter(str(event.data.get(name, "")) for event in events).most_common())


def _requests(events: Iterable[Event]) -> list[tuple[_Purpose, Event]]:
    """Each request with what it was for: within a run, the step that began last."""
    found: list[tuple[_Purpose, Event]] = []
    current: dict[str, _Purpose] = {}
    for event in _of(events, "step_started", "model_called"):
        run = event.data.get("execution_id", "")
        if event.kind == "step_started":
            current[run] = (event.data["plan_id"], event.data["step"])
        else:
            found.append((current.get(run, _LOOSE) if run else _PLANNING, event))
    return found


def _spent(requests: Iterable[Event]) -> Spent:
    total, unpriced = Usage(), 0
    for request in requests:
        usage = Usage.model_validate(request.data)
        total = total.plus(usage)
        unpriced += usage.cost is None
    return Spent(**total.model_dump(), unpriced=unpriced)


def _model(events: Sequence[Event], name: str) -> ModelMetrics:
    """`events` are those of this model."""
    requests = _of(events, "model_called")
    calls = [call for call in _of(events, "tool_called", "tool_refused") if call.data.get("mode") == Mode.PLAN.value]
    attempts = len(_of(events, "disallowed_tool_attempt_in_planning"))
    return ModelMetrics(
        model=name,
        spent=_spent(requests),
        latency=_latency(sorted(request.data["seconds"] for request in requests)),
        calls_in_plan=len(calls),
        attempts_in_plan=attempts,
        adherence=1 - attempts / len(calls) if calls else None,
        attempts_per_100_calls=100 * attempts / len(calls) if calls else None,
    )


def _latency(seconds: Sequence[float]) -> Latency | None:
    if not seconds:
        return None
    p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
    mean, median = statistics.fmean(seconds), statistics.median(seconds)
    return Latency(mean=mean, median=median, p95=p95, longest=seconds[-1])


def _questions(events: Sequence[Event]) -> Questions:
    asked, runs = _of(events, "question_asked"), len(_of(events, "execution_finished"))
    return Questions(
        asked=len(asked),
        by_purpose=_counted(asked, "purpose"),
        runs=runs,
        per_run=len(asked) / runs if runs else None,
    )


def _planning(events: Sequence[Event], spent: Spent) -> Planning:
    plans = len(_counted(_of(events, "plan_created"), "plan_id"))
    cost = spent.cost / plans if plans and spent.cost is not None else None
    return Planning(plans=plans, spent=spent, cost_per_plan=cost)


def _plans(events: Sequence[Event], requests: Iterable[tuple[_Purpose, Event]]) -> tuple[PlanMetrics, ...]:
    """Each event is looked at once, since a year has many."""
    planning = _planning_of_each(events)
    by_plan: dict[str, dict[int, list[Event]]] = {plan_id: {} for plan_id in planning}
    for event in _of(events, "step_started", "step_finished"):
        by_plan.setdefault(event.data["plan_id"], {}).setdefault(event.data["step"], []).append(event)
    spent: dict[_Purpose, list[Event]] = {}
    for purpose, request in requests:
        spent.setdefault(purpose, []).append(request)
    return tuple(
        PlanMetrics(
            plan_id=plan_id,
            runs=len({event.data["execution_id"] for events in mine.values() for event in events}),
            spent=_spent(
                [*planning.get(plan_id, ()), *(each for number in mine for each in spent.get((plan_id, number), ()))]
            ),
            planning=_spent(planning.get(plan_id, ())),
            steps=tuple(_step(number, mine[number], spent.get((plan_id, number), ())) for number in sorted(mine)),
        )
        for plan_id, mine in sorted(by_plan.items())
    )


def _planning_of_each(events: Iterable[Event]) -> dict[str, list[Event]]:
    """The requests outside of runs by plan: what a session asks belongs to the plan that it writes next or, after its
    last one, to that.
    """
    found: dict[str, list[Event]] = {}
    last: dict[str, str] = {}
    waiting: dict[str, list[Event]] = {}
    for event in _of(events, "plan_created", "model_called"):
        session = event.session_id
        if event.kind == "plan_created":
            last[session] = event.data["plan_id"]
            found.setdefault(last[session], []).extend(waiting.pop(session, ()))
        elif not event.data.get("execution_id", ""):
            waiting.setdefault(session, []).append(event)
    for session, requests in waiting.items():
        if session in last:
            found[last[session]] += requests
    return found


def _step(number: int, events: Sequence[Event], requests: Iterable[Event]) -> StepMetrics:
    started, finished = _of(events, "step_started"), _of(events, "step_finished")
    seconds = sum(event.data["seconds"] for event in finished)
    return StepMetrics(step=number, runs=len(started), spent=_spent(requests), seconds=seconds)
