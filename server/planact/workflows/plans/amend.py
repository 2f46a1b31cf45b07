"""Add files to a step of an approved plan while it runs. The user's answer that names them is the approval of that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from planact.base.errors import EditFailure, PlanactError
from planact.base.span import apply_edits
from planact.model.notice import PlanNotice
from planact.model.plan import Plan
from planact.plan.approval import approval_hash
from planact.plan.syntax.edits import Edits, add_files
from planact.plan.syntax.parser import parse
from planact.policy.protected import PLAN_SUFFIX
from planact.policy.safety import is_ordinary
from planact.workflows.plans.infrastructure import plan_of
from planact.workflows.plans.library import PlanDocument, edit_document, read_document
from planact.workflows.plans.revisions import keep_revision
from planact.workflows.workspace import Workspace

AMENDED = "plan_amended"
"""Entry of a run: files were added to one of its steps, and its plan has another hash since."""

MOST_ADDED = 20
"""Most files that one answer adds to a step, since nobody reads a longer list."""


@dataclass(slots=True)
class PlannedStep:
    """The step that a run carries out.

    Attributes:
        path: the plan document.
        hash: that of its text as it is approved now.
        number: the number of the step.
        added: files that the user added to it meanwhile.
        amended: the document with these files; None where nothing was added.
        is_unasked: the plan began without a yes of the user's, so that it lets no command loose.
    """

    path: str
    hash: str
    number: int
    added: frozenset[str] = frozenset()
    amended: PlanDocument | None = None
    is_unasked: bool = False

    @property
    def subject(self) -> str:
        """Return the step as questions name it: an answer counts in no other, and for no other text of the plan."""
        return f"{self.path} {self.hash} {self.number}"


@dataclass(frozen=True, slots=True)
class _Amendment:
    document: PlanDocument
    edits: Edits
    implied: dict[int, tuple[str, ...]]


def can_amend(ws: Workspace, step: PlannedStep, paths: Sequence[str]) -> bool:
    """Return whether these files can be added: the plan is as the user approved it, and its text would say the same but
    for them. False where hooks around approvals would have to run, since files wait to be judged.
    """
    return _amendment(ws, step, paths) is not None


async def amend_plan(ws: Workspace, session_id: str, run_id: str, step: PlannedStep, paths: Sequence[str]) -> bool:
    """Add the files to the step, in the document and its approval, and note both in `step`; False where the plan was
    changed meanwhile, and is left as it is.
    """
    found = _amendment(ws, step, paths)
    if found is None:
        return False
    text = apply_edits(found.document.file.text, found.edits)
    try:
        changed = await edit_document(
            ws, session_id, found.document, found.edits, f"Add files to step {step.number}", is_own=True
        )
    except EditFailure:
        return False
    if changed.hash != approval_hash(text):  # another program has just written it
        return False
    approval = ws.ports.approvals.find(step.path)
    if approval is None or approval.hash != step.hash:
        return False
    keep_revision(ws, changed, "user")
    amended = replace(approval, hash=changed.hash, text=text, time=ws.now(), implied_files=found.implied)
    ws.ports.approvals.approve(amended)
    data = {"step_number": step.number, "files": [*paths], "before": step.hash, "hash": changed.hash, "plan": text}
    ws.ports.journal.append(session_id, run_id, AMENDED, data)
    about = {"plan_id": approval.plan_id, "path": step.path, "hash": changed.hash, "added_files": [*paths]}
    ws.record("plan_approved", session_id, about)
    ws.ports.editor.notify(PlanNotice(session_id, approval.plan_id, step.path))  # it is approved again
    step.hash, step.added, step.amended = changed.hash, step.added.union(paths), changed
    return True


def _amendment(ws: Workspace, step: PlannedStep, paths: Sequence[str]) -> _Amendment | None:
    hooks = ws.settings.hooks
    if not 0 < len(paths) <= MOST_ADDED or hooks.before_approve or hooks.after_approve:
        return None
    if any(not is_ordinary(path) or path.casefold().endswith(PLAN_SUFFIX) for path in paths):
        return None
    try:
        document = read_document(ws, step.path)
        plan = document.complete()
    except PlanactError:
        return None
    approval = ws.ports.approvals.find(step.path)
    node = document.tree.step(step.number)
    if approval is None or node is None or not approval.hash == document.hash == step.hash:
        return None
    named = next(each.files for each in plan.steps if each.step_number == step.number)
    implied = {**approval.implied_files}
    # What only its text names would no longer count beside a list.
    listed = () if named else implied.pop(step.number, ())
    added = tuple(dict.fromkeys(path for path in (*listed, *paths) if path not in named))
    edits = add_files(document.tree, node, added) if added else ()
    expected = _with_files(plan, step.number, (*named, *added))
    after = plan_of(parse(apply_edits(document.file.text, edits)))
    return _Amendment(document, edits, implied) if after == expected else None


def _with_files(plan: Plan, number: int, files: tuple[str, ...]) -> Plan:
    """Return the plan with these files in the first step of that number."""
    at = next(at for at, step in enumerate(plan.steps) if step.step_number == number)
    steps = [*plan.steps]
    steps[at] = steps[at].model_copy(update={"files": files})
    return plan.model_copy(update={"steps": tuple(steps)})
