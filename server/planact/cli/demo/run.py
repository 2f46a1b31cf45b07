"""The demo: one real change in a sample project, from the request to a tested edit, with a scripted model.

It runs the same code as `planact plan` and `planact act` and prints its own texts between.
"""

import argparse
import difflib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.cli.command import Exit, Invocation, Result
from planact.cli.engine import Engine
from planact.cli.output.prompt import is_interactive
from planact.cli.output.show import execution_text, plan_text
from planact.cli.results import execute_and_wait, make_plan_and_wait
from planact.model.rights.permission import Mode
from planact.workflows.history.report import find_execution
from planact.workflows.runs.execute import Confirmation
from planact.workflows.sessions.manage import new_session

REQUEST = "Mark overdue books in the report"
_WHAT_NEXT = """What next: your own model, in a folder of yours.{path}
  export PLANACT_MODEL=anthropic/claude-sonnet-4-5 ANTHROPIC_API_KEY=…
  planact plan "what you want to have done\""""

_HERE = Path(__file__).parent
_PROJECT = _HERE / "project"
_LEFT_OUT = {".git", ".planact", "__pycache__"}


def demonstrate(invocation: Invocation, folder: Path) -> Result:
    """Copy the sample project to `folder` and run the demo there.

    Raises:
        InvalidInput: FILE_EXISTS, if the folder isn't empty.
    """
    _copy_project(folder)
    is_under_git = _begin_history(folder)
    engine = _engine(invocation, folder)
    invocation.at_exit.append(engine.app.temporary.clear)
    engine.screen.line(
        "This is planact at work on a sample project, with a model that plays a script: no key, no network.\n"
        f"The project is a small lending library in Python, in {folder}{', under git' if is_under_git else ''}.\n\n"
        f"1. You ask for a change, in Plan: nothing but the plan can change.\n› {REQUEST}"
    )
    session = new_session(engine.ws, Mode.PLAN)
    planned = make_plan_and_wait(engine, session.id, REQUEST)
    if planned.code is not Exit.DONE:
        return planned
    refusals = _refusals(engine)
    if "TOOL_BLOCKED_BY_MODE" not in refusals or _diff(folder):
        raise RuntimeError(f"Plan did not hold: refused {refusals or 'nothing'}")
    document = engine.plan(planned.data["plan_id"])
    engine.screen.line(
        f"\nThe line with ⊘ is the refusal: the model tried to edit a file in Plan, and the gate said no.\n\n"
        f"2. The plan is a document, {document.path}:\n\n{plan_text(document)}\n\n"
        "3. It is carried out only after your yes to exactly this text.\n"
    )
    acted = execute_and_wait(engine, document, Confirmation.ASK, session_id=session.id)
    if acted.code is not Exit.DONE:
        return acted
    shown = _ended(engine, folder, acted, refusals)
    return replace(shown, next_step=_what_next(invocation.environment))


def _ended(engine: Engine, folder: Path, acted: Result, refusals: list[str]) -> Result:
    """Return the final result.

    Raises:
        RuntimeError: no file changed, or no check passed.
    """
    diff = _diff(folder)
    execution = find_execution(engine.ws, "")
    checks = [check for step in execution.steps for check in step.checks]
    if not diff or not checks or not all(check.passed for check in checks):
        raise RuntimeError("the plan is done, and the change or its test is missing")
    engine.screen.line("\n4. What changed, what was checked, and the record of it:\n")
    data: Mapping[str, object] = {"folder": str(folder), "refusals": refusals, "diff": diff, "execution": acted.data}
    return Result(Exit.DONE, data, f"{diff}\n{execution_text(execution)}")


def _what_next(environment: Mapping[str, str]) -> str:
    """Return the closing hint; it sets PATH if `planact` isn't on it, as after `make demo`."""
    programs = Path(sys.executable).parent
    is_lost = shutil.which("planact", path=environment.get("PATH", "")) is None and (programs / "planact").exists()
    path = f'\n  export PATH="{programs}:$PATH"' if is_lost else ""
    return _WHAT_NEXT.format(path=path)


def _engine(invocation: Invocation, folder: Path) -> Engine:
    answers = invocation.options.answers or ("" if is_interactive() else str(_HERE / "answers.yaml"))
    options = argparse.Namespace(**{**vars(invocation.options), "cwd": str(folder), "answers": answers})
    options.model = f"scripted:{_HERE / 'model.yaml'}"
    return Engine(Invocation(options, invocation.environment, invocation.command_tree), approval="ask")


def _copy_project(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput("FILE_EXISTS", f"{folder} is not an empty folder", "Name a new one with --keep.")
    shutil.copytree(_PROJECT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


def _begin_history(folder: Path) -> bool:
    git = shutil.which("git")
    if git is None:
        return False
    who = ("-c", "user.name=planact demo", "-c", "user.email=demo@planact.invalid", "-c", "commit.gpgsign=false")
    steps = (("init", "--quiet"), ("add", "--all"), (*who, "commit", "--quiet", "--message", "A small lending library"))
    return all(
        subprocess.run([git, *step], cwd=folder, capture_output=True, timeout=30, check=False).returncode == 0
        for step in steps
    )


def _refusals(engine: Engine) -> list[str]:
    return [str(event.data["code"]) for event in engine.ws.ports.events.list() if event.kind == "tool_refused"]


def _diff(folder: Path) -> str:
    """Return the unified diff from the sample project to the folder."""
    before, after = _texts(_PROJECT), _texts(folder)
    return "".join(
        piece
        for name in sorted(before.keys() | after.keys())
        for piece in difflib.unified_diff(
            before.get(name, "").splitlines(keepends=True),
            after.get(name, "").splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
            n=1,
        )
    )


def _texts(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and not _LEFT_OUT & set(path.parts))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def forget(invocation: Invocation, folder: Path) -> None:
    """Remove the state that planact keeps for a temporary folder."""
    shutil.rmtree(_engine(invocation, folder).app.state.folder(folder), ignore_errors=True)
