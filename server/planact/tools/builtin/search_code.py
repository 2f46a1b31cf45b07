"""Find lines in the files of the workspace."""

from pydantic import Field

from planact.model.effect import Effect, PathEffect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool


class SearchCodeArgs(Args):
    """`glob` narrows the files, for example `*.py`."""

    pattern: str = Field(min_length=1)
    path: str = "."
    glob: str = ""
    is_literal: bool = False
    limit: int = Field(default=100, ge=1, le=1_000)


def _effects(args: SearchCodeArgs) -> tuple[Effect, ...]:
    return (PathEffect("search", args.path),)


async def _run(args: SearchCodeArgs, permit: Permit) -> str:
    found = await permit.search(args.pattern, args.path, args.glob, args.limit, is_literal=args.is_literal)
    if not found.hits:
        return f"nothing matches {args.pattern!r} below {args.path}"
    lines = [f"{hit.path}:{hit.line}: {hit.text}" for hit in found.hits]
    return "\n".join([*lines, *(["… and more; narrow the search"] if found.is_cut else [])])


SEARCH_CODE = Tool(
    name="search_code",
    summary="Search file contents by regular expression (or literally). Ignored files are left out.",
    args=SearchCodeArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="search",
    risk="low",
    effects=_effects,
    run=_run,
)
