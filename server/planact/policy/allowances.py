"""Effects that an approved plan may have without another question, computed once for the gate and the question."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from planact.base.text import word_set
from planact.model.plan import Plan, Step
from planact.model.rights.jail import Network
from planact.policy.commands import names_program_beyond

_CODE = re.compile(r"`([^`\n]+)`")

_NO_COMMAND = re.compile(r"-|[\w.]+\(|[\w.\[\]]+ [-+*/]?==? ")
"""Begins an option, a call of a function, an assignment or a comparison."""

_NAME = re.compile(r"[\w.-]+", re.ASCII)

_RUN_BARE = word_set(
    "ant bazel cargo cmake ctest eslint flake8 gradle jest just make meson mocha mvn mypy ninja nox phpunit playwright "
    "pre-commit prettier pylint pyright pytest rake rspec ruff rubocop sbt task tox tsc vitest"
)
"""Programs that test and build without an argument: any other single word may be a name in the code."""


@dataclass(frozen=True, slots=True)
class StepAllowance:
    """Effects that the gate lets one step have because the plan is approved.

    Attributes:
        files: paths that the step names; a folder ends with a slash.
        commands: commands that the plan names, by exact text.
        files_of_others: paths that only other steps name.
    """

    files: frozenset[str]
    commands: frozenset[str]
    files_of_others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Allowances:
    """Effects that the approval of a plan allows beyond those that never need one.

    Attributes:
        steps: number of steps.
        change, create: files that steps name, by whether they exist; folders: those with all files below them.
        delete: files of steps that delete; each deletion is still asked about.
        commands: they run in the workspace folder, those first that may reach beyond the workspace.
        beyond: commands that name a program which changes other machines or accounts.
        network: hosts that commands may connect to; is_jailed: a jail holds them to that.
        has_infrastructure_changes: the plan's own claim.
    """

    steps: int
    change: tuple[str, ...]
    create: tuple[str, ...]
    folders: tuple[str, ...]
    delete: tuple[str, ...]
    commands: tuple[str, ...]
    beyond: tuple[str, ...]
    network: Network
    is_jailed: bool
    has_infrastructure_changes: bool


@dataclass(frozen=True, slots=True)
class PlanAllowance:
    """Effects that the gate lets some step have because the plan is approved: `files` of all steps, and `commands`."""

    files: frozenset[str]
    commands: frozenset[str]

    @classmethod
    def of(cls, plan: Plan) -> "PlanAllowance":
        return cls(frozenset(path for each in plan.steps for path in each.files), frozenset(_commands(plan)))

    def in_step(self, step: Step) -> StepAllowance:
        """Return the effects that are allowed while one of the plan's steps runs."""
        files = frozenset(step.files)
        return StepAllowance(files, self.commands, self.files.difference(files))


def allowances(plan: Plan, exists: Callable[[str], bool], network: Network, *, is_jailed: bool) -> Allowances:
    """Return the effects that the approval of `plan` allows in all its steps; `exists` is called for each path."""
    named = dict.fromkeys(path for step in plan.steps for path in step.files)
    files = {path: exists(path) for path in named if not path.endswith("/")}
    deleting = dict.fromkeys(p for step in plan.steps if "delete_file" in step.tools_needed for p in step.files)
    commands = tuple(dict.fromkeys(_commands(plan)))
    beyond = tuple(filter(names_program_beyond, commands))
    return Allowances(
        steps=len(plan.steps),
        change=tuple(path for path, is_there in files.items() if is_there),
        create=tuple(path for path, is_there in files.items() if not is_there),
        folders=tuple(path for path in named if path.endswith("/")),
        delete=tuple(deleting),
        commands=tuple(dict.fromkeys((*beyond, *commands))),
        beyond=beyond,
        network=network,
        is_jailed=is_jailed,
        has_infrastructure_changes=plan.has_infrastructure_changes,
    )


def _commands(plan: Plan) -> Iterable[str]:
    """The commands that the plan names exactly: its checks, its validation, and code in steps that say they run
    commands.
    """
    named = [check for step in plan.steps for check in step.validation_checks]
    named += plan.validation_commands
    files = {path.rstrip("/") for step in plan.steps for path in step.files}
    named += [
        code
        for step in plan.steps
        if {"execute_command", "start_command"}.intersection(step.tools_needed)
        for code in _CODE.findall(step.action)
        if _may_be_command(code.strip(), files)
    ]
    return (command.strip() for command in named)


def _may_be_command(code: str, files: Collection[str]) -> bool:
    """Return False for code that only names something. `files` are those that steps name."""
    is_path = code.rstrip("/") in files
    is_name = _NAME.fullmatch(code) is not None and code not in _RUN_BARE
    return not (is_path or is_name or _NO_COMMAND.match(code))
