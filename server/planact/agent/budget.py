"""Limits of a turn: requests, and the tokens and cost of its session."""

from dataclasses import dataclass, field

from planact.base.text import counted
from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import Usage
from planact.model.settings import LimitSettings
from planact.ports import Models

_MORE = "Raise the limit and go on, or begin a new session."


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """Most requests of one turn; `tokens` and `cost` (dollars) bound the whole session, 0 = unbounded."""

    turns: int
    tokens: int
    cost: float

    @classmethod
    def of(cls, limits: LimitSettings) -> "TurnBudget":
        return cls(limits.max_turns, limits.max_tokens, limits.max_cost)


@dataclass(slots=True)
class TurnSpent:
    """Requests and usage of a turn so far, with those of its delegates."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)


def reached_limit(budget: TurnBudget, spent: TurnSpent, used: Usage, models: Models) -> str:
    """Return, for the user, the limit that forbids another request; empty = none. `used` = usage of the session. Tokens
    of a model without a price cost as those of the dearest known one.
    """
    if spent.requests >= budget.turns:
        reached = f"the limit of {counted(budget.turns, 'request')} is reached (setting limits.maxTurns)"
        return f"{reached}. Go on for as many again, or raise it. [LIMIT_TURNS]"
    if 0 < budget.tokens <= used.tokens:
        reached = f"the session has used its {budget.tokens} tokens (setting limits.maxTokens)"
        return f"{reached}. {_MORE} [LIMIT_TOKENS]"
    if 0 < budget.cost <= (used.cost or 0.0):
        reached = f"the session has cost its {budget.cost:.2f} dollars (setting limits.maxCost)"
        return f"{reached}. {_MORE} [LIMIT_COST]"
    unpriced = [name for name, part in used.by_model.items() if part.cost is None] if budget.cost else []
    assumed = sum(_at_most(used.by_model[name], models.dearest(name)) for name in unpriced)
    if unpriced and budget.cost <= (used.cost or 0.0) + assumed:
        taken = " and ".join(f"{name}, taken to cost as {models.dearest(name).name}" for name in unpriced)
        reached = f"the session may have cost its {budget.cost:.2f} dollars (setting limits.maxCost), with {taken}"
        return f"{reached}. {_MORE} [LIMIT_COST]"
    return ""


def _at_most(used: Usage, dearest: LanguageModel) -> float:
    return dearest.cost_of(used.input_tokens, used.output_tokens) or 0.0
