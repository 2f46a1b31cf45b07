"""A call that was judged: what a yes to it is about, and whether it is still the same call once the yes is there."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from planact.base.errors import Conflict
from planact.model.effect import CommandEffect
from planact.model.jail import Confinement
from planact.model.permission import Mode
from planact.model.question import Decision, ProposedEdit
from planact.model.rule import Allowed
from planact.policy.standing import Request
from planact.policy.verdict import Allow, Ask, Contain, Deny, Verdict
from planact.tools.approval import ALLOW
from planact.tools.outcome import Refused
from planact.tools.spec import Args

_UNASKED = Decision(ALLOW)


class NoLongerAllowed(Exception):
    """The user changed what is allowed while a call was on its way: it doesn't act any more."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Judged:
    """A call with what it would touch, the verdict on it, the jail its command would run in, the rules that a yes
    for always would make, and what the user said, if they were asked: files that they rejected stay as they are, also
    where what they were asked about is not what it was, so that their yes to the rest counts for nothing.
    """

    request: Request
    mode: Mode
    verdict: Verdict
    confinement: Confinement
    rules: frozenset[Allowed]
    decision: Decision = _UNASKED
    has_a_yes: bool = False

    @property
    def refusal(self) -> Refused | None:
        """What the model is told where it may not run, whatever the user says."""
        match self.verdict:
            case Deny(code=code, reason=reason, hint=hint):
                return Refused(code, self.request.tool, self.mode, reason, hint)
            case Allow() | Contain() | Ask():
                return None
            case _:
                assert_never(self.verdict)

    def hold_against(self, now: "Judged") -> None:
        """It is about to act, and would be judged like `now`.

        Raises:
            NoLongerAllowed: the user, who is in Plan now or has taken a right away, refuses it.
            Conflict: MODE_CONFLICT, when its command would run in another jail.
        """
        if now.refusal is not None:
            raise NoLongerAllowed(now.refusal)
        if self.runs and self.confinement != now.confinement:
            raise Conflict("MODE_CONFLICT", "what the command may do has changed meanwhile", "Make the call again.")

    @property
    def runs(self) -> bool:
        """Whether it runs a command."""
        return any(isinstance(touch.effect, CommandEffect) for touch in self.request.touches)

    def subject(self, args: Args, edits: Sequence[ProposedEdit]) -> str:
        """What an answer to its question is about: an answer kept for a later time counts for nothing else."""
        leads = [str(touch.place.real) for touch in self.request.touches if touch.place]
        rules = sorted(map(repr, self.rules))
        said = [self.request.tool, args.model_dump_json(), self.confinement, *leads, *rules, *map(repr, edits)]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def is_like(self, other: "Judged") -> bool:
        """Whether a yes to one is a yes to the other: it leads to the same places, in the same jail."""
        reals = [[touch.place and touch.place.real for touch in each.request.touches] for each in (self, other)]
        return reals[0] == reals[1] and self.confinement == other.confinement
