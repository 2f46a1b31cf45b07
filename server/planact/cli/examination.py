"""Looks at all that planact needs or can use: MCP servers are started, nothing else is sent, and no key is shown."""

import contextlib
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from planact import __version__
from planact.base.errors import ModelFailure, StorageFailure
from planact.base.text import counted
from planact.cli.call import Call, Exit, Result
from planact.cli.engine import Engine
from planact.model.language_model import DEMO_MODEL, key_variable
from planact.model.mcp import McpListing
from planact.tools.mcp import mcp_tools
from planact.workflows.half_rolled_back import half_rolled_back, next_step_of, said_of
from planact.workflows.offer_mcp import servers_in_use, trusted_readers
from planact.workflows.trust_folder import is_trusted
from planact.workflows.upkeep import find_faults, repair

State = Literal["ok", "note", "problem"]

_EDITORS = {"code": "VS Code", "nvim": "Neovim", "emacs": "Emacs", "hx": "Helix"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at and what is so. `next_step` is said for a problem."""

    name: str
    text: str
    state: State = "ok"
    next_step: str = ""


def examine(call: Call, *, is_repairing: bool) -> Result:
    """All findings; failed when one is a problem. What can be put right is, before that, if wanted.

    Raises:
        StorageFailure: it can't be put right.
    """
    engine = _engine(call)
    findings = [
        *(_repaired(engine) if is_repairing else ()),
        Finding("planact", __version__),
        Finding("python", f"{platform.python_version()} at {sys.executable}"),
        *_models(engine, call.environment),
        _program("ripgrep", "rg", "searching is slower without it"),
        _program("git", "git", "changes can't be compared with history without it"),
        _editors(),
        _sandbox(engine),
        *_state(engine),
        *_settings(engine),
        _trust(engine),
        *_servers(engine),
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


def _models(engine: Engine, environment: Mapping[str, str]) -> list[Finding]:
    settings = engine.ws.settings
    names = dict.fromkeys(filter(None, (settings.model, settings.planner_model, settings.actor_model)))
    if not names:
        step = (
            "Choose a model: export PLANACT_MODEL=anthropic/claude-sonnet-4-5 ANTHROPIC_API_KEY=…\n"
            "or see planact work without one: planact demo"
        )
        return [Finding("model", "none is chosen", "problem", step)]
    return [_model(engine, name, environment) for name in names]


def _model(engine: Engine, name: str, environment: Mapping[str, str]) -> Finding:
    if name == DEMO_MODEL:
        return Finding("model", f"{name}, the demo model, which plays a script")
    if name.startswith("scripted:"):
        path = engine.root / name.removeprefix("scripted:")
        if path.is_file():
            return Finding("model", f"{name}, which plays a script")
        return Finding("model", f"{name}: there is no such file", "problem", f"Correct the path: {path}")
    try:
        near = engine.do(engine.app.doubt_about(engine.root, name))
    except ModelFailure as failure:
        return Finding("model", f"{name}: {failure.message}", "problem", failure.hint)
    key = _key(engine, name, environment)
    if near is None:
        return key
    text = f"{key.text}; litellm doesn't list that name{f', did you mean {near}?' if near else ''}"
    return replace(key, text=text, state="note" if key.state == "ok" else key.state)


def _key(engine: Engine, name: str, environment: Mapping[str, str]) -> Finding:
    variable = key_variable(name)
    if not variable:
        return Finding("model", f"{name}, which needs no key that planact knows of")
    if environment.get(variable):
        return Finding("model", f"{name}, its key is set ({variable})")
    endpoint = engine.ws.settings.of_model(name).endpoint
    if endpoint:
        return Finding("model", f"{name} at {endpoint}, without {variable}", "note")
    return Finding("model", f"{name}, its key is not set ({variable})", "problem", f"Set it: export {variable}=…")


def _program(name: str, command: str, without: str) -> Finding:
    path = shutil.which(command)
    return Finding(name, path) if path else Finding(name, f"not found; {without}", "note")


def _sandbox(engine: Engine) -> Finding:
    text = engine.ws.ports.runner.describe()
    if "contain" in engine.ws.ports.runner.held():
        return Finding("sandbox", text)
    return Finding("sandbox", f"{text}; in Plan only commands that are known to read run", "note")


def _editors() -> Finding:
    found = [name for command, name in _EDITORS.items() if shutil.which(command)]
    if found:
        return Finding("editors", ", ".join(found))
    return Finding("editors", "none of VS Code, Neovim, Emacs and Helix is on PATH", "note")


def _engine(call: Call) -> Engine:
    try:
        return Engine(call, warms_up=False)
    except StorageFailure as failure:
        if failure.code != "STORAGE_DAMAGED":
            raise
        return Engine(call, warms_up=False)  # what was damaged is set aside now, and is told below


def _repaired(engine: Engine) -> Iterator[Finding]:
    with contextlib.suppress(StorageFailure):  # it is set aside by this, and brought back below
        engine.app.check_state(engine.root)
    salvaged = engine.app.salvage(engine.root)
    done = engine.do(repair(engine.ws, after_loss=bool(salvaged)))
    yield from (Finding("repaired", text) for text in (*salvaged, *done))
    if gone := engine.app.keep_house(engine.root):
        yield Finding("repaired", f"took out {counted(gone, 'text')} kept for undo that nothing has named for a week")


def _state(engine: Engine) -> Iterator[Finding]:
    folder = engine.app.state_folder(engine.root)
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        try:
            damaged = engine.app.check_state(engine.root)
            faults = find_faults(engine.ws)
        except StorageFailure as failure:
            yield Finding("state", failure.message, "problem", failure.hint)
            return
        yield Finding("state", str(folder))
        told = [f"{path.name} was damaged and is set aside; some of it can be brought back" for path in damaged]
        step = "Put it right: planact doctor --repair"
        yield from (Finding("state", text, "problem", step) for text in (*told, *faults))
        for run in half_rolled_back(engine.ws):
            yield Finding("state", said_of(run), "problem", next_step_of(run))
        return
    step = f"Make {there} writable, or set XDG_STATE_HOME."
    yield Finding("state", f"{folder} can't be written", "problem", step)


def _settings(engine: Engine) -> list[Finding]:
    found = [str(path) for path in engine.app.config_files(engine.root) if path.exists()]
    problems = engine.app.problems(engine.root)
    text = ", ".join(found) or "no files; defaults, environment and flags"
    return [
        Finding("settings", text),
        *(Finding("settings", problem.message, "problem", f"Correct {problem.key or 'it'}.") for problem in problems),
    ]


def _servers(engine: Engine) -> list[Finding]:
    names = servers_in_use(engine.ws)
    listings = engine.do(engine.ws.ports.mcp.listings(names)) if names else ()
    return [finding for listing in listings for finding in _server(engine, listing)]


def _server(engine: Engine, listing: McpListing) -> Iterator[Finding]:
    tools, problems = mcp_tools([listing], trusted_readers(engine.ws))
    for problem in filter(None, (listing.problem, *problems)):
        yield Finding("mcp", problem, "problem", f"Look at mcp.servers.{listing.server} in the settings.")
    if tools or not listing.problem:
        reading = sum(tool.read_only for tool in tools.values())
        yield Finding(
            "mcp", f"{listing.server} runs, with {len(tools)} tools, {reading} of them readOnly by your settings"
        )
    offered = {tool.name for tool in listing.tools}
    for name in sorted({tool for server, tool in trusted_readers(engine.ws) if server == listing.server} - offered):
        if offered:
            text = f"{listing.server} has no tool {name}, which mcp.servers.{listing.server}.readOnly names"
            yield Finding("mcp", text, "problem", f"Its tools are {', '.join(sorted(offered))}.")


def _trust(engine: Engine) -> Finding:
    repository = Path(engine.app.config_files(engine.root)[1])
    if not repository.exists():
        return Finding("folder", f"{engine.root}, without settings of its own")
    if is_trusted(engine.ws):
        return Finding("folder", f"{engine.root}, trusted")
    text = f"{engine.root}, not trusted: its own settings can only make planact stricter (planact trust)"
    return Finding("folder", text, "note")
