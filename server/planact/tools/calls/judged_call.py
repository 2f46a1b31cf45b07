"""A call that was judged: what a yes covers, and whether it is still the same call once the yes is there."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from planact.base.errors import Conflict
from planact.base.paths import Place
from planact.model.question import Decision, ProposedEdit
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Effect, McpEffect, Mode
from planact.model.rights.rule import Allowed
from planact.policy.context import Allow, Ask, Contain, Deny, Request, Try, Verdict
from planact.tools.calls.decode import DecodedCall
from planact.tools.tool_result import Refused

ALLOW, ALWAYS, REJECT, STOP = "allow_once", "always_allow", "reject_once", "reject_and_stop"
ALWAYS_SIMILAR = "always_allow_similar"
ALWAYS_READING = "always_allow_reading"

_UNASKED = Decision(ALLOW)


class NoLongerAllowed(Exception):
    """The user took a right away after the verdict, before the call acted."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """A decoded call with the verdict on it.

    Attributes:
        request: the effects that it would have, on real paths.
        confinement: the jail that its command would run in.
        rules, wider, folders: the rules that a yes for always would make, those of a yes for calls alike, and of a yes
            for always reading there.
        decision: the user's answer, if they were asked. Files that they rejected stay as they are, also where the call
            changed meanwhile, so that their yes to the rest doesn't count.
        has_a_yes: whether the user said yes to this very call.
    """

    decoded: DecodedCall
    request: Request
    mode: Mode
    verdict: Verdict
    confinement: Confinement
    rules: frozenset[Allowed]
    wider: frozenset[Allowed]
    folders: frozenset[Allowed]
    decision: Decision = _UNASKED
    has_a_yes: bool = False

    @property
    def needs_a_yes(self) -> bool:
        return isinstance(self.verdict, Ask) and not self.has_a_yes

    @property
    def granted(self) -> Sequence[tuple[Effect, Place | None]]:
        """The effects, each with the place that it leads to where it has a path."""
        return [(touch.effect, touch.place) for touch in self.request.touches]

    @property
    def refusal(self) -> Refused | None:
        """The refusal that no answer of the user can lift; None = there is none."""
        match self.verdict:
            case Deny(code=code, reason=reason, hint=hint):
                return Refused(code, self.request.tool, self.mode, reason, hint)
            case Allow() | Contain() | Try() | Ask():
                return None
            case _:
                assert_never(self.verdict)

    def check_against(self, current: "JudgedCall") -> None:
        """Check, right before the call acts, the verdict of this moment.

        Raises:
            NoLongerAllowed: the user, who is in Plan now or has taken a right away, refuses it.
            Conflict: MODE_CONFLICT, when its command would run in another jail.
        """
        if current.refusal is not None:
            raise NoLongerAllowed(current.refusal)
        if self.runs_command and self.confinement != current.confinement:
            raise Conflict("MODE_CONFLICT", "what the command may do has changed meanwhile", "Make the call again.")

    def allowed_by(self, answer: str) -> frozenset[Allowed] | None:
        """Return the rules that the user's answer makes, if it is a yes; else None."""
        if answer == ALLOW:
            return frozenset()
        return {ALWAYS: self.rules, ALWAYS_SIMILAR: self.wider, ALWAYS_READING: self.folders}.get(answer) or None

    @property
    def runs_command(self) -> bool:
        return bool(self.request.commands)

    @property
    def runs_beyond_trial(self) -> bool:
        """It runs something with more rights than a command on trial has, which what that changed could use."""
        is_wide = self.runs_command and self.confinement == "act"
        return is_wide or any(isinstance(touch.effect, McpEffect) for touch in self.request.touches)

    def subject(self, edits: Sequence[ProposedEdit]) -> str:
        """Return the hash that an answer is bound to: one kept for a later time counts for no other call."""
        leads = [str(touch.place.real) for touch in self.request.touches if touch.place]
        rules = sorted(map(repr, (*self.rules, *self.wider, *self.folders)))
        arguments = self.decoded.args.model_dump_json()
        said = [self.request.tool, arguments, self.confinement, *leads, *rules, *map(repr, edits)]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def is_like(self, other: "JudgedCall") -> bool:
        """Return whether a yes to one is a yes to the other: the same places, the same jail."""
        reals = [[touch.place and touch.place.real for touch in each.request.touches] for each in (self, other)]
        return reals[0] == reals[1] and self.confinement == other.confinement
