"""Calls that make a language server's edits: they are made out before the verdict, and then made exactly so."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pydantic import PrivateAttr

from planact.base.errors import Conflict, EditFailure
from planact.base.text import counted, first_few, named, one_line
from planact.model.navigation import ServerAnswer
from planact.model.rights.permission import Effect, PathEffect, Permission
from planact.model.runs.change import Change, ReplaceText
from planact.tools.diagnostics.code_access import ShownEdit
from planact.tools.edit.workspace_edit import PlannedEdit, PlannedFile, plan_edit, refused
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool import Args, Tool

_MOST_NAMED = 50
_NO_SERVER = "Find the places by search_symbol, and change them by update_file."


class EditArgs(Args):
    """`path` is the file that the server is asked about."""

    path: str
    _planned: PlannedEdit | None = PrivateAttr(default=None)

    @property
    def planned(self) -> PlannedEdit:
        """Return the edits, once they are made out."""
        assert self._planned is not None
        return self._planned


EditCall = TypeVar("EditCall", bound=EditArgs)


def edit_tool(
    name: str,
    summary: str,
    args: type[EditCall],
    prepare: Callable[[EditCall, ReadAccess], Awaitable[EditCall]],
    run: Callable[[EditCall, Permit], Awaitable[str]],
) -> Tool[EditCall]:
    """Return a tool for such calls: all of their edits are made, or none."""
    return Tool(
        name=name,
        summary=summary,
        args=args,
        required_permissions=frozenset({Permission.READ_FILES, Permission.WRITE_FILES}),
        category="write",
        risk="medium",
        effects=edit_effects,
        run=run,
        changes=planned_changes,
        prepare=prepare,
        is_whole=True,
    )


def edit_effects(args: EditArgs) -> tuple[Effect, ...]:
    """Return the effects: writing the file itself, until the edits are made out."""
    if args._planned is None:  # noqa: SLF001 - of the same module
        return (PathEffect("write", args.path),)
    return (PathEffect("read", args.path), *args.planned.effects)


def with_plan(args: EditCall, answer: ServerAnswer[ShownEdit] | None, name: str) -> EditCall:
    """Return the arguments with the edits of an answer. Raises EditFailure, Conflict."""
    found = found_in(answer, name)
    assert answer is not None
    return with_planned(args, plan_edit(answer.server, *found))


def with_planned(args: EditCall, planned: PlannedEdit) -> EditCall:
    """Return the arguments with edits."""
    copy = args.model_copy()
    copy._planned = planned  # noqa: SLF001 - of the same module
    return copy


T = TypeVar("T")


def found_in(answer: ServerAnswer[T] | None, path: str) -> T:
    """Return the answer of a language server. Raises Conflict where none could be asked, EditFailure where it can't."""
    if answer is None:
        message = f"no language server here knows the names in {named(path)}"
        raise Conflict("LANGUAGE_SERVER_UNUSABLE", message, _NO_SERVER)
    if answer.found is None:
        trouble = one_line(answer.trouble, 300)
        raise EditFailure("EDIT_REFUSED", f"{answer.server} can't do that: {trouble}", _NO_SERVER)
    return answer.found


def planned_changes(args: EditArgs, access: ReadAccess) -> Sequence[Change]:
    """Return the changes of files, exactly as planned.

    Raises:
        EditFailure: EDIT_CONFLICT, where a file has another text than the one that the server knew.
    """
    if args.planned.unread:
        names = ", ".join(map(named, args.planned.unread[:5]))
        raise refused(f"it is also about {names}, where there is no text that can be changed")
    return [_change(file, access) for file in args.planned.files]


async def make_edits(args: EditArgs, permit: Permit, label: str) -> str:
    """Make the edits; return where they are, and what others changed there."""
    changes = await permit.apply(await asyncio.to_thread(planned_changes, args, permit), label)
    files = args.planned.files
    told = first_few([f"{named(file.path)} ({len(file.edits)})" for file in files], _MOST_NAMED)
    places = counted(sum(len(file.edits) for file in files), "place")
    news = permit.news(changes)
    return f"{places} in {counted(len(files), 'file')}, by {args.planned.server}: {told}{news}"


def _change(file: PlannedFile, access: ReadAccess) -> Change:
    now = access.read_as_planned(file.path)
    if now.text != file.before:
        message = f"{named(file.path)} has changed since the language server was asked"
        raise EditFailure("EDIT_CONFLICT", message, "Make the call again.")
    return ReplaceText(access.place(file.path), now, file.edits)
