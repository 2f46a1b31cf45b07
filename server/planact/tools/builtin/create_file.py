"""Make a new text file."""

from planact.model.change import CreateFile
from planact.model.effect import Effect, PathEffect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool


class CreateFileArgs(Args):
    """Folders on the way are made."""

    path: str
    content: str


def _effects(args: CreateFileArgs) -> tuple[Effect, ...]:
    return (PathEffect("create", args.path),)


async def _run(args: CreateFileArgs, permit: Permit) -> str:
    await permit.apply((CreateFile(permit.place(args.path), args.content),), f"Create {args.path}")
    return f"created {args.path}"


CREATE_FILE = Tool(
    name="create_file",
    summary="Create a text file that doesn't exist yet.",
    args=CreateFileArgs,
    required_permissions=frozenset({Permission.WRITE_FILES, Permission.CREATE_FILES}),
    category="write",
    risk="medium",
    effects=_effects,
    run=_run,
)
