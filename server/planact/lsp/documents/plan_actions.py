"""Actions on a plan, as commands of the client. A click carries the hash of the shown plan, so that it approves that
alone.
"""

from typing import Any

from lsprotocol import types

from planact.lsp.documents.open_documents import Document
from planact.plan.plan_actions import PlanAction

_BINDING = ("planact.approvePlan", "planact.executePlan", "planact.executeStep", "planact.retryStep")


def command_of(action: PlanAction, document: Document) -> types.Command:
    """Return the command behind an action; an action without one is a title that does no work when clicked."""
    if action.command is None:
        return types.Command(action.title, "")
    arguments: dict[str, Any] = {"uri": document.uri, **action.arguments}
    if action.command in _BINDING:
        arguments["approve_hash"] = document.plan_hash
    if action.command in ("planact.stop", "planact.declineQuestion"):
        arguments.pop("uri")
    return types.Command(action.title, action.command, arguments=[arguments])
