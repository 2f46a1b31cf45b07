"""Verdicts on a call: a closed union, which `policy.decide` picks from."""

from dataclasses import dataclass
from typing import Literal

from planact.policy.context import PlacedEffect

DenyCode = Literal[
    "TOOL_BLOCKED_BY_MODE",
    "TOOL_BLOCKED_BY_ROLE",
    "PATH_OUTSIDE_WORKSPACE",
    "PATH_PROTECTED",
    "PATH_HIDDEN",
    "CREDENTIAL_FILE",
    "PLAN_LOCKED",
    "COMMAND_DENIED",
    "WORKSPACE_UNTRUSTED",
]

PLAN_MODE_MESSAGE = "System is in Plan Mode. You can only modify the plan. Switch to Act Mode to apply changes."


@dataclass(frozen=True, slots=True)
class Allow:
    """It may run."""


@dataclass(frozen=True, slots=True)
class Contain:
    """It may run, but in the strongest jail, where it can neither change nor reach the outside: its effects are
    unknown.
    """


@dataclass(frozen=True, slots=True)
class Ask:
    """It may run if the user says so; `reason` tells them why they are asked, `touches` about what."""

    reason: str
    touches: tuple[PlacedEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class Deny:
    """It may not run, and the user is not asked."""

    code: DenyCode
    reason: str
    hint: str = ""


Verdict = Allow | Contain | Ask | Deny
