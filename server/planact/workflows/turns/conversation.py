"""Acts of tools in their conversation: ask, write its plan, and ask for approval."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from planact.base.errors import EditFailure, InvalidInput, NotFound, StorageFailure
from planact.base.sources import new_plan_id
from planact.base.span import TextEdit, apply_edits
from planact.model.plan import ContextFile, Plan
from planact.model.question import Decision, ProposedEdit, Question, QuestionPurpose, QuestionSet
from planact.model.rights.permission import Mode
from planact.plan.revision import fill_request, replace_plan
from planact.plan.syntax.parser import parse
from planact.plan.syntax.render import render
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn, Outcomes
from planact.workflows.hooks import after_hooks, ask_user, before_hooks, decision
from planact.workflows.plans.accept import ACCEPT, REVIEW, ask_to_accept, choice_about_plan
from planact.workflows.plans.amend import PlannedStep
from planact.workflows.plans.approve import approve_text
from planact.workflows.plans.archive import archive_plans
from planact.workflows.plans.fingerprints import MAX_FINGERPRINTS, fingerprints
from planact.workflows.plans.infrastructure import with_infrastructure
from planact.workflows.plans.library import PlanDocument, create_document, edit_document, new_path, read_document
from planact.workflows.plans.revisions import keep_revision, propose_revision
from planact.workflows.questions.answers_as_result import agent_subject, answers_as_result, effect_reason
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.sessions.manage import change_session
from planact.workflows.turns.delegate import read_report
from planact.workflows.workspace import Workspace


@dataclass(slots=True)
class SessionConversation:
    """One turn of one session.

    Attributes:
        target: the document that the plan goes into, as it was when the turn began; None = a new one.
        trace: what the turn has read; the plan rests on it.
        step: the step that its questions belong to; None = they belong to the session.
        written: the plan this turn wrote last.
        is_held: whether the user was asked to execute it, and didn't say yes.
        offer: where a plan waits that wasn't written over what the user typed meanwhile; one sentence for them.
        is_hooked: whether the hooks before a plan have run.
        outcomes: what commands on trial changed in its run; it is judged before a question, around which hooks run.
        hand_out: delegates a task to another role; None outside a turn of the model.
    """

    ws: Workspace
    session_id: str
    trace: Trace
    target: PlanDocument | None = None
    step: PlannedStep | None = None
    written: PlanDocument | None = None
    is_held: bool = False
    offer: str = ""
    is_hooked: bool = False
    outcomes: Outcomes | None = None
    hand_out: Callable[[str, str], Awaitable[str]] | None = None

    async def ask(self, questions: Sequence[Question]) -> str:
        """Ask for the agent. What the user answered before a restart isn't asked again."""
        names = [question.name for question in questions]
        if len(set(names)) < len(names):
            raise InvalidInput(
                "INVALID_ARGUMENTS", "two questions have the same name", "Name each question differently."
            )
        subject = agent_subject(self._asked_in)
        earlier = self.ws.questions.earlier_answers(self.session_id, subject, questions)
        left = [question for question in questions if question.name not in earlier]
        shown = [question.with_effects_told for question in left]
        ended = await self._ask_user(shown, "agent", subject) if shown else None
        self.trace.answered += [each.asked.id for each in earlier.values()] + ([ended.id] if ended else [])
        result = answers_as_result(questions, earlier, ended)
        if ended is not None:
            self._apply_effect(ended, result)
        return result

    def _apply_effect(self, ended: QuestionSet, result: str) -> None:
        """End the turn if the chosen option pauses, stops or re-plans the work; planning goes on upon `replan`."""
        match ended.effect:
            case "pause":
                raise EndTurn("stopped", effect_reason(ended), result)
            case "stop":
                raise EndTurn("cancelled", effect_reason(ended), result)
            case "replan" if self.ws.ports.sessions.get(self.session_id).mode is Mode.ACT:
                self.ws.ports.questions.use(ended.id)
                raise EndTurn("replan", effect_reason(ended), result)

    async def approve(self, question: Question, subject: str, edits: Sequence[ProposedEdit] = ()) -> Decision:
        """Ask the user whether a call may run; every answer but a yes is a no."""
        about = f"{self._asked_in} {subject}"
        ended = await self._ask_user((question,), "approval", about, edits)
        self.trace.answered.append(ended.id)
        return decision(ended)

    @property
    def _asked_in(self) -> str:
        return self.step.subject if self.step else ""

    async def _ask_user(
        self, questions: Sequence[Question], purpose: QuestionPurpose, subject: str, edits: Sequence[ProposedEdit] = ()
    ) -> QuestionSet:
        if self.outcomes is not None:
            await self.outcomes.judge()
        return await ask_user(self.ws, self.session_id, questions, purpose, subject, edits)

    async def write_plan(self, plan: Plan) -> str:
        """Write the plan into its document, or into a new one when that has moved on or is none of the model's
        business.
        """
        ws = self.ws
        if not self.is_hooked:
            await before_hooks(ws, self.session_id, "Plan")
            self.is_hooked = True
        plan = with_infrastructure(self._completed(plan))
        note = ""
        try:
            self.written = await self._write_into_target(plan)
        except NotFound as failure:
            note = f" {failure.message}, so this is a new file."
        except EditFailure as failure:
            return self._propose(plan, failure)
        if self.written is None or note:
            plan = plan.model_copy(update={"id": new_plan_id(ws.ports.clock.now(), ws.ports.ids)})
            try:
                self.written = await create_document(ws, self.session_id, new_path(ws, plan), render(plan))
            except EditFailure as failure:
                if not isinstance(failure.__cause__, OSError):
                    raise
                # no other call of the model would help
                message = f"the plan can't be written: {failure.message}"
                raise StorageFailure("STORAGE_UNWRITABLE", message, failure.hint) from failure
            await archive_plans(ws)
        before, self.target = self.target, self.written
        if before is not None and not note:
            keep_revision(ws, before, "user")  # with the user's changes
        keep_revision(ws, self.written, "planner")
        session = ws.ports.sessions.get(self.session_id)
        made = tuple(dict.fromkeys((*session.made_plans, self.written.path)))
        change_session(ws, self.session_id, plan_file=self.written.path, made_plans=made)
        written = self.written.plan or plan
        data = {"plan_id": written.id, "path": self.written.path, "also_read": self._also_read(written)}
        ws.record("plan_created", self.session_id, data)
        kept: dict[str, Any] = {"plan_id": written.id, "path": self.written.path, "document": self.written.file.text}
        if before is not None and not note:
            kept["before"] = before.file.text  # no other place has the user's changes
        ws.add_message(self.session_id, "system", f"Plan: {written.goal}{note}", "plan", **kept)
        await after_hooks(ws, self.session_id, "Plan", plan_id=written.id, plan_file=self.written.path)
        return f"The plan is in {self.written.path}.{note} The user can review, edit and execute it there."

    async def exit_plan(self, path: str) -> str:
        """Ask for approval. Acceptance binds to the text that was shown."""
        document = read_document(self.ws, path)
        ended, told = await ask_to_accept(self.ws, self.session_id, document)
        self.trace.answered.append(ended.id)
        choice = choice_about_plan(ended)
        if choice == ACCEPT:
            now = read_document(self.ws, path)
            if now.hash != document.hash:
                return "The plan was changed while the user was asked. Read it again, then ask again."
            await approve_text(self.ws, self.session_id, now, told.implied)
            self.written = now
            raise EndTurn("accepted", f"The user accepted the plan {document.path}.")
        if choice == REVIEW:
            raise EndTurn("review", "The user wants to review the plan first.")
        self.is_held = True
        return "The user wants to keep planning. Ask what to change, or wait for their feedback."

    async def delegate(self, role: str, task: str) -> str:
        """Have another role work on a task."""
        assert self.hand_out is not None, "only a turn of the model delegates tasks"
        return await self.hand_out(role, task)

    def report(self, report: str, skip: int) -> str:
        """Return another role's report from character `skip` on."""
        return read_report(self.ws, self.session_id, report, skip)

    def _propose(self, plan: Plan, failure: EditFailure) -> str:
        """Keep the plan as a revision that the user can take: they typed while it was made, or the document can't be
        changed.
        """
        ws, target = self.ws, self.target
        assert target is not None
        text = apply_edits(target.file.text, self._edits(target, plan))
        keep_revision(ws, target, "user")
        number = propose_revision(ws, target, text)
        is_typed = failure.code == "EDIT_CONFLICT"
        why = f"{target.path} was changed while the plan was made" if is_typed else failure.message
        told = f"{why}, so the plan is offered as revision {number}"
        self.offer = f"{told}: compare it and restore it to take it"
        ws.add_message(self.session_id, "system", self.offer, "plan", path=target.path, revision=number, document=text)
        return f"{told}; the document is as the user left it. Don't write it again: wait for the user."

    async def _write_into_target(self, plan: Plan) -> PlanDocument | None:
        """None where there is no document that the model may write into."""
        target, ws = self.target, self.ws
        if target is None or target.path in ws.ports.approvals.paths():
            return None
        now = read_document(ws, target.path)
        if now.file.text != target.file.text:
            raise EditFailure("EDIT_CONFLICT", f"{target.path} is not as it was when planning began")
        return await edit_document(ws, self.session_id, now, self._edits(target, plan), "Write the plan", is_own=True)

    def _edits(self, target: PlanDocument, plan: Plan) -> tuple[TextEdit, ...]:
        text = target.file.text
        return fill_request(text, plan) if target.tree.is_request else replace_plan(parse(text), plan)

    def _also_read(self, plan: Plan) -> Sequence[dict[str, str]]:
        """Return the files that planning read and that the plan doesn't rest on, since nothing in it names them."""
        rests_on = {file.path for file in plan.context}
        read = sorted((path, digest) for path, digest in self.trace.read.items() if digest and path not in rests_on)
        return [{"path": path, "sha256": digest} for path, digest in read[:MAX_FINGERPRINTS]]

    def _completed(self, plan: Plan) -> Plan:
        """With what planact knows better than the model: id, times, and what the plan rests on."""
        ws = self.ws
        session = ws.ports.sessions.get(self.session_id)
        before = self.target.plan if self.target else None
        known = {item.path: item.sha256 for item in before.context} if before else {}
        context = fingerprints(ws, plan, self.trace.read, known)
        return plan.model_copy(
            update={
                "id": before.id if before and before.id else new_plan_id(ws.ports.clock.now(), ws.ports.ids),
                "created_at": before.created_at if before and before.created_at else ws.now(),
                "role": session.role,
                "model": model_name(ws, self.session_id),
                "context": tuple(ContextFile(path=path, sha256=digest) for path, digest in sorted(context.items())),
            }
        )
