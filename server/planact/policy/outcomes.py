"""Judge what commands on trial changed: a part of the step, a small deviation, or a question to the user. Pure."""

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from planact.model.rights.credentials import holds_credentials
from planact.model.rights.files_beside import database_of
from planact.model.rights.rule import Allowed, AllowedOutcome
from planact.model.runs.touch import DIRECTORY, NOTHING, FileState
from planact.model.settings import ApprovalSetting
from planact.policy.context import is_planned
from planact.policy.rules.deviation import LARGE_DEVIATION

_SNAPSHOTS = ("__snapshots__", "snapshots")
_EXECUTABLE = 0o111
RIGHTS_OF_NEW = {"file": 0o666, "directory": 0o777}
"""Permission bits that what is new may have without a question."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A path that differs from what it was before the first command on trial changed it.

    Attributes:
        before, now: `before` None = not known, so that it can't be put back.
        commands: those on trial that changed it, from the workspace folder, without filters at their end.
    """

    path: str
    before: FileState | None
    now: FileState
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeContext:
    """What counts as a part of the work. `named` = paths that the step names, and files that the agent's own edits
    changed; `named_by_others` = those of other steps only; `has_step` False = no plan is carried out; `changed` = files
    that the work has changed before; `written_before` = files that the agent's own edits changed in earlier steps.
    """

    named: frozenset[str]
    named_by_others: frozenset[str]
    approval: ApprovalSetting
    has_step: bool
    rules: Collection[Allowed] = ()
    changed: Collection[str] = ()
    written_before: Collection[str] = ()
    given: Collection[str] = ()


@dataclass(slots=True)
class JudgedOutcomes:
    """`silent` and `small` are kept, the small ones with a note; `asked` = the user decides."""

    silent: list[Outcome] = field(default_factory=list)
    small: list[Outcome] = field(default_factory=list)
    asked: list[Outcome] = field(default_factory=list)


def verdict_on_outcomes(outcomes: Sequence[Outcome], context: OutcomeContext) -> JudgedOutcomes:
    """Return the verdict on all that commands changed since the last time. Where the user is asked about one outcome,
    they are asked about all that aren't a part of the step.
    """
    judged = JudgedOutcomes()
    for outcome in outcomes:
        is_silent = context.approval == "acceptAll" or _is_of_step(outcome, context)
        (judged.silent if is_silent else judged.small).append(outcome)
    above = {
        str(folder) for each in judged.silent if each.now != NOTHING for folder in PurePosixPath(each.path).parents
    }
    made_for = {each.path for each in judged.small if each.path in above and _is_new_folder(each)}
    judged.silent += [each for each in judged.small if each.path in made_for]
    judged.small = [each for each in judged.small if each.path not in made_for]
    files = [outcome for outcome in judged.small if not is_folder(outcome)]
    has_other_mode = any(is_folder(each) and each.before and each.before.kind == each.now.kind for each in judged.small)
    is_large = _are_many(files, context) or any(not _may_be_small(outcome, context) for outcome in files)
    if is_large or has_other_mode:
        # A list that is cut shows first what may matter.
        judged.small.sort(key=lambda each: is_folder(each) or _may_be_small(each, context))
        judged.asked, judged.small = judged.small, []
    return judged


def rule_to_keep(outcomes: Sequence[Outcome]) -> AllowedOutcome | None:
    """Return the rule under which these are kept without a question; None where they are of several commands, or
    one of them is asked about each time.
    """
    commands = {command for each in outcomes for command in each.commands}
    if len(commands) != 1 or not all(map(_is_only_written, outcomes)):
        return None
    return AllowedOutcome(command=min(commands), paths=tuple(outcome.path for outcome in outcomes))


def _are_many(files: Sequence[Outcome], context: OutcomeContext) -> bool:
    """Return whether these are too many, or the first of a step's that are with those before (as `rules.deviation`)."""
    now = {outcome.path for outcome in files}
    before = {path for path in context.changed if path not in now and not is_planned(path, context.named)}
    return len(now) > LARGE_DEVIATION or len(before) <= LARGE_DEVIATION < len(before | now)


def _is_of_step(outcome: Outcome, context: OutcomeContext) -> bool:
    path = PurePosixPath(outcome.path)
    if is_planned(outcome.path, context.named):
        return True
    if outcome.path in context.written_before or _is_always_kept(outcome, context.rules):
        return _is_only_written(outcome)
    if (database := database_of(outcome.path)) and (database in context.given or is_planned(database, context.named)):
        return _comes_and_goes(outcome)
    if _runs_or_leads_elsewhere(outcome):
        return False
    manifests = _data()["locks"].get(path.name, ())
    beside = [PurePosixPath(name) for name in context.named if not name.endswith("/")]
    if any(each.parent == path.parent and fnmatchcase(each.name, name) for each in beside for name in manifests):
        return True
    return (
        path.parent.name in _SNAPSHOTS
        and _is_plain(path)
        and any(each.parent == path.parent.parent and path.name.startswith(each.stem) for each in beside)
    )


