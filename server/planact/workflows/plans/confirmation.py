"""The text that the user reads before approving a plan: its origin, and the actions that a yes allows."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from planact.base.errors import PlanactError
from planact.base.text import visible
from planact.model.plan import Plan
from planact.plan.impact import impact_text
from planact.plan.implied_files import ImpliedFiles, with_implied
from planact.plan.syntax.code_span import fenced, path_in_text, wrap
from planact.policy.allowances import Allowances, allowances
from planact.workflows.plans.approve import changes_since
from planact.workflows.plans.impact import find_impact
from planact.workflows.plans.implied_files import implied_at_question
from planact.workflows.plans.library import PlanDocument, is_approved, origin_of, plan_name
from planact.workflows.sessions.surroundings import named_commands
from planact.workflows.workspace import Workspace

_CHARACTERS = 400
"""Characters of a list that are shown: a question in a plan has room for 2,000."""


@dataclass(frozen=True, slots=True)
class ConfirmationText:
    """`lead` is said before the question, `context` below it, as Markdown; `implied` are the files that it lists though
    only the text of steps names them.
    """

    lead: str
    context: str
    implied: ImpliedFiles


async def confirmation(ws: Workspace, document: PlanDocument, written: str = "") -> ConfirmationText:
    """Return the text for exactly this version, in at most seven lines and the difference; `written` is the agent's own
    version, where the user may have seen only that.

    Raises:
        InvalidInput: PLAN_INVALID.
    """
    plan = document.complete()
    lead, changed = _changes(ws, document, written)
    implied = await asyncio.to_thread(implied_at_question, ws, document)
    allowed = await asyncio.to_thread(_allowances, ws, with_implied(plan, implied))
    where = _where(document)
    risks = (
        _listed([_first_line(risk) for risk in plan.named_risks], where) if plan.named_risks else "the plan names none"
    )
    impact = impact_text(await find_impact(ws, plan, plan.steps))
    callers = f". Used in files that stay as they are: {visible(impact)}" if impact else ""
    yes = allowed_lines(allowed, where)
    if told := await asyncio.to_thread(_about_other_commands, ws, allowed, where):
        yes[-1] = f"{yes[-1].removesuffix('.')}. {told}"
    lines = [
        f"{path_in_text(document.path)}, hash of its text: {document.hash}",
        f"- Steps: {_listed([_first_line(step.action) for step in plan.steps], where)}",
        *yes,
        *_implied_lines(implied, where),
        f"- Risks: {risks}{callers}",
    ]
    if changed:
        lines += ["", fenced(changed.rstrip(), "diff")]
    return ConfirmationText(lead, "\n".join(lines), implied)


def implied_as_listed(ws: Workspace, document: PlanDocument, context: str) -> ImpliedFiles:
    """Return the files that only the text of the steps names, if they are still those that the `context` of a question
    lists; else none. From any thread.
    """
    implied = implied_at_question(ws, document)
    is_listed = set(_implied_lines(implied, _where(document))) <= set(context.splitlines())
    return implied if is_listed else {}


def _about_other_commands(ws: Workspace, allowed: Allowances, where: str) -> str:
    """Say what becomes of commands that the plan doesn't name, where unknown commands are tried out in Act."""
    can_try = "trial" in ws.ports.runner.enforced() and not ws.is_restricted()
    if not can_try or ws.settings.approval == "review" or not ws.ports.footprints.can_try():
        return ""
    if ws.awaits_trust():
        return "Until you trust this folder (planact trust), each command that the plan doesn't name is asked about."
    own = [command for command in named_commands(ws) if command not in allowed.commands]
    return f"The project's own commands, which run on trial without a question: {_listed(own, where)}." if own else ""


def _where(document: PlanDocument) -> str:
    return f"planact plan show {plan_name(document.complete().id, document.path)}"


def _implied_lines(implied: ImpliedFiles, where: str) -> list[str]:
    """Say which of the files no step lists."""
    paths = tuple(dict.fromkeys(path for each in implied.values() for path in each))
    return [f"- Of these, only the text of the steps names: {_listed(paths, where)}"] if paths else []


def allowed_lines(allowed: Allowances, where: str) -> list[str]:
    """List the actions that a yes allows, as Markdown, in at most three lines. Lists too long for a question are
    counted, and `where` shows them.
    """
    lists = {
        "change": allowed.change,
        "create": allowed.create,
        "change and create all below": allowed.folders,
        "delete, after another question,": allowed.delete,
    }
    files = "; ".join(f"{verb} {_listed(names, where)}" for verb, names in lists.items() if names)
    run = [f"- Run: {_listed(allowed.commands, where)}"] if allowed.commands else []
    nothing = "" if allowed.commands else "; no commands"
    reach = " ".join(_reach(allowed, where))
    return [
        f"- Your yes allows without another question: {files or 'no change of a file'}{nothing}",
        *run,
        *([f"- {reach}"] if reach else []),
    ]


def _reach(allowed: Allowances, where: str) -> list[str]:
    """Describe the reach of the commands."""
    lines = []
    if allowed.commands and not allowed.is_jailed:
        lines = ["Nothing holds these commands here: they can do all that you can, also in the network."]
    elif allowed.commands:
        network = {
            "none": "have no network",
            "inet": "use the network",
            "all": "use the network and the services of this machine, such as Docker",
        }
        lines = [f"These commands may change all files of the folder, and {network[allowed.network]}."]
    if allowed.beyond:
        lines.append(f"They may change things elsewhere: {_listed(allowed.beyond, where)}.")
    if allowed.has_infrastructure_changes:
        lines.append("The plan says that it changes things outside the workspace.")
    return lines


def _first_line(text: str) -> str:
    first, has_more, _ = text.strip().partition("\n")
    return f"{first} …" if has_more else first


def _listed(names: Sequence[str], where: str) -> str:
    """List names as code, so that none can pass for other text."""
    shown: list[str] = []
    for name in names:
        text = visible(name.replace("\n", "\\n"))
        if shown and sum(map(len, shown)) + len(text) > _CHARACTERS:
            break
        shown.append(text)
    left = len(names) - len(shown)
    beyond = len(shown[0]) - _CHARACTERS
    more = [f"{left} more"] if left else []
    if beyond > 0:
        shown, more = [f"{shown[0][:_CHARACTERS]}…"], [f"{beyond} more characters", *more]
    told = ", ".join(map(wrap, shown))
    return f"{told} and {' and '.join(more)}: {where}" if more else told


def _allowances(ws: Workspace, plan: Plan) -> Allowances:
    def exists(path: str) -> bool:
        try:
            return ws.ports.files.resolve(path).exists
        except PlanactError:
            return False

    is_jailed = "act" in ws.ports.runner.enforced()
    return allowances(plan, exists, ws.settings.commands.network, is_jailed=is_jailed)


def _changes(ws: Workspace, document: PlanDocument, written: str) -> tuple[str, str]:
    """Return the plan's origin and time of change in words, and the diff; both empty when it has not changed."""
    approval = ws.ports.approvals.find(document.path)
    if approval is not None and not is_approved(ws, document):
        return "The plan changed since you approved it. ", changes_since(approval.text, document)
    if written:
        changed = changes_since(written, document, "written")
        return "The plan changed since it was written. " if changed else "", changed
    match origin_of(ws, document):
        case "own":
            return "", ""
        case "changed":
            kept = ws.ports.revisions.list(document.path)
            changed = changes_since(kept[-1].text, document, "before") if kept else ""
            return "The plan changed since you last made or saved it here. ", changed
        case "foreign":
            return "You neither made nor saved this plan here. ", ""
