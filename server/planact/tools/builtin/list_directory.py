"""List what is in a directory."""

from pydantic import Field

from planact.base.text import named
from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool

MAX_NAMES = 500


class ListDirectoryArgs(Args):
    """`.` is the workspace folder; `skip` goes on behind so many names."""

    path: str = "."
    skip: int = Field(default=0, ge=0, description="names to leave out, since you have them")


async def _run(args: ListDirectoryArgs, permit: Permit) -> str:
    names = list(map(named, await permit.list(args.path)))
    if args.skip >= len(names):
        return f"{args.path} has no more than {len(names)} names" if names else f"{args.path} is empty"
    end = args.skip + MAX_NAMES
    more = [f"… and {len(names) - end} more; go on with skip={end}"] if len(names) > end else []
    return "\n".join([*names[args.skip : end], *more])


LIST_DIRECTORY = Tool(
    name="list_directory",
    summary="List a directory; names of directories end with a slash.",
    args=ListDirectoryArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=lambda args: (PathEffect("read", args.path),),
    run=_run,
)
