"""Questions to the user as blocks in a plan: written by the server, answered by ticking a box or behind `answer:`.

The document alone answers no question, and a block counts only as the server wrote it, but for ticks and answer:
otherwise a program that can write the file could have the user say yes to another question.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import JsonValue

from planact.base.errors import InvalidInput
from planact.base.span import TextEdit, apply_edits, line_spans
from planact.model.answer import shown_value, value_of
from planact.model.question import Answered, Option, Question, QuestionSet
from planact.plan.approval import hash_of
from planact.plan.revision import replace_text
from planact.plan.syntax.edits import Edits, insertion, lines_below, remove_lines
from planact.plan.syntax.lines import line_at, unbroken
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree, QuestionBlock

MAX_BOXES = 48
"""Most choices shown as boxes; with more, the user writes one down."""

MAX_QUESTION_TEXT = 2_000
"""Most characters of a question or choice. The agent's are cut; a request for approval is shown whole or not at all."""

Redact = Callable[[Any], Any]

_NUMBERED = re.compile(r"([0-9A-Za-z-]+)_[0-9]{1,3}")
_VALUE = re.compile(r"[^:\s](?:[^:\r\n]{0,38}[^:\s])?")
_TICK = re.compile(r"> - \[[ xX]\]")
_ANSWER = "> answer:"
_REJECTED, _WORDS = "rejected", "words"
_SURROGATE = re.compile("[\ud800-\udfff]")


def question_id(block: QuestionBlock) -> str:
    """The id of the question set that a block belongs to; of several questions asked together each has a block."""
    match = _NUMBERED.fullmatch(block.id)
    return match[1] if match else block.id


def blocks_of(tree: PlanTree, asked_id: str) -> tuple[QuestionBlock, ...]:
    """The blocks of a question set, in the order of the text."""
    return tuple(block for block in tree.questions if question_id(block) == asked_id)


def write_blocks(tree: PlanTree, asked: QuestionSet, step_number: int | None, redact: Redact) -> Edits | None:
    """Return the edits that ask below a step, or below the goal. Intact blocks stay, with their ticks.

    None where a block would not be understood or would change the meaning of other text.
    """
    blocks = _blocks(asked, redact)
    if blocks is None:
        return None
    if _are_intact(tree, asked, blocks):
        return ()
    cleared = parse(apply_edits(tree.text, remove_blocks(tree, asked.id)))
    written = parse(apply_edits(cleared.text, (_insertion(cleared, blocks, step_number),)))
    is_sound = _are_intact(written, asked, blocks) and hash_of(written) == hash_of(tree)
    if not is_sound or apply_edits(written.text, remove_blocks(written, asked.id)) != cleared.text:
        return None
    return replace_text(tree.text, written.text)


def remove_blocks(tree: PlanTree, asked_id: str) -> Edits:
    """Take the blocks of a question set out, and leave the text as it was without them."""
    return tuple(remove_lines(tree.text, [block.span for block in blocks_of(tree, asked_id)]))


def without_questions(tree: PlanTree) -> str:
    """Return the text without question blocks, for readers that can't answer."""
    return apply_edits(tree.text, remove_lines(tree.text, [block.span for block in tree.questions]))


def answers_in(tree: PlanTree, asked: QuestionSet, redact: Redact) -> Answered:
    """Return the ticks and texts of the user. The caller judges whether they fit the questions.

    Raises:
        InvalidInput: ANSWER_INVALID, when a block has no single clear answer, or isn't as it was written.
    """
    blocks = _blocks(asked, redact)
    if blocks is None or not _are_intact(tree, asked, blocks):
        hint = "Undo that, or run planact.answerQuestion without answers to have it written anew."
        raise InvalidInput("ANSWER_INVALID", "the question in the plan was changed by more than an answer", hint)
    found = blocks_of(tree, asked.id)
    count = len(asked.questions)
    answers = {each.name: _answer(each, block) for each, block in zip(asked.questions, found[:count], strict=True)}
    remarks = dict(zip(_remarks(asked), found[count:], strict=True))
    rejected, words = remarks.get(_REJECTED), remarks.get(_WORDS)
    ticked = [box.is_ticked for box in rejected.options] if rejected else []
    paths = tuple(edit.path for edit, is_ticked in zip(asked.edits, ticked, strict=False) if is_ticked)
    return Answered(answers, rejected=paths, comment=(words.answer or "") if words else "")


