"""Questions to the user, from the asking to their one end: answered, declined or cancelled.

A question is stored before it is shown, waits without a time limit, and keeps its id over restarts. Only `answer` and
`decline`, which front ends call for their user, and `cancel` end it; the first of them counts, in this process or
another.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, assert_never

from planact.agent.add_message import add_message
from planact.agent.context import TOLD_APART
from planact.base.errors import Conflict, InvalidInput
from planact.model.answer import answers_in_words, shown_value
from planact.model.notice import QuestionNotice
from planact.model.question import (
    MOMENTARY,
    Answered,
    AskedInStep,
    DeclinedByUser,
    Dismissed,
    NobodyThere,
    ProposedEdit,
    Question,
    QuestionPurpose,
    QuestionSet,
    QuestionStatus,
    Shown,
)
from planact.model.runs.journal import Event, EventKind
from planact.ports import Lock, Ports
from planact.tools.shielded import run_shielded, wait_until_done
from planact.tools.turn import EndTurn
from planact.workflows.questions.check_answer import answer_problem, check_schema, rejection_problem
from planact.workflows.questions.same_question import EarlierAnswer, find_earlier, is_same_set

POLL_SECONDS = 1.0
"""Interval at which a waiting question checks whether another process has ended it."""

WROTE_INSTEAD = "The user did not answer but wrote a message, which follows."
"""Reason of a question that a message cancelled."""

_LIST_THEM = "List the questions to see which are open."


class QuestionService:
    """All questions of one workspace folder, and who waits for them in this process."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._ended: dict[str, asyncio.Event] = {}
        self._held: dict[str, set[tuple[str, str]]] = {}
        """Ids and names of the answered questions that the work at hand got, by session."""
        self.waiting: set[asyncio.Task[Any]] = set()
        """Tasks that wait for an answer."""
        self._runs: dict[str, tuple[str, AskedInStep | None]] = {}
        """The run at work and its step, by session."""

    async def ask(
        self,
        session_id: str,
        questions: Sequence[Question],
        purpose: QuestionPurpose,
        subject: str,
        before: Callable[[QuestionSet], Awaitable[None]] | None = None,
        edits: Sequence[ProposedEdit] = (),
    ) -> QuestionSet:
        """Ask and wait; returns the question set as it ended.

        A question about the same `subject` that was open or answered before a restart is reused, with its id. An open
        one of the agent's is found by its names and choices; `earlier_answers` finds its answered ones. `before` is
        awaited with a new question, which isn't asked if that raises.

        Raises:
            InvalidInput: INVALID_ARGUMENTS when a schema is not a JSON Schema.
            EndTurn: `waiting`, when the user can't be asked now.
        """
        for question in questions:
            check_schema(question)
        with self._locked_while_asking(session_id, subject):
            return await self._ask(session_id, questions, purpose, subject, before, edits)

    async def _ask(
        self,
        session_id: str,
        questions: Sequence[Question],
        purpose: QuestionPurpose,
        subject: str,
        before: Callable[[QuestionSet], Awaitable[None]] | None,
        edits: Sequence[ProposedEdit],
    ) -> QuestionSet:
        kept = self._ports.questions
        is_agents = purpose == "agent"
        if is_agents:
            question_set = self._reopen(session_id, subject, questions)
        else:
            question_set = kept.claim(session_id, purpose, subject)
        if question_set is None:
            question_set = self._new(session_id, questions, purpose, subject).model_copy(update={"edits": tuple(edits)})
            if before is not None:
                await before(question_set)
            self._begin(question_set)
        if question_set.status == "open":
            question_set = await self._wait(question_set)
            if not is_agents:
                kept.use(question_set.id)
        if is_agents:
            self._note_used(session_id, ((question_set.id, question.name) for question in question_set.questions))
        return question_set

    def earlier_answers(
        self, session_id: str, subject: str, questions: Sequence[Question]
    ) -> Mapping[str, EarlierAnswer]:
        """Return the user's answers before a restart to the same questions of the agent about `subject`, by name. The
        work at hand gets each answer once.
        """
        held = self._held.get(session_id, set())
        asked = self._ports.questions.asked(session_id, purpose="agent", subject=subject)
        found = find_earlier(questions, asked, held)
        self._note_used(session_id, ((each.asked.id, name) for name, each in found.items()))
        return found

    def _reopen(self, session_id: str, subject: str, questions: Sequence[Question]) -> QuestionSet | None:
        """Return the open question that the agent asks again, and cancel others that no work waits for: an agent that
        began anew asks another question.
        """
        found: QuestionSet | None = None
        for asked in self._ports.questions.asked(session_id, purpose="agent", subject=subject):
            if asked.status != "open" or asked.id in self._ended:
                continue
            if found is None and is_same_set(asked.questions, questions):
                found = asked
            else:
                with contextlib.suppress(Conflict):
                    self.cancel(asked.id, "the agent began anew and asks another question")
        return found

    def _note_used(self, session_id: str, answers: Iterable[tuple[str, str]]) -> None:
        """Note the answers that the work at hand got: they are used up when it is done, or at once without a
        reservation.
        """
        if (held := self._held.get(session_id)) is not None:
            held.update(answers)
        else:
            for question_id in {question_id for question_id, _ in answers}:
                self._ports.questions.use(question_id)

    def reserve_answers(self, session_id: str) -> None:
        """Reserve the agent's answers from now on for one piece of work; they count in its next try too."""
        self._held[session_id] = set()

    def release_answers(self, session_id: str, subject: str, *, are_used: bool) -> None:
        """End that piece of work. With a result, answers about `subject` are used up, and open questions cancelled."""
        self._held.pop(session_id, None)
        for asked in self._ports.questions.asked(session_id, purpose="agent", subject=subject) if are_used else ():
            if asked.status == "open" and asked.id not in self._ended:
                with contextlib.suppress(Conflict):
                    self.cancel(asked.id, "the work that it was for is done")
            self._ports.questions.use(asked.id)

    @contextlib.contextmanager
    def in_run(self, session_id: str, execution_id: str, step: AskedInStep | None = None) -> Iterator[None]:
        """Note the run, and its step if it has any, in the questions that the session's work asks meanwhile."""
        self._runs[session_id] = execution_id, step
        try:
            yield
        finally:
            del self._runs[session_id]

    async def show_again(self, question_set: QuestionSet) -> QuestionSet:
        """Show an open question once more, whether or not work waits for its answer; return its current state.

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

    async def remove_shown(self, ended: QuestionSet) -> None:
        """Remove a resolved question from the UI, unless its waiter will."""
        if ended.id not in self._ended:
            await self._ports.editor.remove_question(ended)

    def cancel_all(self, session_id: str, reason: str) -> None:
        """Cancel what the session still asks."""
        self.cancel_where(lambda asked: asked.session_id == session_id, reason)

    def cancel_where(self, is_past: Callable[[QuestionSet], bool], reason: str) -> None:
        """Cancel the open questions that are of no interest any more, but for those that another client ends now."""
        for asked in self._ports.questions.open():
            if is_past(asked):
                with contextlib.suppress(Conflict):
                    self.cancel(asked.id, reason)

    def open(self) -> Sequence[QuestionSet]:
        """All that wait for an answer, the oldest first."""
        self.cancel_orphaned()
        return self._ports.questions.open()

    def cancel_orphaned(self) -> None:
        """Cancel what only a process that is no more could have used the answer to."""
        self.cancel_where(self._is_orphaned, "the process that asked it was killed")

    def _is_orphaned(self, asked: QuestionSet) -> bool:
        return asked.is_momentary and asked.id not in self._ended and not self._asking_lock(asked.session_id).holder()

    def awaited(self) -> Sequence[QuestionSet]:
        """The open questions that work of this process waits for."""
        return [question for question in self.open() if question.id in self._ended] if self._ended else ()

    @contextlib.contextmanager
    def _locked_while_asking(self, session_id: str, subject: str) -> Iterator[None]:
        """Hold a lock while a question waits that can't be resumed, so that other processes see it."""
        lock = self._asking_lock(session_id)
        is_first = subject.startswith(MOMENTARY) and not lock.acquire("a question is asked")
        try:
            yield
        finally:
            if is_first:
                lock.release()

    def _asking_lock(self, session_id: str) -> Lock:
        return self._ports.session_lock(f"{session_id}.asking")

    def _new(
        self, session_id: str, questions: Sequence[Question], purpose: QuestionPurpose, subject: str
    ) -> QuestionSet:
        execution_id, step = self._runs.get(session_id, ("", None))
        return QuestionSet(
            id=self._ports.ids.uuid7(),
            session_id=session_id,
            questions=tuple(questions),
            created_at=self._ports.clock.now().isoformat(),
            purpose=purpose,
            subject=subject,
            step=step if purpose != "confirm" else None,  # confirmations name their subject
            execution_id=execution_id,
        )

    def _begin(self, question_set: QuestionSet) -> None:
        questions = question_set.questions
        self._ports.questions.put(question_set)
        self._record("question_asked", question_set)
        metadata = {"question_id": question_set.id, "questions": [q.model_dump(by_alias=True) for q in questions]}
        text = "\n\n".join(question.question for question in questions)
        add_message(self._ports, question_set.session_id, "system", text, "question", metadata=metadata)

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
                        self._ports.editor.notify(QuestionNotice(now))
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
                await run_shielded(self._ports.editor.remove_question(now))  # stopping work ends the question first

    async def _show(self, question_set: QuestionSet, problem: str, ended: asyncio.Event) -> Shown:
        """Show a question until it was answered there, or has ended elsewhere; then remove it from the screen."""
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
                await wait_until_done(showing)  # only a shown question can be removed

    def _take(self, question_set: QuestionSet, shown: Shown) -> str:
        """Act on what the front end brought; what is wrong with it, or empty."""
        match shown:
            case Answered(answers=answers, assumed=assumed, rejected=rejected, comment=comment):
                try:
                    with contextlib.suppress(Conflict):  # another client was first
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
                "QUESTION_NOT_OPEN",
                f"the question {question_set.id} was answered or cancelled elsewhere meanwhile",
                _LIST_THEM,
            )
        self._record("question_resolved", ended)
        if status == "answered":
            said = [answers_in_words(ended)]
            if ended.purpose == "agent":  # the agent may read it, in its own terms
                said = [f"{name}: {shown_value(value)}" for name, value in ended.answers.items()]
            said += [f"rejected: {path}" for path in ended.rejected]
            text = "\n".join(filter(None, ("; ".join(said), ended.comment)))
            edits = tuple(edit.path for edit in ended.edits)
            remarks = {"edits": edits, "rejected": ended.rejected, "comment": ended.comment}
            metadata = {
                "question_answer": {"question_id": ended.id, "answers": ended.answers}
                | {name: value for name, value in remarks.items() if value},
                "assumed": ended.assumed,
                TOLD_APART: True,
            }
            add_message(self._ports, ended.session_id, "user", text, metadata=metadata)
        self._ports.editor.notify(QuestionNotice(ended))
        if ended.id in self._ended:
            self._ended[ended.id].set()
        return ended

    def _record(self, kind: EventKind, question_set: QuestionSet) -> None:
        data = {"question_id": question_set.id, "purpose": question_set.purpose, "status": question_set.status}
        [first, *_] = question_set.questions
        if kind == "question_asked":
            data["about"] = first.counted_as or (first.name if question_set.purpose != "agent" else "the task")
        time = self._ports.clock.now().isoformat()
        self._ports.events.record(Event(kind=kind, session_id=question_set.session_id, time=time, data=data))
