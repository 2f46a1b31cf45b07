"""Limits of a turn: requests, and the tokens and cost of its session."""

from dataclasses import dataclass, field

from planact.base.text import counted
from planact.model.chat.message import Usage

_MORE = "Raise the limit and go on, or begin a new session."


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """Most requests of one turn; `tokens` and `cost` (dollars) bound the whole session, 0 = unbounded."""

    turns: int
    tokens: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class TurnSpent:
    """Requests and usage of a turn so far, with those of its delegates."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)


def reached_limit(budget: TurnBudget, spent: TurnSpent, used: Usage) -> str:
    """Return, for the user, the limit that forbids another request; empty = none. `used` = usage of the session."""
    if spent.requests >= budget.turns:
        reached = f"the limit of {counted(budget.turns, 'request')} is reached (setting limits.maxTurns)"
        return f"{reached}. Go on for as many again, or raise it. [LIMIT_TURNS]"
    if 0 < budget.tokens <= used.tokens:
        reached = f"the session has used its {budget.tokens} tokens (setting limits.maxTokens)"
        return f"{reached}. {_MORE} [LIMIT_TOKENS]"
    if 0 < budget.cost <= (used.cost or 0.0):
        reached = f"the session has cost its {budget.cost:.2f} dollars (setting limits.maxCost)"
        return f"{reached}. {_MORE} [LIMIT_COST]"
    return ""
