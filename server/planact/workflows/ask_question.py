"""Questions to the user, from being asked to their one end: answered, declined or cancelled.

A question is kept before it is shown, waits without a time limit, and keeps its id over restarts. Only `answer` and
`decline`, which front ends call for their user, and `cancel` end it; whoever is first counts, in this process or
another.
"""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, assert_never

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry

from planact.base.errors import Conflict, InvalidInput
from planact.base.patterns import MAX_TEXT, bounded
from planact.model.answer import shown_value
from planact.model.event import Event
from planact.model.message import Message
from planact.model.notice import MessageAdded, QuestionResolved
from planact.model.question import (
    Answered,
    DeclinedByUser,
    Dismissed,
    NobodyThere,
    Purpose,
    Question,
    QuestionSet,
    QuestionStatus,
    Shown,
)
from planact.ports import Ports
from planact.tools.permit import EndTurn

POLL_SECONDS = 1.0
"""How often a waiting question looks whether another process has ended it."""

MAX_ANSWER = 100_000
"""Characters of an answer as JSON."""

WROTE_INSTEAD = "The user did not answer but wrote a message, which follows."
"""Why a question is cancelled by a message."""

_LIST_THEM = "List the questions to see which are open."

MAX_SCHEMA = 10_000
"""Characters of the JSON Schema of an answer, as JSON."""

UNBOUNDED = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "patternProperties"})
"""Keywords that a hostile schema could make us fetch, go round in circles or search for ever with."""


