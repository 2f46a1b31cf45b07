"""Shows a question to clients without forms, by the few means that LSP has. One that went away is never a yes."""

from typing import Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.pygls_mends import MendedProtocol
from planact.model.question import Answered, DeclinedByUser, Dismissed, Question, QuestionSet, Severity, Shown

MAX_BUTTONS = 6
DECLINE: Final = "Decline"

_KINDS: dict[Severity, types.MessageType] = {
    "critical": types.MessageType.Warning,
    "major": types.MessageType.Warning,
    "minor": types.MessageType.Info,
}


async def ask_with_buttons(protocol: MendedProtocol, asked: QuestionSet, problem: str, folder: str) -> Shown | None:
    """Show a short choice as buttons; None for anything else, and where the client can't show it. `folder` is said
    first, unless it is empty.
    """
    question = asked.questions[0]
    kind = _KINDS[question.severity]
    if not _fits_buttons(asked):
        return None
    values = {option.label: option.value for option in question.options}
    titles = [*values, DECLINE] if _can_decline(asked) else [*values]
    params = types.ShowMessageRequestParams(
        kind, _text(question, problem, folder), list(map(types.MessageActionItem, titles))
    )
    try:
        chosen = await protocol.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params)
    except JsonRpcException:
        return None
    if chosen is not None and chosen.title in values:
        return Answered({question.name: values[chosen.title]})
    if chosen is not None and chosen.title in titles:
        return DeclinedByUser()
    return Dismissed()


def tell_how_to_answer(protocol: MendedProtocol, asked: QuestionSet, problem: str, path: str, folder: str) -> None:
    """Say what is asked, and how it is answered: in the plan at `path`, if it is written there, else by command."""
    kind = _KINDS[asked.questions[0].severity]
    text = _how_to_answer(asked, problem, path, folder)
    protocol.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(kind, text))


def _fits_buttons(asked: QuestionSet) -> bool:
    question = asked.questions[0]
    labels = [option.label for option in question.options]
    is_choice = 0 < len(labels) <= MAX_BUTTONS and len(set(labels)) == len(labels)
    return len(asked.questions) == 1 and is_choice and not question.allow_custom


def _can_decline(asked: QuestionSet) -> bool:
    """What planact itself asks has its own way to say no; the agent's questions have not."""
    return asked.purpose == "agent" and all(option.label != DECLINE for option in asked.questions[0].options)


def _text(question: Question, problem: str, folder: str) -> str:
    details = [f"{option.label}: {option.description}" for option in question.options if option.description]
    asked = f"In {folder}: {question.question}" if folder else question.question
    return "\n\n".join(part for part in (problem, asked, question.context, "\n".join(details)) if part)


def _how_to_answer(asked: QuestionSet, problem: str, path: str, folder: str) -> str:
    texts = [f"{question.name}: {question.question}" for question in asked.questions]
    how = f"To answer, run the command planact.answerQuestion with question_id {asked.id}."
    if path:
        how = f"To answer, tick a box in {path}, or write behind `answer:`, then choose Answer there."
    where = f"In {folder}:" if folder else ""
    return "\n".join(part for part in (problem, where, *texts, how) if part)
