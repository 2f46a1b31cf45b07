"""Find where a name is defined, by a language server."""

from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.symbols.describe_places import describe_places
from planact.tools.symbols.named_place import NameArgs
from planact.tools.tool import Tool

_MOST = 50


class FindDefinitionArgs(NameArgs):
    """A name in a line."""


async def _run(args: FindDefinitionArgs, permit: Permit) -> str:
    return await describe_places("definition", args, permit, _MOST, 0)


FIND_DEFINITION = Tool(
    name="find_definition",
    summary="Where the name that stands in a line is defined, by language servers where there are any.",
    args=FindDefinitionArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="search",
    risk="low",
    effects=lambda args: (PathEffect("read", args.path), PathEffect("search", ".")),
    run=_run,
)
