"""Renames: paths inside a plan follow files that move. Finished steps are history, and keep the names of their
time.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from planact.base.span import Span, TextEdit
from planact.plan.references import (
    FileReference,
    Reference,
    context_paths,
    files_in_code,
    files_of,
    names_in,
    validation_commands,
)
from planact.plan.syntax import code_span
from planact.plan.syntax.render import scalar
from planact.plan.syntax.tree import PlanTree

_PLAIN_WORD = re.compile(r"[\w./@%+,=-]+")
"""A word that needs no quotes in a shell."""


class Rename(NamedTuple):
    """A file or folder that goes from one path in the workspace to another, without slashes at the end."""

    old: str
    new: str


def renamed(tree: PlanTree, renames: Sequence[Rename]) -> tuple[TextEdit, ...]:
    """Return the edits that name the new paths; none for a request and for a plan without open steps."""
    if not any(step.is_open for step in tree.steps):
        return ()
    over = [step.span for step in tree.steps if not step.is_open]
    edits = {edit.span.start: edit for edit in _edits(tree, renames)}
    return tuple(edits[at] for at in sorted(edits) if not any(span.start <= at <= span.end for span in over))


def _edits(tree: PlanTree, renames: Sequence[Rename]) -> Iterator[TextEdit]:
    for file, new in _moved(context_paths(tree), renames):
        is_quoted = tree.text[file.span.start - 1] in "\"'"
        if not is_quoted or scalar(new) == new:
            yield TextEdit(file.span, new if is_quoted else scalar(new))
    commands = list(validation_commands(tree))
    for step in tree.steps:
        commands += names_in(tree, step, "check")
        for file, new in _moved(files_of(tree, step), renames):
            if tree.text.startswith(file.path, file.span.start) and (edit := _in_list(tree.text, file, new)):
                yield edit
    for file, new in _moved(files_in_code(tree.text, tree.body_start, len(tree.text)), renames):
        if "`" not in new:
            yield TextEdit(Span(file.span.start, file.span.start + len(file.path)), new)
    for command in commands:
        yield from _in_command(tree.text, command, renames)


def _moved(files: Iterable[FileReference], renames: Sequence[Rename]) -> Iterator[tuple[FileReference, str]]:
    for file in files:
        for old, new in renames:
            if file.path == old or file.path.startswith(f"{old}/"):
                yield file, new + file.path[len(old) :]
                break


def _in_list(text: str, file: FileReference, new: str) -> TextEdit | None:
    """The path in a list with commas, which may now need backticks around it."""
    is_code = text[file.span.start - 1] == "`"
    if "`" in new or ("," in new and not is_code and file.line is not None):
        return None
    path = Span(file.span.start, file.span.start + len(file.path))
    return TextEdit(path, code_span.wrap(new) if "," in new and not is_code else new)


def _in_command(text: str, command: Reference, renames: Sequence[Rename]) -> Iterator[TextEdit]:
    """Yield an edit for the path as a word of a command; no other text of a command is touched."""
    start, end = command.span
    if text[start:end] != command.name:
        return
    for old, new in renames:
        if _PLAIN_WORD.fullmatch(new):
            pattern = rf"(?<![\w./~$-])(?:\./)?({re.escape(old)})(?=/|\.?(?![\w./-]))"
            for found in re.finditer(pattern, text[start:end]):
                yield TextEdit(Span(start + found.start(1), start + found.end(1)), new)
