"""Places of names as the model reads them: by language servers, else by the texts of files."""

import asyncio
from collections.abc import Iterator, Sequence

from planact.base.span import lines_of
from planact.base.text import counted, first_few, named, one_line
from planact.model.file import Skipped, SkipReason, describe_skipped
from planact.model.navigation import CodePlace, PlaceKind, ServerAnswer
from planact.model.symbol import SymbolQuery
from planact.tools.diagnostics.code_access import CodeAccess
from planact.tools.permits.permit import Permit
from planact.tools.symbols.named_place import LONGEST_SHOWN_LINE, NameArgs, find_name

_MOST_OUTSIDE, _MOST_SKIPPED = 20, 3
_DEEDS: dict[PlaceKind, str] = {"references": "used or defined", "definition": "defined"}


async def describe_places(kind: PlaceKind, args: NameArgs, permit: Permit, limit: int, skip: int) -> str:
    """Return the lines where a name is used or defined: `limit` behind the first `skip`."""
    code = await permit.code(args.path)
    at = find_name(code.path, code.text, args)
    answer = await code.find_places(kind, at)
    if answer is not None and answer.found:
        return "\n".join(await asyncio.to_thread(lambda: [*_known(code, kind, at.name, answer, limit, skip)]))
    sought = SymbolQuery(at.name, limit, skip, "definition" if kind == "definition" else "")
    found = await permit.find_symbol(sought, ".")
    count = found.definitions + found.references
    lines = [f"{at.name}: {counted(count, 'place')} by text, may miss: {_why(answer, code.path)}"]
    lines += [f"{named(hit.path)}:{hit.line}: {hit.text}" for hit in found.hits]
    return "\n".join((*lines, *_more(skip + len(found.hits), count)))


def _why(answer: ServerAnswer[Sequence[CodePlace]] | None, path: str) -> str:
    if answer is None:
        return f"no language server here knows the names in {named(path)}"
    return f"{answer.server} {one_line(answer.trouble, 300) or 'found none'}"


def _known(
    code: CodeAccess, kind: PlaceKind, name: str, answer: ServerAnswer[Sequence[CodePlace]], limit: int, skip: int
) -> Iterator[str]:
    """Yield the places that a language server knows. Files that a search leaves out are counted, and those outside the
    workspace are named; neither is read.
    """
    covered = frozenset(file.path for file in code.covered().files)
    inside: list[tuple[str, int]] = []
    outside: list[str] = []
    left: dict[SkipReason, dict[str, None]] = {}
    for each in answer.found or ():
        place = code.resolve(each.path)
        if place.relative is None:
            outside.append(f"{named(each.path)}:{each.line}")
        elif place.shown in covered:
            inside.append((place.shown, each.line))
        else:
            left.setdefault(code.skip_reason(place), {})[place.shown] = None
    inside.sort()
    yield f"{name}: {counted(len(inside), 'place')} where it is {_DEEDS[kind]}, by {answer.server}"
    texts: dict[str, Sequence[str]] = {}
    page = inside[skip : skip + limit]
    for path, line in page:
        if path not in texts:
            texts[path] = lines_of(code.text_at(path) or "")
        text = texts[path][line - 1] if line <= len(texts[path]) else ""
        yield f"{named(path)}:{line}: {one_line(text, LONGEST_SHOWN_LINE)}"
    yield from _more(skip + len(page), len(inside))
    if not code.is_all_shown:
        yield f"may miss: so many files have the name that {answer.server} wasn't shown all"
    if outside:
        yield f"outside the workspace, not read: {first_few(outside, _MOST_OUTSIDE)}"
    yield from describe_skipped([_skipped(reason, list(paths)) for reason, paths in left.items()])


def _more(last: int, count: int) -> Iterator[str]:
    if last < count:
        yield f"… go on with skip={last}"


def _skipped(reason: SkipReason, paths: Sequence[str]) -> Skipped:
    return Skipped(reason, len(paths), () if reason == "hidden" else tuple(paths[:_MOST_SKIPPED]))
