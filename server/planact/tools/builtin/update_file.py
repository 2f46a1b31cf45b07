"""Change text files: by replacements in one file, or by a patch over several. All of a call or none."""

import asyncio
from collections.abc import Sequence
from typing import Self

from pydantic import Field, model_validator

from planact.base.errors import EditFailure
from planact.base.filetext import newline
from planact.base.span import Span, TextEdit, apply_edits
from planact.model.rights.permission import Effect, PathEffect, Permission
from planact.model.runs.change import Change, CreateFile, RenameFile, ReplaceText
from planact.tools.edit.hunks import plan_hunks
from planact.tools.edit.patch import Patch, PatchAdd, PatchDelete, PatchFile, PatchReplace, PatchUpdate, parse_patch
from planact.tools.edit.problem import EditProblem
from planact.tools.edit.replace import Replacement, plan_edits
from planact.tools.edit.splice import compose
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool import Args, Tool


class Edit(Args):
    """`old` must stand exactly once in the file, unless `replace_all`."""

    old: str = Field(description="whole lines as the file has them, with lines around until they stand there once")
    new: str = Field(description="what stands there afterwards; empty = nothing")
    replace_all: bool = Field(default=False, description="change each place where `old` stands")


class UpdateFileArgs(Args):
    """`path` with `edits`, or `patch` alone."""

    path: str = ""
    edits: tuple[Edit, ...] = Field(default=(), max_length=200, description="made in their order, at most 200")
    patch: str = Field(default="", description="in place of `path` and `edits`")

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if bool(self.patch) == bool(self.path and self.edits) or (self.patch and (self.path or self.edits)):
            raise ValueError("give either `path` with `edits`, or `patch`")
        return self


def _effects(args: UpdateFileArgs) -> tuple[Effect, ...]:
    if not args.patch:
        return (PathEffect("write", args.path),)
    patch = parse_patch(args.patch)
    if isinstance(patch, EditProblem):
        return ()  # nothing is touched: running it reports the fault
    return tuple(effect for file in patch.files for effect in _patch_effects(file))


def _patch_effects(file: PatchFile) -> Sequence[Effect]:
    match file:
        case PatchAdd(path=path):
            return (PathEffect("create", path),)
        case PatchReplace(path=path):
            return (PathEffect("write", path),)
        case PatchDelete(path=path):
            return (PathEffect("delete", path, follows_link=False),)
        case PatchUpdate(path=path, move_to=target):
            return (PathEffect("write", path), *((PathEffect("create", target),) if target else ()))


def _changes(args: UpdateFileArgs, sight: ReadAccess) -> Sequence[Change]:
    return _patched(_parsed(args.patch), sight) if args.patch else (_replaced(args, sight),)


async def _run(args: UpdateFileArgs, permit: Permit) -> str:
    if args.patch:
        patch = _parsed(args.patch)
        names = ", ".join(file.path for file in patch.files)
        made = await permit.apply(await asyncio.to_thread(_patched, patch, permit), f"Patch {names}")
        paths = list(dict.fromkeys(change.place.asked for change in made))
        return f"changed {', '.join(paths)}{permit.news(made)}"
    change = await asyncio.to_thread(_replaced, args, permit)
    await permit.apply((change,), f"Edit {args.path}")
    places = "place" if len(change.edits) == 1 else "places"
    return f"changed {args.path}: {len(change.edits)} {places}{permit.news([change])}"


def _replaced(args: UpdateFileArgs, sight: ReadAccess) -> ReplaceText:
    file = sight.read_to_change(args.path)
    replacements = [Replacement(edit.old, edit.new, edit.replace_all) for edit in args.edits]
    edits = _edits_or_raise(plan_edits(file.text, replacements), args.path)
    if apply_edits(file.text, edits) == file.text:
        raise EditFailure("EDIT_REFUSED", f"{args.path} already reads like that", "Go on; nothing is to be changed.")
    return ReplaceText(sight.place(args.path), file, edits)


def _parsed(text: str) -> Patch:
    patch = parse_patch(text)
    if isinstance(patch, EditProblem):
        raise EditFailure(patch.code, patch.message, patch.hint)
    return patch


def _patched(patch: Patch, sight: ReadAccess) -> Sequence[Change]:
    changes: list[Change] = []
    updated: dict[str, ReplaceText] = {}
    for file in patch.files:
        place = sight.place(file.path)
        match file:
            case PatchAdd(text=text):
                changes.append(CreateFile(place, text))
            case PatchReplace(path=path, text=text):
                before = sight.read_to_change(path)
                whole = TextEdit(Span(0, len(before.text)), text.replace("\n", newline(before.text) or "\n"))
                changes.append(ReplaceText(place, before, (whole,)))
            case PatchDelete(path=path):
                changes.append(sight.removal(path))
            case PatchUpdate(path=path, move_to=target):
                changes += _updated(file, updated, sight)
                if target and sight.entry(file.path).is_link:
                    message = f"{file.path} is a link, and moving it would leave the file that was changed"
                    raise EditFailure("EDIT_REFUSED", message, "Move the file itself, or move the link by rename_file.")
                if target:
                    changes.append(RenameFile(place, sight.place(target)))
    return [
        updated.get(change.place.asked, change) if isinstance(change, ReplaceText) else change for change in changes
    ]


def _updated(file: PatchUpdate, updated: dict[str, ReplaceText], sight: ReadAccess) -> Sequence[ReplaceText]:
    """Plan an update on what those of the same file before it in the patch leave; one change is made of them all."""
    earlier = updated.get(file.path)
    before, planned = (earlier.before, earlier.edits) if earlier else (sight.read_to_change(file.path), ())
    text = apply_edits(before.text, planned)
    edits = _edits_or_raise(plan_hunks(text, file.hunks), file.path)
    if not edits:
        return ()
    updated[file.path] = ReplaceText(sight.place(file.path), before, compose(text, planned, edits))
    return () if earlier else (updated[file.path],)


def _edits_or_raise(edits: tuple[TextEdit, ...] | EditProblem, path: str) -> tuple[TextEdit, ...]:
    if isinstance(edits, EditProblem):
        raise EditFailure(edits.code, f"{path}: {edits.message}", edits.hint)
    return edits


UPDATE_FILE = Tool(
    name="update_file",
    summary=(
        "Change a text file: each `old` is copied from it and must stand exactly once in it, unless `replace_all`. "
        "Or send an apply_patch style `patch` over several files. All of a call or nothing is changed. "
        "EDIT_NOT_FOUND: the file has other lines, which are shown. EDIT_AMBIGUOUS: `old` stands in the places named; "
        "add lines. EDIT_CONFLICT: others changed the file as shown; edit what is there now."
    ),
    args=UpdateFileArgs,
    required_permissions=frozenset({Permission.READ_FILES, Permission.WRITE_FILES}),
    category="write",
    risk="medium",
    effects=_effects,
    run=_run,
    changes=_changes,
    examples=(
        '{"path": "src/a.py", "edits": [{"old": "limit = 10", "new": "limit = 20"}]}',
        '{"patch": "*** Begin Patch\\n*** Update File: src/a.py\\n@@\\n-limit = 10\\n+limit = 20\\n*** End Patch"}',
    ),
)
