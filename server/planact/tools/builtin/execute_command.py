"""Run a command line in the workspace."""

from typing import assert_never

from pydantic import Field

from planact.model.command import CommandResult
from planact.model.effect import CommandEffect, Effect
from planact.model.jail import Confinement
from planact.model.permission import Permission
from planact.tools.permit import Permit, RefusedByJail
from planact.tools.spec import Args, Tool


class ExecuteCommandArgs(Args):
    """`timeout` in seconds."""

    command: str = Field(min_length=1)
    directory: str = "."
    timeout: float | None = Field(default=None, gt=0)


def _effects(args: ExecuteCommandArgs) -> tuple[Effect, ...]:
    return (CommandEffect(args.command, args.directory),)


async def _run(args: ExecuteCommandArgs, permit: Permit) -> str:
    result = await permit.run(args.command, args.directory, args.timeout)
    text = f"{_end(result)}\n{result.output}"
    if result.refusal:
        raise RefusedByJail(f"It said: {result.refusal}. {_HINTS[permit.confinement]}", text)
    is_contained = permit.confinement == "contain"
    return f"(contained: it could change and reach nothing, since {permit.why}) {text}" if is_contained else text


_HINTS: dict[Confinement, str] = {
    "local-read": "In this jail it can write nothing, has no network, and sees no files of the home directory "
    "outside the workspace.",
    "outside-read": "In this jail it can write nothing and has no network.",
    "net-read": "In this jail it can write nothing.",
    "registry-read": "In this jail it can write nothing, and sees no keys and no files of the home directory outside "
    "the workspace.",
    "daemon-read": "In this jail it can write nothing and has no network but its daemon.",
    "contain": "It isn't known to only read, so it can write nothing, has no network, and sees no files of the home "
    "directory outside the workspace.",
    "act": "It may write in the workspace and temporary folders; the user can allow more with the settings "
    "commands.writable and commands.network.",
}


def _end(result: CommandResult) -> str:
    match result.ended:
        case "exited":
            return f"exit code {result.exit_code} after {result.duration:.1f} s"
        case "timeout":
            return f"ended after {result.duration:.0f} s, the time limit; with all processes it had started"
        case "stopped":
            return f"stopped by the user after {result.duration:.1f} s"
        case _:
            assert_never(result.ended)


EXECUTE_COMMAND = Tool(
    name="execute_command",
    summary="Run a shell command; no standard input.",
    args=ExecuteCommandArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="high",
    effects=_effects,
    run=_run,
)
