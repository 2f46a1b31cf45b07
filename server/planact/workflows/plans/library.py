"""The plans of a workspace: find, read, list, write and delete their documents.

The document is the truth. Its JSON form and the index beside it are derived, and written again whenever a plan is.
"""

import asyncio
import hashlib
import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from planact.base.errors import Conflict, EditFailure, InvalidInput, NotFound, PlanactError
from planact.base.filetext import FileText, decode_text, fingerprint
from planact.base.paths import Place
from planact.base.span import TextEdit, apply_edits
from planact.base.text import first_few, visible
from planact.model.notice import PlanNotice, ToolNotice
from planact.model.plan import Plan, PlanOrigin, PlanStatus, PlanSummary, StepStatus
from planact.model.plan_records import OwnPlan
from planact.model.runs.change import CreateFile, ReplaceText
from planact.plan.approval import hash_of
from planact.plan.rules.conflict_markers import HINT as CONFLICT_HINT
from planact.plan.rules.conflict_markers import has_conflict
from planact.plan.syntax.lower import lower, plan_json
from planact.plan.syntax.tree import PlanTree
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.plans.infrastructure import plan_of
from planact.workflows.plans.plan_paths import own_plan_paths, plan_paths
from planact.workflows.workspace import Workspace

ARCHIVE = ".planact/archive"
"""Folder of finished plans beyond the limit; they are not listed any more."""

ROLLING_BACK = "rolling back"
"""Purpose of the folder's lock during a rollback."""

WHOSE: Mapping[PlanOrigin, str] = {"own": "yours", "changed": "changed since it was yours", "foreign": "not yours"}
"""Origin of a plan's text, as shown in a list."""

_ID = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_-]{0,63}")

_NAMED = 3
"""Foreign plans that a message names at most."""


@dataclass(frozen=True, slots=True)
class PlanDocument:
    """A `*.plan` file as it is now, in the editor or on disk; `plan` is None for a request, for a template and for what
    isn't complete.
    """

    path: str
    place: Place
    file: FileText
    tree: PlanTree
    plan: Plan | None

    @property
    def hash(self) -> str:
        """The hash of this text that approvals bind to."""
        return hash_of(self.tree)

    @property
    def is_saved(self) -> bool:
        """The text is the one on disk."""
        return self.file.version is None or fingerprint(self.file) == self.file.sha256

    def notice(self, session_id: str) -> PlanNotice:
        return PlanNotice(session_id, self.plan.id if self.plan else "", self.path)

    def check_merged(self) -> None:
        """Raise InvalidInput PLAN_INVALID while the text holds two versions of the plan: which counts is unknown."""
        if has_conflict(self.tree):
            raise InvalidInput("PLAN_INVALID", f"a merge conflict is unresolved in {self.path}", CONFLICT_HINT)

    def complete(self) -> Plan:
        """The plan.

        Raises:
            InvalidInput: PLAN_INVALID, naming what is missing.
        """
        self.check_merged()
        if self.tree.is_template:
            raise InvalidInput("PLAN_INVALID", f"{self.path} is a template and no plan", "Make a plan from it.")
        if self.plan is None:
            problem = next(
                (p.message for p in self.tree.problems if p.severity == "error"), "it has no goal or no steps"
            )
            hint = "Write the goal as a heading and the steps below `## Steps`."
            raise InvalidInput("PLAN_INVALID", f"{self.path} is not a complete plan: {problem}", hint)
        return self.plan


def read_document(ws: Workspace, path: str) -> PlanDocument:
    """The plan document at a path in the workspace.

    Raises:
        NotFound: PLAN_NOT_FOUND.
        InvalidInput: when it is outside the workspace, no `*.plan` file, not text, or not known as the editor shows it.
    """
    place = ws.ports.files.resolve(path)
    if place.relative is None:
        raise InvalidInput(
            "PATH_OUTSIDE_WORKSPACE", f"{path!r} is outside the workspace folder", "Move it into the folder."
        )
    if place.relative.suffix != PLAN_SUFFIX:
        raise InvalidInput("PLAN_INVALID", f"{place.shown} is not a {PLAN_SUFFIX} file", "Name a plan document.")
    ws.ports.editor.check_readable(place)
    file = ws.ports.editor.buffer(place)
    if file is None:
        if not place.exists:
            raise NotFound(
                "PLAN_NOT_FOUND", f"there is no plan at {place.shown}", "List the plans to see what is there."
            )
        file = decode_text(ws.read(place))
    if file is None:
        raise InvalidInput("FILE_BINARY", f"{place.shown} is not a text file", "Name a plan document.")
    tree = ws.plans.parse(place.shown, file.text)
    return PlanDocument(place.shown, place, file, tree, None if tree.is_template else plan_of(tree))


