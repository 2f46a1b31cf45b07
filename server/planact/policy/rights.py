"""What remains of rights that are cut down by other rights: a delegate has its role's, its parent's and the mode's.

Patterns are never merged into one: each set is kept and must be met, so that nothing can get wider by a clever pattern.
"""

import re
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from planact.model.permission import Mode
from planact.model.role import Rights
from planact.policy.modes import MODE_PERMISSIONS

_WILD = re.compile(r"[*?\[]")


def intersect(*all_rights: Rights) -> Rights:
    """What all of them allow. At least one must be given."""
    first, *others = all_rights
    return Rights(
        permissions=first.permissions.intersection(*(rights.permissions for rights in others)),
        tools=first.tools.union(*(rights.tools for rights in others)),
        paths=first.paths.union(*(rights.paths for rights in others)),
    )


def mode_rights(mode: Mode) -> Rights:
    """What a mode allows at all; effects are judged by `policy.decide`."""
    return Rights(MODE_PERMISSIONS[mode])


def may_use(rights: Rights, tool: str) -> bool:
    """Whether a tool may be called, apart from what it touches."""
    return all(any(fnmatchcase(tool, name) for name in names) for names in rights.tools)


def may_use_some(rights: Rights, beginning: str) -> bool:
    """Whether there may be a tool that may be called and whose name begins so."""
    return all(any(_may_begin(name, beginning) for name in names) for names in rights.tools)


def may_write(rights: Rights, path: PurePosixPath) -> bool:
    """Whether something at `path`, relative to the workspace folder and with links followed, may be written.

    `*`, `?` and `[…]` match within a name; `**` stands for any number of folders, and at the end for the folder itself
    and everything below it, as a closing slash does.
    """
    return all(any(_matches(path.parts, _parts(pattern)) for pattern in patterns) for patterns in rights.paths)


def _may_begin(pattern: str, beginning: str) -> bool:
    head = _WILD.split(pattern, maxsplit=1)[0]
    return head.startswith(beginning) or (head != pattern and beginning.startswith(head))


def _parts(pattern: str) -> tuple[str, ...]:
    parts = PurePosixPath(pattern).parts
    return (*parts, "**") if pattern.endswith("/") else parts


def _matches(names: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """In time that grows with the product of the lengths, whatever a hostile pattern looks like."""
    reached = {0}  # how many of the parts the names so far can have used up
    for name in names:
        reached = _beyond_folders(reached, parts)
        stay = {at for at in reached if at < len(parts) and parts[at] == "**"}
        step = {at + 1 for at in reached - stay if at < len(parts) and fnmatchcase(name, parts[at])}
        reached = stay | step
    return len(parts) in _beyond_folders(reached, parts)


def _beyond_folders(reached: set[int], parts: tuple[str, ...]) -> set[int]:
    """With the places behind `**`, which may stand for no folder at all."""
    found = set(reached)
    for at, part in enumerate(parts):
        if part == "**" and at in found:
            found.add(at + 1)
    return found
