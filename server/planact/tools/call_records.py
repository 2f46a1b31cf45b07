"""Records of one call: entries in the journal, events for the metrics, and notices that the user sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planact.model.chat.message import ToolCall
from planact.model.notice import CallRuns, CommandOutput, FilesEdited, RunningCall, ToolNotice
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Mode
from planact.model.runs.change import Change
from planact.model.runs.journal import Event, EventKind
from planact.policy.context import Request
from planact.ports import Ports
from planact.tools.doing import doing
from planact.tools.edit.difference import line_counts
from planact.tools.tool_result import Failed, Refused
from planact.tools.trace import ChangeRefused
from planact.tools.turn import Turn


@dataclass(frozen=True, slots=True)
class CallRecords:
    """Records of `call`, made in `turn`."""

    ports: Ports
    turn: Turn
    call: ToolCall

    def write(self, kind: str, data: dict[str, Any], *, is_synced: bool = True) -> int:
        """Append an entry to the journal, on disk before this returns, and return its number. Raises StorageFailure."""
        entry = {"call_id": self.call.id, **data}
        return self.ports.journal.append(self.turn.session_id, self.turn.execution_id, kind, entry, is_synced=is_synced)

    def show_start(self, tool: str, description: str, confinement: Confinement | None) -> None:
        """Show that the call begins; `confinement` is the jail of its command, if it runs one."""
        self.ports.editor.notify(ToolNotice(self.turn.session_id, tool, description, confinement=confinement))

    def show_run(self, about: str, since: str, *, is_over: bool) -> None:
        """Show that the call runs since then, or that its run is over; `about` is what it is for."""
        call = RunningCall(call_id=self.call.id, tool=self.call.name, text=doing(self.call.name, about), since=since)
        self.ports.editor.notify(CallRuns(self.turn.session_id, call, is_check=not self.turn.model, is_over=is_over))

    def show_output(self, text: str) -> None:
        """Show a piece of a command's output."""
        self.ports.editor.notify(CommandOutput(self.turn.session_id, text))

    def show_edits(self, changes: Sequence[Change]) -> None:
        """Show which files were changed, and how many lines of each."""
        self.ports.editor.notify(FilesEdited(self.turn.session_id, tuple(line_counts(changes))))

    def show_failure(self, failed: Failed) -> None:
        """Show that the call failed while it ran."""
        self.ports.editor.notify(ToolNotice(self.turn.session_id, self.call.name, failed.message, failed.code))

    def record_failed(self, failed: Failed) -> None:
        """Record and show a call that was not begun, since its arguments make no sense or its changes can't be made."""
        self.record_event("tool_called", self.call.name, self.turn.policy_context().mode, outcome=failed.code)
        self.show_failure(failed)

    def record_refused(self, refused: Refused, request: Request, description: str) -> None:
        """Record a refusal and show it; `description` = the call's arguments for people."""
        turn = self.turn
        if request.is_change:
            reason = f"{refused.tool} was refused ({refused.code}): {refused.message}"
            turn.trace.refused.append(ChangeRefused(reason, is_edit=request.is_edit))
        data = {"layer": refused.layer, "code": refused.code, "message": refused.message}
        entry = {"tool": refused.tool, "mode": refused.mode.value, **data, "call": self.call.model_dump()}
        self.ports.journal.append(turn.session_id, turn.execution_id, "call_refused", entry)
        self.record_event("tool_refused", refused.tool, refused.mode, **data)
        if refused.mode is Mode.PLAN and refused.layer != "user":
            self.record_event("disallowed_tool_attempt_in_planning", refused.tool, refused.mode, **data)
        self.ports.editor.notify(ToolNotice(turn.session_id, refused.tool, refused.message, refused.code, description))

    def record_event(self, kind: EventKind, tool: str, mode: Mode, **more: str) -> None:
        """Record an event for the metrics."""
        time = self.ports.clock.now().isoformat()
        data = {"tool": tool, "mode": mode.value, "model": self.turn.model, **more}
        self.ports.events.record(Event(kind=kind, session_id=self.turn.session_id, time=time, data=data))
