from pathlib import Path

import pytest

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
from planact.workflows.history.metrics import measure, spent_on
from tests.fakes.world import World, answer, call, calls
from tests.workflows.scene import SAID, WRITE_A, Scene

NOTHING = Metrics(
    refusals=Refusals(made=0, recorded=0),
    models=(),
    questions=QuestionCounts(asked=0, by_purpose={}, runs=0, per_run=None),
    planning=Planning(plans=0, spent=Spent(), cost_per_plan=None),
    plans=(),
    without_plan=Spent(),
    total=Spent(),
)


def measured(folder: Path, *happened: tuple[EventKind, dict[str, object]], refused: int = 0) -> Metrics:
    world = World(folder)
    for _ in range(refused):
        world.store.journal.append("s", "", "call_refused", {})
    world.store.journal.append("s", "", "call_started", {})
    for kind, data in happened:
        world.store.events.record(Event(kind=kind, session_id="s", time="t", data=data))
    return measure(world.ws)


def asked(model: str, seconds: float, cost: float | None = None, run: str = "") -> tuple[EventKind, dict[str, object]]:
    usage = {"input_tokens": 100, "output_tokens": 10, "cached_tokens": 1, "cost": cost, "requests": 1}
    return "model_called", {"model": model, "execution_id": run, **usage, "seconds": seconds}


def spent(requests: int, cost: float | None, unpriced: int) -> Spent:
    return Spent(
        input_tokens=100 * requests,
        output_tokens=10 * requests,
        cached_tokens=requests,
        cost=cost,
        requests=requests,
        unpriced=unpriced,
    )


def test_where_nothing_happened_nothing_is_known(tmp_path: Path) -> None:
    assert measured(tmp_path) == NOTHING


@pytest.mark.parametrize(("made", "recorded"), [(2, 2), (3, 2), (1, 2)])
def test_refusals_are_counted_in_two_places(tmp_path: Path, made: int, recorded: int) -> None:
    codes = ["TOOL_BLOCKED_BY_MODE", "COMMAND_DENIED"][:recorded]
    happened: list[tuple[EventKind, dict[str, object]]] = [("tool_refused", {"code": code}) for code in codes]
    metrics = measured(tmp_path, *happened, refused=made)
    assert metrics.refusals == Refusals(made=made, recorded=recorded, by_code=dict.fromkeys(codes, 1))


def test_a_model_is_measured_by_its_own_calls(tmp_path: Path) -> None:
    plan, act = {"model": "a", "mode": "plan"}, {"model": "a", "mode": "act"}
    metrics = measured(
        tmp_path,
        asked("a", 1.0),
        asked("a", 4.0, cost=0.5),
        asked("b", 9.0, cost=0.25),
        *[("tool_called", plan)] * 5,
        *[("tool_refused", plan)] * 3,
        *[("disallowed_tool_attempt_in_planning", plan)] * 2,
        ("tool_refused", act),
        ("tool_called", {"model": "b", "mode": "act"}),
        ("tool_called", {"model": "", "mode": "plan"}),
        refused=4,
    )
    assert metrics.models == (
        ModelMetrics(
            model="a",
            spent=spent(2, 0.5, unpriced=1),
            latency=Latency(mean=2.5, median=2.5, p95=4.0, longest=4.0),
            calls_in_plan=8,
            attempts_in_plan=2,
            adherence=0.75,
            attempts_per_100_calls=25,
        ),
        ModelMetrics(
            model="b",
            spent=spent(1, 0.25, unpriced=0),
            latency=Latency(mean=9.0, median=9.0, p95=9.0, longest=9.0),
            calls_in_plan=0,
            attempts_in_plan=0,
            adherence=None,
            attempts_per_100_calls=None,
        ),
    )


def test_p95_is_what_95_of_100_do_not_exceed(tmp_path: Path) -> None:
    metrics = measured(tmp_path, *(asked("a", float(second)) for second in range(100, 0, -1)))
    assert metrics.models[0].latency == Latency(mean=50.5, median=50.5, p95=95.0, longest=100.0)


