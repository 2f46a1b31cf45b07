"""Questions in clients without forms, by the few means that LSP has. A dismissed one never counts as a yes."""

from collections.abc import Sequence
from typing import Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.wire.patches import PatchedProtocol
from planact.model.answer import choice_lines, has_numbers, wanted
from planact.model.question import (
    Answered,
    DeclinedByUser,
    Dismissed,
    Question,
    QuestionSet,
    QuestionSeverity,
    Shown,
)
from planact.workflows.history.review_edits import (
    ALLOW_FILE,
    BY_FILE,
    REJECT_FILE,
    WITH_WORDS,
    EditDiff,
    FileDecision,
    answer_by_file,
    edit_title,
    is_by_file,
    may_reject,
)

MAX_BUTTONS = 4
MAX_BUTTON_TEXT = 40
"""Characters of a choice that editors show whole on a button."""

DECLINE: Final = "Decline"

_KINDS: dict[QuestionSeverity, types.MessageType] = {
    "critical": types.MessageType.Warning,
    "major": types.MessageType.Warning,
    "minor": types.MessageType.Info,
}


async def ask_with_buttons(
    protocol: PatchedProtocol, asked: QuestionSet, problem: str, folder: str, difference: EditDiff
) -> Shown | None:
    """Show a short choice as buttons. Returns None for other questions, where the client can't show it, and where the
    user wants to answer with words. `folder` stands before the question, unless it is empty; `difference` returns the
    diff of a proposed edit.
    """
    question = asked.questions[0]
    if not _fits_buttons(asked):
        return None
    values = {option.label: option.value for option in question.options}
    others = [DECLINE] if _can_decline(asked) else []
    if asked.edits and may_reject(asked):
        others = [*([BY_FILE] if is_by_file(asked) else []), WITH_WORDS]
    try:
        chosen = await _chosen(protocol, question.severity, _text(question, problem, folder), [*values, *others])
        if chosen == BY_FILE and chosen in others:
            return await _ask_by_file(protocol, asked, difference)
    except JsonRpcException:
        return None
    if chosen in values:
        return Answered({question.name: values[chosen]})
    if chosen not in others:
        return Dismissed()
    return None if chosen == WITH_WORDS else DeclinedByUser()


async def _ask_by_file(protocol: PatchedProtocol, asked: QuestionSet, difference: EditDiff) -> Answered | Dismissed:
    said: list[FileDecision] = []
    for edit in asked.edits:
        text = f"{edit_title(asked, edit)}\n\n{difference(edit)}"
        chosen = await _chosen(protocol, asked.questions[0].severity, text, [ALLOW_FILE, REJECT_FILE])
        if chosen not in (ALLOW_FILE, REJECT_FILE):
            return Dismissed()
        said.append(FileDecision(edit.path, is_allowed=chosen == ALLOW_FILE))
    return answer_by_file(asked, said)


async def _chosen(protocol: PatchedProtocol, severity: QuestionSeverity, text: str, titles: Sequence[str]) -> str:
    """Return the title of the chosen button; empty when the message was closed. Raises JsonRpcException."""
    actions = list(map(types.MessageActionItem, titles))
    params = types.ShowMessageRequestParams(_KINDS[severity], text, actions)
    chosen = await protocol.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params)
    return chosen.title if chosen is not None and chosen.title in titles else ""


def show_how_to_answer(protocol: PatchedProtocol, asked: QuestionSet, problem: str, path: str, folder: str) -> None:
    """Show the question and how to answer it: in the plan at `path`, if it is written there, else by command."""
    kind = _KINDS[asked.questions[0].severity]
    text = _how_to_answer(asked, problem, path, folder)
    protocol.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(kind, text))


def _fits_buttons(asked: QuestionSet) -> bool:
    question = asked.questions[0]
    labels = [option.label for option in question.options]
    is_short = 0 < len(labels) <= MAX_BUTTONS and all(len(label) <= MAX_BUTTON_TEXT for label in labels)
    is_choice = is_short and len(set(labels)) == len(labels)
    return len(asked.questions) == 1 and is_choice and not question.allow_custom and not question.takes_several


def _can_decline(asked: QuestionSet) -> bool:
    """Return true for questions of the agent, which get a button to decline; planact's own have an option for no."""
    return asked.purpose == "agent" and all(option.label != DECLINE for option in asked.questions[0].options)


def _text(question: Question, problem: str, folder: str) -> str:
    details = [f"{option.label}: {option.description}" for option in question.options if option.description]
    asked = f"In {folder}: {question.question}" if folder else question.question
    return "\n\n".join(part for part in (problem, asked, question.context, "\n".join(details)) if part)


def _how_to_answer(asked: QuestionSet, problem: str, path: str, folder: str) -> str:
    is_one = len(asked.questions) == 1
    texts = []
    for question in asked.questions:
        texts.append(question.question if is_one else f"{question.name}: {question.question}")
        if not path:  # in the plan, all that stands below the question
            wish = wanted(question)
            texts += [question.context, *choice_lines(question), f"({wish})" if wish else ""]
    where = f"In {folder}:" if folder else ""
    return "\n".join(part for part in (problem, where, *texts, _how(asked, path)) if part)


def _how(asked: QuestionSet, path: str) -> str:
    if path:
        return f"To answer, tick a box in {path}, or write behind `answer:`, then choose Answer there."
    command = f"run the command planact.answerQuestion with question_id {asked.id}."
    if not any(question.options for question in asked.questions):
        return f"To answer, {command}"
    first, *others = asked.questions
    value = "NUMBER" if has_numbers(first) else "CHOICE"
    said = f"--value {first.name}={value} …" if others else value
    return f"To answer, write `planact answer {asked.id} {said}` at a terminal, or {command}"
