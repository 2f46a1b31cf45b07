"""Control of one conversation: input is handled at once; running work reads it at its next safe point."""

import asyncio
import re
from dataclasses import replace
from typing import Protocol

from planact.base.errors import InvalidInput, PlanactError
from planact.cli.chat.handle_message import handle_message
from planact.cli.chat.plan_actions import KEYS, LASTING_KEYS, ShownPlan, handle_key, shown_plan_of
from planact.cli.command import Exit, Result, failure
from planact.cli.engine import Engine
from planact.cli.output.view import TerminalView
from planact.cli.results import REVIEW_STEP, await_action
from planact.model.chat.session import Session
from planact.model.notice import Notice, WorkChanged
from planact.policy.rights import MODE_TITLES
from planact.workflows.chat.slash_commands import parse_slash_command

LEAVE = ("/quit", "/exit")
WELCOME = "/help tells what you can write here, @ names a file; /quit or Ctrl-D leaves."
ONCE_MORE = "Ctrl-C once more leaves, or Ctrl-D."

# Hints name commands of the terminal; in the chat the slash commands are meant.
_AS_WORDS = (
    (re.compile(r"\Ayou stopped it\Z"), "Stopped."),
    (re.compile(r"planact act (?=\S)"), "/act "),
    (re.compile(r"planact resume (?=\S)"), "/resume "),
    (re.compile(r"planact rollback \S+( --step)?"), "/undo"),
    (re.compile(r'planact chat --session \S+ "go on"'), "“go on”"),
)


class ResultView(Protocol):
    """Display of results."""

    def show(self, result: Result, shown_plan: ShownPlan | None) -> None:
        """Show a result, and the keys for the plan that it shows."""
        ...

    async def open_file(self, path: str) -> str:
        """Let the user edit a file of the workspace; return the message to show afterwards."""
        ...


class ChatInterface(TerminalView, ResultView, Protocol):
    """Front end of a conversation: its view and its loop."""

    def run(self, engine: Engine, session: Session) -> Result:
        """Run the conversation until the user leaves."""
        ...


class InputReaders:
    """Readers of typed input: running work, and open questions, which a message can answer."""

    def __init__(self) -> None:
        self._who: set[str] = set()
        self._are_there = asyncio.Event()

    def handle_notice(self, notice: Notice) -> None:
        """Add or remove a session when its work starts or stops."""
        if isinstance(notice, WorkChanged):
            self.put(notice.session_id, is_there=notice.is_running)

    def put(self, who: str, *, is_there: bool) -> None:
        """Add or remove a reader by its id."""
        (self._who.add if is_there else self._who.discard)(who)
        (self._are_there.set if self._who else self._are_there.clear)()

    async def wait(self) -> None:
        """Wait until there is a reader."""
        await self._are_there.wait()


class ChatController:
    """Handles the input of a conversation. `/new` changes `session_id`."""

    def __init__(self, engine: Engine, session_id: str, front: ResultView, readers: InputReaders) -> None:
        self.engine = engine
        self.session_id = session_id
        self._front = front
        self._shown_plan: ShownPlan | None = None
        self._door = asyncio.Lock()
        self._readers = readers
        self._doing: set[asyncio.Task[Result]] = set()

    @property
    def session(self) -> Session:
        return self.engine.ws.ports.sessions.get(self.session_id)

    @property
    def mode(self) -> str:
        """Return the name of the mode in lower case, for the prompt."""
        return MODE_TITLES[self.session.mode].lower()

    @property
    def is_busy(self) -> bool:
        return bool(self._doing)

    async def handle_input(self, text: str) -> None:
        """Handle one line of the user and show its result.

        A line that is typed while a turn begins waits until the turn, or a question, can read it.
        """
        async with self._door:
            session_id, shown_plan = self.session_id, self._shown_plan
            doing = asyncio.ensure_future(self._do(session_id, shown_plan, text))
            listening = asyncio.ensure_future(self._readers.wait())
            self._doing.add(doing)
            await asyncio.wait({doing, listening}, return_when=asyncio.FIRST_COMPLETED)
            listening.cancel()
        try:
            result = await doing
        finally:
            self._doing.discard(doing)
        if (then := result.data.get("session_id", session_id)) != session_id:
            self.session_id = then
        self._shown_plan = shown_plan_of(result) or (shown_plan if _keeps_plan(text) else None)
        is_offered = result.next_step.startswith(REVIEW_STEP)  # the line of keys replaces the hint
        told = replace(result, next_step="" if is_offered else _in_words(result.next_step))
        self._front.show(told, None if text.startswith("/") and not result.seen_hash else self._shown_plan)

    def cancel_tasks(self) -> None:
        """Cancel all tasks, for when no run or turn is there to stop at a safe point."""
        for task in self._doing:
            task.cancel()

    async def _do(self, session_id: str, shown_plan: ShownPlan | None, text: str) -> Result:
        key = text.strip().lower()
        try:
            if shown_plan is None or key not in KEYS:
                return await handle_message(self.engine, session_id, text)
            told = await self._front.open_file(shown_plan.path) if key == "o" else ""
            return await await_action(
                self.engine, session_id, lambda: handle_key(self.engine, session_id, shown_plan, key, told)
            )
        except PlanactError as error:
            return replace(failure(error), next_step=f"! {error}")
        except asyncio.CancelledError:
            return Result(Exit.INTERRUPTED, {})


def _keeps_plan(text: str) -> bool:
    """Return whether the keys still mean the plan on the screen after this input: a slash command keeps them."""
    try:
        return text.strip().lower() in LASTING_KEYS or parse_slash_command(text) is not None
    except InvalidInput:
        return True


def _in_words(text: str) -> str:
    for pattern, word in _AS_WORDS:
        text = pattern.sub(word, text)
    return text
