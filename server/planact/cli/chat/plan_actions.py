"""Keys for the plan that was just shown: one letter each, until the user sends a message.

A key acts only on the text that was on the screen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from planact.cli.command import Exit, Result
from planact.cli.engine import Engine
from planact.cli.results import plan_result, planning_result, run_result
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.library import read_document
from planact.workflows.plans.revisions import compare_revisions
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.revise_plan import ask_feedback, revise_plan

KEYS: Mapping[str, str] = {
    "e": "execute",
    "a": "approve",
    "r": "revise",
    "o": "open",
    "d": "diff",
    "q": "later",
}
LASTING_KEYS = ("a", "d", "o")
"""Keys after which the plan still waits for a decision."""


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """The plan on the screen, with the hash of the shown text."""

    path: str
    plan_id: str
    seen_hash: str


def shown_plan_of(result: Result) -> ShownPlan | None:
    """Return the plan that a result shows; None if it shows none."""
    if not result.seen_hash:
        return None
    return ShownPlan(str(result.data["path"]), str(result.data["plan_id"]), result.seen_hash)


def keys_text() -> str:
    """Return all keys in one line."""
    return f"  {' · '.join(f'{key} {meaning}' for key, meaning in KEYS.items())}"


async def handle_key(engine: Engine, session_id: str, shown_plan: ShownPlan, key: str, told: str) -> Result:
    """Run the action of a key. For `o` the front end has opened the file already; `told` is its message."""
    ws, document = engine.ws, read_document(engine.ws, shown_plan.path)
    data = {"session_id": session_id, "path": shown_plan.path}
    if key in ("e", "a", "o") and document.hash != shown_plan.seen_hash:
        note = "It has changed since you saw it: this is how it is now."
        return replace(plan_result(session_id, document), next_step=told or note)
    match key:
        case "e":
            run = await execute_plan(ws, session_id, shown_plan.path, Confirmation.ASK, seen_hash=shown_plan.seen_hash)
            return run_result(run)
        case "a":
            await approve_plan(ws, session_id, document, shown_plan.seen_hash)
            return Result(Exit.DONE, data, f"Approved {shown_plan.path}")
        case "r":
            feedback = "" if document.tree.comments else await ask_feedback(ws, session_id, document)
            if not feedback and not document.tree.comments:
                return Result(Exit.DONE, data, "The plan stays as it is.")
            return planning_result(session_id, await revise_plan(ws, session_id, shown_plan.path, feedback))
        case "d":
            return Result(
                Exit.DONE, data, compare_revisions(ws, document).diff.rstrip("\n") or "Nothing has changed in it yet."
            )
        case "o":
            return Result(Exit.DONE, data, next_step=told)
        case _:
            return Result(Exit.DONE, data, next_step=f"Later: /act {shown_plan.plan_id}")
