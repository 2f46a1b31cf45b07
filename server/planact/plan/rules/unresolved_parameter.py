"""PLAN020: a plan has values where its template had parameters, and a template declares the parameters it uses."""

from collections.abc import Iterator
from difflib import get_close_matches

from planact.base.span import TextEdit
from planact.plan.lint_context import LintContext
from planact.plan.references import parameters_in
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree
from planact.plan.templates.parameters import declared_parameters


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report `{{name}}` without blanks, as templates have it: with blanks it belongs to another template language."""
    if tree.is_request or "{{" not in tree.text:
        return
    declared = declared_parameters(tree)
    for name, at in parameters_in(tree):
        if not tree.is_template:
            message = f"the parameter '{name}' has no value"
            yield PlanProblem(at, "PLAN020", "warning", message, "Put the value in its place.")
        elif name not in declared:
            nearest = get_close_matches(name, declared, 1)
            fixes = tuple(Fix(f"Change it to '{each}'", (TextEdit(at, f"{{{{{each}}}}}"),), True) for each in nearest)
            message, hint = f"the template has no parameter '{name}'", "Declare it in the front matter's `parameters`."
            yield PlanProblem(at, "PLAN020", "warning", message, hint, fixes)
