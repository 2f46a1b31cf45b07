"""What the events of a folder add up to. A number that nobody can know is None, never 0."""

from pydantic import BaseModel, ConfigDict, Field

from planact.model.usage import Usage


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


class Spent(Usage):
    """A sum: `cost` is of the requests whose price is known, and None when none is; `unpriced` counts the others."""

    unpriced: int = 0

    def in_words(self, cost: str = "") -> str:
        """As of any usage; where only some of it has a price, the cost is at least that."""
        if not cost and self.unpriced and self.cost is not None:
            requests = "request has" if self.unpriced == 1 else "requests have"
            cost = f"at least ${self.cost:.4f} ({self.unpriced} {requests} no known price)"
        return super().in_words(cost)


class Latency(_Data):
    """Seconds from a request to the end of its answer; `p95` = 95 of 100 took no longer."""

    mean: float
    median: float
    p95: float
    longest: float


class Refusals(_Data):
    """How many the gate made, by its journal, and how many events tell of; they differ only when events were lost."""

    made: int
    recorded: int
    by_code: dict[str, int] = Field(default_factory=dict)


class ModelMetrics(_Data):
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


class Questions(_Data):
    """What the user was asked; `per_run` is None without a run."""

    asked: int
    by_purpose: dict[str, int]
    runs: int
    per_run: float | None


class Planning(_Data):
    """All requests outside of runs; `cost_per_plan` is None without a plan or a known price."""

    plans: int
    spent: Spent
    cost_per_plan: float | None


class StepMetrics(_Data):
    """One step over all runs of its plan; `seconds` sums the runs that gave it a result."""

    step: int
    runs: int
    spent: Spent
    seconds: float


class PlanMetrics(_Data):
    """One plan: `planning` is what was asked outside of runs, in the session that wrote it; `spent` is all of it."""

    plan_id: str
    runs: int
    spent: Spent
    planning: Spent
    steps: tuple[StepMetrics, ...]


class Metrics(_Data):
    """All of it. `without_plan` is work in Act that had none; `total` is planning, the steps of all plans and that."""

    refusals: Refusals
    models: tuple[ModelMetrics, ...]
    questions: Questions
    planning: Planning
    plans: tuple[PlanMetrics, ...]
    without_plan: Spent
    total: Spent