def test_what_was_spent_is_laid_to_plan_and_step(tmp_path: Path) -> None:
    def step(number: int, run: str) -> dict[str, object]:
        return {"execution_id": run, "plan_id": "p", "step": number}

    metrics = measured(
        tmp_path,
        asked("a", 1, cost=0.5),
        ("plan_created", {"plan_id": "p"}),
        asked("a", 1, cost=0.25),
        ("plan_created", {"plan_id": "p"}),
        ("step_started", step(1, "e1")),
        asked("a", 1, cost=1.0, run="e1"),
        asked("a", 1, cost=None, run="loose"),
        ("step_finished", {**step(1, "e1"), "seconds": 3.0}),
        ("step_started", step(2, "e1")),
        asked("a", 1, cost=2.0, run="e1"),  # killed here
        ("step_started", step(2, "e2")),
        asked("a", 1, cost=None, run="e2"),
        ("step_finished", {**step(2, "e2"), "seconds": 4.0}),
        ("execution_finished", {"execution_id": "e1"}),
        ("question_asked", {"purpose": "agent"}),
        ("question_asked", {"purpose": "approval"}),
        ("question_asked", {"purpose": "approval"}),
        ("execution_finished", {"execution_id": "e2"}),
    )
    assert metrics.planning == Planning(plans=1, spent=spent(2, 0.75, unpriced=0), cost_per_plan=0.75)
    assert metrics.plans == (
        PlanMetrics(
            plan_id="p",
            runs=2,
            spent=spent(5, 3.75, unpriced=1),
            planning=spent(2, 0.75, unpriced=0),
            steps=(
                StepMetrics(step=1, runs=1, spent=spent(1, 1.0, unpriced=0), seconds=3.0),
                StepMetrics(step=2, runs=2, spent=spent(2, 2.0, unpriced=1), seconds=4.0),
            ),
        ),
    )
    assert metrics.without_plan == spent(1, None, unpriced=1)
    assert metrics.total.model_copy(update={"by_model": {}}) == spent(6, 3.75, unpriced=2)
    assert metrics.questions == QuestionCounts(asked=3, by_purpose={"approval": 2, "agent": 1}, runs=2, per_run=1.5)


def test_what_a_session_asks_belongs_to_the_plan_that_it_writes_next_or_wrote_last(tmp_path: Path) -> None:
    metrics = measured(
        tmp_path,
        asked("a", 1, cost=1.0),
        ("plan_created", {"plan_id": "p"}),
        asked("a", 1, cost=2.0),
        ("plan_created", {"plan_id": "q"}),
        asked("a", 1, cost=4.0),
    )
    assert [(plan.plan_id, plan.runs, plan.planning, plan.spent.cost) for plan in metrics.plans] == [
        ("p", 0, spent(1, 1.0, unpriced=0), 1.0),
        ("q", 0, spent(2, 6.0, unpriced=0), 6.0),
    ]
    assert metrics.planning.spent == spent(3, 7.0, unpriced=0)


def test_what_one_plan_took_is_what_the_metrics_lay_to_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    for session, (kind, data) in [
        ("s", asked("a", 1, cost=0.5)),
        ("s", ("plan_created", {"plan_id": "p"})),
        ("t", asked("a", 1, cost=8.0)),
        ("t", ("plan_created", {"plan_id": "q"})),
        ("t", ("step_started", {"execution_id": "e", "plan_id": "p", "step": 1})),
        ("t", asked("a", 1, cost=None, run="e")),
    ]:
        world.store.events.record(Event(kind=kind, session_id=session, time="t", data=data))
    assert spent_on(world.ws, "p") == spent(2, 0.5, unpriced=1)
    assert [spent_on(world.ws, plan.plan_id) for plan in measure(world.ws).plans] == [
        plan.spent for plan in measure(world.ws).plans
    ]
    assert spent_on(world.ws, "r") == Spent()


def test_a_sum_is_told_with_what_has_no_price() -> None:
    assert [spent(2, 0.5, unpriced).in_words() for unpriced in (0, 1)] == [
        "2 requests, 200 tokens in (2 cached), 20 out, $0.5000",
        "2 requests, 200 tokens in (2 cached), 20 out, at least $0.5000 (1 request has no known price)",
    ]


def test_questions_are_counted_by_what_they_were_about(tmp_path: Path) -> None:
    turns = [calls(call("execute_command", command=line)) for line in ("curl http://192.0.2.1/a", "ls /srv")]
    scene = Scene(tmp_path, WRITE_A, *turns, SAID, mode=Mode.ACT)
    scene.write_plan()
    scene.world.editor.answers_by_name = {"approval": answer(approval="reject_once")}
    scene.execute(step=1)
    counts = measure(scene.ws).questions.by_kind
    assert {kind: counts[kind] for kind in ("network", "outside")} == {"network": 1, "outside": 1}
