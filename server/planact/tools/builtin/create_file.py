"""Make a new text file."""

import asyncio
from collections.abc import Sequence

from pydantic import Field

from planact.model.rights.permission import PathEffect, Permission
from planact.model.runs.change import Change, CreateFile
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool import Args, Tool


class CreateFileArgs(Args):
    """Folders on the way are made."""

    path: str
    content: str = Field(description="the whole text")


def _changes(args: CreateFileArgs, sight: ReadAccess) -> Sequence[Change]:
    return (CreateFile(sight.place(args.path), args.content),)


async def _run(args: CreateFileArgs, permit: Permit) -> str:
    await permit.apply(await asyncio.to_thread(_changes, args, permit), f"Create {args.path}")
    return f"created {args.path}"


CREATE_FILE = Tool(
    name="create_file",
    summary="Create a text file that doesn't exist yet.",
    args=CreateFileArgs,
    required_permissions=frozenset({Permission.WRITE_FILES, Permission.CREATE_FILES}),
    category="write",
    risk="medium",
    effects=lambda args: (PathEffect("create", args.path),),
    run=_run,
    changes=_changes,
)
