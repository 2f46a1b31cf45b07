"""PLAN016: files that a step names are there by the time it runs. Steps that are over are history, and left alone."""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.lint_context import LintContext
from planact.plan.references import FileReference, file_reference, files_of
from planact.plan.syntax.edits import add_detail
from planact.plan.syntax.lower import step_names
from planact.plan.syntax.tree import Fix, PlanProblem, PlanProblemSeverity, PlanTree, StepNode

_MAKING = "create_file"


def files_to_look_up(tree: PlanTree) -> tuple[str, ...]:
    """The paths for which this rule wants to know whether they are missing."""
    return tuple(dict.fromkeys(path for step in tree.steps if step.is_open for path in _paths(step)))


def _paths(step: StepNode) -> tuple[str, ...]:
    known = step.memo.get("paths")
    if known is None:
        files = [file_reference(name, Span(0, 0)) for name in step_names(step, "files")]
        known = step.memo["paths"] = tuple([file.path for file in files if file])
    return known


def check(tree: PlanTree, context: LintContext) -> Iterator[PlanProblem]:
    """Report files that don't exist and that no step so far can have made; a template's are elsewhere."""
    if not context.missing_files or tree.is_template:
        return
    made: set[str] = set()
    holding: set[str] = set()  # folders of files that steps make
    for step in tree.steps:
        names = step_names(step, "files")
        tools = step_names(step, "tools") if names else ()
        if any(_may_create(tool, context) for tool in tools):
            found = [name.rstrip("/") for name in names]
        elif step.is_open and any(name in context.missing_files or ":" in name for name in names):
            found = []
            for file in files_of(tree, step):
                path = file.path.rstrip("/")
                is_made = path in made or path in holding or not made.isdisjoint(_above(path))
                if file.path in context.missing_files and not is_made:
                    yield _problem(tree, step, file, "warning" if tools else "hint")
                    found.append(path)  # told once
        else:
            continue
        made.update(found)
        holding.update(folder for path in found for folder in _above(path))


def _may_create(name: str, context: LintContext) -> bool:
    """Return True if the tool can make a file, as any unknown tool may."""
    tool = context.tools.get(name)
    return tool is None or tool.may_create


def _above(path: str) -> list[str]:
    """The folders that hold it."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _problem(tree: PlanTree, step: StepNode, file: FileReference, severity: PlanProblemSeverity) -> PlanProblem:
    message = f"{file.path} doesn't exist, and no step up to this one creates it"
    fixes: tuple[Fix, ...] = ()
    hint = "Correct the path, or let a step create it."
    if severity == "hint":
        hint = f"If step {step.step_number} creates it, name `{_MAKING}` among its tools."
        fixes = (Fix(f"Say that step {step.step_number} creates it", (add_detail(tree, step, "tools", _MAKING),)),)
    return PlanProblem(file.span, "PLAN016", severity, message, hint, fixes)
