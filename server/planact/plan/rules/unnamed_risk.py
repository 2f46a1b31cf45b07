"""PLAN019: a step that destroys names the risk. Prose doesn't count as destroying, or every "remove" would."""

import re
from collections.abc import Iterator, Set

from planact.base.span import Span
from planact.model.plan import names_risk
from planact.plan.lint_context import LintContext
from planact.plan.references import names_in
from planact.plan.syntax.edits import add_risk
from planact.plan.syntax.lower import step_checks, step_names
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree, StepNode

_DESTROYING = re.compile(
    r"""\brm\s+-|\brmdir\b|\bshred\b|\bmkfs|\bdd\s+(?:if|of)=|\btruncate\s+-|\bfind\b.*\s-delete\b
    |\bgit\s+(?:push\b.*\s(?:-f\b|--force)|reset\s+--hard|clean\s+-|branch\s+-D\b)
    |\bdrop\s+(?:table|database|schema|index|column)\b|\btruncate\s+table\b|\bdelete\s+from\b
    |\b(?:terraform|tofu|pulumi|cdk|eksctl)\s+destroy\b|\bkubectl\s+delete\b|\bhelm\s+(?:uninstall|delete)\b
    |\baws\b.*\s(?:delete|terminate|remove|deregister|purge)-|\baws\s+s3\s+r[bm]\b|\bdocker\b.*\s(?:rm|rmi|prune)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SIGNS = (
    *(
        "rm ",
        "rmdir",
        "shred",
        "mkfs",
        "dd ",
        "truncate",
        "delete",
        "git",
        "drop",
        "destroy",
        "uninstall",
        "terminate",
        "remove",
    ),
    *("deregister", "purge", "prune", "s3 rb"),
)
"""Every match of `_DESTROYING` contains one of these. Most plans have few, so few texts need the slow search."""

_CODE = re.compile(r"`([^`\r\n]{1,500})`")


def check(tree: PlanTree, context: LintContext) -> Iterator[PlanProblem]:
    """Report steps that delete or destroy, in a plan that names no risk."""
    risks = tree.section("risks")
    if risks and any(map(names_risk, risks.items)):
        return
    deleting = {name for name, tool in context.tools.items() if tool.deletes}
    for step in tree.steps:
        if step.is_open and (at := _destroyer(tree, step, deleting)):
            message = f"step {step.step_number} destroys something, and the plan names no risk"
            hint = "Say under `## Risks` what could be lost, and how it comes back."
            edit = add_risk(tree, f"Step {step.step_number}: ")
            yield PlanProblem(at, "PLAN019", "warning", message, hint, (Fix("Name the risk", (edit,)),))


def _destroyer(tree: PlanTree, step: StepNode, deleting: Set[str]) -> Span | None:
    """The tool or the command by which it does."""
    if not deleting.isdisjoint(step_names(step, "tools")):
        return next(at for name, at in names_in(tree, step, "tools") if name in deleting)
    commands = _destroying(tree, step)
    if not commands:
        return None
    for code in _CODE.finditer(tree.text, *step.action_span):
        if code[1] in commands:
            return Span(*code.span(1))
    return next((at for command, at in names_in(tree, step, "check") if command in commands), None)


def _destroying(tree: PlanTree, step: StepNode) -> tuple[str, ...]:
    """Return the step's commands that destroy."""
    known = step.memo.get("destroying")
    if known is None:
        written = [code[1] for code in _CODE.finditer(tree.text, *step.action_span)] if "`" in step.action else []
        known = step.memo["destroying"] = tuple(filter(_destroys, (*written, *step_checks(step))))
    return known


def _destroys(command: str) -> bool:
    lowered = command.lower()
    return any(sign in lowered for sign in _SIGNS) and bool(_DESTROYING.search(command))
