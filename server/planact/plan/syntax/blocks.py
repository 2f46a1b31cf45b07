"""The alert blocks that the server writes into a plan: deviations of a run, and questions to the user.

Only their exact form counts as the server's. Since approval ignores them, no text in them is ever lowered or run.
"""

import re
from collections.abc import Sequence
from typing import cast

from planact.base.span import Span
from planact.model.question import QuestionSeverity
from planact.model.runs.execution import Adaptation
from planact.plan.syntax.lines import Line, unbroken
from planact.plan.syntax.tree import AdaptationBlock, QuestionBlock, QuestionOption

_ADAPTED = re.compile(r"([ \t]*)  > \[!ADAPTED\] (.+)")
_PLANNED = re.compile(r"[ \t]*> - planned: (.+)")
_DID = re.compile(r"[ \t]*> - did: (.+)")
_QUESTION = re.compile(r"([ \t]*)> \[!QUESTION\] ([0-9A-Za-z_-]{1,64}) (critical|major|minor): (.+)")
_OPTION = re.compile(r"[ \t]*> - \[([ xX])\] ([^:]+): (.+)")
_ANSWER = re.compile(r"[ \t]*> answer:[ \t]*(.*)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_OPTIONS = 64


def adaptation_lines(adaptation: Adaptation, indent: str) -> list[str]:
    """Return the lines that report a deviation below a step that is indented by `indent`."""
    return [
        f"{indent}  > [!ADAPTED] {unbroken(adaptation.reason) or '-'}",
        f"{indent}  > - planned: {unbroken(adaptation.original_action) or '-'}",
        f"{indent}  > - did: {unbroken(adaptation.adapted_action) or '-'}",
    ]


def read_adaptation(lines: Sequence[Line], first: int) -> AdaptationBlock | None:
    """Return the deviation that begins at line `first`, if it has exactly the server's form."""
    block = lines[first : first + 3]
    texts = [line.text for line in block]
    head = _ADAPTED.fullmatch(texts[0])
    if not head or len(block) < 3 or any(line.is_fenced or _SURROGATE.search(line.text) for line in block):
        return None
    planned, did = _PLANNED.fullmatch(texts[1]), _DID.fullmatch(texts[2])
    if not (planned and did):
        return None
    adaptation = Adaptation(reason=head[2], original_action=planned[1], adapted_action=did[1])
    if adaptation_lines(adaptation, head[1]) != texts:
        return None
    return AdaptationBlock(Span(block[0].start, block[2].end), adaptation)


def read_question(lines: Sequence[Line], first: int) -> QuestionBlock | None:
    """The question that begins at line `first`, with the options or the answer line that follow it."""
    head = _QUESTION.fullmatch(lines[first].text)
    if not head or lines[first].is_fenced:
        return None
    options: list[QuestionOption] = []
    answer: str | None = None
    end = lines[first].end
    for line in lines[first + 1 : first + 1 + _MAX_OPTIONS]:
        option, written = _OPTION.fullmatch(line.text), _ANSWER.fullmatch(line.text)
        if line.is_fenced or answer is not None or not (option or written):
            break
        if option:
            options.append(QuestionOption(option[2], option[3], option[1] != " "))
        elif written:
            answer = written[1].strip(" \t")
        end = line.end
    severity = cast(QuestionSeverity, head[3])
    span = Span(lines[first].start, end)
    return QuestionBlock(span, head[2], severity, head[4], tuple(options), answer)
