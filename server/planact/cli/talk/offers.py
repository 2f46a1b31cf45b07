"""What can be done with a plan that was just shown: by one letter, as long as the user says nothing else.

It holds for the text that was on the screen and no other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from planact.cli.call import Exit, Result
from planact.cli.engine import Engine
from planact.cli.outcomes import executed, made, planned
from planact.workflows.approve_plan import approve_plan
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.library import read_document
from planact.workflows.revise_plan import ask_feedback, revise_plan
from planact.workflows.revisions import compare

KEYS: Mapping[str, str] = {
    "e": "execute",
    "a": "approve",
    "r": "revise",
    "o": "open",
    "d": "diff",
    "q": "later",
}
LASTING = ("a", "d", "o")
"""After these the plan is still there to be decided about."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The plan that is on the screen, and the hash of the text that it was shown of."""

    path: str
    plan_id: str
    seen_hash: str


def offer_of(result: Result) -> Offer | None:
    """What is offered with a result: nothing, unless it shows a plan."""
    if not result.seen_hash:
        return None
    return Offer(str(result.data["path"]), str(result.data["plan_id"]), result.seen_hash)


def keys_text() -> str:
    """The letters in one line."""
    return f"  {' · '.join(f'{key} {meaning}' for key, meaning in KEYS.items())}"


async def accept(engine: Engine, session_id: str, offer: Offer, key: str, told: str) -> Result:
    """Do what a letter stands for. What `o` does, the front end has done, and `told` is what it says of it."""
    ws, document = engine.ws, read_document(engine.ws, offer.path)
    data = {"session_id": session_id, "path": offer.path}
    if key in ("e", "a", "o") and document.hash != offer.seen_hash:
        note = "It has changed since you saw it: this is how it is now."
        return replace(planned(session_id, document), next_step=told or note)
    match key:
        case "e":
            run = await execute_plan(ws, session_id, offer.path, Confirmation.ASK, seen_hash=offer.seen_hash)
            return executed(run)
        case "a":
            await approve_plan(ws, session_id, document, offer.seen_hash)
            return Result(Exit.DONE, data, f"Approved {offer.path}")
        case "r":
            feedback = "" if document.tree.comments else await ask_feedback(ws, session_id, document)
            if not feedback and not document.tree.comments:
                return Result(Exit.DONE, data, "The plan stays as it is.")
            return made(session_id, await revise_plan(ws, session_id, offer.path, feedback))
        case "d":
            return Result(Exit.DONE, data, compare(ws, document).diff.rstrip("\n") or "Nothing has changed in it yet.")
        case "o":
            return Result(Exit.DONE, data, next_step=told)
        case _:
            return Result(Exit.DONE, data, next_step=f"Later: /act {offer.plan_id}")
