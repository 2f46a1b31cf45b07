"""The conversation as a drawn program: final lines are printed above; changing lines, questions and the prompt below.

One application draws for as long as the conversation lasts. Work and questions run beside it.
"""

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import patch_stdout

from planact.cli.chat.completer import MessageCompleter
from planact.cli.chat.conversation import LEAVE, ONCE_MORE, WELCOME, ChatController, InputReaders, ShownPlan, keys_text
from planact.cli.chat.keys import bindings
from planact.cli.chat.lines import edit_file
from planact.cli.chat.opening import header, warnings
from planact.cli.chat.output import ChatOutput
from planact.cli.chat.questions import ChatQuestions
from planact.cli.chat.screen_parts import STYLE, ScreenParts
from planact.cli.command import Exit, Invocation, Result
from planact.cli.engine import Engine, end_children
from planact.model.chat.message import Session
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.workflows.history.review_edits import EditDiff

_FRAME_SECONDS = 0.1
_PATIENCE_SECONDS = 10.0
_BEGIN_FRAME, _END_FRAME = "\x1b[?2026h", "\x1b[?2026l"
"""Between these a terminal that knows them doesn't refresh, which avoids flicker."""

_UP_AND_CLEAR = "\x1b[A\x1b[2K"


class ChatProgram:
    """Implements `TerminalView`, `ResultView` and `KeyActions`."""

    _engine: Engine
    _chat: ChatController
    _app: Application[None]
    message: Buffer

    def __init__(self, invocation: Invocation) -> None:
        self._output = _output()
        self._environment = invocation.environment
        self._readers = InputReaders()
        self._chat_output = ChatOutput(lambda: self._output.get_size().columns, self._on_change)
        self._questions = ChatQuestions(self._chat_output, self._focus)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_away = False
        self._is_leaving = False
        self._was_interrupted = False
        self._stops = 0

    def run(self, engine: Engine, session: Session) -> Result:
        """Run the conversation until the user leaves."""
        self._engine = engine
        self._chat = ChatController(engine, session.id, self, self._readers)
        self._typed = engine.app.state.typed(engine.root)
        self._output.write_raw(_UP_AND_CLEAR)  # replaces the line of `announce`, which has less
        self._chat_output.header(*header(engine, session))
        for warning in warnings(engine):
            self.line(warning)
        self._chat_output.aside(WELCOME)
        self._write_all()
        code = Exit.DONE
        with suppress(asyncio.CancelledError), patch_stdout():
            engine.do(self._run())
        if engine.is_interrupted or self._stops > 2:
            code = Exit.INTERRUPTED
        next_step = f"Go on with: planact chat --session {self._chat.session_id}"
        return Result(code, {"session_id": self._chat.session_id}, next_step=next_step)

    # --- what happens

    def line(self, text: str) -> None:
        self._chat_output.say(text, "red" if text.startswith("!") else "")

    def end_line(self) -> None:
        """Do nothing: the next final line ends a streamed text, and a queued message must not."""

    def show_question(self, asked: QuestionSet) -> None:
        for question in asked.questions:
            self._questions.introduce(question, "")

    async def ask(self, asked: QuestionSet, problem: str, difference: EditDiff) -> Shown:
        self._readers.put(asked.id, is_there=True)
        try:
            return await self._questions.ask(asked, problem, difference)
        finally:
            self._readers.put(asked.id, is_there=False)

    def notify(self, notice: Notice) -> None:
        self._readers.handle_notice(notice)
        self._chat_output.notify(notice)

    def show(self, result: Result, shown_plan: ShownPlan | None) -> None:
        self._stops = 0
        self._chat_output.result(result)
        if shown_plan is not None:
            self._chat_output.say(keys_text(), "cyan")
        if self._engine.is_to_end:
            self.leave()

    async def open_file(self, path: str) -> str:
        self._is_away = True
        try:
            async with in_terminal():
                return await edit_file(self._environment, self._engine.root, path)
        finally:
            self._is_away = False

    # --- what keys do

    @property
    def is_writing(self) -> bool:
        return self._app.layout.has_focus(self.message)

    def interrupt(self) -> None:
        if self._chat.is_busy:
            self._begin(self._stop())
        elif self.message.text:
            self.message.reset()
        elif self._was_interrupted:
            self.leave()
        else:
            self._was_interrupted = True
            self._chat_output.aside(ONCE_MORE)

    def leave(self) -> None:
        if not self._is_leaving:
            self._is_leaving = True
            self._begin(self._leave())

    def switch(self) -> None:
        if self._questions.panel is not None and self.is_writing:
            self._app.layout.focus(self._questions.panel.focus_on())
        else:
            self._app.layout.focus(self.message)

    # --- drawing

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.message = Buffer(
            multiline=True,
            completer=MessageCompleter(self._engine.ws),
            complete_while_typing=True,
            history=InMemoryHistory([*self._typed.list()]),
            accept_handler=self._accept,
            on_text_changed=lambda _: self._forget_interrupt(),
        )
        parts = ScreenParts(self.message, self._chat_output, self._questions, self._chat, lambda: self.is_writing)
        self._app = Application(
            layout=parts.layout(),
            key_bindings=bindings(self),
            style=STYLE,
            output=self._output,
            erase_when_done=True,
            min_redraw_interval=0.03,
        )
        self._app.ttimeoutlen = 0.1
        try:
            await self._app.run_async(pre_run=self._on_start, handle_sigint=False)
        finally:
            await self._put_away()

    async def _put_away(self) -> None:
        """Stop the work at a safe point and print all output, however the program ends."""
        if self._stops <= 2:
            await self._engine.stop()
        for task in self._tasks:
            task.cancel()
        if self._tasks and self._stops <= 2:
            await asyncio.wait(self._tasks)
        self._chat_output.end()
        self._write_all()

    def _write_all(self) -> None:
        """Print the final lines while no application is drawn."""
        self._output.write_raw(self._chat_output.take().replace("\n", "\r\n"))
        self._output.flush()

    def _on_start(self) -> None:
        self._app.create_background_task(self._draw())
        self._app.create_background_task(self._tick())

    def _on_change(self) -> None:
        if self._loop is not None:  # also from the thread of a library that logs
            self._loop.call_soon_threadsafe(self._changed.set)

    async def _draw(self) -> None:
        """Print final lines above the drawn ones, in one frame with them."""
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            if not self._is_away:
                self._put_up(self._chat_output.take())
            await asyncio.sleep(_FRAME_SECONDS / 2)

    def _put_up(self, text: str) -> None:
        if not text:
            self._app.invalidate()
            return
        self._output.write_raw(_BEGIN_FRAME)
        self._app.renderer.erase()
        self._output.write_raw(text.replace("\n", "\r\n"))
        self._app.render_counter += 1  # or the renderer would reuse the previous frame
        self._app.renderer.render(self._app, self._app.layout)
        self._output.write_raw(_END_FRAME)
        self._output.flush()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_FRAME_SECONDS)
            if self._chat.is_busy and not self._is_away:
                self._app.invalidate()

    def _focus(self) -> None:
        """Focus a new question, unless the user is writing a message; focus the message when the question is gone."""
        panel = self._questions.panel
        self._app.layout.focus(self.message if panel is None or self.message.text else panel.focus_on())
        self._app.invalidate()

    # --- what the user writes

    def _accept(self, buffer: Buffer) -> bool:
        text = buffer.text.strip()
        if text in LEAVE:
            self.leave()
            return False
        self._typed.add(text)
        self._chat_output.said(self._chat.mode, text)
        self._begin(self._chat.handle_input(text))
        return False

    def _forget_interrupt(self) -> None:
        self._was_interrupted = False

    async def _stop(self) -> None:
        self._stops += 1
        if self._stops > 2:
            end_children()
            self._app.exit()
            return
        again = "Still stopping. Ctrl-C once more ends planact at once."
        self._chat_output.aside("Stopping at the next safe point." if self._stops == 1 else again)
        self._engine.ws.questions.cancel_all(self._chat.session_id, "the user stopped it")
        if not await self._engine.stop() and self._questions.panel is None:
            self._chat.cancel_tasks()

    async def _leave(self) -> None:
        others = self._tasks - {asyncio.current_task()}
        if self._questions.leave() and others:  # the task that asked ends then, and its question stays open
            await asyncio.wait(others, timeout=_PATIENCE_SECONDS)
        others &= self._tasks
        if others:
            self._chat_output.aside("Stopping at the next safe point, to leave then.")
            if not await self._engine.stop():
                self._chat.cancel_tasks()
            await asyncio.wait(others)
        self._app.exit()

    def _begin(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: "asyncio.Task[Any]") -> None:
        """End the program with the error of a task that failed unexpectedly."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and self._app.is_running:
            self._app.exit(exception=error)


def _output() -> Output:
    """Return an output that doesn't query the cursor's position: some terminals don't answer, and answers mix with
    typed keys.
    """
    if sys.platform == "win32":
        return create_output(sys.stdout)
    output = create_output(sys.stdout)
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False
    return output
