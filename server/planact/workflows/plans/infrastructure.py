"""Decide whether a plan changes resources outside the workspace: by its author's statement, or else by its commands."""

import re
from collections.abc import Iterator, Sequence

from planact.model.plan import Plan
from planact.plan.syntax.lower import lower
from planact.plan.syntax.tree import PlanTree

MAX_JUDGED_COMMANDS = 200
"""Commands of a plan that are judged; a plan with more counts as changing infrastructure."""

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def plan_of(tree: PlanTree) -> Plan | None:
    """Return the plan that the text means, as `with_infrastructure` does, which judges it once for all marks."""
    plan = lower(tree)
    if plan is None:
        return None
    if "changes_infrastructure" not in tree.memo:
        tree.memo["changes_infrastructure"] = with_infrastructure(plan).has_infrastructure_changes
    has_changes: bool = tree.memo["changes_infrastructure"]
    return plan.model_copy(update={"has_infrastructure_changes": True}) if has_changes else plan


def with_infrastructure(plan: Plan) -> Plan:
    """Return the plan with `has_infrastructure_changes` set if one of its commands changes a resource outside the
    workspace. A yes of the author always stays.
    """
    if plan.has_infrastructure_changes or not (named := _named(plan)):
        return plan
    if len(named) <= MAX_JUDGED_COMMANDS and next(_changing(named), None) is None:
        return plan
    return plan.model_copy(update={"has_infrastructure_changes": True})


def infrastructure_commands(plan: Plan) -> Iterator[str]:
    """Yield the plan's commands that change resources outside the workspace, one by one as they are found."""
    return _changing(_named(plan)[:MAX_JUDGED_COMMANDS])


def _named(plan: Plan) -> Sequence[str]:
    """The commands in checks, validation and the code of actions that might be about what is outside."""
    # Most plans have none, and neither table nor parser is loaded for them.
    if not (commands := list(dict.fromkeys(_commands(plan)))):
        return ()
    from planact.shell.elsewhere import may_name_infrastructure

    return [command for command in commands if may_name_infrastructure(command)]


def _changing(commands: Sequence[str]) -> Iterator[str]:
    from planact.shell.classify import changes_infrastructure

    return filter(changes_infrastructure, commands)


def _commands(plan: Plan) -> Iterator[str]:
    for step in plan.steps:
        yield from step.validation_checks
        yield from _code(step.action)
    for item in plan.validation:
        yield from _code(item)


def _code(text: str) -> Iterator[str]:
    return (found[2].strip() for found in _CODE.finditer(text))
