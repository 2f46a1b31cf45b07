"""The conversation as lines that go by, for plain terminals: nothing is drawn anew, and nothing has a colour."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from planact.cli.call import Call, Exit, Result
from planact.cli.engine import Engine
from planact.cli.line_view import LineView
from planact.cli.screen import Screen, printable
from planact.cli.talk.editing import edit
from planact.cli.talk.offers import Offer, keys_text
from planact.cli.talk.opening import warnings
from planact.cli.talk.talk import LEAVE, ONCE_MORE, WELCOME, Listeners, Talk
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.model.session import Session
from planact.workflows.review_edits import Difference


class TalkLines(LineView):
    """A conversation line by line. What is typed while work runs is taken when its line ends."""

    _engine: Engine
    _talk: Talk

    def __init__(self, call: Call) -> None:
        super().__init__(Screen(call.environment))
        self._environment = call.environment
        self._takes: set[asyncio.Task[None]] = set()
        self._typed = bytearray()
        self._wanted: asyncio.Future[str | None] | None = None
        self._has_left = False
        self._listeners = Listeners()

    def talk(self, engine: Engine, session: Session) -> Result:
        """Talk until the user leaves."""
        self._engine = engine
        self._talk = Talk(engine, session.id, self, self._listeners)
        self._history = engine.app.typed(engine.root)
        for text in (*warnings(engine), WELCOME):
            self.line(text)
        engine.do(self._converse())
        next_step = f"Go on with: planact chat --session {self._talk.session_id}"
        return Result(Exit.DONE, {"session_id": self._talk.session_id}, next_step=next_step)

    def tell(self, notice: Notice) -> None:
        """See `View`."""
        self._listeners.heed(notice)
        super().tell(notice)

    async def ask(self, asked: QuestionSet, problem: str, difference: Difference) -> Shown:
        """See `View`. The question has the terminal for itself."""
        _stop_reading()
        self._listeners.put(asked.id, is_there=True)
        try:
            return await super().ask(asked, problem, difference)
        finally:
            self._listeners.put(asked.id, is_there=False)
            self._begin_reading()

    def show(self, result: Result, offer: Offer | None) -> None:
        """See `Front`."""
        self.end_line()
        if result.text and not result.is_seen:
            print(printable(result.text), flush=True)
        if result.next_step:
            self.line(result.next_step)
        if offer is not None:
            self.line(keys_text())

    async def open_file(self, path: str) -> str:
        """See `Front`."""
        with self._paused():
            return await edit(self._environment, self._engine.root, path)

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
        """A line; None when the user leaves."""
        print(f"{self._talk.mode} › ", end="", flush=True)
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
                    self._talk.give_up()
                    continue
                self._takes -= done
                for task in done:
                    task.result()
        finally:
            _stop_reading()

    def _take(self, line: str) -> None:
        self._takes.add(asyncio.ensure_future(self._talk.take(line)))

    @contextmanager
    def _paused(self) -> Iterator[None]:
        _stop_reading()
        try:
            yield
        finally:
            self._begin_reading()

    def _begin_reading(self) -> None:
        if sys.platform != "win32":  # there no event loop can wait for a line
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._on_typed)

    def _on_typed(self) -> None:
        """The terminal gives whole lines; a long one comes in pieces."""
        try:
            piece = os.read(sys.stdin.fileno(), 65_536)
        except OSError:  # the window was closed
            piece = b""
        self._typed += piece
        if piece and not piece.endswith(b"\n"):
            return
        line, self._typed = self._typed.decode("utf-8", "replace").rstrip("\n"), bytearray()
        if not piece:  # Ctrl-D: what runs is finished first
            self._has_left = True
            _stop_reading()
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(line if piece else None)
        elif line.strip():
            self._take(line)


def _stop_reading() -> None:
    if sys.platform != "win32":
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
