"""The workspace folder and the terminal of a command.

Ctrl-C, a closed window and a request to end stop the work at its next safe point, so that it can go on later; a second
of them ends the program at once.
"""

import asyncio
import contextlib
import gc
import io
import os
import shlex
import signal
import sys
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from planact.app.compose import App, ApplyToDisk
from planact.base.errors import NotFound
from planact.base.home import home_of
from planact.cli.arguments import full_id
from planact.cli.command import Exit, Invocation
from planact.cli.output import prompt
from planact.cli.output.answers_file import AnswersFile
from planact.cli.output.line_view import LineView
from planact.cli.output.screen import Screen
from planact.cli.output.view import TerminalView
from planact.cli.terminal_editor import TerminalEditor
from planact.model.chat.message import Session
from planact.model.question import Answered, Option, Question, QuestionSet
from planact.policy.protected import PLAN_SUFFIX
from planact.ports import Editor, Files
from planact.workflows.history.interruption import remove_unfinished_files
from planact.workflows.history.review_edits import edit_difference
from planact.workflows.plans.library import PlanDocument, pick_plan
from planact.workflows.sessions.manage import with_content
from planact.workflows.trust_folder import programs_of
from planact.workflows.workspace import Workspace

_YES, _NO = "trust", "wait"


async def ask_for_trust(ws: Workspace, screen: Screen) -> None:
    """Ask, and store a yes or no; the question stays open if the user gives neither."""
    choices = (
        Option(label="Trust", value=_YES, description="start them here, now and from now on"),
        Option(label="Not now", value=_NO, description="go on without them; planact trust starts them later"),
    )
    text = f"Start your own {programs_of(ws)} in {ws.ports.files.root}?"
    context = (
        "You haven't trusted this folder yet. They run with your rights, and what they find here isn't yours alone."
    )
    question = Question(name="trust", question=text, context=context, options=choices)
    asked = QuestionSet(id="trust", session_id="", questions=(question,), created_at=ws.now())
    shown = await prompt.ask(screen, asked, "", lambda _: "")
    if isinstance(shown, Answered):
        ws.ports.approvals.trust_programs(is_trusted=shown.answers["trust"] == _YES)


def is_trust_asked(ws: Workspace) -> bool:
    """Return whether programs wait for trust in this folder and a user can answer."""
    waits = bool(programs_of(ws)) and ws.awaits_trust() and ws.ports.approvals.programs_trusted() is None
    return waits and prompt.is_interactive()


T = TypeVar("T")

_STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Engine:
    """App and workspace of one command.

    Attributes:
        is_interrupted: a signal, such as that of Ctrl-C, stopped the last job.
        is_to_end: the signal was not that of Ctrl-C, so the program must begin no other job.
        view: display of the work; printed lines on standard error unless a view is given.
    """

    def __init__(
        self, invocation: Invocation, *, warms_up: bool = True, approval: str = "", view: TerminalView | None = None
    ) -> None:
        gc.freeze()  # imported modules stay for good, so collecting need not visit them
        gc.enable()
        options = invocation.options
        self.screen = Screen(invocation.environment)
        self.view: TerminalView = view or LineView(self.screen)
        self.is_interrupted = False
        self.is_to_end = False
        self._answers_file = AnswersFile.load(Path(options.answers)) if options.answers else AnswersFile()
        self._takes_defaults = bool(options.defaults)
        flags: dict[str, Any] = {"approval": approval} if approval else {}
        if options.model:
            flags |= dict.fromkeys(("model", "plannerModel", "actorModel"), options.model)
        named = {"plannerModel": options.planner_model, "actorModel": options.actor_model}
        flags |= {name: model for name, model in named.items() if model}
        self.root = invocation.root
        show_event = _print_line if options.json_lines else _drop
        self.home = home_of(invocation.environment)
        self.app = App(invocation.environment, self.home, self._editor, flags, show_event)
        self.app.awaits_trust = True
        settings = self.app.settings.of(self.root).settings
        if warms_up:
            self.app.models.warm_up(settings)
            threading.Thread(target=self.app.temporary.clear_stale, daemon=True).start()
        self.app.secrets.log_to(_LogLines(self.view), settings.log_level.upper(), "! %(message)s")
        self.ws: Workspace = self.app.workspace(self.root)
        self._runner = asyncio.Runner()
        invocation.at_exit.append(self._close)
        if warms_up:
            remove_unfinished_files(self.ws)
        if warms_up and is_trust_asked(self.ws):
            self.do(ask_for_trust(self.ws, self.screen))

    def do(self, job: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end.

        Raises:
            CancelledError: a signal came while no run or turn was there to stop at a safe point.
        """
        self.is_interrupted = False
        return self._runner.run(self._watched(job))

    def session(self, session_id: str, *, last: bool = False) -> Session | None:
        """Return the session with that id, or with `last` the one used last; None without both.

        Raises:
            NotFound: SESSION_NOT_FOUND.
        """
        if session_id:
            known = self.ws.ports.sessions
            return known.get(full_id(session_id, [each.id for each in known.list()]))
        if not last:
            return None
        sessions = with_content(self.ws, self.ws.ports.sessions.list())
        if not sessions:
            raise NotFound("SESSION_NOT_FOUND", "there is no session in this folder yet", "Begin one: planact chat")
        return sessions[0]

    def plan(self, plan_id: str, session_id: str = "") -> PlanDocument:
        """Return the plan with that id or path, or without one the unfinished one to go on with.

        Raises:
            NotFound: as `pick_plan`; its next step names a folder above that has plans.
        """
        try:
            return pick_plan(self.ws, plan_id, session_id)
        except NotFound as error:
            plans = self.ws.settings.plans_directory
            above = next(
                (folder for folder in self.root.parents if any((folder / plans).glob(f"*{PLAN_SUFFIX}"))), None
            )
            if above is None or error.code != "PLAN_NOT_FOUND":
                raise
            hint = f"There are plans in {above}. For one of these, add: --cwd {shlex.quote(str(above))}"
            raise NotFound(error.code, error.message, hint) from None

    def open_question(self, session_id: str) -> QuestionSet | None:
        """Return the newest open question of the session."""
        asked = [each for each in self.ws.ports.questions.open() if each.session_id == session_id]
        return asked[-1] if asked else None

    async def stop(self) -> bool:
        """Stop all working sessions, each at its next safe point; return False if none works."""
        found = [*self.ws.running]
        await asyncio.gather(*(self.ws.stop(session_id) for session_id in found))
        return bool(found)

    async def _watched(self, job: Coroutine[Any, Any, T]) -> T:
        self._job = asyncio.ensure_future(job)
        self._loop = asyncio.get_running_loop()
        with self._handling_signals():
            return await self._job

    @contextlib.contextmanager
    def _handling_signals(self) -> Iterator[None]:
        # A signal that the parent process ignores, as `nohup` does with SIGHUP, stays ignored.
        handlers = {number: signal.getsignal(number) for number in _STOPS}
        heeded = [number for number, handler in handlers.items() if handler is not signal.SIG_IGN]
        for number in heeded:
            if sys.platform != "win32":
                # Has signals wake the loop. A handler alone is called only once the loop wakes for something else, if
                # the signal came just before the loop began to wait, or to another thread.
                self._loop.add_signal_handler(number, _do_nothing)
            signal.signal(number, self._on_interrupt)
        try:
            yield
        finally:
            for number in heeded:
                if sys.platform != "win32":
                    self._loop.remove_signal_handler(number)
                signal.signal(number, handlers[number])

    def _close(self) -> None:
        self.app.finish_mirrors()
        if self.ws.settings.mcp.servers or self.app.has_language_server(self.root):
            self._runner.run(self.app.close())
        self.app.temporary.clear()

    def _on_interrupt(self, number: int, _frame: FrameType | None) -> None:
        if self.is_interrupted:
            end_children()
            os._exit(Exit.INTERRUPTED)
        self.is_interrupted = True
        self.is_to_end = number != signal.SIGINT
        self._loop.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        if self.ws.running:
            self.view.line("Stopping at the next safe point. Ctrl-C once more ends at once.")
            self._stopping = asyncio.ensure_future(self.stop())
        else:
            self._job.cancel()

    def _editor(self, _root: Path, _files: Files, apply_to_disk: ApplyToDisk) -> Editor:
        return TerminalEditor(
            self.view,
            apply_to_disk,
            self._answers_file,
            lambda edit: edit_difference(self.ws, edit),
            takes_defaults=self._takes_defaults,
        )


class _LogLines(io.StringIO):
    """The log as lines of the view, which would draw over lines written directly."""

    def __init__(self, view: TerminalView) -> None:
        super().__init__()
        self._view = view

    def write(self, text: str) -> int:
        if text.strip():
            self._view.line(text.rstrip("\n"))
        return len(text)


def _print_line(text: str) -> None:
    """Print a line; if its reader is gone, the work goes on."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def _do_nothing() -> None:
    """Leave a signal to the handler of the engine."""


def _drop(_text: str) -> None:
    """Ignore an event: the user didn't ask for `--json-lines`."""


def end_children() -> None:
    """Kill all child processes: commands run in sessions of their own, which Ctrl-C doesn't reach. Whole groups of
    processes, so that none escapes that a shell starts at this moment.
    """
    import psutil

    children = psutil.Process().children(recursive=True)
    if sys.platform != "win32":
        for group in {_group_of(child.pid) for child in children} - {0, os.getpgrp()}:
            with contextlib.suppress(OSError):
                os.killpg(group, signal.SIGKILL)
    for child in children:
        with contextlib.suppress(psutil.Error):
            child.kill()


def _group_of(process: int) -> int:
    """Return the group of a process; 0 where it has ended."""
    try:
        return os.getpgid(process)
    except OSError:
        return 0
