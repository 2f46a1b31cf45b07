"""Delete a file or an empty directory."""

from planact.model.change import DeleteFile
from planact.model.effect import Effect, PathEffect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool


class DeleteFileArgs(Args):
    """Directories must be empty."""

    path: str


def _effects(args: DeleteFileArgs) -> tuple[Effect, ...]:
    return (PathEffect("delete", args.path),)


async def _run(args: DeleteFileArgs, permit: Permit) -> str:
    place = permit.place(args.path)
    before = "" if place.is_directory else permit.digest(args.path)
    await permit.apply((DeleteFile(place, before),), f"Delete {args.path}")
    return f"deleted {args.path}"


DELETE_FILE = Tool(
    name="delete_file",
    summary="Delete a file or an empty directory.",
    args=DeleteFileArgs,
    required_permissions=frozenset({Permission.READ_FILES, Permission.DELETE_FILES}),
    category="write",
    risk="high",
    effects=_effects,
    run=_run,
    requires_approval=True,
)