def find_plan(ws: Workspace, plan_id: str) -> PlanDocument:
    """The document with that id, which may be given in part if only one fits.

    Raises:
        NotFound: PLAN_NOT_FOUND.
        Conflict: PLAN_INVALID, when several documents carry the id.
    """
    # A document whose id is the end of another's is as ambiguous as one that has the same.
    found = [summary.path for summary in list_plans(ws) if plan_id and summary.id.endswith(plan_id)]
    if not found:
        raise NotFound("PLAN_NOT_FOUND", f"there is no plan {plan_id!r}", "List the plans to see what is there.")
    if len(found) > 1:
        raise Conflict(
            "PLAN_INVALID", f"several documents carry the id {plan_id}: {', '.join(found)}", "Name the file."
        )
    return read_document(ws, found[0])


def pick_plan(ws: Workspace, name: str, session_id: str = "") -> PlanDocument:
    """Return the plan with that id or path. If `name` is empty, return the latest unfinished one: the session's current
    plan (of the last used session if none is given), else the newest. A foreign plan needs its name.

    Raises:
        NotFound: PLAN_NOT_FOUND; PLAN_FOREIGN, when there are only foreign ones.
    """
    if name:
        return read_document(ws, name) if name.endswith(PLAN_SUFFIX) else find_plan(ws, name)
    open_plans = [summary for summary in list_plans(ws) if summary.steps_done < summary.steps_total]
    left = [summary.path for summary in open_plans if summary.origin != "foreign"]
    sessions = ws.ports.sessions
    in_hand = [session.plan_file for session in ([sessions.get(session_id)] if session_id else sessions.list()[:1])]
    path = next((path for path in (*in_hand, *left) if path in left), None)
    if path is None and open_plans:
        raise _only_foreign(open_plans)
    if path is None:
        message = "no plan in this folder has steps left to do"
        raise NotFound("PLAN_NOT_FOUND", message, "Make one: `planact plan` or `/plan`, followed by the task.")
    return read_document(ws, path)


def plan_name(plan_id: str, path: str) -> str:
    """Return the plan's name for a command line: its id, unless that looks unsafe."""
    return plan_id if _ID.fullmatch(plan_id) else shlex.quote(visible(path))


def _only_foreign(plans: Sequence[PlanSummary]) -> NotFound:
    others = first_few([visible(plan.path) for plan in plans], _NAMED)
    message = f"you neither made nor approved nor saved a plan here; there are others: {others}"
    first = plan_name(plans[0].id, plans[0].path)
    hint = f"Look at one: planact plan show {first}. Name it to execute it: planact act {first}"
    return NotFound("PLAN_FOREIGN", message, hint)


def list_plans(ws: Workspace, paths: Sequence[str] | None = None) -> tuple[PlanSummary, ...]:
    """All complete plans in the workspace, or of those at `paths`, the newest first."""
    found: list[PlanSummary] = []
    for path in plan_paths(ws) if paths is None else paths:
        if path.startswith(f"{ARCHIVE}/"):
            continue
        try:
            document = read_document(ws, path)
        except PlanactError:
            continue  # it has nothing to list; `unreadable_plans` tells why
        if document.plan is not None:
            found.append(summarize(ws, document))
    return tuple(sorted(found, key=lambda summary: (summary.created_at, summary.path), reverse=True))


