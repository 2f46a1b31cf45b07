"""What a verdict rests on: a call with what it would touch, and what is so at the moment it is judged."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from planact.base.paths import Place
from planact.model.classification import Classification
from planact.model.effect import Effect
from planact.model.jail import Confinement, Containment
from planact.model.permission import Mode, Permission
from planact.model.role import Role
from planact.model.rule import Allowed
from planact.model.settings import ApprovalSetting


@dataclass(frozen=True, slots=True)
class Touch:
    """One effect, with the place it leads to where it has a path. `is_hidden` = by the user's ignore patterns; `found`
    = what a command line would do; `spawns` = the mode of the role that would work, None where there is no such role.
    """

    effect: Effect
    place: Place | None = None
    is_hidden: bool = False
    found: Classification | None = None
    spawns: Mode | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A decoded call: which tool, what it requires, and what it would touch."""

    tool: str
    required: frozenset[Permission]
    needs_approval: bool
    touches: tuple[Touch, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is so at the moment of the verdict.

    Attributes:
        role: with the rights that count: cut down by those of the mode, and of whoever handed out the work.
        is_delegate: whether another role handed out the work.
        plans_directory: relative to the workspace folder.
        made_plans: paths of the plans this session wrote.
        locked_plans: paths of plans that are approved or running.
        planned_files: what the approved step names; a folder ends with a slash.
        files_of_others: what only other steps of the plan name; changed: what this one has changed so far.
        planned_commands: what the approved plan names, by exact text.
        mcp_read_only: server and tool of those that the user says only read.
        approval: the user's setting; `commands_allow`, `commands_deny` and `contain` likewise.
        held: the jails that this machine can hold a command in.
        rules: what the user always allows.
        has_step: whether the work is a step of a plan.
        is_restricted: whether the user's editor doesn't trust the workspace.
    """

    mode: Mode
    role: Role
    plans_directory: PurePosixPath
    made_plans: frozenset[str] = frozenset()
    locked_plans: frozenset[str] = frozenset()
    planned_files: frozenset[str] = frozenset()
    files_of_others: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    planned_commands: frozenset[str] = frozenset()
    mcp_read_only: frozenset[tuple[str, str]] = frozenset()
    approval: ApprovalSetting = "ask"
    commands_allow: frozenset[str] = frozenset()
    commands_deny: frozenset[str] = frozenset()
    contain: Containment = "on"
    held: frozenset[Confinement] = frozenset()
    is_delegate: bool = False
    rules: frozenset[Allowed] = frozenset()
    has_step: bool = True
    is_restricted: bool = False


def is_planned(path: str, planned: frozenset[str]) -> bool:
    """Whether `path` is among the files that a step names, or in a folder that it names with a slash at the end."""
    folders = (PurePosixPath(name) for name in planned if name.endswith("/"))
    return path in planned or any(PurePosixPath(path).is_relative_to(folder) for folder in folders)