class QuestionDesk:
    """All questions of one workspace folder, and who waits for them in this process."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._ended: dict[str, asyncio.Event] = {}
        self._held: dict[str, list[str]] = {}

    async def ask(
        self,
        session_id: str,
        questions: Sequence[Question],
        purpose: Purpose,
        subject: str,
        before: Callable[[QuestionSet], Awaitable[None]] | None = None,
    ) -> QuestionSet:
        """Ask and wait; returns the question set as it ended.

        A question about the same `subject` that was open or answered before a restart is taken up again, with its id.
        The answer to the agent counts once, or, while answers are held, until the work that it is for is done.
        `before` is awaited with one that is new, which isn't asked if that raises.

        Raises:
            InvalidInput: INVALID_ARGUMENTS when a schema is not a JSON Schema.
            EndTurn: `waiting`, when nobody can be asked now.
        """
        for question in questions:
            _check_schema(question)
        held, kept = self._held.get(session_id) if purpose == "agent" else None, self._ports.questions
        find = kept.adopt if held is None else partial(kept.adopt_held, but=held)
        question_set = find(session_id, purpose, subject)
        if question_set is None:
            question_set = self._new(session_id, questions, purpose, subject)
            if before is not None:
                await before(question_set)
            self._begin(question_set)
        if question_set.status == "open":
            question_set = await self._wait(question_set)
            if held is None:
                kept.use(question_set.id)
        if held is not None:
            held.append(question_set.id)
        return question_set

    def hold_answers(self, session_id: str) -> None:
        """What the agent asks from now on is for one piece of work: if that breaks off, the answers count in the next
        try.
        """
        self._held[session_id] = []

    def release_answers(self, session_id: str, *, are_used: bool) -> None:
        """That piece of work is over, and has a result if the answers are used."""
        held = self._held.pop(session_id, ())
        for question_id in held if are_used else ():
            self._ports.questions.use(question_id)

    async def show_again(self, question_set: QuestionSet) -> QuestionSet:
        """Show an open question once more, whoever waits for its answer; returns it as it is then.

        Raises:
            Conflict: QUESTION_NOT_OPEN.
        """
        problem = ""
        self._open(question_set.id)
        while True:
            shown = await self._ports.editor.show(question_set, problem)
            now = self._ports.questions.get(question_set.id)
            if now.status != "open" or isinstance(shown, Dismissed):
                return now
            problem = self._take(now, shown)
            if not problem:
                return self._ports.questions.get(question_set.id)

    def answer(self, question_id: str, answers: Mapping[str, Any], *, assumed: bool = False) -> QuestionSet:
        """End an open question with the user's answers.

        Raises:
            InvalidInput: ANSWER_INVALID with the reason; the question stays open.
            Conflict: QUESTION_NOT_OPEN.
        """
        question_set = self._open(question_id)
        problem = answer_problem(question_set, answers)
        if problem:
            raise InvalidInput("ANSWER_INVALID", problem, "The question is still open: answer it again.")
        update = {"answers": dict(answers), "assumed": assumed}
        return self._end(question_set, "answered", update)

    def decline(self, question_id: str) -> QuestionSet:
        """End an open question: the user won't answer."""
        return self._end(self._open(question_id), "declined", {})

    def cancel(self, question_id: str, reason: str) -> QuestionSet:
        """End an open question: it is of no interest any more."""
        return self._end(self._open(question_id), "cancelled", {"reason": reason})

    async def settle(self, ended: QuestionSet) -> None:
        """Take a question that has ended from where it stands, unless somebody waits for it and does so."""
        if ended.id not in self._ended:
            await self._ports.editor.take_back(ended)

    def cancel_all(self, session_id: str, reason: str) -> None:
        """Cancel what the session still asks."""
        for question_set in self._ports.questions.open():
            if question_set.session_id == session_id:
                with contextlib.suppress(Conflict):
                    self.cancel(question_set.id, reason)

    def open(self) -> Sequence[QuestionSet]:
        """All that wait for an answer, the oldest first."""
        return self._ports.questions.open()

    def awaited(self) -> Sequence[QuestionSet]:
        """Those of them that work of this process waits for."""
        return [question for question in self.open() if question.id in self._ended] if self._ended else ()

    def _new(self, session_id: str, questions: Sequence[Question], purpose: Purpose, subject: str) -> QuestionSet:
        return QuestionSet(
            id=self._ports.ids.uuid7(),
            session_id=session_id,
            questions=tuple(questions),
            created_at=self._ports.clock.now().isoformat(),
            purpose=purpose,
            subject=subject,
        )

    def _begin(self, question_set: QuestionSet) -> None:
        questions = question_set.questions
        self._ports.questions.put(question_set)
        self._record("question_asked", question_set)
        metadata = {"question_id": question_set.id, "questions": [q.model_dump(by_alias=True) for q in questions]}
        text = "\n\n".join(question.question for question in questions)
        self._add_message(question_set, "system", text, "question", metadata)

    async def _wait(self, question_set: QuestionSet) -> QuestionSet:
        ended = self._ended.setdefault(question_set.id, asyncio.Event())
        problem = ""
        try:
            while True:
                shown = await self._show(question_set, problem, ended)
                now = self._ports.questions.get(question_set.id)
                if now.status != "open":
                    if not ended.is_set():  # in another process, which told only its own clients
                        self._ports.editor.tell(QuestionResolved(now))
                    return now
                problem = self._take(question_set, shown)
        except asyncio.CancelledError:
            if question_set.is_momentary:
                with contextlib.suppress(Conflict):
                    self.cancel(question_set.id, "what asked it is over")
            raise
        finally:
            self._ended.pop(question_set.id, None)
            if (now := self._ports.questions.get(question_set.id)).status != "open":
                await self._ports.editor.take_back(now)

    async def _show(self, question_set: QuestionSet, problem: str, ended: asyncio.Event) -> Shown:
        """Show it until it was answered there, or has ended elsewhere; then it is taken back from the screen."""
        showing = asyncio.ensure_future(self._ports.editor.show(question_set, problem))
        ending = asyncio.ensure_future(ended.wait())
        try:
            while not ended.is_set() and self._ports.questions.get(question_set.id).status == "open":
                if showing.done() and not isinstance(showing.result(), Dismissed):
                    return showing.result()
                await asyncio.wait(
                    {ending} if showing.done() else {ending, showing},
                    timeout=POLL_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            return Dismissed()
        finally:
            ending.cancel()
            if not showing.done():
                showing.cancel()
                await asyncio.wait([showing])

    def _take(self, question_set: QuestionSet, shown: Shown) -> str:
        """Act on what the front end brought; what is wrong with it, or empty."""
        match shown:
            case Answered(answers=answers, assumed=assumed):
                try:
                    with contextlib.suppress(Conflict):  # somebody else was first
                        self.answer(question_set.id, answers, assumed=assumed)
                except InvalidInput as error:
                    return error.message
            case DeclinedByUser():
                with contextlib.suppress(Conflict):
                    self.decline(question_set.id)
            case NobodyThere():
                hint = f"planact answer {question_set.id} VALUE"
                raise EndTurn("waiting", f"a question waits for your answer: {hint}")
            case Dismissed():
                pass
            case _:
                assert_never(shown)
        return ""

    def _open(self, question_id: str) -> QuestionSet:
        question_set = self._ports.questions.get(question_id)
        if question_set.status != "open":
            raise Conflict(
                "QUESTION_NOT_OPEN", f"the question {question_id} is {question_set.status} already", _LIST_THEM
            )
        return question_set

    def _end(self, question_set: QuestionSet, status: QuestionStatus, update: Mapping[str, Any]) -> QuestionSet:
        ended = question_set.model_copy(update={"status": status, **update})
        if not self._ports.questions.resolve(ended):
            raise Conflict(
                "QUESTION_NOT_OPEN", f"the question {question_set.id} was ended by somebody else meanwhile", _LIST_THEM
            )
        self._record("question_resolved", ended)
        if status == "answered":
            text = "; ".join(f"{name}: {shown_value(value)}" for name, value in ended.answers.items())
            metadata = {
                "question_answer": {"question_id": ended.id, "answers": ended.answers},
                "assumed": ended.assumed,
            }
            self._add_message(ended, "user", text, "text", metadata)
        self._ports.editor.tell(QuestionResolved(ended))
        if ended.id in self._ended:
            self._ended[ended.id].set()
        return ended

    def _record(self, kind: Any, question_set: QuestionSet) -> None:
        data = {"question_id": question_set.id, "purpose": question_set.purpose, "status": question_set.status}
        time = self._ports.clock.now().isoformat()
        self._ports.events.record(Event(kind=kind, session_id=question_set.session_id, time=time, data=data))

    def _add_message(
        self, question_set: QuestionSet, role: Any, text: str, kind: Any, metadata: dict[str, Any]
    ) -> None:
        message = Message(
            id=self._ports.ids.uuid7(),
            session_id=question_set.session_id,
            role=role,
            content=text,
            message_type=kind,
            created_at=self._ports.clock.now().isoformat(),
            metadata=metadata,
        )
        self._ports.sessions.add_message(message)
        self._ports.editor.tell(MessageAdded(message))


def answer_problem(question_set: QuestionSet, answers: Mapping[str, Any]) -> str:
    """What is wrong with the answers, for people; empty when they are fine."""
    names = [question.name for question in question_set.questions]
    unknown = [name for name in answers if name not in names]
    if unknown:
        return f"there is no question named {unknown[0]!r}; the names are {', '.join(names)}"
    if len(_json(answers)) > MAX_ANSWER:
        return f"the answer is longer than {MAX_ANSWER} characters"
    problems = (value_problem(question, answers) for question in question_set.questions)
    return next((problem for problem in problems if problem), "")


def value_problem(question: Question, answers: Mapping[str, Any]) -> str:
    """Why the answer to one question doesn't fit, or empty."""
    if question.name not in answers:
        return f"the answer to {question.name!r} is missing"
    value = answers[question.name]
    offered = [option.value for option in question.options]
    chosen = value if question.takes_several and isinstance(value, list) else [value]
    is_offered = bool(offered) and {*map(_json, chosen)} <= {*map(_json, offered)}
    if offered and not is_offered and not question.allow_custom:
        choices = ", ".join(map(shown_value, offered))
        return f"{shown_value(value)!r} is not among the choices for {question.name!r}: {choices}"
    if is_offered and not question.takes_several:
        return ""
    if question.schema_:
        if "pattern" in _keywords(question.schema_) and any(len(text) > MAX_TEXT for text in _texts(value)):
            return f"{question.name}: longer than {MAX_TEXT} characters, which is the most that its pattern is tried on"
        errors = Draft202012Validator(question.schema_, registry=Registry()).iter_errors(value)
        return next((f"{question.name}: {error.message}" for error in errors), "")
    if not isinstance(value, str) or not value.strip():
        return f"the answer to {question.name!r} must be a text"
    return ""


def _check_schema(question: Question) -> None:
    problem = _schema_problem(question.schema_)
    if problem:
        message = f"the schema of the question {question.name!r} can't be used: {problem}"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Mend the schema or leave it out.")


def _schema_problem(schema: Mapping[str, Any]) -> str:
    if len(_json(schema)) > MAX_SCHEMA:
        return f"it is longer than {MAX_SCHEMA} characters"
    unbounded = sorted(UNBOUNDED.intersection(_keywords(schema)))
    unbounded += [f"the pattern {text}" for text in _patterns(schema) if bounded(text) is None]
    if unbounded:
        return f"{', '.join(unbounded)} can't be checked in bounded time; say in words what is wanted, or offer options"
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return error.message
    return ""


def _keywords(node: Any) -> Iterator[str]:
    """Every keyword at any depth; below `properties` stand names that may look like one."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield key
            yield from _keywords(list(value.values()) if key == "properties" and isinstance(value, Mapping) else value)
    elif isinstance(node, list):
        for item in node:
            yield from _keywords(item)


def _patterns(node: Any) -> Iterator[str]:
    """The value of every `pattern`, at any depth."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key == "pattern" and isinstance(value, str):
                yield value
            yield from _patterns(value)
    elif isinstance(node, list):
        for item in node:
            yield from _patterns(item)


def _texts(value: Any) -> Iterator[str]:
    """Every text in an answer, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in (*value, *value.values()):
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _json(value: Any) -> str:
    """One text for each JSON value: 1 is not true there, as it is in Python."""
    return json.dumps(value, sort_keys=True, default=str)
