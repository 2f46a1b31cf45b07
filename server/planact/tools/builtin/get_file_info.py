"""Tell what a path is, without reading it."""

import stat
from datetime import UTC, datetime

from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool


class GetFileInfoArgs(Args):
    """A file or directory."""

    path: str


async def _run(args: GetFileInfoArgs, permit: Permit) -> str:
    info = await permit.info(args.path)
    modified = datetime.fromtimestamp(info.modified, UTC).isoformat(timespec="seconds")
    return f"{args.path}: {info.kind}, {info.size} bytes, modified {modified}, {stat.filemode(info.mode)}"


GET_FILE_INFO = Tool(
    name="get_file_info",
    summary="Kind, size, time and mode of a file or directory.",
    args=GetFileInfoArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=lambda args: (PathEffect("read", args.path),),
    run=_run,
)
