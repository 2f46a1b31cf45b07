"""The part of a plan's text that the user's approval covers: all but the marks that the server writes during a run.

Left out are the known marks of steps, the values of `status` and `context`, and alert blocks in exactly the server's
form. All other text counts, also line ends, comments and an unknown mark. No text that is left out is ever lowered into
goal, steps or checks, and the text around a block means the same without the block, so that two texts with one hash
lower to the same plan but for marks, status and context. A program that can write the file can still forge a block or a
mark: so marks are no evidence (the journal is), and prompts carry the lowered plan or `approved_text`, never the raw
text.
"""

import hashlib
from collections.abc import Iterator

from planact.base.span import Span, TextEdit, apply_edits
from planact.plan.syntax import grammar
from planact.plan.syntax.edits import after_line_end, remove_lines
from planact.plan.syntax.lines import line_at
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree


def approval_hash(text: str) -> str:
    """Return the SHA-256, in hex, of the text that approval covers."""
    return hash_of(parse(text))


def hash_of(tree: PlanTree) -> str:
    """`approval_hash` of a text that is parsed already."""
    if "hash" not in tree.memo:
        tree.memo["hash"] = hashlib.sha256(approved_text_of(tree).encode("utf-8", "surrogatepass")).hexdigest()
    known: str = tree.memo["hash"]
    return known


def approved_text(text: str) -> str:
    """Return `text` without the parts that approval doesn't cover. A text without front matter counts as one
    with an empty one.
    """
    return approved_text_of(parse(text))


def approved_text_of(tree: PlanTree) -> str:
    """`approved_text` of a text that is parsed already."""
    edits = [*_marks(tree), *_keys(tree), *_blocks(tree)]
    if not tree.front_matter:
        edits.append(TextEdit(Span(tree.body_start, tree.body_start), f"---{tree.line_end}" * 2))
    return apply_edits(tree.text, edits)


def _marks(tree: PlanTree) -> Iterator[TextEdit]:
    for step in tree.steps:
        if step.mark in grammar.STATUSES:
            yield TextEdit(step.mark_span, " ")


def _keys(tree: PlanTree) -> Iterator[TextEdit]:
    for name in grammar.UNCOVERED_KEYS:
        key = tree.key(name)
        if key is None or key.value is None:
            continue
        line_end = line_at(tree.text, key.value_span.end).end
        colon = tree.text.index(":", key.key_span.end) + 1
        if "#" in tree.text[colon : key.value_span.start]:
            yield TextEdit(key.value_span, "")
        elif tree.text[key.value_span.end : line_end].strip(" \t"):
            yield TextEdit(Span(colon, key.value_span.end), "")
        else:
            yield TextEdit(Span(key.span.start, after_line_end(tree.text, line_end)), "")


def _blocks(tree: PlanTree) -> Iterator[TextEdit]:
    blocks = [block.span for block in tree.adaptations] + [block.span for block in tree.questions]
    return remove_lines(tree.text, blocks)
