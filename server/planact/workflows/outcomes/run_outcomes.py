"""What commands on trial changed in one run: judged, kept or put back."""

import asyncio
import errno
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from planact.base.errors import EditFailure
from planact.base.text import first_few, one_line, visible
from planact.model.notice import ToolNotice
from planact.model.question import Option, Question
from planact.model.rights.files_beside import database_of
from planact.model.rights.rule import Allowed
from planact.model.runs.touch import Touch
from planact.plan.syntax.code_span import fenced, wrap
from planact.policy.outcomes import Outcome, OutcomeContext, is_folder, rule_to_keep, verdict_on_outcomes
from planact.tools.calls.always_rules import available_rules, keep_rules
from planact.tools.commands.file_changes import file_change_of
from planact.tools.shielded import run_shielded
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn
from planact.workflows.history.restore_files import restore_files
from planact.workflows.hooks import ask_without_hooks
from planact.workflows.outcomes.pending import PendingOutcomes, going_paths, pending_outcomes, states_now, undo_of
from planact.workflows.outcomes.show_outcomes import show_outcomes
from planact.workflows.plans.amend import PlannedStep, amend_plan, can_amend
from planact.workflows.trials import DISCARDING, JUDGED, waits
from planact.workflows.workspace import Workspace

KEEP, ALWAYS, TO_PLAN, DISCARD = "keep", "keep_always", "add_to_plan", "discard"

_DISCARDED_ALONE = "{} was put back as it was before commands changed it, since nobody was there to be asked."

_NAME = 120
"""Characters of a command or a path in a sentence."""

_NAMED = 5
"""So many files are named in one sentence."""


