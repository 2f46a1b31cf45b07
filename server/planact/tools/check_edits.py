"""What language servers of planact's own say of a call's edits, and of earlier ones, behind its result."""

from collections.abc import Sequence

from planact.base.span import apply_edits
from planact.model.file import EditedText
from planact.model.runs.change import Change, CreateFile, DeleteFile, RenameFile, ReplaceText
from planact.ports import Ports
from planact.tools.problem_lines import edit_check_lines
from planact.tools.tool_result import Done, ToolResult, with_note
from planact.tools.turn import Turn


def check_edits(ports: Ports, session_id: str, changes: Sequence[Change]) -> None:
    """Have the files of changes that were made checked, unless the editor tells what its servers say."""
    if ports.editor.has_diagnostics():
        return
    edits: dict[str, EditedText] = {}
    left: list[str] = []
    for change in changes:
        path = change.place.shown
        match change:
            case ReplaceText(before=before):
                edits[path] = EditedText(path, before.text, apply_edits(before.text, change.edits))
            case CreateFile(text=text):
                edits[path] = EditedText(path, None, text)
            case RenameFile(target=target):
                left.append(path)
                if edit := edits.pop(path, None):
                    edits[target.shown] = EditedText(target.shown, edit.before, edit.after)
                else:
                    left.append(target.shown)
            case DeleteFile():
                left.append(path)
            case _:
                continue
    ports.language_servers.files_changed(left)
    ports.language_servers.check_edits(session_id, tuple(edits.values()))


async def with_edit_checks(ports: Ports, turn: Turn, result: ToolResult) -> ToolResult:
    """Return the result of a model's call with what is known by now of its edits and of those before."""
    if not isinstance(result, Done) or not turn.model or ports.editor.has_diagnostics():
        return result
    checks = await ports.language_servers.news(turn.session_id)
    return with_note(result, "\n".join(edit_check_lines(checks))) if checks else result