def _answer(question: Question, block: QuestionBlock) -> JsonValue:
    boxes = [option.is_ticked for option in block.options]
    ticked = [question.options[place].value for place, is_ticked in enumerate(boxes) if is_ticked]
    takes_several = question.schema_.get("type") == "array"
    hint = "The question is still open."
    if block.answer and ticked:
        raise InvalidInput("ANSWER_INVALID", f"{question.name!r} has both a ticked box and a written answer", hint)
    if block.answer:
        return value_of(question, block.answer)
    if len(ticked) > 1 and not takes_several:
        raise InvalidInput("ANSWER_INVALID", f"{len(ticked)} boxes are ticked for {question.name!r}: tick one", hint)
    if not ticked:
        wanted = "no box is ticked" if boxes else "nothing is written behind `answer:`"
        raise InvalidInput("ANSWER_INVALID", f"{wanted} for {question.name!r}", hint)
    return ticked if takes_several else ticked[0]


# --- the text of blocks


def _blocks(asked: QuestionSet, redact: Redact) -> list[list[str]] | None:
    """Return the lines of each block; None where too much of the effects to approve would be left out."""
    blocks: list[list[str]] = []
    questions = (*asked.questions, *_remarks(asked).values())
    for number, question in enumerate(questions, 1):
        name = asked.id if len(questions) == 1 else f"{asked.id}_{number}"
        text = unbroken(f"{question.question}\n{question.context}")
        labels = [unbroken(f"{option.label}\n{_in_brackets(option.description)}") for option in question.options]
        labels = labels if len(labels) <= MAX_BOXES else []
        texts: list[str] = redact([_SURROGATE.sub("\ufffd", each) or "-" for each in (text, *labels)])
        if asked.purpose != "agent" and any(len(each) > MAX_QUESTION_TEXT for each in texts):
            return None
        text, *labels = [each if len(each) <= MAX_QUESTION_TEXT else f"{each[:MAX_QUESTION_TEXT]} …" for each in texts]
        lines = [f"> [!QUESTION] {name} {question.severity}: {text}"]
        lines += [f"> - [ ] {value}: {label}" for value, label in zip(_values(question), labels, strict=False)]
        if not labels or question.allow_custom:
            lines.append(_ANSWER)
        blocks.append(lines)
    return blocks


def _remarks(asked: QuestionSet) -> dict[str, Question]:
    """Return the further questions of a request to change files: each names a block that can stay unchanged."""
    if asked.purpose != "approval" or not asked.edits:
        return {}
    files = tuple(Option(label=edit.path, value=number) for number, edit in enumerate(asked.edits, 1))
    which = Question(question="Which of these stay as they are, though the rest is allowed?", options=files)
    words = Question(question="What should be different? The agent reads this; it may stay empty.")
    return {_REJECTED: which, _WORDS: words} if 1 < len(files) <= MAX_BOXES else {_WORDS: words}


def _in_brackets(text: str) -> str:
    return f"({unbroken(text)})" if text.strip() else ""


def _values(question: Question) -> list[str]:
    """Return the text for each choice: its value, or its number where a value is unwritable or occurs twice."""
    values = [shown_value(option.value) for option in question.options]
    is_plain = all(map(_VALUE.fullmatch, values)) and len(set(values)) == len(values)
    return values if is_plain else [str(number) for number, _ in enumerate(values, 1)]


def _are_intact(tree: PlanTree, asked: QuestionSet, blocks: Sequence[Sequence[str]]) -> bool:
    """Compare the blocks in the text with those of the questions, but for ticks, answers and indentation."""
    return [_unanswered(tree, block) for block in blocks_of(tree, asked.id)] == list(map(list, blocks))


def _unanswered(tree: PlanTree, block: QuestionBlock) -> list[str]:
    text = tree.text[slice(*block.span)]
    lines = [text[slice(*span)].lstrip(" \t") for span in line_spans(text)]
    lines = [lines[0], *(_TICK.sub("> - [ ]", line) for line in lines[1:])]
    if block.answer is not None:
        lines[-1] = _ANSWER
    return lines


def _insertion(tree: PlanTree, blocks: Sequence[Sequence[str]], step_number: int | None) -> TextEdit:
    lines = [line for block in blocks for line in block]
    step = tree.step(step_number) if step_number is not None else None
    if step is not None:
        return lines_below(tree, step.span.end, [f"{step.indent}  {line}" for line in lines])
    if tree.goal_span is None:
        return insertion(tree.body_start, "".join(line + tree.line_end for line in lines))
    return lines_below(tree, line_at(tree.text, tree.goal_span.end).end, lines)
