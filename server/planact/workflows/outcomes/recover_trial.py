"""Find out what a command on trial changed before its planact was killed, so that it is judged like any other."""

import asyncio
from collections.abc import Sequence
from typing import Any

from planact.base.text import first_few
from planact.model.runs.journal import JournalEntry
from planact.tools.commands.file_changes import file_change_of
from planact.workflows.trials import STARTED
from planact.workflows.workspace import Workspace

FOUND_LATER = "is_found_later"
"""In an entry `files_found`: its command was killed, and what it changed was found by another process."""

_NAMED = 5


async def recover_trial(ws: Workspace, begun: JournalEntry) -> Sequence[str]:
    """Write down what the last command of a killed run changed on trial, and take away what programs would load by
    themselves. Return what was done, in a line each. Killed in between, the next call goes on with it. The caller holds
    the lock of runs, and has ended the command's processes.

    Raises:
        StorageFailure: it can't be written.
    """
    scratch = ws.ports.scratch.of(begun.session_id)
    removed, ended = await asyncio.to_thread(ws.ports.runner.put_back_killed, scratch)
    names = first_few(removed, _NAMED)
    done = [f"removed {names}, which a command had made and programs load by themselves"] if removed else []
    saved = await asyncio.to_thread(ws.ports.footprints.saved, ended)
    if saved is None:
        return done
    about, before = saved
    run_id, _, sequence = about.partition(" ")
    started = _unfinished(ws, run_id, int(sequence)) if run_id == begun.execution_id else None
    if started is not None:
        touches = await asyncio.to_thread(before.found)
        if ended is None:  # others may have changed since what only its times tell
            touches = [touch.model_copy(update={"left": ""}) for touch in touches]
        tried = {"tried": started.data["command"], FOUND_LATER: True}

        def write(kind: str, data: dict[str, Any]) -> None:
            entry = {"call_id": started.data["call_id"], **data}
            ws.ports.journal.append(begun.session_id, begun.execution_id, kind, entry)

        for change in map(file_change_of, touches):
            write("file_changed", change.model_dump())
        write("files_found", {"touches": [touch.model_dump() for touch in touches], **tried})
        if touches:
            names = first_few([touch.path for touch in touches], _NAMED)
            done.append(f"found what a command that was killed had changed: {names}. You are asked about it next")
    ws.ports.footprints.forget()
    return done


def _unfinished(ws: Workspace, run_id: str, sequence: int) -> JournalEntry | None:
    """Return the entry with that number, if it starts a trial and nothing says yet what that changed."""
    entries = ws.ports.journal.read(run_id, (STARTED, "files_found"))
    later = [entry for entry in entries if entry.sequence >= sequence]
    is_open = later and later[0].sequence == sequence and not any(entry.data.get("tried") for entry in later)
    return later[0] if is_open else None
