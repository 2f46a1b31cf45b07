"""What a delegate reports, in parts that its parent can take in; the whole of it stays in the transcript."""

from planact.base.errors import InvalidInput
from planact.workflows.workspace import Workspace

MAX_REPORT = 12_000
"""Characters that its parent reads at once."""


def part_of_report(text: str, errand: str, skip: int = 0) -> str:
    """What comes behind `skip` characters of the report on an errand, and how to read on."""
    end = skip + MAX_REPORT
    more = f"\n… {len(text) - end} more characters; go on with report={errand}, skip={end}" if len(text) > end else ""
    return text[skip:end] + more


def read_report(ws: Workspace, session_id: str, errand: str, skip: int) -> str:
    """The same of a report that the session has heard.

    Raises:
        InvalidInput: INVALID_ARGUMENTS.
    """
    said = (each for each in reversed(ws.ports.sessions.messages(session_id)) if each.errand == errand)
    text = next((each.content.strip() for each in said if each.role == "assistant"), "")
    if not errand or skip >= len(text):
        cause = f"has no more than {len(text)} characters" if text else "is none of this session"
        hint = "Take `report` and `skip` from where it was cut"
        raise InvalidInput("INVALID_ARGUMENTS", f"the report {errand} {cause}", hint)
    return part_of_report(text, errand, skip)
