"""The plans of a workspace: find, read, list, write and delete their documents.

The document is the truth. Its JSON form and the index beside it are derived, and written again whenever a plan is.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from planact.base.errors import Conflict, EditFailure, InvalidInput, NotFound, PlanactError
from planact.base.filetext import FileText, decode, fingerprint
from planact.base.paths import Place
from planact.base.span import TextEdit
from planact.model.change import CreateFile, ReplaceText
from planact.model.notice import PlanChanged, ToolNotice
from planact.model.plan import Plan, PlanStatus, PlanSummary, StepStatus
from planact.plan.approval import hash_of
from planact.plan.lower import lower, plan_json
from planact.plan.parser import parse
from planact.plan.rules.conflict_markers import HINT as CONFLICT_HINT
from planact.plan.rules.conflict_markers import has_conflict
from planact.plan.tree import PlanTree
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.workspace import Workspace

ARCHIVE = ".planact/archive"
"""Where finished plans go when there are too many; they are not listed any more."""

ROLLING_BACK = "rolling back"
"""What a rollback holds the folder's lock for."""

MAX_PLANS = 1_000
"""So many documents of a workspace are looked at."""


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
        """What an approval of this text binds to."""
        return hash_of(self.tree)

    @property
    def is_saved(self) -> bool:
        """Whether the text is what the disk has."""
        return fingerprint(self.file) == self.file.sha256

    def check_merged(self) -> None:
        """Raises InvalidInput PLAN_INVALID, while it holds two versions: nothing may run, or replace, either."""
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
        InvalidInput: when it is outside the workspace, no `*.plan` file, or not text.
    """
    place = ws.ports.files.resolve(path)
    if place.relative is None:
        raise InvalidInput(
            "PATH_OUTSIDE_WORKSPACE", f"{path!r} is outside the workspace folder", "Move it into the folder."
        )
    if place.relative.suffix != PLAN_SUFFIX:
        raise InvalidInput("PLAN_INVALID", f"{place.shown} is not a {PLAN_SUFFIX} file", "Name a plan document.")
    file = ws.ports.editor.buffer(place)
    if file is None:
        if not place.exists:
            raise NotFound(
                "PLAN_NOT_FOUND", f"there is no plan at {place.shown}", "List the plans to see what is there."
            )
        file = decode(ws.ports.files.read(place, ws.settings.limits.file_bytes))
    if file is None:
        raise InvalidInput("FILE_BINARY", f"{place.shown} is not a text file", "Name a plan document.")
    tree = parse(file.text)
    return PlanDocument(place.shown, place, file, tree, None if tree.is_template else lower(tree))


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
    """The plan with that id, or at that path; when it is empty, the latest that has something left to do: the one in
    hand of the session, which is the one used last if none is given, else the newest.

    Raises:
        NotFound: PLAN_NOT_FOUND.
    """
    if name:
        return read_document(ws, name) if name.endswith(PLAN_SUFFIX) else find_plan(ws, name)
    left = [summary.path for summary in list_plans(ws) if summary.steps_done < summary.steps_total]
    sessions = ws.ports.sessions
    in_hand = [session.plan_file for session in ([sessions.get(session_id)] if session_id else sessions.list()[:1])]
    path = next((path for path in (*in_hand, *left) if path in left), None)
    if path is None:
        message = "there is no plan with anything left to do in this folder"
        raise NotFound("PLAN_NOT_FOUND", message, "Make one: `planact plan` or `/plan`, and what to do.")
    return read_document(ws, path)


def list_plans(ws: Workspace, below: str = "") -> tuple[PlanSummary, ...]:
    """All complete plans in the workspace, or below a folder of it, the newest first."""
    found: list[PlanSummary] = []
    for path in ws.ports.files.find(PLAN_SUFFIX, MAX_PLANS, below):
        if path.startswith(f"{ARCHIVE}/"):
            continue
        try:
            document = read_document(ws, path)
        except PlanactError:
            continue  # a file that can't be read has nothing to list; opening it tells why
        if document.plan is not None:
            found.append(summarize(ws, document))
    return tuple(sorted(found, key=lambda summary: (summary.created_at, summary.path), reverse=True))


def summarize(ws: Workspace, document: PlanDocument) -> PlanSummary:
    """One row of the list. What a plan says of its status counts only if the user once approved it."""
    plan = document.plan
    assert plan is not None, "only plans are listed"
    approval = ws.ports.approvals.find(document.path)
    is_draft = approval is None or (plan.status is PlanStatus.APPROVED and approval.hash != document.hash)
    ended = (StepStatus.DONE, StepStatus.SKIPPED)
    return PlanSummary(
        id=plan.id,
        goal=plan.goal,
        path=document.path,
        status=PlanStatus.DRAFT if is_draft else plan.status,
        steps_total=len(plan.steps),
        steps_done=sum(step.status in ended for step in plan.steps),
        created_at=plan.created_at,
        has_infrastructure_changes=plan.has_infrastructure_changes,
    )


def own_plans(ws: Workspace) -> tuple[PlanSummary, ...]:
    """Those in the plans directory, the newest first. Looks nowhere else: a workspace may have 100,000 files."""
    return tuple(plan for plan in list_plans(ws, ws.settings.plans_directory) if is_own(ws, plan.path))


def is_own(ws: Workspace, path: str) -> bool:
    """Whether the plan lies in the plans directory, where its JSON form and the index belong."""
    return PurePosixPath(path).is_relative_to(PurePosixPath(ws.settings.plans_directory))


def keep_derived(ws: Workspace, document: PlanDocument) -> None:
    """Write the JSON form and the index beside a plan in the plans directory; a plan can be without them."""
    _tell(ws, write_derived(ws, document))


async def derive(ws: Workspace, path: str) -> None:
    """The same for the plan at a path, beside the event loop. Raises what `read_document` raises."""
    _tell(ws, await asyncio.to_thread(lambda: write_derived(ws, read_document(ws, path))))


def write_derived(ws: Workspace, document: PlanDocument) -> Sequence[ToolNotice]:
    """The same from any thread; returns what the user is to hear of it."""
    plan = document.plan
    if plan is None or not is_own(ws, document.path):
        return ()
    form = str(PurePosixPath(document.path).with_suffix(".json"))
    return _unwritten(lambda: _write_own(ws, form, plan_json(plan)), lambda: _keep_index(ws))


def new_path(ws: Workspace, plan: Plan) -> str:
    """Where a plan of planact's own goes: `<id>-<slug>.plan` in the plans directory."""
    slug = re.sub(r"[^a-z0-9]+", "-", plan.goal.lower()).strip("-")[:40].rstrip("-") or "plan"
    return f"{ws.settings.plans_directory}/{plan.id}-{slug}{PLAN_SUFFIX}"


