"""The approved plans of a folder, parsed once for each text: every key in a source file asks which steps touch it."""

from collections.abc import Iterator
from pathlib import Path

from planact.base.errors import PlanactError
from planact.base.filetext import decode_text
from planact.plan.approval import hash_of
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree
from planact.workflows.workspace import Workspace


class ApprovedPlans:
    """Caches the last text of each plan."""

    def __init__(self) -> None:
        self._parsed: dict[tuple[Path, str], tuple[str, PlanTree, str]] = {}

    def of(self, ws: Workspace) -> list[tuple[str, PlanTree]]:
        """Return path and tree of each plan that is approved as it is now. May be called from any thread."""
        return list(self._of(ws))

    def _of(self, ws: Workspace) -> Iterator[tuple[str, PlanTree]]:
        for path in sorted(ws.ports.approvals.paths()):
            approval = ws.ports.approvals.find(path)
            try:
                text = _text(ws, path)
            except PlanactError:
                continue
            if text is None or approval is None:
                continue
            known = self._parsed.get((ws.ports.files.root, path))
            if known is None or known[0] != text:
                tree = parse(text, known[1] if known else None)
                known = self._parsed[ws.ports.files.root, path] = (text, tree, hash_of(tree))
            if known[2] == approval.hash:
                yield path, known[1]


def _text(ws: Workspace, path: str) -> str | None:
    """Return the text in the editor, or on disk; None where there is none."""
    place = ws.ports.files.resolve(path)
    if place.relative is None or not place.exists:
        return None
    file = ws.ports.editor.buffer(place) or decode_text(ws.ports.files.read(place, ws.settings.limits.file_bytes))
    return file.text if file else None
