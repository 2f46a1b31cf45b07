"""The conversation as printed lines, for plain terminals: without redrawing and without colours."""

import asyncio
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from planact.cli.chat.conversation import LEAVE, ONCE_MORE, WELCOME, ChatController, InputReaders, ShownPlan, keys_text
from planact.cli.chat.opening import warnings
from planact.cli.command import Exit, Invocation, Result
from planact.cli.engine import Engine
from planact.cli.output.line_view import LineView
from planact.cli.output.screen import Screen, printable, put_out
from planact.model.chat.message import Session
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.workflows.history.review_edits import EditDiff


async def edit_file(environment: Mapping[str, str], root: Path, path: str) -> str:
    """Wait while the user edits the file; return the message to show afterwards. The caller must leave the terminal to
    the editor meanwhile.
    """
    editor = environment.get("VISUAL") or environment.get("EDITOR") or ""
    if not editor:
        return f"Set EDITOR to open it here. It is {path}"
    try:
        process = await asyncio.create_subprocess_exec(*shlex.split(editor), str(root / path), cwd=root)
        code = await process.wait()
    except (OSError, ValueError) as error:
        return f"! {editor} can't be started: {error}"
    return f"! {editor} ended with {code}." if code else ""


class LineChat(LineView):
    """A conversation line by line. Input that is typed while work runs is handled when its line ends."""

    _engine: Engine
    _chat: ChatController

    def __init__(self, invocation: Invocation) -> None:
        super().__init__(Screen(invocation.environment))
        self._environment = invocation.environment
        self._takes: set[asyncio.Task[None]] = set()
        self._typed = bytearray()
        self._wanted: asyncio.Future[str | None] | None = None
        self._has_left = False
        self._readers = InputReaders()

    def run(self, engine: Engine, session: Session) -> Result:
        """Run the conversation until the user leaves."""
        self._engine = engine
        self._chat = ChatController(engine, session.id, self, self._readers)
        self._history = engine.app.state.typed(engine.root)
        for text in (*warnings(engine), WELCOME):
            self.line(text)
        engine.do(self._converse())
        next_step = f"Go on with: planact chat --session {self._chat.session_id}"
        return Result(Exit.DONE, {"session_id": self._chat.session_id}, next_step=next_step)

    def notify(self, notice: Notice) -> None:
        self._readers.handle_notice(notice)
        super().notify(notice)

    async def ask(self, asked: QuestionSet, problem: str, difference: EditDiff) -> Shown:
        """Ask the user; the question alone reads the terminal until it is answered."""
        _stop_reading()
        self._readers.put(asked.id, is_there=True)
        try:
            return await super().ask(asked, problem, difference)
        finally:
            self._readers.put(asked.id, is_there=False)
            self._begin_reading()

    def show(self, result: Result, shown_plan: ShownPlan | None) -> None:
        self.end_line()
        if result.text and not result.is_seen:
            put_out(printable(result.text))
        if result.next_step:
            self.line(result.next_step)
        if shown_plan is not None:
            self.line(keys_text())

    async def open_file(self, path: str) -> str:
        with self._paused():
            return await edit_file(self._environment, self._engine.root, path)

    async def _converse(self) -> None:
        was_interrupted = False
        while not (self._has_left or self._engine.is_to_end):
            self._engine.is_interrupted = False
            try:
                line = await self._read()
            except asyncio.CancelledError:
                print(flush=True)
                if was_interrupted:
                    return
                was_interrupted = True
                self.line(ONCE_MORE)
                continue
            was_interrupted = False
            if line is None or line.strip() in LEAVE:
                return
            if line.strip():
                self._history.add(line)
                await self._turn(line)

    async def _read(self) -> str | None:
        """Return a line; None when the user leaves."""
        print(f"{self._chat.mode} › ", end="", flush=True)
        if sys.platform == "win32":
            return await asyncio.to_thread(sys.stdin.readline) or None
        self._wanted = asyncio.get_running_loop().create_future()
        self._begin_reading()
        try:
            line = await self._wanted
        finally:
            self._wanted = None
            _stop_reading()
        if line is None:
            print(flush=True)
        return line

    async def _turn(self, line: str) -> None:
        self._take(line)
        self._begin_reading()
        try:
            while self._takes:
                try:
                    done, _ = await asyncio.wait(self._takes, return_when=asyncio.FIRST_COMPLETED)
                except asyncio.CancelledError:
                    self._chat.cancel_tasks()
                    continue
                self._takes -= done
                for task in done:
                    task.result()
        finally:
            _stop_reading()

    def _take(self, line: str) -> None:
        self._takes.add(asyncio.ensure_future(self._chat.handle_input(line)))

    @contextmanager
    def _paused(self) -> Iterator[None]:
        _stop_reading()
        try:
            yield
        finally:
            self._begin_reading()

    def _begin_reading(self) -> None:
        if sys.platform != "win32":  # no event loop of Windows can wait for a line
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._on_typed)

    def _on_typed(self) -> None:
        """Read from the terminal, which gives whole lines, a long one in pieces."""
        try:
            piece = os.read(sys.stdin.fileno(), 65_536)
        except OSError:  # the window was closed
            piece = b""
        self._typed += piece
        if piece and not piece.endswith(b"\n"):
            return
        line, self._typed = self._typed.decode("utf-8", "replace").rstrip("\n"), bytearray()
        if not piece:  # Ctrl-D: running work is finished first
            self._has_left = True
            _stop_reading()
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(line if piece else None)
        elif line.strip():
            self._take(line)


def _stop_reading() -> None:
    if sys.platform != "win32":
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
