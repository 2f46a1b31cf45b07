"""What a message of the user asks for, right after a complete plan."""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span

IntentKind = Literal["EXECUTE_NOW", "PLAN_ONLY", "UNCLEAR"]


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message asks for.

    Attributes:
        intent: the answer; whatever is unsure is UNCLEAR.
        rule: the phrase that approves or refuses, or why the message does neither.
        span: the part of the message that decided, in code points.
    """

    intent: IntentKind
    rule: str
    span: Span
