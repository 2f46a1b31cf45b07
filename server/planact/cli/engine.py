"""The workspace folder that a command works in, and the terminal it talks to.

Ctrl-C, a closed window and a request to end stop the work at its next safe point, so that it can go on later; a second
of them ends the program at once.
"""

import asyncio
import contextlib
import gc
import io
import os
import signal
from collections.abc import Coroutine
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from planact.app import App, ApplyToDisk
from planact.base.errors import NotFound
from planact.cli.call import Call, Exit
from planact.cli.line_view import LineView
from planact.cli.replies import Replies
from planact.cli.screen import Screen
from planact.cli.terminal_editor import TerminalEditor
from planact.cli.view import View
from planact.model.question import QuestionSet
from planact.model.session import Session
from planact.ports import Editor, Files
from planact.workflows.library import PlanDocument, pick_plan
from planact.workflows.review_edits import edit_difference
from planact.workflows.sessions import with_content
from planact.workflows.workspace import Workspace

T = TypeVar("T")

_STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Engine:
    """Made once per command. `is_interrupted` says that Ctrl-C or its like stopped the last job, `is_to_end` that it
    was no Ctrl-C, so that nothing more is to be begun; `view` is where the work is shown, lines on standard error
    unless another one is given.
    """

    def __init__(self, call: Call, *, warms_up: bool = True, approval: str = "", view: View | None = None) -> None:
        gc.freeze()  # what is imported by now stays
        gc.enable()
        options = call.options
        self.screen = Screen(call.environment)
        self.view: View = view or LineView(self.screen)
        self.is_interrupted = False
        self.is_to_end = False
        self._replies = Replies.load(Path(options.answers)) if options.answers else Replies()
        self._takes_defaults = bool(options.defaults)
        flags: dict[str, Any] = {"approval": approval} if approval else {}
        if options.model:
            flags |= dict.fromkeys(("model", "plannerModel", "actorModel"), options.model)
        named = {"plannerModel": options.planner_model, "actorModel": options.actor_model}
        flags |= {name: model for name, model in named.items() if model}
        self.root = call.root
        show_event = _print_line if options.json_lines else _drop
        self.home = _home(call)
        self.app = App(call.environment, self.home, self._editor, flags, show_event)
        settings = self.app.settings(self.root).settings
        if warms_up:
            self.app.warm_up(settings)
        self.app.log_to(_LogLines(self.view), settings.log_level.upper(), "! %(message)s")
        self.ws: Workspace = self.app.workspace(self.root)
        self._runner = asyncio.Runner()
        call.at_exit.append(self._close)

    def do(self, job: Coroutine[Any, Any, T]) -> T:
        """Run something to its end.

        Raises:
            CancelledError: it was interrupted in a moment in which nothing ran that could be stopped in good order.
        """
        self.is_interrupted = False
        # Under `nohup` a closed window means nothing, and stays so.
        heeded = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._on_interrupt) for number in heeded}
        try:
            return self._runner.run(self._watched(job))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def session(self, session_id: str, *, last: bool = False) -> Session | None:
        """The session with that id, or the one used last; None when neither is asked for.

        Raises:
            NotFound: SESSION_NOT_FOUND.
        """
        if session_id:
            return self.ws.ports.sessions.get(session_id)
        if not last:
            return None
        sessions = with_content(self.ws.ports.sessions.list())
        if not sessions:
            raise NotFound("SESSION_NOT_FOUND", "there is no session in this folder yet", "Begin one: planact chat")
        return sessions[0]

    def plan(self, plan_id: str, session_id: str = "") -> PlanDocument:
        """See `library.pick_plan`."""
        return pick_plan(self.ws, plan_id, session_id)

    def open_question(self, session_id: str) -> QuestionSet | None:
        """What the session asked last and still waits for."""
        asked = [each for each in self.ws.ports.questions.open() if each.session_id == session_id]
        return asked[-1] if asked else None

    async def stop(self) -> bool:
        """Stop what works, each at its next safe point; False if nothing does."""
        found = [*self.ws.running]
        await asyncio.gather(*(self.ws.stop(session_id) for session_id in found))
        return bool(found)

    async def _watched(self, job: Coroutine[Any, Any, T]) -> T:
        self._job = asyncio.ensure_future(job)
        self._loop = asyncio.get_running_loop()
        return await self._job

    def _close(self) -> None:
        self.app.finish_mirrors()
        if self.ws.settings.mcp.servers:
            self._runner.run(self.app.close())

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
            self._replies,
            lambda edit: edit_difference(self.ws, edit),
            takes_defaults=self._takes_defaults,
        )


class _LogLines(io.StringIO):
    """The log as lines of the view: what goes round it would be drawn over."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view

    def write(self, text: str) -> int:
        if text.strip():
            self._view.line(text.rstrip("\n"))
        return len(text)


def _home(call: Call) -> Path:
    home = call.environment.get("HOME", "")
    return Path(home) if home else Path.home()


def _print_line(text: str) -> None:
    """Whoever read it may be gone: the work goes on."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def _drop(_text: str) -> None:
    """Nobody asked for it."""


def end_children() -> None:
    """Kill what was started here: commands have sessions of their own, so Ctrl-C doesn't reach them."""
    import psutil

    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.Error:
            continue
