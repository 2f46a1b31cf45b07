"""List what is in a directory."""

import json

from planact.model.effect import Effect, PathEffect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool

MAX_NAMES = 500


class ListDirectoryArgs(Args):
    """`.` is the workspace folder."""

    path: str = "."


def _effects(args: ListDirectoryArgs) -> tuple[Effect, ...]:
    return (PathEffect("read", args.path),)


async def _run(args: ListDirectoryArgs, permit: Permit) -> str:
    names = [name if name.isprintable() else json.dumps(name) for name in permit.list(args.path)]
    if not names:
        return f"{args.path} is empty"
    more = [f"… and {len(names) - MAX_NAMES} more; list a folder below"] if len(names) > MAX_NAMES else []
    return "\n".join([*names[:MAX_NAMES], *more])


LIST_DIRECTORY = Tool(
    name="list_directory",
    summary="List a directory; names of directories end with a slash.",
    args=ListDirectoryArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=_effects,
    run=_run,
)
