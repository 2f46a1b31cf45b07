"""Checks the files that the open plans rest on, and reports when one differs from its text at planning, or agrees
again.

Events are coalesced and files are hashed off the event loop, so that a checkout of thousands of files costs one check.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from planact.base.errors import PlanactError
from planact.lsp.documents.convert import path_of
from planact.lsp.documents.open_documents import Document, Documents
from planact.lsp.host.watching import Watching
from planact.lsp.wire.bursts import Bursts
from planact.model.plan import ContextFile
from planact.plan.lint_context import ChangedFile
from planact.plan.syntax.lower import context_files, front_matter_text
from planact.plan.syntax.tree import PlanTree
from planact.workflows.history.check_freshness import MAX_COMPARED_FILES, also_read_in, changed_since_plan
from planact.workflows.workspace import Workspace

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The files that an open plan rests on, and those that planning read besides.

    Attributes:
        paths: their paths, with the folder of each.
        changed, also_changed: those of both that have changed; `changed` is None before the first check.
    """

    plan_id: str
    files: tuple[ContextFile, ...]
    also_read: tuple[ContextFile, ...] = ()
    paths: Mapping[Path, Path] = field(default_factory=dict)
    changed: tuple[ChangedFile, ...] | None = None
    also_changed: tuple[ChangedFile, ...] = ()