@dataclass(frozen=True, slots=True)
class RunOutcomes:
    """`tools.turn.Outcomes` of one run. `named` = paths that the step names, `named_by_others` those of other steps
    only; `step` None = no plan is carried out.
    """

    ws: Workspace
    session_id: str
    execution_id: str
    trace: Trace
    named: frozenset[str]
    named_by_others: frozenset[str]
    step: PlannedStep | None

    async def judge(self) -> None:
        """Judge all that waits; what the model is to know of it goes to the trace."""
        if not self.trace.waits_for_judgement:
            return
        self.trace.waits_for_judgement, self.trace.before_trial = False, None
        if not waits(self.ws, self.execution_id):
            return
        pending = await asyncio.to_thread(pending_outcomes, self.ws, self.execution_id)
        named = self.named.union(self.step.added if self.step else ())
        context = OutcomeContext(
            named=named | pending.edited,
            named_by_others=self.named_by_others - named,
            approval=self.ws.approval(self.session_id),
            has_step=self.step is not None,
            rules=[rule.allows for rule in self.ws.ports.rules.list()],
            changed=self.trace.changed.keys() - {outcome.path for outcome in pending.outcomes},
            written_before=pending.written_before,
            given=self._given(),
        )
        judged = verdict_on_outcomes(pending.outcomes, context)
        if pending.discarding:
            await self._discard(pending, [each.path for each in pending.outcomes if each.path in pending.discarding])
        elif judged.asked:
            await self._ask(pending, judged.asked)
        else:
            self._write(JUDGED, {"kept": [outcome.path for outcome in pending.outcomes]})

    def _given(self) -> frozenset[str]:
        """Return the files of the workspace that the user let commands change."""
        root = self.ws.ports.files.resolve(".").real
        opened = (PurePath(path) for paths in self.trace.opened.values() for path in paths)
        return frozenset(path.relative_to(root).as_posix() for path in opened if path.is_relative_to(root))

    async def put_back(self, sequence: int) -> None:
        """Put back what was changed on trial after that entry of the journal, but for files that were changed since,
        and those beside a database which the user let it change.
        """
        pending = await asyncio.to_thread(pending_outcomes, self.ws, self.execution_id, sequence)
        paths, given = [outcome.path for outcome in pending.outcomes], self._given()
        await run_shielded(self._restore(pending, [path for path in paths if database_of(path) not in given]))

    async def _ask(self, pending: PendingOutcomes, asked: Sequence[Outcome]) -> None:
        paths = [outcome.path for outcome in asked]
        rule = rule_to_keep(asked)
        rules = available_rules(self.ws.ports, frozenset({rule})) if rule else frozenset[Allowed]()
        subject = f"outcome {self.execution_id} {hashlib.sha256(repr(asked).encode()).hexdigest()}"
        question = await asyncio.to_thread(self._question, pending, asked, rules)
        is_alone = False
        try:
            ended = await ask_without_hooks(self.ws, self.session_id, question, subject)
            self.ws.ports.questions.mark_told([ended.id])  # by what comes of it
            self.trace.put_back += [f"The user says of what commands changed: {ended.comment}"] if ended.comment else []
            answer = ended.answers[question.name] if ended.status == "answered" else DISCARD
        except EndTurn as end:
            if end.kind != "waiting":
                raise
            answer, is_alone = self._answer_alone(subject, paths, end), True
        if answer == ALWAYS and rules:
            keep_rules(self.ws.ports, rules)
        if answer == TO_PLAN:
            await self._add_to_plan(asked)
        if answer in (KEEP, ALWAYS, TO_PLAN):
            self._write(JUDGED, {"kept": paths})
            return
        self._write(DISCARDING, {"paths": paths})
        await self._discard(pending, paths, is_alone=is_alone)

    async def _add_to_plan(self, asked: Sequence[Outcome]) -> None:
        paths = _files(asked)
        if self.step is not None and await run_shielded(
            amend_plan(self.ws, self.session_id, self.execution_id, self.step, paths)
        ):
            self.trace.put_back.append(f"The user added {_listed(paths)} to the files of this step.")
        else:
            text = f"{_listed(paths)} stays, and isn't in the plan, since that has changed meanwhile"
            self.ws.ports.editor.notify(ToolNotice(self.session_id, "outcome", text))

    async def _discard(self, pending: PendingOutcomes, paths: Sequence[str], *, is_alone: bool = False) -> None:
        stayed = await run_shielded(self._restore(pending, paths))
        self._write(JUDGED, {"discarded": paths, "stayed": [*stayed]})
        if gone := [path for path in paths if path not in stayed]:
            told = f"What commands had changed in {_listed(gone)} was put back, since the plan doesn't name it."
            if is_alone:  # the user saw no question, and would believe the model's words
                told = self.trace.discarded_alone = _DISCARDED_ALONE.format(_listed(gone))
                text = f"{told} The setting `outcomes` can keep such changes."
                self.ws.ports.editor.notify(ToolNotice(self.session_id, "outcome", text))
            self.trace.put_back.append(told)
        if stayed:
            told = f"{_listed(stayed)} stayed, since it was changed meanwhile or can't be put back."
            self.trace.put_back.append(told)
            self.ws.ports.editor.notify(ToolNotice(self.session_id, "outcome", f"What commands changed: {told}"))

    def _answer_alone(self, subject: str, paths: Sequence[str], end: EndTurn) -> str:
        """Return the answer of the user's setting where nobody is there. Raises EndTurn where that ends the run."""
        for question in self.ws.questions.open():
            if question.subject == subject:
                self.ws.questions.cancel(question.id, "nobody was there, so the setting `outcomes` decided")
        if self.ws.settings.outcomes == "fail":
            reason = f"commands changed {_listed(paths)}, which the plan doesn't name"
            raise EndTurn("stopped", f"{reason}; the setting `outcomes` ends the run there") from end
        return self.ws.settings.outcomes

    def _question(self, pending: PendingOutcomes, asked: Sequence[Outcome], rules: frozenset[Allowed]) -> Question:
        commands = list(dict.fromkeys(command for each in asked for command in each.commands))
        by = wrap(one_line(commands[0], _NAME)) if len(commands) == 1 else f"{len(commands)} commands"
        what = "the step doesn't name" if self.step else "you didn't name"
        names = _listed([wrap(one_line(each.path, _NAME)) for each in asked])
        paths = [outcome.path for outcome in asked]
        undo = undo_of(self.ws, pending, paths, going_paths(self.ws, pending, paths))
        stays = sorted({each.path for each in undo.moved_on} | {*undo.stayed})
        note = f"; {_listed(stays)} stays, since it was changed since or isn't known as it was" if stays else ""
        always = "; ".join(map(str, rules))
        files = _files(asked)
        more = []
        if always:
            more.append(Option(label="Keep always", value=ALWAYS, description=visible(f"from now on, {always}")))
        if self.step and can_amend(self.ws, self.step, files):
            told = f"it stays, and from now on step {self.step.number} names {', '.join(files)}"
            more.append(Option(label="Add to the plan", value=TO_PLAN, description=visible(told)))
        options = (
            Option(label="Keep", value=KEEP, variant="primary", description="it stays, and is in the record"),
            *more,
            Option(label="Discard", value=DISCARD, description=visible(f"it is put back as it was{note}")),
        )
        return Question(
            name="outcome",
            question=visible(f"{by} changed {names}, which {what}. Keep that?"),
            context=fenced(visible(show_outcomes(self.ws, asked)), "diff"),
            severity="major",
            options=options,
        )

    async def _restore(self, pending: PendingOutcomes, paths: Collection[str]) -> Sequence[str]:
        """Put these paths back, all of them or none, but for those that were changed since; return what stayed.

        Raises:
            EndTurn: the disk is full, so that all stays, and waits.
        """
        ws = self.ws
        before = await asyncio.to_thread(states_now, ws, paths)
        going = await asyncio.to_thread(going_paths, ws, pending, paths)
        places = {ws.ports.files.resolve_entry(path): identity for path, identity in going.items()}
        for place in (place for place, identity in places.items() if not identity):
            ws.ports.files.remove_special(place)
        ws.ports.files.remove_identical(places)
        failed: EditFailure | None = None
        for is_last in (False, True):
            try:
                undo = await asyncio.to_thread(undo_of, ws, pending, paths)
                await restore_files(ws, undo, "Put back what a command changed")
                break
            except EditFailure as failure:  # somebody changed one of them just now
                if is_last:
                    failed = failure
        after = await asyncio.to_thread(states_now, ws, paths)
        touches = [
            Touch(path=path, before=before[path], after=after[path]) for path in paths if before[path] != after[path]
        ]
        self._write("files_found", {"touches": [touch.model_dump() for touch in touches]})
        changes = [file_change_of(touch) for touch in touches]
        for change in changes:
            self.trace.note(change, is_put_back=True)
            self._write("file_changed", change.model_dump(), is_synced=change is changes[-1])
            self.trace.known.forget(change.path)
        ws.ports.language_servers.files_changed(changes)
        if failed is not None:
            text = f"What commands changed couldn't be put back: {failed.message}"
            if _is_disk_full(failed):
                # A command can fill the disk: what runs next isn't to meet what the user discarded.
                raise EndTurn("stopped", f"{text}. Free space: the next run puts it back")
            ws.ports.editor.notify(ToolNotice(self.session_id, "outcome", text, failed.code))
        return sorted(each.path for each in pending.outcomes if each.path in paths and after[each.path] != each.before)

    def _write(self, kind: str, data: dict[str, object], *, is_synced: bool = True) -> None:
        entry = {"call_id": "", **data}
        self.ws.ports.journal.append(self.session_id, self.execution_id, kind, entry, is_synced=is_synced)


def _is_disk_full(failure: BaseException | None) -> bool:
    while failure is not None:
        if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        failure = failure.__cause__
    return False


def _files(outcomes: Sequence[Outcome]) -> Sequence[str]:
    """Return the paths that a plan may name; a folder there would stand for all below it."""
    return [each.path for each in outcomes if not is_folder(each)]


def _listed(names: Sequence[str]) -> str:
    return first_few(names, _NAMED)
