"""Rename a name in all files that use it, by a language server."""

from pydantic import Field

from planact.model.rights.permission import Permission
from planact.tools.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.symbols.edit_call import EditArgs, edit_effects, make_edits, planned_changes, with_plan
from planact.tools.symbols.named_place import NameArgs, find_name
from planact.tools.tool import Tool


class RenameSymbolArgs(NameArgs, EditArgs):
    """A name in a line, and the new one."""

    new_name: str = Field(min_length=1, max_length=200, pattern=r"^\S+$")


async def _prepare(args: RenameSymbolArgs, access: ReadAccess) -> RenameSymbolArgs:
    code = await access.code(args.path)
    at = find_name(code.path, code.text, args)
    return with_plan(args, await code.propose_rename(at, args.new_name), code.path)


async def _run(args: RenameSymbolArgs, permit: Permit) -> str:
    made = await make_edits(args, permit, f"Rename {args.name} to {args.new_name}")
    return f"renamed {args.name} to {args.new_name} in {made}"


RENAME_SYMBOL = Tool(
    name="rename_symbol",
    summary=(
        "Rename a name and all its uses in all files by a language server; all or nothing is changed. "
        "Comments and strings may keep the old one."
    ),
    args=RenameSymbolArgs,
    required_permissions=frozenset({Permission.READ_FILES, Permission.WRITE_FILES}),
    category="write",
    risk="medium",
    effects=edit_effects,
    run=_run,
    changes=planned_changes,
    prepare=_prepare,
    is_whole=True,
)
