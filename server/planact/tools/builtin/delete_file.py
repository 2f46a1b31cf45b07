"""Delete a file, a link or an empty directory."""

import asyncio
from collections.abc import Sequence

from planact.model.rights.permission import PathEffect, Permission
from planact.model.runs.change import Change
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool import Args, Tool


class DeleteFileArgs(Args):
    """Directories must be empty."""

    path: str


def _changes(args: DeleteFileArgs, sight: ReadAccess) -> Sequence[Change]:
    return (sight.removal(args.path),)


async def _run(args: DeleteFileArgs, permit: Permit) -> str:
    await permit.apply(await asyncio.to_thread(_changes, args, permit), f"Delete {args.path}")
    return f"deleted {args.path}"


DELETE_FILE = Tool(
    name="delete_file",
    summary="Delete a file, a link (not its target) or an empty directory.",
    args=DeleteFileArgs,
    required_permissions=frozenset({Permission.READ_FILES, Permission.DELETE_FILES}),
    category="write",
    risk="high",
    effects=lambda args: (PathEffect("delete", args.path, follows_link=False),),
    run=_run,
    changes=_changes,
    requires_approval=True,
)
