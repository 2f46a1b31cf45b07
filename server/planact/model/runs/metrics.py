"""Figures from the events of a folder. A number that can't be known is None, never 0."""

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.model.chat.message import Usage


class Spent(Usage):
    """A sum: `cost` is of the requests whose price is known, and None when none is; `unpriced` counts the others."""

    unpriced: int = 0

    def in_words(self, cost: str = "") -> str:
        """As of any usage; where only some of it has a price, the cost is at least that."""
        if not cost and self.unpriced and self.cost is not None:
            requests = "request has" if self.unpriced == 1 else "requests have"
            cost = f"at least ${self.cost:.4f} ({self.unpriced} {requests} no known price)"
        return super().in_words(cost)


class Latency(FrozenModel):
    """Seconds from a request to the end of its answer; `p95` = 95 of 100 took no longer."""

    mean: float
    median: float
    p95: float
    longest: float


class Refusals(FrozenModel):
    """Refusals of the gate: counted in its journal, and in events; they differ only when events were lost."""

    made: int
    recorded: int
    by_code: dict[str, int] = Field(default_factory=dict)


class ModelMetrics(FrozenModel):
    """One model: what it cost and took, and how it kept to Plan.

    Attributes:
        calls_in_plan: its tool calls in Plan, refused or not.
        attempts_in_plan: those of them that were refused for what Plan does not allow.
        adherence: the share of the others; None without calls.
        attempts_per_100_calls: in Plan; None without calls.
    """

    model: str
    spent: Spent
    latency: Latency | None
    calls_in_plan: int
    attempts_in_plan: int
    adherence: float | None
    attempts_per_100_calls: float | None


class QuestionCounts(FrozenModel):
    """Questions to the user; `per_run` is None without a run, and `by_kind` lacks those from before it was counted."""

    asked: int
    by_purpose: dict[str, int]
    by_kind: dict[str, int] = Field(default_factory=dict)
    runs: int
    per_run: float | None


class Planning(FrozenModel):
    """All requests outside of runs; `cost_per_plan` is None without a plan or a known price."""

    plans: int
    spent: Spent
    cost_per_plan: float | None


class StepMetrics(FrozenModel):
    """One step over all runs of its plan; `seconds` sums the runs that gave it a result."""

    step: int
    runs: int
    spent: Spent
    seconds: float


class PlanMetrics(FrozenModel):
    """One plan: `planning` is what was asked outside of runs, in the session that wrote it; `spent` is all of it."""

    plan_id: str
    runs: int
    spent: Spent
    planning: Spent
    steps: tuple[StepMetrics, ...]


class Metrics(FrozenModel):
    """All of it. `without_plan` is work in Act that had none; `total` is planning, the steps of all plans and that."""

    refusals: Refusals
    models: tuple[ModelMetrics, ...]
    questions: QuestionCounts
    planning: Planning
    plans: tuple[PlanMetrics, ...]
    without_plan: Spent
    total: Spent
