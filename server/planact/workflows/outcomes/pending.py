"""Read from the journal what commands on trial changed and nobody has judged yet."""

import stat
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from planact.model.runs.touch import LARGEST_UNDONE, NOTHING, OTHER, FileState, Touch
from planact.policy.outcomes import Outcome
from planact.tools.edit.touches import file_at, state_now
from planact.workflows.history.undo_changes import FileTouch, StepRef, UndoPlan, plan_undo
from planact.workflows.trials import DISCARDING, JUDGED, STARTED
from planact.workflows.workspace import Workspace

_KINDS = ("step_started", STARTED, DISCARDING, JUDGED, "files_found", "files_changing", "files_unchanged")


@dataclass(frozen=True, slots=True)
class PendingOutcomes:
    """What waits in a run.

    Attributes:
        outcomes: the paths that differ from what they were, in order.
        deeds: all changes of each path since the first one on trial.
        edited: files that the agent's own edits changed before that in the same step.
        written_before: those that they changed in earlier steps.
        discarding: paths that the user wants as they were, where putting them back was cut short.
    """

    outcomes: tuple[Outcome, ...]
    deeds: Mapping[str, Sequence[FileTouch]]
    edited: frozenset[str]
    written_before: frozenset[str]
    discarding: frozenset[str]


def pending_outcomes(ws: Workspace, execution_id: str, sequence: int = -1) -> PendingOutcomes:
    """Return the changes of a run that wait to be judged, or only those made on trial after that entry of the journal.
    May be called from any thread.
    """
    part = StepRef(execution_id, -1)
    deeds: dict[str, list[FileTouch]] = {}
    commands: dict[str, dict[str, None]] = {}
    edited: dict[str, int] = {}
    discarding: frozenset[str] = frozenset()
    step = 0
    for entry in ws.ports.journal.read(execution_id, _KINDS):
        match entry.kind:
            case "step_started":
                step = int(entry.data["step"]["step_number"])
            case "outcomes_judged":
                deeds, commands, discarding = {}, {}, frozenset()
            case "outcomes_discarding":
                discarding = frozenset(entry.data["paths"])
            case "files_found" | "files_changing":
                tried = str(entry.data.get("tried", "")) if entry.sequence > sequence else ""
                touches = [Touch.model_validate(touch) for touch in entry.data.get("touches", ())]
                edits = touches if entry.kind == "files_changing" else ()
                edited |= {touch.path: step for touch in edits if touch.path not in deeds}
                for touch in (touch for touch in touches if tried or touch.path in deeds):
                    deeds.setdefault(touch.path, []).append(FileTouch(part, entry.sequence, touch, is_recorded=True))
                    commands.setdefault(touch.path, {}).update({tried: None} if tried else {})
            case "files_unchanged":
                for path in entry.data["paths"]:  # its last change wasn't made
                    if deeds.get(path):
                        deeds[path].pop()
            case _:
                pass
    in_step = frozenset(path for path, at in edited.items() if at == step)
    outcomes = tuple(_still_there(ws, deeds, commands))
    return PendingOutcomes(outcomes, deeds, in_step, frozenset(edited.keys() - in_step), discarding)


def undo_of(ws: Workspace, pending: PendingOutcomes, paths: Collection[str], going: Collection[str] = ()) -> UndoPlan:
    """Plan how these paths are put back as they were; what others changed since is in `moved_on`. What is `going`
    counts as gone, since it is removed before.
    """
    now = {path: NOTHING if path in going else _now(ws, path) for path in paths}
    deeds = [deed for path in paths for deed in _as_gone(pending.deeds[path], now[path])]
    undo = plan_undo(deeds, {deed.part for deed in deeds}, now.__getitem__, partial(file_at, ws.ports))
    undo.leave_what_is_lost(lambda sha256: ws.ports.journal.kept(sha256) is not None)
    return undo


def going_paths(ws: Workspace, pending: PendingOutcomes, paths: Collection[str]) -> Mapping[str, str]:
    """Return the paths that are to be removed before others are put back, where it is known what was there before:
    those at which commands left a pipe, a socket or a whiteout, and files whose content can't be told, these with the
    identity by which they are still what the command left.
    """
    lasts = {path: pending.deeds[path][-1].touch for path in paths if pending.deeds[path][0].touch.before is not None}
    told = {path: _going(ws, last) for path, last in lasts.items() if last.after == OTHER}
    found = {path: identity for path, identity in told.items() if identity is not None}
    if not found:
        return found
    undo = undo_of(ws, pending, found, found)
    stay = {*undo.stayed, *(each.path for each in undo.moved_on)}
    return {path: identity for path, identity in found.items() if path not in stay}


def _going(ws: Workspace, last: Touch) -> str | None:
    """Return the identity of a file that is as it was left, and an empty text for a pipe, a socket or a whiteout."""
    place = ws.ports.files.resolve_entry(last.path)
    if place.relative is None or str(place.relative) != last.path or not place.exists:
        return None
    mode = ws.ports.files.info(place).mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode):
        return ""
    is_left = last.left and last.path not in ws.ports.editor.unsaved(place)
    return last.left if is_left and ws.ports.files.identity(place) == last.left else None


def _as_gone(deeds: Sequence[FileTouch], now: FileState) -> Sequence[FileTouch]:
    """Return the deeds of a path; what could be told by no content and is gone by now counts as never left."""
    last = deeds[-1]
    if now != NOTHING or last.touch.after != OTHER:
        return deeds
    return [*deeds[:-1], replace(last, touch=last.touch.model_copy(update={"after": NOTHING}))]


def states_now(ws: Workspace, paths: Collection[str]) -> Mapping[str, FileState]:
    return {path: _now(ws, path) for path in sorted(paths)}


def _now(ws: Workspace, path: str) -> FileState:
    return state_now(ws.ports, path, LARGEST_UNDONE)


def _still_there(
    ws: Workspace, deeds: Mapping[str, Sequence[FileTouch]], commands: Mapping[str, Mapping[str, None]]
) -> list[Outcome]:
    if not commands:
        return []
    # Loaded with the first command, not with the server.
    from planact.shell.compare.without_filters import without_filters

    found: list[Outcome] = []
    for path, now in states_now(ws, [path for path in deeds if deeds[path]]).items():
        before = deeds[path][0].touch.before
        if before is None or before != now or before.kind == "other":
            bare = tuple(dict.fromkeys(map(without_filters, commands[path])))
            found.append(Outcome(path, before, now, bare))
    return found
