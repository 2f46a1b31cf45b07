"""Modes described in one place for the gate, the prompts and the hover text, and rights cut down by other rights.

A delegate has the rights that its role, its parent and the mode all allow.

Patterns are never merged into one: each set is kept and must be met, so that no pattern, however clever, widens a
right.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from planact.model.rights.permission import Mode, Permission, Rights, Role

DELEGATING = "delegate"
"""The tool that hands a task to another role."""

MODE_PERMISSIONS: dict[Mode, frozenset[Permission]] = {
    Mode.PLAN: frozenset({Permission.READ_FILES}),
    Mode.ACT: frozenset(Permission),
}
"""The most that a mode allows. In Plan, `*.plan` documents may be written besides: `policy.rules.mode` says where."""

MODE_TITLES = {Mode.PLAN: "Plan", Mode.ACT: "Act"}

MODE_MEANINGS = {
    Mode.PLAN: "The agent reads and plans. Nothing can change but plan documents.",
    Mode.ACT: "The agent carries out the approved plan and asks before anything that the plan doesn't name.",
}

DEFAULT_ROLES = {Mode.PLAN: "planner", Mode.ACT: "actor"}


_WILD = re.compile(r"[*?\[]")


def intersect(*all_rights: Rights) -> Rights:
    """Return the rights that all of them allow. At least one must be given."""
    first, *others = all_rights
    return Rights(
        permissions=first.permissions.intersection(*(rights.permissions for rights in others)),
        tools=first.tools.union(*(rights.tools for rights in others)),
        paths=first.paths.union(*(rights.paths for rights in others)),
    )


def narrowed(role: Role, limit: Rights, delegable: Rights | None = None) -> Role:
    """Return the role with its own rights cut down to `limit`, and those that it hands out to `delegable`, or `limit`
    too.
    """
    handed = None if role.delegable is None and delegable is None else role.delegable_rights
    return replace(
        role,
        rights=intersect(role.rights, limit),
        delegable=None if handed is None else intersect(handed, limit if delegable is None else delegable),
    )


def delegate_role(role: Role, parent: Role, mode: Mode) -> Role:
    """Return the role of a delegate: with no right that its parent can't hand out, or the mode doesn't allow."""
    return narrowed(replace(role, delegable=None), intersect(parent.delegable_rights, mode_rights(mode)))


def with_delegates(role: Role, names: Collection[str]) -> Role:
    """Return a built-in role that may delegate tasks to the roles `names`, which then only read. Others stay as they
    are, since their files say whether they delegate.
    """
    if not names or role.source != "built-in" or may_use(role.rights, DELEGATING):
        return role
    tools = frozenset(each | {DELEGATING} for each in role.rights.tools)
    return replace(
        role,
        rights=replace(role.rights, tools=tools),
        delegable=intersect(role.rights, mode_rights(Mode.PLAN)),
        delegates=frozenset(names),
    )


def can_only_read(rights: Rights) -> bool:
    """Return whether a role with these rights changes nothing, not even a plan."""
    return rights.permissions <= MODE_PERMISSIONS[Mode.PLAN] and not may_use(rights, "write_plan")


def mode_rights(mode: Mode) -> Rights:
    """Return the most that a mode allows; effects are judged by `policy.decide`."""
    return Rights(MODE_PERMISSIONS[mode])


def may_use(rights: Rights, tool: str) -> bool:
    """Return True if a tool may be called; its effects are judged apart."""
    return all(any(fnmatchcase(tool, name) for name in names) for names in rights.tools)


def may_use_some(rights: Rights, beginning: str) -> bool:
    """Return True if some tool whose name begins so may be called."""
    return all(any(_may_begin(name, beginning) for name in names) for names in rights.tools)


def may_write(rights: Rights, path: PurePosixPath) -> bool:
    """Return True if `path`, relative to the workspace folder and with links followed, may be written.

    `*`, `?` and `[…]` match within a name; `**` stands for any number of folders, and at the end for the folder itself
    and all paths below it, as a closing slash does.
    """
    return all(any(_matches(path.parts, _parts(pattern)) for pattern in patterns) for patterns in rights.paths)


def _may_begin(pattern: str, beginning: str) -> bool:
    head = _WILD.split(pattern, maxsplit=1)[0]
    return head.startswith(beginning) or (head != pattern and beginning.startswith(head))


def _parts(pattern: str) -> tuple[str, ...]:
    parts = PurePosixPath(pattern).parts
    return (*parts, "**") if pattern.endswith("/") else parts


def _matches(names: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Match in time that grows with the product of the lengths, also for hostile patterns."""
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