async def create_document(ws: Workspace, session_id: str, path: str, text: str) -> PlanDocument:
    """Write a new plan document.

    Raises:
        EditFailure: EDIT_REFUSED, when the path leads elsewhere.
    """
    await ws.ports.editor.apply((CreateFile(own_place(ws, path), text),), "Write the plan")
    return _changed(ws, session_id, path)


async def edit_document(
    ws: Workspace, session_id: str, document: PlanDocument, edits: tuple[TextEdit, ...], label: str
) -> PlanDocument:
    """Change a plan document that was seen as `document`. One that was saved is saved again.

    Raises:
        EditFailure: EDIT_CONFLICT, when it isn't so any more.
    """
    if edits:
        await ws.ports.editor.apply((ReplaceText(document.place, document.file, edits),), label)
        if document.is_saved:
            await ws.ports.editor.save((document.place,))
    return _changed(ws, session_id, document.path)


def forget_derived(ws: Workspace, path: str) -> None:
    """Delete the JSON form of a plan that is gone, and take it off the index."""
    if not is_own(ws, path):
        return
    _tell(ws, _unwritten(lambda: _forget_form(ws, path), lambda: _keep_index(ws)))


def check_at_rest(ws: Workspace, path: str) -> None:
    """Raises Conflict BUSY, when a session of this process works on the plan, or any process executes it."""
    works = any(ws.ports.sessions.get(session_id).plan_file == path for session_id in ws.running)
    if works or is_executed(ws, path):
        raise Conflict("BUSY", f"{path} is being executed", "Wait for it, or stop it.")


def is_executed(ws: Workspace, path: str) -> bool:
    """Whether any process executes the plan now."""
    return ws.ports.lock.holder().startswith(f"{path}: ")


def is_rolled_back(ws: Workspace, path: str) -> bool:
    """Whether any process takes back now what the plan did."""
    return ws.ports.lock.holder() == f"{path}: {ROLLING_BACK}"


def is_approved(ws: Workspace, document: PlanDocument) -> bool:
    """Whether the user approved exactly this text."""
    approval = ws.ports.approvals.find(document.path)
    return approval is not None and approval.hash == document.hash


def _changed(ws: Workspace, session_id: str, path: str) -> PlanDocument:
    document = read_document(ws, path)
    keep_derived(ws, document)
    plan_id = document.plan.id if document.plan else ""
    ws.ports.editor.tell(PlanChanged(session_id, plan_id, document.path))
    return document


def _unwritten(*writes: Callable[[], None]) -> Sequence[ToolNotice]:
    """What is derived stops nothing when it can't be written."""
    found = []
    for write in writes:
        try:
            write()
        except (EditFailure, InvalidInput) as error:
            found.append(ToolNotice("", "plans", error.message, error.code))
    return found


def _tell(ws: Workspace, notices: Sequence[ToolNotice]) -> None:
    for notice in notices:
        ws.tell_once(notice)


def _forget_form(ws: Workspace, path: str) -> None:
    place = own_place(ws, str(PurePosixPath(path).with_suffix(".json")))
    if place.exists and _is_derived(ws, place):
        ws.ports.files.delete(place, _digest(ws, place))


def _keep_index(ws: Workspace) -> None:
    rows = [summary.model_dump(mode="json") for summary in own_plans(ws)]
    _write_own(ws, f"{ws.settings.plans_directory}/index.json", {"plans": rows})


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
    """Whether the file looks like one that planact has derived: a plan's JSON form, or the index."""
    try:
        data = json.loads(ws.ports.files.read(place, ws.settings.limits.file_bytes))
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and (data.get("type") == "plan" or data.keys() == {"plans"})


def _digest(ws: Workspace, place: Place) -> str:
    return hashlib.sha256(ws.ports.files.read(place, ws.settings.limits.file_bytes)).hexdigest()
