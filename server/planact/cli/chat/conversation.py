"""Control of one conversation: input is handled at once; running work reads it at its next safe point.

A message runs the slash command that it names, or goes to the agent. The plan that was just shown has keys, one letter
each, until the user sends a message; a key acts only on the text that was on the screen.
"""

import asyncio
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, assert_never

from planact.base.errors import InvalidInput, ModelFailure, PlanactError
from planact.cli.command import Exit, Result, failure
from planact.cli.engine import Engine
from planact.cli.output.show import execution_data
from planact.cli.output.view import TerminalView
from planact.cli.results import (
    REVIEW_STEP,
    TURN_EXITS,
    await_action,
    how_to_continue,
    interrupted_result,
    plan_and_act_result,
    plan_result,
    planning_result,
    run_result,
)
from planact.model.chat.image import Image
from planact.model.chat.message import Session
from planact.model.notice import Notice, WorkNotice
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.policy.rights import MODE_TITLES
from planact.workflows.chat.handle_slash_command import handle_slash_command
from planact.workflows.chat.send_message import send_message
from planact.workflows.chat.slash_commands import SlashCommandCall, parse_slash_command
from planact.workflows.history.journal_queries import load_record
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.plans.revisions import compare_revisions
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.plan_and_act import PlanAndExecution
from planact.workflows.runs.revise_plan import ask_feedback, revise_plan
from planact.workflows.turns.take_turn import TurnTaken

KEYS: Mapping[str, str] = {
    "e": "execute",
    "a": "approve",
    "r": "revise",
    "o": "open",
    "d": "diff",
    "q": "later",
}
LASTING_KEYS = ("a", "d", "o")
"""Keys after which the plan still waits for a decision."""


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """The plan on the screen, with the hash of the shown text."""

    path: str
    plan_id: str
    seen_hash: str


def shown_plan_of(result: Result) -> ShownPlan | None:
    """Return the plan that a result shows; None if it shows none."""
    if not result.seen_hash:
        return None
    return ShownPlan(str(result.data["path"]), str(result.data["plan_id"]), result.seen_hash)


def keys_text() -> str:
    """Return all keys in one line."""
    return f"  {' · '.join(f'{key} {meaning}' for key, meaning in KEYS.items())}"


async def handle_key(engine: Engine, session_id: str, shown_plan: ShownPlan, key: str, told: str) -> Result:
    """Run the action of a key. For `o` the front end has opened the file already; `told` is its message."""
    ws, document = engine.ws, read_document(engine.ws, shown_plan.path)
    data = {"session_id": session_id, "path": shown_plan.path}
    if key in ("e", "a", "o") and document.hash != shown_plan.seen_hash:
        note = "It has changed since you saw it: this is how it is now."
        return replace(plan_result(session_id, document), next_step=told or note)
    match key:
        case "e":
            run = await execute_plan(ws, session_id, shown_plan.path, Confirmation.ASK, seen_hash=shown_plan.seen_hash)
            return run_result(run)
        case "a":
            await approve_plan(ws, session_id, document, shown_plan.seen_hash)
            return Result(Exit.DONE, data, f"Approved {shown_plan.path}")
        case "r":
            feedback = "" if document.tree.comments else await ask_feedback(ws, session_id, document)
            if not feedback and not document.tree.comments:
                return Result(Exit.DONE, data, "The plan stays as it is.")
            return planning_result(session_id, await revise_plan(ws, session_id, shown_plan.path, feedback))
        case "d":
            return Result(
                Exit.DONE, data, compare_revisions(ws, document).diff.rstrip("\n") or "Nothing has changed in it yet."
            )
        case "o":
            return Result(Exit.DONE, data, next_step=told)
        case _:
            return Result(Exit.DONE, data, next_step=f"Later: /act {shown_plan.plan_id}")


_OF_SESSION = ("/role", "/model", "/mode")
"""Slash commands whose effect lasts in their session alone."""

_LONGEST_SHOWN = 200
"""Characters of a message that a command repeats."""


def handle_message_and_wait(engine: Engine, session: Session, text: str, images: Sequence[Image]) -> Result:
    """Run a slash command or send a message to the agent, and wait for the result. `/new` changes the session."""
    said = parse_slash_command(text)  # raises for a faulty command before the engine starts
    try:
        result = engine.do(handle_message(engine, session.id, text, images))
        if said and said.argument and said.name in _OF_SESSION and result.code is Exit.DONE:
            return replace(result, next_step=f'Go on in this session: planact chat --session {session.id} "…"')
        is_undone = said is None and result.data.get("status") in ("refused", "nothing_done")
        if is_undone and engine.ws.ports.sessions.get(session.id).mode is Mode.PLAN:
            return replace(result, next_step=f"{result.next_step}\n{_ways_to_change(session.id, text)}")
        if said is None and result.data.get("status") == "limit":
            return replace(result, next_step=f"{result.next_step}\n{how_to_continue(engine, session.id, None)}")
        return result
    except ModelFailure as failed:
        if said is not None:
            raise
        return replace(failure(failed), next_step=how_to_continue(engine, session.id, None))
    except asyncio.CancelledError:
        return interrupted_result(engine, session.id)


