"""Save the state of a folder before a command on trial, so that what the command did is found after a kill, too."""

import json
import os
from collections.abc import Mapping, Sequence

from planact.adapters.store.git.file_states import FileStates, WatchedPaths
from planact.adapters.store.git.tree import TrackedFiles, Tree
from planact.adapters.store.git.trial import TrialScope, TrialState
from planact.model.runs.touch import FileState

_VERSION = 1


def saved_text(state: TrialState, about: str) -> str:
    """Return a state as text, with words of the caller's. What git tracks is left to its index."""
    scope, tree = state.scope, state.scope.tree
    modes: dict[int, list[str]] = {}
    for path, mode in tree.clean.items():
        modes.setdefault(mode, []).append(path)
    data = {
        "version": _VERSION,
        "about": about,
        "is_asked": scope.is_asked,
        "rules": scope.rules,
        "known": None if scope.ignored is tree.ignored else scope.ignored,
        "clean": [*modes.items()],
        "tree": {
            "folders": tree.folders,
            "hollow": tree.hollow,
            "ignored": tree.ignored,
            "has_git": tree.has_git,
            "closed": sorted(tree.closed),
            "links": sorted(tree.links),
            "former": tree.former,
            "files": _as_numbers(tree.files),
            "shared": _as_numbers(tree.shared),
        },
        "own": {**dict.fromkeys(sorted(state.watched.paths)), **_as_numbers(state.own)},
        "kept": {path: file.model_dump() for path, file in state.kept.items()},
        "held": sorted(state.held),
        "unsettled": sorted(state.unsettled),
    }
    return json.dumps(data)


def saved_state(text: str, states: FileStates, tracked: TrackedFiles, ended: int | None) -> tuple[str, TrialState]:
    """Return the words of the caller's, and the state that was saved. What changed after `ended` (ns) was changed by
    others than the command. Raises ValueError, KeyError or TypeError, where the text is no such state.
    """
    data = json.loads(text)
    if data["version"] != _VERSION:
        raise ValueError(data["version"])
    saved = data["tree"]
    clean = {path: int(mode) for mode, paths in data["clean"] for path in paths}
    tree = Tree(
        folders=saved["folders"],
        hollow=saved["hollow"],
        ignored=saved["ignored"],
        has_git=saved["has_git"],
        closed=set(saved["closed"]),
        links=set(saved["links"]),
        former=saved.get("former", {}),
        files=_as_statuses(saved["files"]),
        shared=_as_statuses(saved["shared"]),
        clean={path: mode for path, mode in clean.items() if path in tracked.index.files},
    )
    # The user has taken them out of git meanwhile, so that it can't tell any more how they were.
    tree.files |= {path: os.stat_result((0,) * 10) for path in clean.keys() - tree.clean.keys()}
    rules = {path: (a, b, c, d, e) for path, (a, b, c, d, e) in data["rules"].items()}
    known = tree.ignored if data["known"] is None else data["known"]
    held = frozenset(data["held"])
    return data["about"], TrialState(
        states,
        TrialScope(tracked, tree, data["is_asked"], rules, known, {}, held),
        watched=WatchedPaths.of(data["own"].keys()),
        own=_as_statuses({path: numbers for path, numbers in data["own"].items() if numbers}),
        kept={path: FileState.model_validate(file) for path, file in data["kept"].items()},
        held=held,
        unsettled=frozenset(data["unsettled"]),
        ended=ended,
    )


_TIMES = ("st_mtime_ns", "st_ctime_ns")


def _numbers(status: os.stat_result) -> Sequence[int]:
    return [*(int(number) for number in status[:10]), *(getattr(status, name) for name in _TIMES)]


def _as_numbers(statuses: Mapping[str, os.stat_result]) -> Mapping[str, Sequence[int]]:
    return {path: _numbers(status) for path, status in statuses.items()}


def _as_statuses(saved: Mapping[str, Sequence[int]]) -> dict[str, os.stat_result]:
    return {
        path: os.stat_result(numbers[:10], dict(zip(_TIMES, numbers[10:], strict=True)))
        for path, numbers in saved.items()
    }
