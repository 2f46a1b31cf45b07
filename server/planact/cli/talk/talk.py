"""One conversation: what the user writes is taken at once; work that runs reads it at its next safe point."""

import asyncio
import re
from dataclasses import replace
from typing import Protocol

from planact.base.errors import InvalidInput, PlanactError
from planact.cli.call import Exit, Result, failure
from planact.cli.engine import Engine
from planact.cli.outcomes import LOOK_AT_IT, outcome
from planact.cli.talk.offers import KEYS, LASTING, Offer, accept, offer_of
from planact.cli.trips import heard
from planact.cli.view import View
from planact.model.notice import Notice, WorkChanged
from planact.model.session import Session
from planact.policy.modes import MODE_TITLES
from planact.workflows.chat_words import read_word

LEAVE = ("/quit", "/exit")
WELCOME = "/help tells what you can write here, @ names a file; /quit or Ctrl-D leaves."
ONCE_MORE = "Ctrl-C once more leaves, or Ctrl-D."

# What is a command elsewhere is a word here.
_AS_WORDS = (
    (re.compile(r"\Ayou stopped it\Z"), "Stopped."),
    (re.compile(r"planact act (?=\S)"), "/act "),
    (re.compile(r"planact resume (?=\S)"), "/resume "),
    (re.compile(r"planact rollback \S+( --step)?"), "/undo"),
    (re.compile(r'planact chat --session \S+ "go on"'), "“go on”"),
)


class Front(Protocol):
    """Where the conversation is seen."""

    def show(self, result: Result, offer: Offer | None) -> None:
        """Show what came of something, and what is offered with it."""
        ...

    async def open_file(self, path: str) -> str:
        """Let the user edit a file of the workspace; what to tell them afterwards."""
        ...


class Conversation(View, Front, Protocol):
    """All that a conversation needs of where it is held."""

    def talk(self, engine: Engine, session: Session) -> Result:
        """Talk until the user leaves."""
        ...


class Listeners:
    """Who reads what is written now: work that runs, or a question, which a message answers in its way."""

    def __init__(self) -> None:
        self._who: set[str] = set()
        self._are_there = asyncio.Event()

    def heed(self, notice: Notice) -> None:
        """Know it from what happens."""
        if isinstance(notice, WorkChanged):
            self.put(notice.session_id, is_there=notice.is_running)

    def put(self, who: str, *, is_there: bool) -> None:
        """Somebody reads what is written, or doesn't any more."""
        (self._who.add if is_there else self._who.discard)(who)
        (self._are_there.set if self._who else self._are_there.clear)()

    async def wait(self) -> None:
        """Wait until there is one."""
        await self._are_there.wait()


class Talk:
    """The conversation; `session_id` changes when a new one begins."""

    def __init__(self, engine: Engine, session_id: str, front: Front, listeners: Listeners) -> None:
        self.engine = engine
        self.session_id = session_id
        self._front = front
        self._offer: Offer | None = None
        self._door = asyncio.Lock()
        self._listeners = listeners
        self._doing: set[asyncio.Task[Result]] = set()

    @property
    def session(self) -> Session:
        """As it is now."""
        return self.engine.ws.ports.sessions.get(self.session_id)

    @property
    def mode(self) -> str:
        """The name of the mode, as the prompt says it."""
        return MODE_TITLES[self.session.mode].lower()

    @property
    def is_busy(self) -> bool:
        """Whether something is being done."""
        return bool(self._doing)

    async def take(self, text: str) -> None:
        """Do what the user wrote, and show what comes of it.

        What is written while a turn begins waits until there is something that can read it.
        """
        async with self._door:
            session_id, offer = self.session_id, self._offer
            doing = asyncio.ensure_future(self._do(session_id, offer, text))
            listening = asyncio.ensure_future(self._listeners.wait())
            self._doing.add(doing)
            await asyncio.wait({doing, listening}, return_when=asyncio.FIRST_COMPLETED)
            listening.cancel()
        try:
            result = await doing
        finally:
            self._doing.discard(doing)
        if (then := result.data.get("session_id", session_id)) != session_id:
            self.session_id = then
        self._offer = offer_of(result) or (offer if _leaves_offer(text) else None)
        is_offered = result.next_step.startswith(LOOK_AT_IT)  # the letters below say more
        told = replace(result, next_step="" if is_offered else _in_words(result.next_step))
        self._front.show(told, None if text.startswith("/") and not result.seen_hash else self._offer)

    def give_up(self) -> None:
        """Have all that is being done end, where no work runs that could be stopped in good order."""
        for task in self._doing:
            task.cancel()

    async def _do(self, session_id: str, offer: Offer | None, text: str) -> Result:
        key = text.strip().lower()
        try:
            if offer is None or key not in KEYS:
                return await heard(self.engine, session_id, text)
            told = await self._front.open_file(offer.path) if key == "o" else ""
            return await outcome(self.engine, session_id, lambda: accept(self.engine, session_id, offer, key, told))
        except PlanactError as error:
            return replace(failure(error), next_step=f"! {error}")
        except asyncio.CancelledError:
            return Result(Exit.INTERRUPTED, {})


def _leaves_offer(text: str) -> bool:
    """Whether the plan on the screen is still what the letters are about, after something else was said."""
    try:
        return text.strip().lower() in LASTING or read_word(text) is not None
    except InvalidInput:
        return True


def _in_words(text: str) -> str:
    for pattern, word in _AS_WORDS:
        text = pattern.sub(word, text)
    return text
