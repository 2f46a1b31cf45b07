"""Find where else the names that a plan changes are used: by the editor's language servers, else the symbol index."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence

from planact.base.errors import PlanactError
from planact.model.navigation import CodePlace, NamedPlace
from planact.model.plan import Plan, Step
from planact.model.rights.credentials import SEARCH_SKIPS
from planact.model.symbol import SymbolHit, SymbolQuery
from planact.plan.impact import NameUses, names_to_change
from planact.policy.context import is_planned
from planact.workflows.workspace import Workspace

log = logging.getLogger(__name__)

_SECONDS = 4.0
_EDITOR_SECONDS = 1.5
_MOST_PLACES = 200


async def find_impact(ws: Workspace, plan: Plan, steps: Iterable[Step]) -> Sequence[NameUses]:
    """Return the uses, in files that no step of the plan names, of what these steps change: names in their actions that
    are defined in one of their files. Those that can't be found within four seconds are left out.
    """
    covered = frozenset(path for step in plan.steps for path in step.files)
    found: list[NameUses] = []
    try:
        async with asyncio.timeout(_SECONDS):
            for step in steps:
                for name in names_to_change(step):
                    found += await _uses_of(ws, name, frozenset(step.files), covered)
    except (TimeoutError, PlanactError) as error:
        log.info("the uses of the plan's names are not all known: %s", error)
    return tuple(found)


async def _uses_of(ws: Workspace, name: str, files: frozenset[str], covered: frozenset[str]) -> Iterable[NameUses]:
    root = ws.ports.files.resolve(".")
    unsaved = await asyncio.to_thread(ws.ports.editor.unsaved, root)
    query = SymbolQuery(name, _MOST_PLACES)
    hits = (await ws.ports.symbols.find(query, root, skip=SEARCH_SKIPS, unsaved=unsaved)).hits
    defined = [hit for hit in hits if hit.kind != "reference" and is_planned(hit.path, files)]
    if not defined:
        return ()
    told = await _references_by_editor(ws, name, defined)
    places = told or [(hit.path, hit.line) for hit in hits if hit.kind == "reference"]
    uses: defaultdict[str, list[int]] = defaultdict(list)
    for path, line in sorted(set(places)):
        if not is_planned(path, covered):
            uses[path].append(line)
    return [NameUses(name, tuple((path, tuple(lines)) for path, lines in uses.items()))] if uses else ()


async def _references_by_editor(ws: Workspace, name: str, defined: Sequence[SymbolHit]) -> Sequence[tuple[str, int]]:
    found: list[CodePlace] = []
    try:
        async with asyncio.timeout(_EDITOR_SECONDS):
            for hit in defined:
                found += await ws.ports.editor.find_places("references", NamedPlace(hit.path, hit.line, name))
    except TimeoutError:  # a language server may still be reading the project
        return ()
    places = {(place.path, place.line) for place in found if ws.ports.files.resolve(place.path).relative is not None}
    return tuple(places.difference((hit.path, hit.line) for hit in defined))
