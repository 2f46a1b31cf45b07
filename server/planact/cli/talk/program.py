"""The conversation as a program: what was said goes by above; what changes, questions and the prompt are drawn below.

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

from planact.cli.call import Call, Exit, Result
from planact.cli.engine import Engine, end_children
from planact.cli.talk.asking import Asking
from planact.cli.talk.completer import MessageCompleter
from planact.cli.talk.drawn import Drawn
from planact.cli.talk.editing import edit
from planact.cli.talk.keys import bindings
from planact.cli.talk.offers import Offer, keys_text
from planact.cli.talk.opening import header, warnings
from planact.cli.talk.screen_parts import STYLE, ScreenParts
from planact.cli.talk.talk import LEAVE, ONCE_MORE, WELCOME, Listeners, Talk
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.model.session import Session
from planact.workflows.review_edits import Difference

_FRAME_SECONDS = 0.1
_PATIENCE_SECONDS = 10.0
_BEGIN_FRAME, _END_FRAME = "\x1b[?2026h", "\x1b[?2026l"
"""Between these a terminal that knows them shows nothing, so that nothing flickers."""

_UP_AND_CLEAR = "\x1b[A\x1b[2K"


class TalkProgram:
    """Implements `View`, `Front` and `Deeds`."""

    _engine: Engine
    _talk: Talk
    _app: Application[None]
    message: Buffer

    def __init__(self, call: Call) -> None:
        self._output = _output()
        self._environment = call.environment
        self._listeners = Listeners()
        self._drawn = Drawn(lambda: self._output.get_size().columns, self._on_change)
        self._asking = Asking(self._drawn, self._focus)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_away = False
        self._is_leaving = False
        self._was_interrupted = False
        self._stops = 0

    def talk(self, engine: Engine, session: Session) -> Result:
        """Talk until the user leaves."""
        self._engine = engine
        self._talk = Talk(engine, session.id, self, self._listeners)
        self._typed = engine.app.typed(engine.root)
        self._output.write_raw(_UP_AND_CLEAR)  # the line that was there at once said less
        self._drawn.header(*header(engine, session))
        for warning in warnings(engine):
            self.line(warning)
        self._drawn.aside(WELCOME)
        self._write_all()
        code = Exit.DONE
        with suppress(asyncio.CancelledError), patch_stdout():
            engine.do(self._run())
        if engine.is_interrupted or self._stops > 2:
            code = Exit.INTERRUPTED
        next_step = f"Go on with: planact chat --session {self._talk.session_id}"
        return Result(code, {"session_id": self._talk.session_id}, next_step=next_step)

    # --- what happens

    def line(self, text: str) -> None:
        """See `View`."""
        self._drawn.say(text, "red" if text.startswith("!") else "")

    def end_line(self) -> None:
        """Nothing: what is said next ends what came bit by bit, and what is only queued doesn't."""

    def show_question(self, asked: QuestionSet) -> None:
        """See `View`."""
        for question in asked.questions:
            self._asking.introduce(question, "")

    async def ask(self, asked: QuestionSet, problem: str, difference: Difference) -> Shown:
        """See `View`."""
        self._listeners.put(asked.id, is_there=True)
        try:
            return await self._asking.ask(asked, problem, difference)
        finally:
            self._listeners.put(asked.id, is_there=False)

    def tell(self, notice: Notice) -> None:
        """See `View`."""
        self._listeners.heed(notice)
        self._drawn.tell(notice)

    def show(self, result: Result, offer: Offer | None) -> None:
        """See `Front`."""
        self._stops = 0
        self._drawn.result(result)
        if offer is not None:
            self._drawn.say(keys_text(), "cyan")
        if self._engine.is_to_end:
            self.leave()

    async def open_file(self, path: str) -> str:
        """See `Front`."""
        self._is_away = True
        try:
            async with in_terminal():
                return await edit(self._environment, self._engine.root, path)
        finally:
            self._is_away = False

    # --- what keys do

    @property
    def is_writing(self) -> bool:
        """See `Deeds`."""
        return self._app.layout.has_focus(self.message)

    def interrupt(self) -> None:
        """See `Deeds`."""
        if self._talk.is_busy:
            self._begin(self._stop())
        elif self.message.text:
            self.message.reset()
        elif self._was_interrupted:
            self.leave()
        else:
            self._was_interrupted = True
            self._drawn.aside(ONCE_MORE)

    def leave(self) -> None:
        """See `Deeds`."""
        if not self._is_leaving:
            self._is_leaving = True
            self._begin(self._leave())

    def switch(self) -> None:
        """See `Deeds`."""
        if self._asking.panel is not None and self.is_writing:
            self._app.layout.focus(self._asking.panel.focus_on())
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
        parts = ScreenParts(self.message, self._drawn, self._asking, self._talk, lambda: self.is_writing)
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
        """Whatever ends the program leaves work that can go on, and a screen that has all that was said."""
        if self._stops <= 2:
            await self._engine.stop()
        for task in self._tasks:
            task.cancel()
        if self._tasks and self._stops <= 2:
            await asyncio.wait(self._tasks)
        self._drawn.end()
        self._write_all()

    def _write_all(self) -> None:
        """Where nothing is drawn yet, or any more."""
        self._output.write_raw(self._drawn.take().replace("\n", "\r\n"))
        self._output.flush()

    def _on_start(self) -> None:
        self._app.create_background_task(self._draw())
        self._app.create_background_task(self._tick())

    def _on_change(self) -> None:
        if self._loop is not None:  # also from the thread of a library that logs
            self._loop.call_soon_threadsafe(self._changed.set)

    async def _draw(self) -> None:
        """Put what is final above what is drawn, at once with the rest."""
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            if not self._is_away:
                self._put_up(self._drawn.take())
            await asyncio.sleep(_FRAME_SECONDS / 2)

    def _put_up(self, text: str) -> None:
        if not text:
            self._app.invalidate()
            return
        self._output.write_raw(_BEGIN_FRAME)
        self._app.renderer.erase()
        self._output.write_raw(text.replace("\n", "\r\n"))
        self._app.render_counter += 1  # or what is drawn would be what was there before
        self._app.renderer.render(self._app, self._app.layout)
        self._output.write_raw(_END_FRAME)
        self._output.flush()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_FRAME_SECONDS)
            if self._talk.is_busy and not self._is_away:
                self._app.invalidate()

    def _focus(self) -> None:
        """To the question that came, unless the user is in the middle of writing; back when it is gone."""
        panel = self._asking.panel
        self._app.layout.focus(self.message if panel is None or self.message.text else panel.focus_on())
        self._app.invalidate()

    # --- what the user writes

    def _accept(self, buffer: Buffer) -> bool:
        text = buffer.text.strip()
        if text in LEAVE:
            self.leave()
            return False
        self._typed.add(text)
        self._drawn.said(self._talk.mode, text)
        self._begin(self._talk.take(text))
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
        self._drawn.aside("Stopping at the next safe point." if self._stops == 1 else again)
        self._engine.ws.desk.cancel_all(self._talk.session_id, "the user stopped it")
        if not await self._engine.stop() and self._asking.panel is None:
            self._talk.give_up()

    async def _leave(self) -> None:
        others = self._tasks - {asyncio.current_task()}
        if self._asking.leave() and others:  # what asked ends by itself then, and its question stays open
            await asyncio.wait(others, timeout=_PATIENCE_SECONDS)
        others &= self._tasks
        if others:
            self._drawn.aside("Stopping at the next safe point, to leave then.")
            if not await self._engine.stop():
                self._talk.give_up()
            await asyncio.wait(others)
        self._app.exit()

    def _begin(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: "asyncio.Task[Any]") -> None:
        """What nobody expected ends the program, and is told by it."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and self._app.is_running:
            self._app.exit(exception=error)


def _output() -> Output:
    """Without questions to the terminal about the cursor: not each answers, and answers mix with what is typed."""
    if sys.platform == "win32":
        return create_output(sys.stdout)
    output = create_output(sys.stdout)
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False
    return output