class Freshness:
    """Freshness of all open plans.

    Args:
        documents: the open documents.
        find: finds the workspace of a document.
        named: returns a workspace folder as the client names it.
        on_change: called with a document after its first check or a change; true = other files have changed than
            before.
    """

    def __init__(
        self,
        documents: Documents,
        find: Callable[[str], Awaitable[tuple[Workspace, str]]],
        named: Callable[[Path], Path],
        on_change: Callable[[Document, bool], None],
    ) -> None:
        self._documents = documents
        self._find = find
        self._named = named
        self._on_change = on_change
        self._plans: dict[str, _Plan] = {}
        self._due: set[str] = set()
        self._bursts: Bursts | None = None
        self._checking: asyncio.Task[None] | None = None
        self._following: set[asyncio.Task[None]] = set()
        self.watching: Watching | None = None
        documents.listeners.append(self._on_version)

    def changed(self, document: Document) -> tuple[ChangedFile, ...] | None:
        """Return the files that have changed since planning, as far as is known; None before the first check."""
        plan = self._plans.get(document.uri)
        if plan is None or plan.changed is None:
            return None
        fingerprints = {file.path: file.sha256 for file in context_files(document.plan)}
        return tuple(file for file in plan.changed if fingerprints.get(file.path) == file.was)

    def also_changed(self, document: Document) -> tuple[ChangedFile, ...]:
        """Return the files that planning read besides, and that have changed since, as far as is known."""
        plan = self._plans.get(document.uri)
        return plan.also_changed if plan else ()

    def closed(self, uri: str) -> None:
        """Forget a closed plan; for another closed document check the file on disk, which counts from now on."""
        if self._plans.pop(uri, None):
            self._due.add(uri)
            self._note()
        elif path := _path_of(uri):
            self._touched_under_any_name(path)

    def handle_watched_files(self, uris: Iterable[str]) -> None:
        """Check files that the client says have changed."""
        self.touched([path for uri in uris if (path := _path_of(uri))])

    def touched(self, paths: Collection[Path]) -> None:
        """Check the plans that rest on files that may have changed."""
        names = set(paths)
        self._mark_due(uri for uri, plan in self._plans.items() if not names.isdisjoint(plan.paths))

    def touched_all(self) -> None:
        """Check all plans: a run has gone on, and its own changes no longer count."""
        self._mark_due(tuple(self._plans))

    def _on_version(self, document: Document) -> None:
        """Check a plan that lists other files now; for other documents, the plans that rest on them."""
        if not document.is_plan:
            if document.path is not None:
                self._touched_under_any_name(document.path)
            return
        tree = document.plan
        is_left = not tree.is_template and any(step.is_open for step in tree.steps)
        now = _Plan(front_matter_text(tree, "id"), context_files(tree)[:MAX_COMPARED_FILES] if is_left else ())
        known = self._plans.get(document.uri)
        if known is None or (known.plan_id, known.files) != (now.plan_id, now.files):
            # Known changes of files that it still lists stay until the next check.
            self._plans[document.uri] = replace(now, changed=known.changed) if known else now
            self._mark_due((document.uri,))

    def _touched_under_any_name(self, path: Path) -> None:
        if any(plan.paths for plan in self._plans.values()):
            self.touched([path])
            self._following = {task for task in self._following if not task.done()}
            self._following.add(asyncio.ensure_future(self._touched_target(path)))

    async def _touched_target(self, path: Path) -> None:
        self.touched([Path(await asyncio.to_thread(os.path.realpath, path))])

    def _mark_due(self, uris: Iterable[str]) -> None:
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
        if self._checking is None or self._checking.done():
            self._checking = asyncio.ensure_future(self._check_due())

    async def _check_due(self) -> None:
        """Check the due plans, one after the other, until none is due: more may become due meanwhile."""
        while self._due:
            due, self._due = self._due, set()
            try:
                for uri in due:
                    await self._resolve_paths(uri)
                if self.watching is not None:  # before the check, so that no change falls in between
                    await self.watching.watch({k: v for plan in self._plans.values() for k, v in plan.paths.items()})
                for uri in due:
                    await self._check(uri)
            except Exception:
                log.exception("the files that plans rest on could not be checked")

    async def _resolve_paths(self, uri: str) -> None:
        """Resolve the paths of a plan's files."""
        plan, document = self._plans.get(uri), self._documents.get(uri)
        if plan is None or document is None:
            return
        try:
            ws, _ = await self._find(uri)
        except PlanactError:  # it is in no workspace folder
            plan = replace(plan, paths={}, changed=None, also_read=(), also_changed=())
        else:
            folder = self._named(ws.ports.files.root)
            also_read = await asyncio.to_thread(_also_read, ws, document.plan)
            paths = await asyncio.to_thread(_paths, ws, folder, (*plan.files, *also_read))
            plan = replace(plan, paths=paths, also_read=also_read)
        now = self._plans.get(uri)
        if now is not None and now.files == plan.files:  # else it was closed, or is due again
            self._plans[uri] = plan

    async def _check(self, uri: str) -> None:
        plan = self._plans.get(uri)
        if plan is None:
            return
        try:
            ws, _ = await self._find(uri)
        except PlanactError:
            return
        changed = await asyncio.to_thread(changed_since_plan, ws, plan.plan_id, plan.files)
        also_changed = await asyncio.to_thread(changed_since_plan, ws, plan.plan_id, plan.also_read)
        now, document = self._plans.get(uri), self._documents.get(uri)
        if now is None or document is None or now.files != plan.files:
            return  # closed, or due again
        self._plans[uri] = replace(now, changed=changed, also_changed=also_changed)
        if (changed, also_changed) != (now.changed, now.also_changed):
            is_other = (changed, also_changed) != (now.changed or (), now.also_changed)
            self._on_change(document, is_other)


def _paths(ws: Workspace, folder: Path, files: Iterable[ContextFile]) -> Mapping[Path, Path]:
    paths: dict[Path, Path] = {}
    for file in files:
        place = ws.ports.files.resolve(file.path)
        if place.relative is not None:
            paths |= {folder / file.path: folder, Path(place.real): Path(ws.ports.files.root)}
    return paths


def _also_read(ws: Workspace, tree: PlanTree) -> tuple[ContextFile, ...]:
    """Return the further files that planning read; none where no step is left, or planact's state can't be read."""
    if tree.is_template or not any(step.is_open for step in tree.steps):
        return ()
    try:
        return also_read_in(ws, tree)
    except PlanactError:
        return ()


def _path_of(uri: str) -> Path | None:
    path = path_of(uri)
    return Path(path) if path is not None else None
