"""PLAN025: files that the plan rests on are unchanged. Reported in the open steps, and where the files are listed.

A plan without open steps is history.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from planact.base.span import Span, TextEdit
from planact.plan.lint_context import CODE, ChangedFile, LintContext
from planact.plan.references import FileReference, context_paths, files_of
from planact.plan.syntax.render import scalar
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree

_HINT = "Re-plan, look at what changed, or accept it as it is now."
_HASH = re.compile(r"""["']?\bsha256["']?[ \t]*:[ \t]*("[^"\r\n]*"|'[^'\r\n]*'|[0-9A-Za-z]+)""")


def check(tree: PlanTree, context: LintContext) -> Iterator[PlanProblem]:
    """Report changed files where the front matter lists them, and in the steps that are still to be done."""
    changed = context.changed_files
    steps = [step for step in tree.steps if step.is_open] if changed else []
    if not steps:
        return
    listed = tuple(context_paths(tree))
    fixes = _fixes(tree, listed, changed)
    for file in (*listed, *(file for step in steps for file in files_of(tree, step))):
        if file.path in changed:
            message = f"{file.path} {_said(changed[file.path])} since planning"
            yield PlanProblem(file.span, CODE, "warning", message, _HINT, fixes.get(file.path, ()))


def _said(file: ChangedFile) -> str:
    return "changed" if file.what == "changed" else f"was {file.what}"


def _fixes(
    tree: PlanTree, listed: tuple[FileReference, ...], changed: Mapping[str, ChangedFile]
) -> Mapping[str, tuple[Fix, ...]]:
    """By path: to take that file, or all, as they are now. No approval falls by it, since none covers fingerprints."""
    edits = {file.path: edit for file, until in _entries(tree, listed) if (edit := _edit(tree, file, until, changed))}
    all_of_them = (Fix("Accept all files as they are now", tuple(edits.values())),) if len(edits) > 1 else ()
    return {path: (Fix(f"Accept {path} as it is now", (edit,)), *all_of_them) for path, edit in edits.items()}


def _entries(tree: PlanTree, listed: tuple[FileReference, ...]) -> Iterator[tuple[FileReference, int]]:
    """Yield each entry with its end: the start of the next one's path, or the end of the list."""
    yield from ((file, following.span.start) for file, following in pairwise(listed))
    key = tree.key("context")
    if listed and key:
        yield listed[-1], key.value_span.end


def _edit(tree: PlanTree, file: FileReference, until: int, changed: Mapping[str, ChangedFile]) -> TextEdit | None:
    """Return None where the hash behind the path isn't this entry's, in any order of the entry's keys."""
    match = _HASH.search(tree.text, file.span.end, until)
    found = changed.get(file.path)
    if match is None or found is None or match[1].strip("\"'") != found.was:
        return None
    return TextEdit(Span(*match.span(1)), scalar(found.now))
