"""The text of an approved plan that stands in each request of a run: all of it, or the part around the step."""

from dataclasses import dataclass

from planact.base.text import named
from planact.plan.syntax.parser import parse

MAX_PINNED = 80_000
"""Characters, some 25,000 tokens: a longer plan would fill the model's context by itself."""


@dataclass(frozen=True, slots=True)
class PinnedPlan:
    """`blocks` are neighbouring steps, by the place of the first one and the text. Steps of one block get the same
    text, so that each request begins with the one before.
    """

    before: str
    blocks: tuple[tuple[int, str], ...]
    after: str
    steps: int

    @classmethod
    def of(cls, approved: str) -> "PinnedPlan":
        """Cut the text that approval covers into blocks; one, if it isn't longer than `MAX_PINNED`."""
        tree = parse(approved) if len(approved) > MAX_PINNED else None
        if tree is None or not tree.steps:
            return cls("", ((0, approved),), "", 1)
        starts = [step.span.start for step in tree.steps]
        section = tree.section("steps")
        end = section.span.end if section else len(approved)
        room = max(MAX_PINNED - starts[0] - (len(approved) - end), MAX_PINNED // 4)
        first = [0]
        for index, stop in enumerate([*starts[1:], end]):
            if stop - starts[first[-1]] > room and index > first[-1]:
                first.append(index)
        cuts = [*(starts[index] for index in first), end]
        blocks = tuple((index, approved[cuts[at] : cuts[at + 1]]) for at, index in enumerate(first))
        return cls(approved[: starts[0]], blocks, approved[end:], len(starts))

    def around(self, index: int, path: str) -> str:
        """Return the text for the step at `index`; where steps are left out, it says where they stand."""
        at = next(at for at, (first, _) in reversed([*enumerate(self.blocks)]) if first <= index)
        first, block = self.blocks[at]
        last = self.blocks[at + 1][0] if at + 1 < len(self.blocks) else self.steps
        above = (
            f"[planact: the first {first:,} steps are left out here; read {named(path)} for them]\n" if first else ""
        )
        left = self.steps - last
        below = f"[planact: the last {left:,} steps are left out here; read {named(path)} for them]\n" if left else ""
        return f"{self.before}{above}{block}{below}{self.after}"
