"""What a folder costs after a year of use: the lists, and what is asked with each message, step and key.

Each is asked of a folder that was just opened, as by a new process, beside the same in one of little use.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.explain_plan import steps_that_changed
from planact.workflows.history.journal_queries import runs_of
from planact.workflows.history.report import list_executions
from planact.workflows.plans.library import list_plans, read_document
from planact.workflows.runs.plan_marks import runs_to_mark
from planact.workflows.runs.recover_runs import needs_recovery
from planact.workflows.workspace import Workspace
from tests.bench.calls import opened
from tests.bench.row import Room, Row, in_turns
from tests.bench.states import YEAR, Use, execution, plan_path, use_for_a_year

LITTLE = Use(plans=5, sessions=5, runs=25, events=100, questions=10)
PLAN = "plan_20260101_0003"

ACTS: Mapping[str, tuple[str, Callable[[Workspace], object]]] = {
    "list 50 plans": ("< 100", list_plans),
    "list 100 sessions": ("< 100", lambda ws: ws.ports.sessions.list()),
    "list open questions": ("< 100", lambda ws: ws.questions.open()),
    "list the newest 100 of 5,000 runs": ("< 100", lambda ws: list_executions(ws, 100)),
    "what a killed run left": ("", needs_recovery),
    "rollbacks to show": ("", runs_to_mark),
    "runs of a plan": ("", lambda ws: tuple(runs_of(ws, plan_path(3), PLAN))),
    "what lenses ask with each key": ("", lambda ws: steps_that_changed(ws, plan_path(3), {1, 2, 3})),
    "files changed by a plan's runs": ("", lambda ws: ws.ports.journal.paths_changed(plan_path(3))),
    "whether a plan is stale": ("", lambda ws: stale_files(ws, read_document(ws, plan_path(3)).complete())),
    "keep the record of a run": ("", lambda ws: ws.ports.records.put_execution(execution(LITTLE, 20))),
}


def bench(room: Room) -> Iterator[Row]:
    much, little = room.make("year"), room.make("week")
    use_for_a_year(much, room.pick(YEAR, replace(LITTLE, runs=50)))
    use_for_a_year(little, LITTLE)
    for name, (goal, act) in ACTS.items():
        took = in_turns(
            room.pick(7, 1),
            {"much": lambda: act(opened(much)), "little": lambda: act(opened(little))},  # noqa: B023
        )
        yield Row(f"after a year: {name}", "ms", took["much"], took["little"], "after a week", goal)
