"""Find where a name is defined and used, by the syntax of the files."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from planact.base.text import named, parts_of_name
from planact.model.rights.permission import PathEffect, Permission
from planact.model.symbol import SymbolQuery, SymbolResult
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool


class SearchSymbolArgs(Args):
    """`name` may be qualified; what qualifies it doesn't count."""

    name: str = Field(
        min_length=1, max_length=200, pattern=r"^\S+$", description="qualified or not: only its last part counts"
    )
    kind: Literal["", "definition", "type", "function", "variable", "module", "reference"] = ""
    path: str = "."
    glob: str = Field(default="", description="narrows the files")
    limit: int = Field(default=50, ge=1, le=200)
    skip: int = Field(default=0, ge=0, description="as in `search_code`")


async def _run(args: SearchSymbolArgs, permit: Permit) -> str:
    name = parts_of_name(args.name)[-1] or args.name
    sought = SymbolQuery(name, args.limit, args.skip, args.kind, args.glob)
    return "\n".join(_render(await permit.find_symbol(sought, args.path), sought))


def _render(found: SymbolResult, sought: SymbolQuery) -> Iterator[str]:
    yield f"{sought.name}: {found.definitions} definitions, {found.references} references"
    for hit in found.hits:
        kind = "" if hit.kind == "reference" else f" {hit.kind}:"
        yield f"{named(hit.path)}:{hit.line}:{kind} {hit.text}"
    last = sought.skip + len(found.hits)
    if last < found.definitions + found.references:
        yield f"… go on with skip={last}, or narrow the search"
    if found.similar:
        yield f"Similar names: {', '.join(found.similar)}"
    if found.unread:
        yield f"{found.unread} files were not looked at: too large, not readable, or out of time; see search_code"


SEARCH_SYMBOL = Tool(
    name="search_symbol",
    summary="Find a name's definitions, then its uses, in source code; comments and strings don't count.",
    args=SearchSymbolArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="search",
    risk="low",
    effects=lambda args: (PathEffect("search", args.path),),
    run=_run,
)
