"""Make a quick fix of a language server, or have it organise a file's imports."""

from collections.abc import Sequence

from pydantic import Field, PrivateAttr

from planact.base.errors import InvalidInput
from planact.base.text import named
from planact.model.navigation import CodeAction, ServerAnswer
from planact.tools.edit.workspace_edit import PlannedEdit
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.symbols.edit_call import (
    EditArgs,
    edit_tool,
    found_in,
    make_edits,
    with_plan,
    with_planned,
)


class CodeActionArgs(EditArgs):
    """Without a title, those that there are are told."""

    line: int = Field(ge=1, description="from 1, of the problem; any line for imports")
    title: str = Field(default="", max_length=300, description="as it was told; empty = tell the titles")
    _titles: str = PrivateAttr(default="")

    @property
    def titles(self) -> str:
        """Return the titles that the server offers, as text; empty where one was chosen."""
        return self._titles

    def with_titles(self, server: str, titles: str) -> "CodeActionArgs":
        """Return the arguments of a call that only tells titles."""
        copy = with_planned(self, PlannedEdit(server))
        copy._titles = titles  # noqa: SLF001 - of this class
        return copy


async def _prepare(args: CodeActionArgs, access: ReadAccess) -> CodeActionArgs:
    code = await access.code(args.path)
    answer = await code.propose_actions(args.line)
    actions = found_in(answer, code.path)
    assert answer is not None
    if not args.title:
        return args.with_titles(answer.server, _titles(actions, args))
    chosen = [action for action in actions if action.title == args.title]
    if len(chosen) != 1:
        count = "is none" if not chosen else f"stands {len(chosen)} times among those"
        message = f"{args.title!r} {count} of line {args.line} of {named(args.path)}"
        raise InvalidInput("INVALID_ARGUMENTS", message, _titles(actions, args))
    return with_plan(args, await code.propose_action(args.line, ServerAnswer(answer.server, chosen[0])), code.path)


def _titles(actions: Sequence[CodeAction], args: CodeActionArgs) -> str:
    titles = "".join(f"\n- {title}" for title in dict.fromkeys(action.title for action in actions))
    place = f"line {args.line} of {named(args.path)}"
    return f"For {place} there are:{titles}" if titles else f"For {place} there is no quick fix."


async def _run(args: CodeActionArgs, permit: Permit) -> str:
    if args.titles:
        return args.titles
    return f"{args.title}: {await make_edits(args, permit, args.title)}"


CODE_ACTION = edit_tool(
    name="code_action",
    summary=(
        "Make a language server's quick fix of a line's problem, or have it organise the file's imports, by its title. "
        "Without a title, the titles are told."
    ),
    args=CodeActionArgs,
    run=_run,
    prepare=_prepare,
)
