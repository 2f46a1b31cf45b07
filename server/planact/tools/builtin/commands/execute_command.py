"""Run a command line in the workspace."""

from collections.abc import Sequence

from pydantic import Field

from planact.base.text import first_few
from planact.model.rights.command import CommandResult
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import CommandEffect, Effect, Mode, Permission
from planact.tools.commands.unmarked_command import UnmarkedCommand
from planact.tools.permits.permit import Permit, RefusedByJail
from planact.tools.tool import Args, Tool


class ExecuteCommandArgs(Args):
    """A command line, and where."""

    command: UnmarkedCommand = Field(
        min_length=1, description="a whole command line of the shell; a folder goes into `directory`"
    )
    directory: str = Field(default=".", description="folder in which it starts")
    timeout: float | None = Field(default=None, gt=0, description="seconds")
    network: bool = Field(default=False, description="it needs the network; the user is asked, so say why")
    why: str = Field(default="", max_length=500, description="for the user: why it needs the network")


def _effects(args: ExecuteCommandArgs) -> tuple[Effect, ...]:
    why = (args.why.strip() or "it gave no reason") if args.network else ""
    return (CommandEffect(args.command, args.directory, why_network=why),)


async def _run(args: ExecuteCommandArgs, permit: Permit) -> str:
    [effect] = _effects(args)
    assert isinstance(effect, CommandEffect)
    result = await permit.run(effect, args.timeout)
    notes = "".join(describe(result) for describe in (_describe_hidden, _describe_locked, _describe_removed))
    text = f"{result.ending}\n{result.output}{notes}"
    if wanted := result.held_back:
        raise RefusedByJail(
            f"It wanted {wanted}. What it had changed was put back. {_HINTS['trial']}", text, wanted, result.openable
        )
    is_contained, is_in_act = permit.grant.confinement == "contain", permit.grant.mode is Mode.ACT
    if result.refusal:
        wanted = "to do more than read" if is_contained and is_in_act else ""
        raise RefusedByJail(f"It said: {result.refusal}. {_HINTS[permit.grant.confinement]}", text, wanted)
    if not is_contained:
        return text
    more = "; if it has to write or needs the network, call it again with network and why" if is_in_act else ""
    return (
        "(contained: it could change nothing but this session's temporary files and reach nothing, since "
        f"{permit.grant.reason}{more}) {text}"
    )


def _describe_hidden(result: CommandResult) -> str:
    paths = result.hidden
    if not paths:
        return ""
    # git compares all tracked files or none.
    way = f"add `-- . ':!{paths[0]}'`" if "fatal: cannot hash" in result.output else "go on without them"
    return (
        f"\n[planact] {_in_code(paths)} could not be opened: such files usually hold credentials, and the user has "
        f"not allowed this command to read them; {way}, or ask the user."
    )


def _describe_locked(result: CommandResult) -> str:
    if not (result.locked and result.exit_code) or result.held_back or result.refusal:
        return ""
    return (
        f"\n[planact] Its sandbox let it make, remove and rename nothing in {_in_code(result.locked)} itself, only in "
        "folders below. If it failed over that, make the entry by an edit, or call it again with network and why: the "
        "user is asked then."
    )


def _describe_removed(result: CommandResult) -> str:
    removed = [path for path in result.removed if path not in result.packages]
    if not removed:
        return ""
    names = _in_code(removed)
    return f"\n[planact] What it made in {names} was removed: programs load that by themselves. Write it by edits."


def _in_code(paths: Sequence[str]) -> str:
    return first_few([f"`{path}`" for path in paths], _SHOWN_PATHS)


_SHOWN_PATHS = 5

_HINTS: dict[Confinement, str] = {
    "local-read": "In this jail it can write nothing but $TMPDIR, has no network, and sees only the workspace, the "
    "system and tool chains.",
    "outside-read": "In this jail it can write nothing but $TMPDIR, has no network, and sees only the workspace, the "
    "system, tool chains and the paths that it names.",
    "net-read": "In this jail it can write nothing but $TMPDIR.",
    "registry-read": "In this jail it can write nothing but $TMPDIR, starts in an empty home, and sees no keys and "
    "nothing of the workspace.",
    "daemon-read": "In this jail it can write nothing but $TMPDIR and has no network but its daemon.",
    "contain": "It may do more than read, so it can write nothing but this session's temporary files (name $TMPDIR for "
    "what it builds), has no network, and sees no files of the home directory outside the workspace.",
    "trial": "The user wasn't asked about it, so it can write in $TMPDIR and the workspace alone, and there only what "
    "can be put back, not in .git or packages (.venv, node_modules), and has no network. If it needs the network, call "
    "it again with network and why: the user is asked then. Else go another way.",
    "act": "It may write in the workspace and temporary folders; the user can allow more with the settings "
    "commands.writable and commands.network.",
}


EXECUTE_COMMAND = Tool(
    name="execute_command",
    summary=(
        "Run a shell command in a sandbox, without terminal and standard input. Long output loses its middle. "
        "TOOL_BLOCKED_BY_MODE: it may change something, which Plan never does. BLOCKED_BY_SANDBOX: it was held back; "
        "see what it printed."
    ),
    args=ExecuteCommandArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="high",
    effects=_effects,
    run=_run,
    examples=('{"command": "pytest -q tests/test_a.py", "directory": "server", "timeout": 120}',),
)
