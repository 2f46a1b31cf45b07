"""What a plan offers, as commands of the client. A click carries what the user saw, so that it approves that alone."""

from typing import Any

from lsprotocol import types

from planact.lsp.documents import Document
from planact.plan.offers import Offer

_BINDING = ("planact.approvePlan", "planact.executePlan", "planact.executeStep", "planact.retryStep")


def command_of(offer: Offer, document: Document) -> types.Command:
    """The command behind an offer; one without a command only tells something, and does nothing when clicked."""
    if offer.command is None:
        return types.Command(offer.title, "")
    arguments: dict[str, Any] = {"uri": document.uri, **offer.arguments}
    if offer.command in _BINDING:
        arguments["approve_hash"] = document.plan_hash
    if offer.command in ("planact.stop", "planact.declineQuestion"):
        arguments.pop("uri")
    return types.Command(offer.title, offer.command, arguments=[arguments])
