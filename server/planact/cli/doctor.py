"""`planact doctor`: check all that planact needs or can use. Starts MCP servers, sends no request, shows no key."""

import contextlib
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from planact import __version__
from planact.base.errors import ModelFailure, StorageFailure
from planact.cli.command import Exit, Invocation, Result
from planact.cli.engine import Engine
from planact.model.chat.language_model import DEMO_MODEL, key_variable
from planact.model.mcp import McpListing
from planact.model.rights.permission import Role
from planact.tools.mcp.tools import mcp_tools
from planact.workflows.history.half_calls import HALF_CALL_NEXT_STEP, find_half_calls
from planact.workflows.history.interruption import find_interrupted_rollbacks, rollback_next_step, rollback_warning
from planact.workflows.history.metrics import questions_by_kind
from planact.workflows.sessions.roles import find_role, list_roles
from planact.workflows.trust_folder import is_trusted, language_servers_forbidden, programs_of
from planact.workflows.turns.mcp_tools import servers_in_use, trusted_readers
from planact.workflows.upkeep import find_faults, repair

State = Literal["ok", "note", "problem"]

_LEAST_SPACE = 1_000_000
"""Bytes that a plan and the record of its run take at least."""

_EDITORS = {"code": "VS Code", "nvim": "Neovim", "emacs": "Emacs", "hx": "Helix"}


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One line of the report: the name of the check and its outcome. A problem has a `next_step`."""

    name: str
    text: str
    state: State = "ok"
    next_step: str = ""


def run_doctor(invocation: Invocation, *, is_repairing: bool) -> Result:
    """Return all findings; the exit code is FAILED if one is a problem. With `is_repairing` repair the state first.

    Raises:
        StorageFailure: the state can't be repaired.
    """
    engine, damage = _engine(invocation)
    findings = [
        *(_repaired(engine) if is_repairing else damage),
        DoctorFinding("planact", __version__),
        DoctorFinding("python", f"{platform.python_version()} at {sys.executable}"),
        *_models(engine, invocation.environment),
        _program("ripgrep", "rg", "searching is slower without it"),
        _git(engine),
        _editors(),
        _sandbox(engine),
        *_state(engine),
        *_settings(engine),
        _trust(engine),
        *_unwritable(engine.root),
        *_roles(engine),
        *_waiting(engine),
        *_questions(engine),
        *_servers(engine),
        *_language_servers(engine),
    ]
    width = max(len(finding.name) for finding in findings)
    marks = {"ok": " ", "note": "·", "problem": "!"}
    text = "\n".join(f"{marks[f.state]} {f.name:<{width}}  {f.text}" for f in findings)
    problems = [finding for finding in findings if finding.state == "problem"]
    next_steps = list(dict.fromkeys(finding.next_step for finding in problems)) or [
        'Next: planact plan "what you want to have done"'
    ]
    rows = [{"name": f.name, "state": f.state, "text": f.text, "next_step": f.next_step} for f in findings]
    code = Exit.FAILED if problems else Exit.DONE
    return Result(code, {"findings": rows}, text, "\n".join(next_steps))


def _models(engine: Engine, environment: Mapping[str, str]) -> list[DoctorFinding]:
    settings = engine.ws.settings
    names = dict.fromkeys(filter(None, (settings.model, settings.planner_model, settings.actor_model)))
    if not names:
        step = (
            "Choose a model: export PLANACT_MODEL=anthropic/claude-sonnet-4-5 ANTHROPIC_API_KEY=…\n"
            "or see planact work without one: planact demo"
        )
        return [DoctorFinding("model", "none is chosen", "problem", step)]
    return [_model(engine, name, environment) for name in names]


def _model(engine: Engine, name: str, environment: Mapping[str, str]) -> DoctorFinding:
    if name == DEMO_MODEL:
        return DoctorFinding("model", f"{name}, the demo model, which plays a script")
    if name.startswith("scripted:"):
        path = engine.root / name.removeprefix("scripted:")
        if os.path.isfile(path):
            return DoctorFinding("model", f"{name}, which plays a script")
        return DoctorFinding("model", f"{name}: there is no such file", "problem", f"Correct the path: {path}")
    try:
        near = engine.do(engine.app.models.doubt_about(engine.app.settings.of(engine.root).settings, name))
    except ModelFailure as failure:
        return DoctorFinding("model", f"{name}: {failure.message}", "problem", failure.hint)
    key = _key(engine, name, environment)
    if near is None:
        return key
    text = f"{key.text}; litellm doesn't list that name{f', did you mean {near}?' if near else ''}"
    return replace(key, text=text, state="note" if key.state == "ok" else key.state)


def _key(engine: Engine, name: str, environment: Mapping[str, str]) -> DoctorFinding:
    variable = key_variable(name)
    if not variable:
        return DoctorFinding("model", f"{name}, which needs no key that planact knows of")
    if environment.get(variable):
        return DoctorFinding("model", f"{name}, its key is set ({variable})")
    endpoint = engine.ws.settings.of_model(name).endpoint
    if endpoint:
        return DoctorFinding("model", f"{name} at {endpoint}, without {variable}", "note")
    return DoctorFinding("model", f"{name}, its key is not set ({variable})", "problem", f"Set it: export {variable}=…")


def _program(name: str, command: str, without: str) -> DoctorFinding:
    path = shutil.which(command)
    return DoctorFinding(name, path) if path else DoctorFinding(name, f"not found; {without}", "note")


def _git(engine: Engine) -> DoctorFinding:
    without = "without it changes can't be compared with history, nor unknown commands be tried in a repository"
    found = _program("git", "git", without)
    if refusal := engine.ws.ports.footprints.refusal():
        text = f"{found.text}, which refuses this folder, since another user owns it; {without}"
        return DoctorFinding("git", f"{text}. If you trust that user: {refusal}", "note")
    return found


def _sandbox(engine: Engine) -> DoctorFinding:
    held = engine.ws.ports.runner.enforced()
    missing = [] if "contain" in held else ["in Plan only commands that are known to read run"]
    if "trial" not in held and sys.platform == "linux":
        way = "to have them tried out, install bubblewrap, and let users make namespaces"
        missing.append(f"you are asked about unknown commands in Act before they run; {way}")
    text = "; ".join((engine.ws.ports.runner.describe(), *missing))
    return DoctorFinding("sandbox", text, "note" if missing else "ok")


def _editors() -> DoctorFinding:
    found = [name for command, name in _EDITORS.items() if shutil.which(command)]
    if found:
        return DoctorFinding("editors", ", ".join(found))
    return DoctorFinding("editors", "none of VS Code, Neovim, Emacs and Helix is on PATH", "note")


def _engine(invocation: Invocation) -> tuple[Engine, Sequence[DoctorFinding]]:
    """Return the engine, and a finding if its start set a damaged state database aside."""
    try:
        return Engine(invocation, warms_up=False), ()
    except StorageFailure as failure:
        if failure.code != "STORAGE_DAMAGED":
            raise
        return Engine(invocation, warms_up=False), (DoctorFinding("state", failure.message, "problem", failure.hint),)


def _repaired(engine: Engine) -> Iterator[DoctorFinding]:
    with contextlib.suppress(StorageFailure):  # sets a damaged database aside
        engine.app.state.check(engine.root)
    damaged, _ = engine.app.state.check(engine.root)
    for text in engine.do(repair(engine.ws, after_loss=bool(damaged))):
        yield DoctorFinding("repaired", text)
    for text in engine.app.state.clean_up(engine.root, engine.ws.settings.history):
        yield DoctorFinding("repaired", text)


def _state(engine: Engine) -> Iterator[DoctorFinding]:
    folder = engine.app.state.folder(engine.root)
    there = next(parent for parent in (folder, *folder.parents) if os.path.exists(parent))
    if os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK):
        try:
            damaged, left_out = engine.app.state.check(engine.root, is_whole=False)
            faults = find_faults(engine.ws, after_loss=bool(damaged))
        except StorageFailure as failure:
            yield DoctorFinding("state", failure.message, "problem", failure.hint)
            return
        unchecked = (
            f" ({left_out // 1_000_000:,} MB; --repair also checks what is kept there for undo)" if left_out else ""
        )
        yield DoctorFinding("state", f"{folder}{unchecked}")
        yield from _without_space("state", there)
        for path in damaged:
            text = f"an earlier database was damaged and is kept as {path}; what it held is not in the new one"
            yield DoctorFinding("state", text, "note")
        step = "Put it right: planact doctor --repair"
        yield from (DoctorFinding("state", text, "problem", step) for text in faults)
        for call in find_half_calls(engine.ws):
            yield DoctorFinding("state", call.warning, "problem", HALF_CALL_NEXT_STEP)
        for run in find_interrupted_rollbacks(engine.ws):
            yield DoctorFinding("state", rollback_warning(run), "problem", rollback_next_step(run))
        return
    is_own = os.path.isdir(there) and _is_own(there)
    step = f"Make {there} writable, or set XDG_STATE_HOME." if is_own else "Set XDG_STATE_HOME to a folder of yours."
    yield DoctorFinding("state", f"{folder} can't be written", "problem", step)


def _settings(engine: Engine) -> list[DoctorFinding]:
    found = [str(path) for path in engine.app.settings.files(engine.root) if os.path.exists(path)]
    problems = engine.app.settings.problems(engine.root)
    text = ", ".join(found) or "no files; defaults, environment and flags"
    return [
        DoctorFinding("settings", text),
        *(
            DoctorFinding("settings", problem.message, "problem", f"Correct {problem.key or 'it'}.")
            for problem in problems
        ),
    ]


def _waiting(engine: Engine) -> Iterator[DoctorFinding]:
    """Report what waits for trust: the user's own programs, without starting one, and trials of commands."""
    if not engine.ws.awaits_trust():
        return
    if programs := programs_of(engine.ws):
        yield DoctorFinding(
            "trust", f"your {programs} don't start here until you trust this folder (planact trust)", "note"
        )
    if "trial" in engine.ws.ports.runner.enforced():
        text = "unknown commands are asked about here, and not tried out, until you trust this folder (planact trust)"
        yield DoctorFinding("trial", text, "note")


