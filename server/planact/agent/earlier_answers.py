"""Tell the model what the user was asked and answered while it wasn't there: after a pause, a restart or a kill."""

from collections.abc import Iterator, Sequence

from planact.base.text import shortened
from planact.model.answer import answers_in_words, shown_value
from planact.model.question import OptionEffect, QuestionSet

_QUESTION, _ANSWER, _ALL = 500, 4_000, 24_000
"""Characters that are told of one question, of one answer, and of all answers together; the newest count first."""

_LEAD = "The user was asked earlier and has answered. Go by it, and don't ask the same again:"


_HAD: dict[OptionEffect, str] = {
    "pause": ". So the work paused; they have it go on now",
    "stop": ". So the work ended; they have begun it again since",
    "replan": ". So the plan is to be revised",
}


def answers_text(ended: Sequence[QuestionSet]) -> str:
    """Return the text for the model about questions that have ended, the oldest first; empty = nothing to tell."""
    lines = [line for asked in ended for line in _lines(asked)]
    kept: list[str] = []
    length = 0
    for line in reversed(lines):
        length += len(line)
        if length > _ALL and kept:
            break
        kept.insert(0, line)
    left_out = len(lines) - len(kept)
    more = [f"- ({left_out} older ones are left out)"] if left_out else []
    return "\n".join((_LEAD, *more, *kept)) if kept else ""


def _lines(asked: QuestionSet) -> Iterator[str]:
    if asked.purpose == "agent":
        yield from _answers_to_agent(asked)
    elif asked.status == "answered" and (asked.purpose != "confirm" or asked.comment):
        question = _question(asked.questions[0].question)
        yield f"- planact asked: “{question}” They chose: {answers_in_words(asked)}{_remarks(asked)}"


def _answers_to_agent(asked: QuestionSet) -> Iterator[str]:
    for question in asked.questions if asked.status in ("answered", "declined") else ():
        if asked.status == "declined":
            told = "They declined to answer: decide yourself, or stop."
        else:
            given = shown_value(asked.answers.get(question.name))
            label = answers_in_words(asked.model_copy(update={"questions": (question,)}))
            words = f" ({label})" if label not in ("", given) else ""
            told = f"They answered: {shortened(given, _ANSWER)}{words}{_remarks(asked)}"
        yield f"- You asked: “{_question(question.question)}” {told}"


def _question(text: str) -> str:
    return shortened(" ".join(text.split()), _QUESTION)


def _remarks(asked: QuestionSet) -> str:
    parts = [" (the default, assumed)"] if asked.assumed else []
    parts += [_HAD[asked.effect]] if asked.effect in _HAD else []
    parts += [f". To be left as they are: {', '.join(asked.rejected)}"] if asked.rejected else []
    parts += [f". They say: {shortened(asked.comment, _ANSWER)}"] if asked.comment else []
    return "".join(parts)
