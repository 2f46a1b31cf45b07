"""Plans that may run without a yes after they were shown: they can do no harm outside the files that they name."""

from pathlib import PurePosixPath

from planact.model.plan import Plan
from planact.model.rights.credentials import holds_credentials
from planact.policy.protected import is_git_internal, is_planact_internal

_HARMLESS_TOOLS = frozenset(
    {
        "read_file",
        "list_directory",
        "find_files",
        "search_code",
        "get_file_info",
        "create_file",
        "update_file",
        "rename_file",
        "make_directory",
        "ask_user",
    }
)


def unsafe_reasons(plan: Plan, commands_allow: frozenset[str]) -> tuple[str, ...]:
    """Return the reasons why the plan needs a yes; empty = it is safe.

    `commands_allow` are the commands that pass without a question, by exact text.
    """
    reasons: list[str] = []
    if plan.has_infrastructure_changes:
        reasons.append("it changes things outside the workspace")
    for step in plan.steps:
        reasons += [f"step {step.step_number} uses {tool}" for tool in step.tools_needed if tool not in _HARMLESS_TOOLS]
        reasons += [f"step {step.step_number} touches {path}" for path in step.files if not is_ordinary(path)]
        reasons += [
            f"the check `{check}` is not on your list"
            for check in step.validation_checks
            if check not in commands_allow
        ]
        if not step.files:
            reasons.append(f"step {step.step_number} doesn't say which files it touches")
    reasons += [
        f"the validation `{command}` is not on your list"
        for command in plan.validation_commands
        if command not in commands_allow
    ]
    return tuple(dict.fromkeys(reasons))


def is_ordinary(text: str) -> bool:
    """Return True if a path lies inside the workspace and isn't one of credentials, git or planact."""
    path = PurePosixPath(text)
    outside = path.is_absolute() or ".." in path.parts or "\\" in text or ":" in text
    return not (outside or holds_credentials(path) or is_git_internal(path) or is_planact_internal(path))
