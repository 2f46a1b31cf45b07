"""The input and output of a rule: a call with the effects it would have, the state of session, plan and settings, and
the verdicts, a closed union from which `policy.decide` picks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath
from typing import Literal

from planact.base.paths import Place
from planact.model.rights.classification import Classification
from planact.model.rights.jail import Confinement, Containment
from planact.model.rights.permission import CommandEffect, Effect, McpEffect, Mode, PathEffect, Permission, Role
from planact.model.rights.rule import Allowed
from planact.model.settings import ApprovalSetting


@dataclass(frozen=True, slots=True)
class PlacedEffect:
    """One effect, with the real path it leads to, if any.

    `is_hidden` = by the user's ignore patterns; `found` = the effects of a command line; `opens` = the real paths that
    a jail for reading outside the workspace opens for it; `spawns` = the mode of the role that would work, None for an
    unknown role; `is_given` = the address of a page is not of the model's making; `is_public` = the system lets every
    user read the path, or the session's own commands left it in their `/tmp`.
    """

    effect: Effect
    place: Place | None = None
    is_hidden: bool = False
    found: Classification | None = None
    opens: tuple[PurePath, ...] = ()
    spawns: Mode | None = None
    is_given: bool = False
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A decoded call: its tool, the permissions it requires, and the effects it would have."""

    tool: str
    required: frozenset[Permission]
    needs_approval: bool
    touches: tuple[PlacedEffect, ...]

    @property
    def commands(self) -> Sequence[CommandEffect]:
        return [touch.effect for touch in self.touches if isinstance(touch.effect, CommandEffect)]

    @property
    def is_edit(self) -> bool:
        """It would change files by itself, not by a command."""
        effects = (touch.effect for touch in self.touches)
        return any(isinstance(each, PathEffect) and each.action not in ("read", "search") for each in effects)

    @property
    def is_reading(self) -> bool:
        """It would read files, and do nothing else."""
        effects = [touch.effect for touch in self.touches]
        return bool(effects) and all(
            isinstance(each, PathEffect) and each.action in ("read", "search") for each in effects
        )

    @property
    def is_change(self) -> bool:
        """It would change something, or may."""
        return self.is_edit or any(isinstance(touch.effect, CommandEffect | McpEffect) for touch in self.touches)


@dataclass(frozen=True, slots=True)
class PolicyContext:
    """The state of session, plan and settings at the moment of the verdict.

    Attributes:
        role: with the rights that count: cut down by those of the mode, and of the role that delegated the work.
        is_delegate: another role delegated the work.
        plans_directory: relative to the workspace folder.
        made_plans: paths of the plans this session wrote.
        locked_plans: paths of plans that are approved or running.
        planned_files: paths that the approved step names; a folder ends with a slash.
        files_of_others: paths that only other steps of the plan name; changed: paths that this step has changed so far.
        planned_commands: commands that the approved plan names, by exact text and without filters at their end.
        mcp_read_only: server and tool of those that the user calls read-only.
        approval: the user's setting; `commands_allow` (likewise without filters), `commands_deny` and `contain` too.
        held: the jails that this machine can hold a command in.
        can_try: what a command changes can be found and put back: a run goes on, in a folder that isn't too large.
        has_packages: an approved command of the step has fetched packages, so that a further one may need no more.
        hides_credentials: the jails for reading and unknown commands hide the files that usually hold credentials.
        rules: the user's "always allow" rules.
        readable: the folders outside the workspace that may be read without a question.
        session_reading: the folders outside that the user let commands of this session read.
        has_step: the work is a step of a plan.
        is_restricted: the user's editor doesn't trust the workspace.
        awaits_trust: the user hasn't trusted the folder at the terminal yet.
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
    can_try: bool = False
    has_packages: bool = False
    hides_credentials: bool = False
    is_delegate: bool = False
    rules: frozenset[Allowed] = frozenset()
    readable: tuple[PurePath, ...] = ()
    session_reading: tuple[PurePath, ...] = ()
    has_step: bool = True
    is_restricted: bool = False
    awaits_trust: bool = False


def is_planned(path: str, planned: frozenset[str]) -> bool:
    """Return True if `path` is among the files that a step names, or in a folder that it names with a slash at
    the end.
    """
    folders = (PurePosixPath(name) for name in planned if name.endswith("/"))
    return path in planned or any(PurePosixPath(path).is_relative_to(folder) for folder in folders)


DenyCode = Literal[
    "TOOL_BLOCKED_BY_MODE",
    "TOOL_BLOCKED_BY_ROLE",
    "PATH_OUTSIDE_WORKSPACE",
    "PATH_PROTECTED",
    "PATH_HIDDEN",
    "CREDENTIAL_FILE",
    "PLAN_LOCKED",
    "COMMAND_DENIED",
    "WORKSPACE_UNTRUSTED",
]

PLAN_MODE_MESSAGE = "System is in Plan Mode. You can only modify the plan. Switch to Act Mode to apply changes."


@dataclass(frozen=True, slots=True)
class Allow:
    """It may run."""


@dataclass(frozen=True, slots=True)
class Contain:
    """It may run, but in the strongest jail, where it can neither change nor reach the outside: its effects are
    unknown. In Act, `touches` are the effects that it may lack there.
    """

    touches: tuple[PlacedEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class Try:
    """It may run in the jail `trial`, where it can change what can be put back, and reach nothing; what it has changed
    is judged later.
    """

    touches: tuple[PlacedEffect, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """It may run if the user says so; `reason` tells them why they are asked, `touches` about what."""

    reason: str
    touches: tuple[PlacedEffect, ...]


@dataclass(frozen=True, slots=True)
class Deny:
    """It may not run, and the user is not asked."""

    code: DenyCode
    reason: str
    hint: str = ""


Verdict = Allow | Contain | Try | Ask | Deny