def summarize(ws: Workspace, document: PlanDocument) -> PlanSummary:
    """One row of the list. What a plan says of its status counts only if the user once approved it."""
    plan = document.plan
    assert plan is not None, "only plans are listed"
    approval = ws.ports.approvals.find(document.path)
    is_draft = approval is None or (plan.status is PlanStatus.APPROVED and approval.hash != document.hash)
    is_over = plan.status is PlanStatus.RUNNING and not is_executed(ws, document.path)
    return PlanSummary(
        id=plan.id,
        goal=plan.goal,
        path=document.path,
        status=PlanStatus.DRAFT if is_draft else PlanStatus.PAUSED if is_over else plan.status,
        steps_total=len(plan.steps),
        steps_done=sum(step.status in (StepStatus.DONE, StepStatus.SKIPPED) for step in plan.steps),
        created_at=plan.created_at,
        has_infrastructure_changes=plan.has_infrastructure_changes,
        origin=origin_of(ws, document),
    )


def origin_of(ws: Workspace, document: PlanDocument) -> PlanOrigin:
    """Return the origin of the plan's text by the state database; the file's own statements don't count."""
    own = ws.ports.approvals.own(document.path)
    if own is not None and own.hash == document.hash:
        return "own"
    return "changed" if own and document.plan and own.plan_id == document.plan.id else "foreign"


def keep_own(ws: Workspace, path: str, text: str) -> None:
    """Keep that planact wrote this text for the user, or that they approved or saved it. Callable from any thread."""
    tree = ws.plans.parse(path, text)
    plan = lower(tree)
    ws.ports.approvals.keep_own(OwnPlan(path, plan.id if plan else "", hash_of(tree), ws.now()))


def own_plans(ws: Workspace) -> tuple[PlanSummary, ...]:
    """List the plans in the plans directory, the newest first. Looks in no other folder: a workspace may have 100,000
    files.
    """
    return list_plans(ws, own_plan_paths(ws))


def is_own(ws: Workspace, path: str) -> bool:
    """The plan lies in the plans directory, where its JSON form and the index belong."""
    return PurePosixPath(path).is_relative_to(PurePosixPath(ws.settings.plans_directory))


def refresh_derived(ws: Workspace, document: PlanDocument) -> None:
    """Write the JSON form and the index beside a plan in the plans directory; a plan can be without them."""
    _notify(ws, write_derived(ws, document))


async def refresh_derived_at(ws: Workspace, path: str) -> None:
    """Refresh the derived files of the plan at a path, beside the event loop. Raises the errors of `read_document`."""
    _notify(ws, await asyncio.to_thread(lambda: write_derived(ws, read_document(ws, path))))


def write_derived(ws: Workspace, document: PlanDocument) -> Sequence[ToolNotice]:
    """Write the plan's derived files, from any thread; return notices for the user."""
    plan = document.plan
    if plan is None or not is_own(ws, document.path):
        return ()
    form = str(PurePosixPath(document.path).with_suffix(".json"))
    return _unwritten(lambda: _write_own(ws, form, plan_json(plan)), lambda: _keep_index(ws))


def new_path(ws: Workspace, plan: Plan) -> str:
    """Return the path of a new plan: `<id>-<slug>.plan` in the plans directory."""
    slug = re.sub(r"[^a-z0-9]+", "-", plan.goal.lower()).strip("-")[:40].rstrip("-") or "plan"
    return f"{ws.settings.plans_directory}/{plan.id}-{slug}{PLAN_SUFFIX}"


async def create_document(ws: Workspace, session_id: str, path: str, text: str, *, is_own: bool = True) -> PlanDocument:
    """Write a new plan document; `is_own` = its text is no stranger's.

    Raises:
        EditFailure: EDIT_REFUSED, when the path leads elsewhere.
    """
    await ws.ports.editor.apply((CreateFile(own_place(ws, path), text),), "Write the plan")
    if is_own:
        keep_own(ws, path, text)
    return _changed(ws, session_id, path)


async def edit_document(
    ws: Workspace,
    session_id: str,
    document: PlanDocument,
    edits: tuple[TextEdit, ...],
    label: str,
    *,
    is_own: bool = False,
) -> PlanDocument:
    """Change a plan document that was seen as `document`. One that was saved is saved again. Its text is the user's own
    afterwards if it was before, or with `is_own`.

    Raises:
        EditFailure: EDIT_CONFLICT, when it isn't so any more.
    """
    await write_edits(ws, document, edits, label)
    changed = _changed(ws, session_id, document.path)
    if is_own or (changed.hash != document.hash and origin_of(ws, document) == "own"):
        # The text as it was written, not as it was read back: another process may have replaced it by then.
        keep_own(ws, document.path, apply_edits(document.file.text, edits))
    return changed


