"""Find where a name is used, by a language server."""

from pydantic import Field

from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.symbols.describe_places import describe_places
from planact.tools.symbols.named_place import NameArgs
from planact.tools.tool import Tool


class FindReferencesArgs(NameArgs):
    """A name in a line, and which of its places are wanted."""

    limit: int = Field(default=100, ge=1, le=500)
    skip: int = Field(default=0, ge=0, description="as in `search_code`")


async def _run(args: FindReferencesArgs, permit: Permit) -> str:
    return await describe_places("references", args, permit, args.limit, args.skip)


FIND_REFERENCES = Tool(
    name="find_references",
    summary="All uses of the name that stands in a line, with its definition, by language servers where there are any.",
    args=FindReferencesArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="search",
    risk="low",
    effects=lambda args: (PathEffect("read", args.path), PathEffect("search", ".")),
    run=_run,
)