async def handle_message(engine: Engine, session_id: str, text: str, images: Sequence[Image] = ()) -> Result:
    """Run a slash command or send a message to the agent, beside other tasks of the conversation."""
    said = parse_slash_command(text)
    if said is None:
        return await await_action(engine, session_id, lambda: _send(engine, session_id, text, images))
    if images:
        raise InvalidInput("INVALID_ARGUMENTS", f"{said.name} takes no image", "Send it with a message.")
    result = await await_action(engine, session_id, lambda: _run_word(engine, session_id, said))
    return replace(result, next_step=result.next_step.replace(" --set ", " "))  # slash commands have no options


async def _run_word(engine: Engine, session_id: str, said: SlashCommandCall) -> Result:
    heeded = await handle_slash_command(engine.ws, session_id, said)
    match heeded.came:
        case str(told):
            return Result(Exit.DONE, {"session_id": heeded.session_id, "text": told}, told)
        case TurnTaken() as taken:
            return planning_result(session_id, taken)
        case PlanDocument() as document:
            return plan_result(session_id, document)
        case PlanAndExecution() as done:
            return plan_and_act_result(session_id, done)
        case Execution() as execution:
            return run_result(execution)
    assert_never(heeded.came)


async def _send(engine: Engine, session_id: str, text: str, images: Sequence[Image]) -> Result:
    """Send a message and return its result: an answer, a plan, or a run that the user accepted meanwhile."""
    records = engine.ws.ports.records
    before = frozenset(records.execution_ids())
    plan_before = _in_hand(engine, session_id)
    result = await send_message(engine.ws, session_id, text, images)
    if result is None:
        data: Mapping[str, Any] = {"session_id": session_id, "status": "queued"}
        return Result(Exit.DONE, data, "Queued: work is running in this session, and reads it at its next safe point.")
    fresh = (load_record(engine.ws, run_id) for run_id in records.execution_ids() if run_id not in before)
    new = [run for run in fresh if run and run.session_id == session_id]
    run_of_plan = next((run for run in new if run.plan_id), None)
    if run_of_plan is not None:
        return run_result(run_of_plan)
    status = {"session_id": session_id, "status": result.kind, "text": result.text, "reason": result.reason}
    data = {**status, "execution": execution_data(new[0]) if new else None}
    told = Result(TURN_EXITS[result.kind], data, result.text, result.reason, is_seen=True)
    document = _in_hand(engine, session_id)
    if document is None or (plan_before is not None and document.file.text == plan_before.file.text):
        return told
    shown = plan_result(session_id, document)
    return replace(shown, code=told.code, data={**data, **shown.data}, next_step=told.next_step or shown.next_step)


def _ways_to_change(session_id: str, text: str) -> str:
    """Return the commands that do what a message in Plan asked for in vain."""
    said = shlex.quote(text) if len(text) <= _LONGEST_SHOWN and "\n" not in text else '"…"'
    act = f"planact chat --session {session_id} --mode act -- {said}"
    return f"Make a plan: planact plan -- {said}\nSwitch to Act: {act}"


def _in_hand(engine: Engine, session_id: str) -> PlanDocument | None:
    """Return the plan of the session as it is now; None without one, or if its document can't be read as a plan."""
    path = engine.ws.ports.sessions.get(session_id).plan_file
    try:
        document = read_document(engine.ws, path) if path else None
    except InvalidInput:
        return None
    return document if document is not None and document.plan is not None else None


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

    async def open_file(self, path: str) -> str:
        """Let the user edit a file of the workspace; return the message to show afterwards."""


class ChatInterface(TerminalView, ResultView, Protocol):
    """Front end of a conversation: its view and its loop."""

    def run(self, engine: Engine, session: Session) -> Result:
        """Run the conversation until the user leaves."""


class InputReaders:
    """Readers of typed input: running work, and open questions, which a message can answer."""

    def __init__(self) -> None:
        self._who: set[str] = set()
        self._are_there = asyncio.Event()

    def handle_notice(self, notice: Notice) -> None:
        """Add or remove a session when its work starts or stops."""
        if isinstance(notice, WorkNotice):
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
