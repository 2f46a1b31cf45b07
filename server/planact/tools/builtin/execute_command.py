"""Run a command line in the workspace."""

from pydantic import Field

from planact.model.effect import CommandEffect, Effect
from planact.model.jail import Confinement
from planact.model.permission import Permission
from planact.tools.permit import Permit, RefusedByJail
from planact.tools.spec import Args, Tool


class ExecuteCommandArgs(Args):
    """A command line, and where."""

    command: str = Field(min_length=1)
    directory: str = "."
    timeout: float | None = Field(default=None, gt=0, description="seconds")


def _effects(args: ExecuteCommandArgs) -> tuple[Effect, ...]:
    return (CommandEffect(args.command, args.directory),)


async def _run(args: ExecuteCommandArgs, permit: Permit) -> str:
    result = await permit.run(args.command, args.directory, args.timeout)
    text = f"{result.ending}\n{result.output}"
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
