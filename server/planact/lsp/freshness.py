"""Looks after the files that the open plans rest on, and tells when one is not as it was any more, or is again.

Events are coalesced and files are hashed off the event loop, so that a checkout of thousands of files costs one look.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from planact.base.errors import PlanactError
from planact.lsp.bursts import Bursts
from planact.lsp.convert import path_of
from planact.lsp.documents import Document, Documents
from planact.lsp.watching import Watching
from planact.model.plan import ContextFile
from planact.plan.changes import ChangedFile
from planact.plan.lower import context_files, front_matter_text
from planact.workflows.check_freshness import MAX_FILES, basis_of, compare
from planact.workflows.workspace import Workspace

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an open plan rests on: its files, their paths with the folder of each, and which have changed; None as long
    as nobody has looked.
    """

    plan_id: str
    files: tuple[ContextFile, ...]
    paths: Mapping[Path, Path] = field(default_factory=dict)
    changed: tuple[ChangedFile, ...] | None = None


class Freshness:
    """Of all plans that are open.

    Args:
        documents: what is open.
        find: finds the workspace of a document.
        named: a workspace folder as the client names it.
        tell: called with a document for which something is known now, and whether other files have changed than before.
    """

    def __init__(
        self,
        documents: Documents,
        find: Callable[[str], Awaitable[tuple[Workspace, str]]],
        named: Callable[[Path], Path],
        tell: Callable[[Document, bool], None],
    ) -> None:
        self._documents = documents
        self._find = find
        self._named = named
        self._tell = tell
        self._plans: dict[str, _Plan] = {}
        self._due: set[str] = set()
        self._bursts: Bursts | None = None
        self._looking: asyncio.Task[None] | None = None
        self._following: set[asyncio.Task[None]] = set()
        self.watching: Watching | None = None
        documents.listeners.append(self._on_version)

    def changed(self, document: Document) -> tuple[ChangedFile, ...] | None:
        """What has changed since planning, as far as is known; None while nobody has looked."""
        plan = self._plans.get(document.uri)
        if plan is None or plan.changed is None:
            return None
        fingerprints = {file.path: file.sha256 for file in context_files(document.plan)}
        return tuple(file for file in plan.changed if fingerprints.get(file.path) == file.was)

    def closed(self, uri: str) -> None:
        """A document was closed: a plan is looked after no longer, and of a file the disk has the truth."""
        if self._plans.pop(uri, None):
            self._due.add(uri)
            self._note()
        elif path := _path_of(uri):
            self._touched_under_any_name(path)

    def told_by_client(self, uris: Iterable[str]) -> None:
        """The client says that these files changed."""
        self.touched([path for uri in uris if (path := _path_of(uri))])

    def touched(self, paths: Collection[Path]) -> None:
        """These files may have changed."""
        names = set(paths)
        self._look_at(uri for uri, plan in self._plans.items() if not names.isdisjoint(plan.paths))

    def touched_all(self) -> None:
        """What counts as unchanged may have changed: a run has moved on."""
        self._look_at(tuple(self._plans))

    def _on_version(self, document: Document) -> None:
        """A plan may list other files now, and of an open file the editor has the truth."""
        if not document.is_plan:
            if document.path is not None:
                self._touched_under_any_name(document.path)
            return
        tree = document.plan
        is_left = not tree.is_template and any(step.is_open for step in tree.steps)
        now = _Plan(front_matter_text(tree, "id"), context_files(tree)[:MAX_FILES] if is_left else ())
        known = self._plans.get(document.uri)
        if known is None or (known.plan_id, known.files) != (now.plan_id, now.files):
            # What is known of files that it still lists stays true until somebody has looked again.
            self._plans[document.uri] = replace(now, changed=known.changed if known else None)
            self._look_at((document.uri,))

    def _touched_under_any_name(self, path: Path) -> None:
        if any(plan.paths for plan in self._plans.values()):
            self.touched([path])
            self._following = {task for task in self._following if not task.done()}
            self._following.add(asyncio.ensure_future(self._touched_where_it_leads(path)))

    async def _touched_where_it_leads(self, path: Path) -> None:
        self.touched([Path(await asyncio.to_thread(os.path.realpath, path))])

    def _look_at(self, uris: Iterable[str]) -> None:
        due = set(uris)
        if due:
            self._due |= due
            self._note()

    def _note(self) -> None:
        if self._bursts is None:
            loop = asyncio.get_running_loop()
            self._bursts = Bursts(self._begin, loop.time, loop.call_later)
        self._bursts.note()

    def _begin(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look())

    async def _look(self) -> None:
        """Look at what is due, one plan after the other, until nothing is: more may become due meanwhile."""
        while self._due:
            due, self._due = self._due, set()
            try:
                for uri in due:
                    await self._place(uri)
                if self.watching is not None:  # before the first look, so that nothing falls in between
                    await self.watching.watch({k: v for plan in self._plans.values() for k, v in plan.paths.items()})
                for uri in due:
                    await self._look_at_one(uri)
            except Exception:
                log.exception("the files that plans rest on could not be looked at")

    async def _place(self, uri: str) -> None:
        """Find where the files of a plan are."""
        plan = self._plans.get(uri)
        if plan is None:
            return
        try:
            ws, _ = await self._find(uri)
        except PlanactError:  # it is in no workspace folder
            plan = replace(plan, paths={}, changed=None)
        else:
            folder = self._named(ws.ports.files.root)
            plan = replace(plan, paths=await asyncio.to_thread(_paths, ws, folder, plan.files))
        now = self._plans.get(uri)
        if now is not None and now.files == plan.files:  # else it was closed, or is due again
            self._plans[uri] = replace(now, paths=plan.paths, changed=plan.changed)

    async def _look_at_one(self, uri: str) -> None:
        plan = self._plans.get(uri)
        if plan is None:
            return
        try:
            ws, _ = await self._find(uri)
        except PlanactError:
            return
        changed = await asyncio.to_thread(_changed, ws, plan)
        now, document = self._plans.get(uri), self._documents.get(uri)
        if now is None or document is None or now.files != plan.files:
            return  # closed, or due again
        self._plans[uri] = replace(now, changed=changed)
        if changed != now.changed:
            self._tell(document, changed != (now.changed or ()))


def _paths(ws: Workspace, folder: Path, files: Iterable[ContextFile]) -> Mapping[Path, Path]:
    paths: dict[Path, Path] = {}
    for file in files:
        place = ws.ports.files.resolve(file.path)
        if place.relative is not None:
            paths |= {folder / file.path: folder, Path(place.real): Path(ws.ports.files.root)}
    return paths


def _changed(ws: Workspace, plan: _Plan) -> tuple[ChangedFile, ...]:
    basis = basis_of(ws, plan.plan_id, plan.files)
    return compare(ws.ports.files, ws.settings.limits.file_bytes, basis)


def _path_of(uri: str) -> Path | None:
    path = path_of(uri)
    return Path(path) if path is not None else None
