"""Files that only the text of a plan's steps names: computed for a question, kept with the approval, used by a run."""

from planact.base.errors import PlanactError
from planact.model.plan import Plan
from planact.plan.approval import hash_of
from planact.plan.implied_files import Found, ImpliedFiles, implied_files, with_implied
from planact.plan.syntax.lower import lower
from planact.plan.syntax.tree import PlanTree
from planact.policy.protected import PLAN_SUFFIX
from planact.policy.safety import is_ordinary
from planact.workflows.plans.library import PlanDocument
from planact.workflows.workspace import Workspace


def find_implied(ws: Workspace, document: PlanDocument) -> ImpliedFiles:
    """Return the files that the text of the steps names now; none where the document is no plan. From any thread."""
    return _find(ws, document.tree, document.plan)


def implied_in_tree(ws: Workspace, path: str, tree: PlanTree) -> ImpliedFiles:
    """Return the files that a yes to a text covers, which may be newer than the workspace's: those of its approval,
    else those found now. From any thread.
    """
    approval = ws.ports.approvals.find(path)
    if approval is not None and approval.hash == hash_of(tree):
        return approval.implied_files
    return {} if tree.is_template else _find(ws, tree, lower(tree))


def _find(ws: Workspace, tree: PlanTree, plan: Plan | None) -> ImpliedFiles:
    if plan is None:
        return {}
    comments = [comment.text for comment in tree.comments]
    return implied_files(plan, comments, lambda path: _look_up(ws, path))


def implied_in(ws: Workspace, plan: Plan) -> ImpliedFiles:
    """Return the files that the text of a plan names before it has a document."""
    return implied_files(plan, (), lambda path: _look_up(ws, path))


def approved_implied(ws: Workspace, document: PlanDocument) -> ImpliedFiles:
    """Return the files that the user's approval of exactly this text covers beyond those that steps list."""
    approval = ws.ports.approvals.find(document.path)
    return approval.implied_files if approval is not None and approval.hash == document.hash else {}


def implied_at_question(ws: Workspace, document: PlanDocument) -> ImpliedFiles:
    """Return the files that a yes to the document covers: those of its approval, else those found now."""
    return implied_in_tree(ws, document.path, document.tree)


def approved_plan(ws: Workspace, document: PlanDocument) -> Plan:
    """Return the plan with the files that its approval covers.

    Raises:
        InvalidInput: PLAN_INVALID.
    """
    return with_implied(document.complete(), approved_implied(ws, document))


def _look_up(ws: Workspace, path: str) -> Found:
    """Return the state of a path; empty for all but a regular file, or a missing one, that any step may name."""
    if path.casefold().endswith(PLAN_SUFFIX) or not is_ordinary(path):
        return ""
    try:
        place = ws.ports.files.resolve(path)
        # A link, another spelling and a name of several files lead to a file that the text doesn't name.
        if str(place.relative) != path or place.is_shared or ws.ports.files.is_hidden(place):
            return ""
        if not place.exists:
            return "missing"
        return "file" if ws.ports.files.info(place).kind == "file" else ""
    except PlanactError:
        return ""
