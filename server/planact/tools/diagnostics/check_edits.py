"""What language servers say of a call's edits, and of earlier ones, behind its result."""

from collections.abc import Sequence

from planact.base.span import apply_edits
from planact.base.text import one_line
from planact.model.file import EditedText
from planact.model.notice import ToolNotice
from planact.model.runs.change import Change, CreateFile, RenameFile, ReplaceText
from planact.model.runs.execution import FileChange
from planact.policy.protected import PLAN_SUFFIX
from planact.ports import Ports
from planact.tools.diagnostics.problem_lines import edit_check_lines
from planact.tools.tool_result import Done, ToolResult, with_note
from planact.tools.turn import Turn

_LONGEST = 300


async def prepare_edits(ports: Ports, session_id: str, changes: Sequence[Change]) -> None:
    """Learn the problems of files that are about to be changed."""
    paths = [change.place.shown for change in changes if isinstance(change, ReplaceText) and _is_checked(change)]
    if paths:
        await ports.language_servers.prepare_edits(session_id, paths)


def check_edits(ports: Ports, session_id: str, changes: Sequence[Change], made: Sequence[FileChange]) -> None:
    """Have the files of `changes`, which were made as `made` says, checked."""
    edits: dict[str, EditedText] = {}
    for change in filter(_is_checked, changes):
        path = change.place.shown
        match change:
            case ReplaceText(before=before):
                edits[path] = EditedText(path, before.text, apply_edits(before.text, change.edits))
            case CreateFile(text=text):
                edits[path] = EditedText(path, None, text)
            case RenameFile(target=target):
                if edit := edits.pop(path, None):
                    edits[target.shown] = EditedText(target.shown, edit.before, edit.after)
            case _:
                continue
    ports.language_servers.files_changed([change for change in made if change.path not in edits])
    ports.language_servers.check_edits(session_id, tuple(edits.values()))


async def with_edit_checks(ports: Ports, turn: Turn, result: ToolResult) -> ToolResult:
    """Return the result of a model's call with what is known by now of its edits and of those before."""
    if not isinstance(result, Done) or not turn.model:
        return result
    checks = await ports.language_servers.news(turn.session_id)
    for check in checks:
        if check.trouble:
            text = f"can't check files: {one_line(check.trouble, _LONGEST)}"
            ports.editor.notify(ToolNotice(turn.session_id, check.server, text, "LANGUAGE_SERVER_UNUSABLE"))
    return with_note(result, "\n".join(edit_check_lines(checks))) if checks else result


def _is_checked(change: Change) -> bool:
    """Return whether the file is of interest: plans have problems of planact's own."""
    path = change.place.relative
    return path is not None and path.suffix != PLAN_SUFFIX
