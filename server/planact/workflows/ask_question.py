"""Questions to the user, from being asked to their one end: answered, declined or cancelled.

A question is kept before it is shown, waits without a time limit, and keeps its id over restarts. Only `answer` and
`decline`, which front ends call for their user, and `cancel` end it; whoever is first counts, in this process or
another.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, assert_never

from planact.agent.say import say
from planact.base.errors import Conflict, InvalidInput
from planact.model.answer import in_words, shown_value
from planact.model.event import Event, EventKind
from planact.model.notice import QuestionResolved
from planact.model.question import (
    MOMENTARY,
    Answered,
    AskedInStep,
    DeclinedByUser,
    Dismissed,
    NobodyThere,
    ProposedEdit,
    Purpose,
    Question,
    QuestionSet,
    QuestionStatus,
    Shown,
)
from planact.ports import Lock, Ports
from planact.tools.finish import ended as ended_task
from planact.tools.finish import finish
from planact.tools.permit import EndTurn
from planact.workflows.check_answer import answer_problem, check_schema, rejection_problem

POLL_SECONDS = 1.0
"""How often a waiting question looks whether another process has ended it."""

WROTE_INSTEAD = "The user did not answer but wrote a message, which follows."
"""Why a question is cancelled by a message."""

_LIST_THEM = "List the questions to see which are open."


class QuestionDesk:
    """All questions of one workspace folder, and who waits for them in this process."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._ended: dict[str, asyncio.Event] = {}
        self._held: dict[str, list[str]] = {}
        self.waiting: set[asyncio.Task[Any]] = set()
        """Who waits for an answer."""
        self._steps: dict[str, AskedInStep] = {}

    async def ask(
        self,
        session_id: str,
        questions: Sequence[Question],
        purpose: Purpose,
        subject: str,
        before: Callable[[QuestionSet], Awaitable[None]] | None = None,
        edits: Sequence[ProposedEdit] = (),
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
            check_schema(question)
        with self._attended(session_id, subject):
            return await self._ask(session_id, questions, purpose, subject, before, edits)

    async def _ask(
        self,
        session_id: str,
        questions: Sequence[Question],
        purpose: Purpose,
        subject: str,
        before: Callable[[QuestionSet], Awaitable[None]] | None,
        edits: Sequence[ProposedEdit],
    ) -> QuestionSet:
        held, kept = self._held.get(session_id) if purpose == "agent" else None, self._ports.questions
        find = kept.adopt if held is None else partial(kept.adopt_held, but=held)
        question_set = find(session_id, purpose, subject)
        if question_set is None:
            question_set = self._new(session_id, questions, purpose, subject).model_copy(update={"edits": tuple(edits)})
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

    @contextlib.contextmanager
    def in_step(self, session_id: str, step: AskedInStep) -> Iterator[None]:
        """What comes up in the session's work meanwhile says that it belongs to that step."""
        self._steps[session_id] = step
        try:
            yield
        finally:
            del self._steps[session_id]

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

    def answer(
        self,
        question_id: str,
        answers: Mapping[str, Any],
        *,
        assumed: bool = False,
        rejected: Sequence[str] = (),
        comment: str = "",
    ) -> QuestionSet:
        """End an open question with the user's answers; see `QuestionSet` for what goes with them.

        Raises:
            InvalidInput: ANSWER_INVALID with the reason; the question stays open.
            Conflict: QUESTION_NOT_OPEN.
        """
        question_set = self._open(question_id)
        problem = answer_problem(question_set, answers) or rejection_problem(question_set, answers, rejected)
        if problem:
            raise InvalidInput("ANSWER_INVALID", problem, "The question is still open: answer it again.")
        remarks = {"rejected": tuple(rejected), "comment": comment.strip()}
        update = {"answers": dict(answers), "assumed": assumed, **remarks}
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
        self.settle_killed()
        return self._ports.questions.open()

    def settle_killed(self) -> None:
        """Cancel what only a process that is no more could have used the answer to."""
        for asked in self._ports.questions.open():
            if asked.is_momentary and asked.id not in self._ended and not self._attendance(asked.session_id).holder():
                with contextlib.suppress(Conflict):  # somebody has just ended it
                    self.cancel(asked.id, "the process that asked it was killed")

    def awaited(self) -> Sequence[QuestionSet]:
        """Those of them that work of this process waits for."""
        return [question for question in self.open() if question.id in self._ended] if self._ended else ()

    @contextlib.contextmanager
    def _attended(self, session_id: str, subject: str) -> Iterator[None]:
        """Show other processes that somebody waits for what nobody takes up again."""
        attendance = self._attendance(session_id)
        is_first = subject.startswith(MOMENTARY) and not attendance.acquire("a question is asked")
        try:
            yield
        finally:
            if is_first:
                attendance.release()

    def _attendance(self, session_id: str) -> Lock:
        return self._ports.session_lock(f"{session_id}.asking")

    def _new(self, session_id: str, questions: Sequence[Question], purpose: Purpose, subject: str) -> QuestionSet:
        return QuestionSet(
            id=self._ports.ids.uuid7(),
            session_id=session_id,
            questions=tuple(questions),
            created_at=self._ports.clock.now().isoformat(),
            purpose=purpose,
            subject=subject,
            step=self._steps.get(session_id) if purpose != "confirm" else None,  # those say what they are about
        )

    def _begin(self, question_set: QuestionSet) -> None:
        questions = question_set.questions
        self._ports.questions.put(question_set)
        self._record("question_asked", question_set)
        metadata = {"question_id": question_set.id, "questions": [q.model_dump(by_alias=True) for q in questions]}
        text = "\n\n".join(question.question for question in questions)
        say(self._ports, question_set.session_id, "system", text, "question", metadata=metadata)

    async def _wait(self, question_set: QuestionSet) -> QuestionSet:
        ended = self._ended.setdefault(question_set.id, asyncio.Event())
        problem = ""
        task = asyncio.current_task()
        assert task is not None
        self.waiting.add(task)
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
            self.waiting.discard(task)
            self._ended.pop(question_set.id, None)
            if (now := self._ports.questions.get(question_set.id)).status != "open":
                await finish(self._ports.editor.take_back(now))  # whoever stops the work ends the question first

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
                await ended_task(showing)  # only what stands somewhere can be taken back

    def _take(self, question_set: QuestionSet, shown: Shown) -> str:
        """Act on what the front end brought; what is wrong with it, or empty."""
        match shown:
            case Answered(answers=answers, assumed=assumed, rejected=rejected, comment=comment):
                try:
                    with contextlib.suppress(Conflict):  # somebody else was first
                        self.answer(question_set.id, answers, assumed=assumed, rejected=rejected, comment=comment)
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
            said = [in_words(ended)]
            if ended.purpose == "agent":  # who may read it, in its own terms
                said = [f"{name}: {shown_value(value)}" for name, value in ended.answers.items()]
            said += [f"rejected: {path}" for path in ended.rejected]
            text = "\n".join(filter(None, ("; ".join(said), ended.comment)))
            edits = tuple(edit.path for edit in ended.edits)
            remarks = {"edits": edits, "rejected": ended.rejected, "comment": ended.comment}
            metadata = {
                "question_answer": {"question_id": ended.id, "answers": ended.answers}
                | {name: value for name, value in remarks.items() if value},
                "assumed": ended.assumed,
            }
            say(self._ports, ended.session_id, "user", text, metadata=metadata)
        self._ports.editor.tell(QuestionResolved(ended))
        if ended.id in self._ended:
            self._ended[ended.id].set()
        return ended

    def _record(self, kind: EventKind, question_set: QuestionSet) -> None:
        data = {"question_id": question_set.id, "purpose": question_set.purpose, "status": question_set.status}
        time = self._ports.clock.now().isoformat()
        self._ports.events.record(Event(kind=kind, session_id=question_set.session_id, time=time, data=data))
