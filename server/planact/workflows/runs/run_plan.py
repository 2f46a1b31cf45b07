"""The plan of a run as it was approved, with what each step needs of all of them, computed once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from planact.model.plan import Plan, Step
from planact.plan.approval import approved_text_of
from planact.plan.implied_files import ImpliedFiles, with_implied
from planact.plan.pinned import PinnedPlan
from planact.policy.allowances import PlanAllowance
from planact.workflows.plans.implied_files import approved_implied
from planact.workflows.plans.library import PlanDocument
from planact.workflows.runs.plan_marks import SETTLED
from planact.workflows.turns.take_turn import with_bare
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A plan, and what its approval allows: `implied` are the files that it covers besides those that steps name.

    Commands in `allowed` stand there also without the filters at their end. `rests_on` are the files that the run keeps
    an eye on, `settled` the numbers of the steps that were done or skipped before.
    """

    plan: Plan
    implied: ImpliedFiles
    allowed: PlanAllowance
    rests_on: frozenset[str]
    settled: frozenset[int]
    pinned: PinnedPlan
    path: str
    _places: Mapping[int, int]

    @classmethod
    def of(cls, ws: Workspace, document: PlanDocument, known: "RunPlan | None" = None) -> "RunPlan":
        """Return the plan as it is approved now: `known`, where that is still so.

        Raises:
            InvalidInput: PLAN_INVALID.
        """
        implied = approved_implied(ws, document)
        if known is not None and implied == known.implied:
            return known
        plan = with_implied(document.complete(), implied)
        allowed = PlanAllowance.of(plan)
        return cls(
            plan,
            implied,
            replace(allowed, commands=with_bare(allowed.commands)),
            rests_on(plan),
            frozenset(step.step_number for step in plan.steps if step.status in SETTLED),
            known.pinned if known else PinnedPlan.of(approved_text_of(document.tree)),
            document.path,
            {step.step_number: at for at, step in reversed([*enumerate(plan.steps)])},
        )

    def step(self, number: int) -> Step:
        """Return the first step with that number."""
        return self.plan.steps[self._places[number]]

    def text_for(self, step: Step) -> str:
        """Return the approved text that stands before the messages of the step."""
        return self.pinned.around(self._places[step.step_number], self.path)


def rests_on(plan: Plan) -> frozenset[str]:
    """The files that a run keeps an eye on: those of the plan's context, and those that steps name."""
    return frozenset(file.path for file in plan.context).union(*(step.files for step in plan.steps))