_FEWER_QUESTIONS = {
    "command": "choose “Always allow calls like this”, or name them in commands.allow",
    "network": "choose “Always allow” where it is the same command each time, or name it in the plan's steps",
    "outside": "name the folders in workspace.readable, or choose “Always allow reading below …”",
    "outcome": "choose “Keep always”, have git ignore what is made, or name the files in the plan",
}
_OFTEN = 3


def _questions(engine: Engine) -> Iterator[DoctorFinding]:
    """Say how to be asked less, after the third question of a kind."""
    with contextlib.suppress(StorageFailure):
        counts = questions_by_kind(engine.ws)
        for kind, way in _FEWER_QUESTIONS.items():
            if counts.get(kind, 0) >= _OFTEN:
                if kind == "command" and engine.ws.awaits_trust():
                    way = f"trust this folder (planact trust), {way}"
                text = f"you were asked {counts[kind]} times about {_KINDS[kind]}; to be asked less, {way}"
                yield DoctorFinding("questions", text, "note")


_KINDS = {
    "command": "commands",
    "network": "the network and what acts elsewhere",
    "outside": "reading elsewhere",
    "outcome": "what commands had changed",
}


def _servers(engine: Engine) -> list[DoctorFinding]:
    names = servers_in_use(engine.ws)
    listings = engine.do(engine.ws.ports.mcp.listings(names)) if names else ()
    return [finding for listing in listings for finding in _server(engine, listing)]


