"""The tree of a text in which one step's mark changed, made from the tree before: a run does that twice a step."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace

from planact.model.plan import Plan, StepStatus
from planact.plan.syntax.grammar import STATUSES
from planact.plan.syntax.tree import PlanTree, StepNode

_WITHOUT_MARKS = ("hash", "places", "changes_infrastructure")
"""What is remembered of a tree and doesn't depend on its marks."""


def with_new_mark(before: PlanTree, text: str) -> PlanTree | None:
    """Return the tree of `text`, if nothing but one known mark differs; it is the one that parsing would give."""
    if len(text) != len(before.text):
        return None
    at = _first_difference(before.text, text)
    if at == len(text):
        return before
    index = bisect_left(before.steps, at, key=lambda step: step.mark_span.start)
    step = before.steps[index] if index < len(before.steps) else None
    if step is None or step.mark_span.start != at or not {step.mark, text[at]} <= STATUSES.keys():
        return None
    marked = replace(step, mark=text[at])
    blocks = _blocks(before, index, marked)
    if blocks is None or text[at + 1 :] != before.text[at + 1 :]:
        return None
    steps = (*before.steps[:index], marked, *before.steps[index + 1 :])
    memo = {name: before.memo[name] for name in _WITHOUT_MARKS if name in before.memo}
    plan: Plan | None = before.memo.get("plan")
    if plan is not None and len(plan.steps) == len(steps):
        memo["plan"] = _with_status(plan, index, marked.status)
    return replace(before, text=text, steps=steps, blocks=blocks, memo=memo)


def _with_status(plan: Plan, index: int, status: StepStatus) -> Plan:
    step = plan.steps[index].model_copy(update={"status": status})
    return plan.model_copy(update={"steps": (*plan.steps[:index], step, *plan.steps[index + 1 :])})


def _blocks(before: PlanTree, index: int, marked: StepNode) -> Mapping[str, StepNode] | None:
    """Return the blocks with that step marked; None where several steps read alike, before or now."""
    blocks = before.blocks
    start = marked.span.start
    block = _block_of(before, index)
    if block is None:
        is_shared = any(before.text.startswith(each, start) for each in blocks)
        return None if is_shared else blocks
    alike = (before.text.startswith(block, each.span.start) for each in before.steps)
    if len(blocks) < len(before.steps) and sum(alike) > 1:
        return None
    at = marked.mark_span.start - start
    now = f"{block[:at]}{marked.mark}{block[at + 1 :]}"
    if now in blocks:
        return None
    with_mark = {**blocks, now: marked}
    del with_mark[block]
    return with_mark


def _block_of(before: PlanTree, index: int) -> str | None:
    """Return the text by which a step's block is known; None where it is none."""
    step = before.steps[index]
    following = before.steps[index + 1].span.start if index + 1 < len(before.steps) else len(before.text)
    block = before.text[step.span.start : following].removesuffix("\n").removesuffix("\r")
    if before.blocks.get(block) is step:  # as where the next step follows at once
        return block
    return next((block for block, node in before.blocks.items() if node is step), None)


def _first_difference(one: str, other: str) -> int:
    """Return the place from which two texts of one length differ; their length, if they don't."""
    if one == other:
        return len(one)
    same, differs = 0, len(one)
    while differs - same > 1:
        middle = (same + differs) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            differs = middle
    return same