def _is_always_kept(outcome: Outcome, rules: Collection[Allowed]) -> bool:
    kept = [rule for rule in rules if isinstance(rule, AllowedOutcome) and outcome.path in rule.paths]
    return bool(outcome.commands) and {*outcome.commands} <= {rule.command for rule in kept}


def _is_only_written(outcome: Outcome) -> bool:
    """Return whether a file or a folder is new, or was one and has other content now: none is gone or leads elsewhere,
    and nobody has more rights to it.
    """
    before, now = outcome.before, outcome.now
    if before is None or now.kind not in ("file", "directory") or before.kind not in ("nothing", now.kind):
        return False
    return not _gives_rights(before, now)


def _is_new_folder(outcome: Outcome) -> bool:
    return outcome.before == NOTHING and outcome.now.kind == DIRECTORY.kind and _is_only_written(outcome)


def _comes_and_goes(outcome: Outcome) -> bool:
    """Return whether a file was made, written or removed, and no program; its content before need not be known."""
    before, now = outcome.before or NOTHING, outcome.now
    is_file = now.kind in ("file", NOTHING.kind) and before.kind in ("file", NOTHING.kind, "other")
    return is_file and not _gives_rights(before, now)


def _gives_rights(before: FileState, now: FileState) -> bool:
    usual = RIGHTS_OF_NEW.get(now.kind, 0o7777) if before.mode is None else before.mode
    return bool((now.mode or 0) & ~usual)


def _may_be_small(outcome: Outcome, context: OutcomeContext) -> bool:
    """Return whether a change may be kept with a note: one of a file with no power, which can be put back."""
    path, before = PurePosixPath(outcome.path), outcome.before
    if not context.has_step or before is None or "other" in (before.kind, outcome.now.kind):
        return False
    if outcome.now == NOTHING or _runs_or_leads_elsewhere(outcome) or _gives_rights(before, outcome.now):
        return False
    if holds_credentials(path) or is_planned(outcome.path, context.named_by_others):
        return False
    # What is hidden are settings of tools, and many of these name programs.
    return not any(part.startswith(".") for part in path.parts) and (_is_plain(path) or _is_source(path))


def _is_plain(path: PurePosixPath) -> bool:
    """Return whether a file is text, a picture or data that no program acts on by its name."""
    suffixes, names = _data()["suffixes"], _data()["names"]
    suffix = path.suffix[1:].lower()
    in_data = not {*_SNAPSHOTS, *names["data_folders"]}.isdisjoint(part.lower() for part in path.parts[:-1])
    return (suffix in suffixes["plain"] or (in_data and suffix in suffixes["data"])) and not _is_never_small(path)


def _is_source(path: PurePosixPath) -> bool:
    """Return whether a file is code that is run as a part of the project, and not by its name."""
    suffixes, kind = _data()["suffixes"], PurePosixPath(path.stem).suffix[1:].lower()
    suffix = path.suffix[1:].lower()
    is_script = suffix in suffixes["scripts"] and (not kind or kind in _data()["names"]["dotted_scripts"])
    return (is_script or suffix in suffixes["sources"]) and not _is_never_small(path)


def _is_never_small(path: PurePosixPath) -> bool:
    lowered = PurePosixPath(str(path).lower())
    return any(_matches(lowered, pattern) for pattern in _data()["names"]["never_small"])


def _runs_or_leads_elsewhere(outcome: Outcome) -> bool:
    states = [each for each in (outcome.before, outcome.now) if each is not None]
    return any(each.kind == "link" or (each.kind == "file" and (each.mode or 0) & _EXECUTABLE) for each in states)


def _matches(path: PurePosixPath, pattern: str) -> bool:
    if "/" not in pattern:
        return fnmatchcase(path.name, pattern)
    return fnmatchcase(str(path), pattern) or fnmatchcase(str(path), f"*/{pattern}")


def is_folder(outcome: Outcome) -> bool:
    """Return whether the path was a folder or is one, and nothing else."""
    kinds = {outcome.now.kind, outcome.before.kind if outcome.before else ""}
    return DIRECTORY.kind in kinds and kinds <= {DIRECTORY.kind, NOTHING.kind}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("outcomes.toml").read_text("utf-8"))