def _language_servers(engine: Engine) -> Iterator[DoctorFinding]:
    if names := ", ".join(engine.ws.ports.language_servers.names()):
        why_not = language_servers_forbidden(engine.ws)
        text = f"edits here are not checked by {names}: {why_not}" if why_not else f"edits are checked by {names}"
        yield DoctorFinding("languages", text, "note" if why_not else "ok")


def _server(engine: Engine, listing: McpListing) -> Iterator[DoctorFinding]:
    tools, problems = mcp_tools([listing], trusted_readers(engine.ws))
    at = f"mcp.servers.{listing.server}"
    for problem in filter(None, (listing.problem, *problems)):
        step = f"{at}: {listing.advice}" if listing.advice else f"Look at {at} in the settings."
        yield DoctorFinding("mcp", problem, "problem", step)
    if listing.advice and not listing.problem:
        yield DoctorFinding("mcp", f"{listing.server}: {listing.advice}", "note")
    if tools or not listing.problem:
        reading = sum(tool.read_only for tool in tools.values())
        yield DoctorFinding(
            "mcp", f"{listing.server} runs, with {len(tools)} tools, {reading} of them readOnly by your settings"
        )
    offered = {tool.name for tool in listing.tools}
    for name in sorted({tool for server, tool in trusted_readers(engine.ws) if server == listing.server} - offered):
        if offered:
            text = f"{listing.server} has no tool {name}, which mcp.servers.{listing.server}.readOnly names"
            yield DoctorFinding("mcp", text, "problem", f"Its tools are {', '.join(sorted(offered))}.")


def _unwritable(folder: Path) -> Iterator[DoctorFinding]:
    if not os.access(folder, os.W_OK | os.X_OK):
        step = f"Make {folder} writable." if _is_own(folder) else f"Have the owner of {folder} let you write there."
        yield DoctorFinding("folder", f"{folder} can't be written", "problem", step)
    else:
        yield from _without_space("folder", folder)


def _without_space(name: str, folder: Path) -> Iterator[DoctorFinding]:
    if shutil.disk_usage(folder).free < _LEAST_SPACE:
        yield DoctorFinding(name, f"{folder} has no space left", "problem", f"Free space on the disk of {folder}.")


def _is_own(path: Path) -> bool:
    return os.name == "nt" or path.stat().st_uid == os.geteuid()


def _roles(engine: Engine) -> Iterator[DoctorFinding]:
    problems = list_roles(engine.ws)[1]
    closed = [problem for problem in problems if not problem.name]  # folders, and all in them fails alike
    for problem in closed or problems:
        is_spare = isinstance(find_role(engine.ws, problem.name), Role)
        yield DoctorFinding(
            *("roles", problem.message), "note" if is_spare else "problem", "Correct the role, or remove its file."
        )


def _trust(engine: Engine) -> DoctorFinding:
    repository = Path(engine.app.settings.files(engine.root)[1])
    if not os.path.exists(repository):
        return DoctorFinding("folder", f"{engine.root}, without settings of its own")
    if is_trusted(engine.ws):
        return DoctorFinding("folder", f"{engine.root}, trusted")
    text = f"{engine.root}, not trusted: its own settings can only make planact stricter (planact trust)"
    return DoctorFinding("folder", text, "note")