async def write_edits(
    ws: Workspace, document: PlanDocument, edits: tuple[TextEdit, ...], label: str, *, is_kept: bool = True
) -> None:
    """Change the text, and no derived file; `is_kept` = undo gets the text before. Raises as `edit_document`."""
    if edits:
        await ws.ports.editor.apply((ReplaceText(document.place, document.file, edits, is_kept),), label)
        if document.is_saved:
            await ws.ports.editor.save((document.place,))


def forget_derived(ws: Workspace, path: str) -> None:
    """Delete the JSON form of a plan that is gone, and take it off the index."""
    if not is_own(ws, path):
        return
    _notify(ws, _unwritten(lambda: _forget_form(ws, path), lambda: _keep_index(ws)))


def check_plan_idle(ws: Workspace, path: str) -> None:
    """Raises Conflict BUSY, when a session of this process works on the plan, or any process executes it."""
    if is_executed(ws, path) or any(ws.ports.sessions.get(each).plan_file == path for each in ws.running):
        raise Conflict("BUSY", f"{path} is being executed", "Wait for it, or stop it.")


def is_executed(ws: Workspace, path: str) -> bool:
    """A process executes the plan now."""
    return ws.ports.lock.holder().startswith(f"{path}: ")


def is_rolled_back(ws: Workspace, path: str) -> bool:
    """A process rolls the plan's changes back now."""
    return ws.ports.lock.holder() == f"{path}: {ROLLING_BACK}"


def is_approved(ws: Workspace, document: PlanDocument) -> bool:
    """The user approved exactly this text."""
    return (approval := ws.ports.approvals.find(document.path)) is not None and approval.hash == document.hash


def _changed(ws: Workspace, session_id: str, path: str) -> PlanDocument:
    document = read_document(ws, path)
    refresh_derived(ws, document)
    ws.ports.editor.notify(document.notice(session_id))
    return document


def _unwritten(*writes: Callable[[], None]) -> Sequence[ToolNotice]:
    """Make the writes; a failure becomes a notice, since derived files are no reason to stop."""
    found = []
    for write in writes:
        try:
            write()
        except (EditFailure, InvalidInput) as error:
            found.append(ToolNotice("", "plans", error.message, error.code))
    return found


def _notify(ws: Workspace, notices: Sequence[ToolNotice]) -> None:
    for notice in notices:
        ws.notify_once(notice)


def _forget_form(ws: Workspace, path: str) -> None:
    place = own_place(ws, str(PurePosixPath(path).with_suffix(".json")))
    if place.exists and _is_derived(ws, place):
        ws.ports.files.delete(place, _digest(ws, place))


def _keep_index(ws: Workspace) -> None:
    rows = [summary.index_row() for summary in own_plans(ws)]
    _write_own(ws, f"{ws.settings.plans_directory}/index.json", {"plans": rows, "last_accessed": ws.now()})


def _write_own(ws: Workspace, path: str, data: object) -> None:
    place = own_place(ws, path)
    if place.exists and not _is_derived(ws, place):
        raise EditFailure("FILE_EXISTS", f"{path} is none of planact's files and stays as it is", "Rename it.")
    text = json.dumps(ws.ports.redact(data), ensure_ascii=False, indent=2) + "\n"
    ws.ports.files.write(place, text.encode(), _digest(ws, place) if place.exists else None)


def own_place(ws: Workspace, path: str) -> Place:
    """A place that no link leads away from: a repository could ship one to have planact write over another file."""
    place = ws.ports.files.resolve(path)
    if place.relative != PurePosixPath(path):
        raise EditFailure("EDIT_REFUSED", f"a link leads from {path} to {place.shown}", "Remove the link.")
    return place


def _is_derived(ws: Workspace, place: Place) -> bool:
    """The file looks like one that planact derived: a plan's JSON form, or the index."""
    try:
        data = json.loads(ws.read(place))
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and (data.get("type") == "plan" or data.keys() - {"last_accessed"} == {"plans"})


def _digest(ws: Workspace, place: Place) -> str:
    return hashlib.sha256(ws.read(place)).hexdigest()
