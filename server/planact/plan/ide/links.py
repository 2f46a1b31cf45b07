"""Links: every path in the text that leads to a file."""

from collections.abc import Callable, Iterator

from planact.plan.references import FileReference, context_paths, files_in_code, files_of
from planact.plan.syntax.tree import PlanTree


def links(tree: PlanTree, exists: Callable[[str], bool]) -> tuple[FileReference, ...]:
    """Return the existing files that the plan names, in the order of the text.

    `exists` is called once for each path. Folders are no links.
    """
    found: dict[str, bool] = {}
    by_span: dict[int, FileReference] = {}
    for file in _references(tree):
        if file.path not in found:
            found[file.path] = not file.path.endswith("/") and exists(file.path)
        if found[file.path]:
            by_span.setdefault(file.span.start, file)
    return tuple(by_span[start] for start in sorted(by_span))


def _references(tree: PlanTree) -> Iterator[FileReference]:
    yield from context_paths(tree)
    for step in tree.steps:
        yield from files_of(tree, step)
    yield from files_in_code(tree.text, tree.body_start, len(tree.text))
