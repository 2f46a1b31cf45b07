"""Rename a name in all files that use it, by a language server."""

from pydantic import Field

from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.symbols.edit_call import EditArgs, edit_tool, make_edits, with_plan
from planact.tools.symbols.named_place import NameArgs, find_name


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


RENAME_SYMBOL = edit_tool(
    name="rename_symbol",
    summary=(
        "Rename a name and all its uses in all files by a language server; all or nothing is changed. "
        "Comments and strings may keep the old one."
    ),
    args=RenameSymbolArgs,
    run=_run,
    prepare=_prepare,
)
