"""Make a directory and its parents."""

import asyncio
from collections.abc import Sequence

from planact.model.rights.permission import PathEffect, Permission
from planact.model.runs.change import Change, MakeDirectory
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool import Args, Tool


class MakeDirectoryArgs(Args):
    """It's fine if it's there already."""

    path: str


def _changes(args: MakeDirectoryArgs, sight: ReadAccess) -> Sequence[Change]:
    return (MakeDirectory(sight.place(args.path)),)


async def _run(args: MakeDirectoryArgs, permit: Permit) -> str:
    await permit.apply(await asyncio.to_thread(_changes, args, permit), f"Make {args.path}")
    return f"made {args.path}"


MAKE_DIRECTORY = Tool(
    name="make_directory",
    summary="Make a directory and its parents.",
    args=MakeDirectoryArgs,
    required_permissions=frozenset({Permission.CREATE_FILES}),
    category="write",
    risk="low",
    effects=lambda args: (PathEffect("make_directory", args.path),),
    run=_run,
    changes=_changes,
)
