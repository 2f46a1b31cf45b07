"""Add up what happened in a folder.

Refusals are counted twice, in the gate's own journal and in the events, so that a lost event shows.
"""

import math
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from planact.model.chat.message import Usage
from planact.model.rights.permission import Mode
from planact.model.runs.journal import Event, EventKind
from planact.model.runs.metrics import (
    Latency,
    Metrics,
    ModelMetrics,
    PlanMetrics,
    Planning,
    QuestionCounts,
    Refusals,
    Spent,
    StepMetrics,
)
from planact.workflows.history.journal_queries import usage_of
from planact.workflows.workspace import Workspace

_Purpose = tuple[str, int]
"""The subject of a request: a plan's id and the number of its step."""

_PLANNING: _Purpose = ("planning", 0)
_LOOSE: _Purpose = ("", 0)
_OF_WORK: tuple[EventKind, ...] = ("model_called", "plan_created", "step_started", "step_finished")
_CALLS: tuple[EventKind, ...] = ("tool_called", "tool_refused")


def measure(ws: Workspace) -> Metrics:
    """The metrics of all that happened so far. Tool calls, which are the most, are counted where they are kept.

    Raises:
        StorageFailure: the state can't be read.
    """
    made = ws.ports.journal.count("call_refused")
    refused = {code: number for (code,), number in ws.ports.events.count("tool_refused", "code").items()}
    events = ws.ports.events.list(kinds=_OF_WORK)
    requests = _requests(events)
    return Metrics(
        refusals=Refusals(made=made, recorded=sum(refused.values()), by_code=refused),
        models=_models(ws, [request for _, request in requests]),
        questions=_questions(ws),
        planning=_planning(events, _spent(request for purpose, request in requests if purpose == _PLANNING)),
        plans=_plans(events, requests),
        without_plan=_spent(request for purpose, request in requests if purpose == _LOOSE),
        total=_spent((request for _, request in requests), with_parts=True),
    )


def spent_on(ws: Workspace, plan_id: str) -> Spent:
    """Sum the cost of the plan so far, for planning and for runs. Reads only the events of sessions that worked on it.

    Raises:
        StorageFailure: the state can't be read.
    """
    works, _ = ws.ports.events.after(0, sys.maxsize, kinds=("plan_created", "step_started"))
    sessions = dict.fromkeys(event.session_id for event in works if event.data.get("plan_id") == plan_id)
    events = [event for session_id in sessions for event in ws.ports.events.list(session_id)]
    found = (plan.spent for plan in _plans(events, _requests(events)) if plan.plan_id == plan_id)
    return next(found, Spent())


def _of(events: Iterable[Event], *kinds: EventKind) -> list[Event]:
    return [event for event in events if event.kind in kinds]


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


def _spent(requests: Iterable[Event], *, with_parts: bool = False) -> Spent:
    total, unpriced = Usage(), 0
    for request in requests:
        usage = usage_of(request)
        total = total.plus(usage if with_parts else usage.alone())
        unpriced += usage.cost is None
    return Spent(**total.model_dump(), unpriced=unpriced)


def _models(ws: Workspace, requests: Iterable[Event]) -> tuple[ModelMetrics, ...]:
    mine: dict[str, list[Event]] = {}
    for request in requests:
        mine.setdefault(str(request.data["model"]), []).append(request)
    calls: Counter[str] = Counter()
    names: set[str] = set(mine)
    for kind in _CALLS:
        for (model, mode), number in ws.ports.events.count(kind, "model", "mode").items():
            calls[model] += number if mode == Mode.PLAN.value else 0
            names.add(model)
    attempts = {
        model: number
        for (model,), number in ws.ports.events.count("disallowed_tool_attempt_in_planning", "model").items()
    }
    return tuple(_model(name, mine.get(name, ()), calls[name], attempts.get(name, 0)) for name in sorted(names - {""}))


def _model(name: str, requests: Sequence[Event], calls: int, attempts: int) -> ModelMetrics:
    """`calls` and `attempts` are those in Plan."""
    return ModelMetrics(
        model=name,
        spent=_spent(requests),
        latency=_latency(sorted(request.data["seconds"] for request in requests)),
        calls_in_plan=calls,
        attempts_in_plan=attempts,
        adherence=1 - attempts / calls if calls else None,
        attempts_per_100_calls=100 * attempts / calls if calls else None,
    )


def _latency(seconds: Sequence[float]) -> Latency | None:
    if not seconds:
        return None
    p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
    mean, median = statistics.fmean(seconds), statistics.median(seconds)
    return Latency(mean=mean, median=median, p95=p95, longest=seconds[-1])


def _questions(ws: Workspace) -> QuestionCounts:
    by_purpose = {purpose: number for (purpose,), number in ws.ports.events.count("question_asked", "purpose").items()}
    asked, runs = sum(by_purpose.values()), len(ws.ports.events.count("execution_finished", "execution_id"))
    per_run = asked / runs if runs else None
    return QuestionCounts(asked=asked, by_purpose=by_purpose, by_kind=questions_by_kind(ws), runs=runs, per_run=per_run)


def questions_by_kind(ws: Workspace) -> dict[str, int]:
    """Count the questions by what they were about. Raises StorageFailure."""
    counts = ws.ports.events.count("question_asked", "about")
    return {str(kind): number for (kind,), number in counts.items() if kind}


def _planning(events: Sequence[Event], spent: Spent) -> Planning:
    plans = len({event.data["plan_id"] for event in _of(events, "plan_created")})
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
