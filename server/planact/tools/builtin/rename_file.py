"""Move a file or a link within the workspace."""

import asyncio
from collections.abc import Sequence

from planact.base.errors import InvalidInput
from planact.model.rights.permission import PathEffect, Permission
from planact.model.runs.change import Change, RenameFile
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool import Args, Tool


class RenameFileArgs(Args):
    """A path and its new name, which must be free."""

    path: str
    new_path: str


def _changes(args: RenameFileArgs, sight: ReadAccess) -> Sequence[Change]:
    place = sight.entry(args.path)
    if place.is_directory:
        # No rule judged its entries: plans, credentials, a `.git`; and the record couldn't name the moved files.
        raise InvalidInput("INVALID_ARGUMENTS", f"{args.path} is a directory", "Move its files one by one.")
    return (RenameFile(place, sight.entry(args.new_path)),)


async def _run(args: RenameFileArgs, permit: Permit) -> str:
    await permit.apply(await asyncio.to_thread(_changes, args, permit), f"Rename {args.path} to {args.new_path}")
    return f"renamed {args.path} to {args.new_path}"


RENAME_FILE = Tool(
    name="rename_file",
    summary="Rename or move a file or a link (not its target); never over another.",
    args=RenameFileArgs,
    required_permissions=frozenset({Permission.READ_FILES, Permission.WRITE_FILES, Permission.CREATE_FILES}),
    category="write",
    risk="medium",
    effects=lambda args: (
        PathEffect("write", args.path, follows_link=False),
        PathEffect("create", args.new_path, follows_link=False),
    ),
    run=_run,
    changes=_changes,
)
