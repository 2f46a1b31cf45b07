"""Facts that a compaction keeps word for word: mode, plan, open question, the user's messages, and the calls with their
results. No model writes them.
"""

import json
from collections.abc import Iterator, Sequence

from planact.agent.context import COMPACTION
from planact.base.text import fair_limit, shortened
from planact.model.chat.message import Message, Session, ToolCall
from planact.model.question import QuestionSet
from planact.tools.registry import BY_NAME

_ABOUT = ("path", "command", "pattern", "plan_file_path", "query", "url", "role", "goal")
_LINE = 200

_FEW_WORDS, _WORDS, _AROUND = 120, 2_000, 60
"""Characters that stay of each message before any is left out; of the first and the last in any case; and what stands
around one that was cut.
"""


def facts_of(
    session: Session, transcript: Sequence[Message], questions: Sequence[QuestionSet], budget: int
) -> Iterator[str]:
    """Yield the paragraphs, about `budget` characters together; open questions and the user's first and last messages
    are always among them.
    """
    plan = f" The plan in hand is {session.plan_file}." if session.plan_file else ""
    yield f"You are in {session.mode.value.upper()} mode.{plan}"
    for question in questions:
        asked = "; ".join(each.question for each in question.questions)
        yield f"## Open question\nThe user was asked, and has not answered yet: {asked}"
    since = _since_begun(transcript)
    if words := _words(since, budget // 2):
        yield "## What was said to you, word for word\n" + "\n".join(words)
    acted, read = _deeds(since)
    if acted:
        yield "## What you did\n" + "\n".join(_within(acted, budget // 3))
    if read:
        yield "## What you looked at\n" + "\n".join(_within(read, budget // 6))


def _since_begun(transcript: Sequence[Message]) -> Sequence[Message]:
    begun = [at for at, message in enumerate(transcript) if message.metadata.get("begins_context")]
    return transcript[begun[-1] :] if begun else transcript


def _words(transcript: Sequence[Message], budget: int) -> Sequence[str]:
    """Return a paragraph for each message to the model. Where they are too long, long ones are cut, so that what was
    pasted displaces no short words; where that isn't enough, earlier ones but the first are left out.
    """
    said = [(who, message.typed) for message in transcript if (who := _who(message))]
    limit = fair_limit((len(words) + _AROUND for _, words in said), budget) - _AROUND
    fits, limit = limit >= _FEW_WORDS, max(limit, _FEW_WORDS)
    ends = {0, len(said) - 1}
    cut = (shortened(words, max(limit, _WORDS) if at in ends else limit) for at, (_, words) in enumerate(said))
    lines = [f"{who}: " + words.replace("\n", "\n  ") for (who, _), words in zip(said, cut, strict=True)]
    return lines if fits or not lines else _within(lines, budget)


def _who(message: Message) -> str:
    """Return who speaks to the model in a message; empty = nobody."""
    is_planact = message.role == "system" and message.metadata.get("for_model") and COMPACTION not in message.metadata
    if message.role != "user" and not is_planact:
        return ""
    return "planact" if is_planact else "answer" if "question_answer" in message.metadata else "user"


def _deeds(transcript: Sequence[Message]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the calls that acted and those that only read, a line each; of equal lines the last."""
    acted: dict[str, str] = {}
    read: dict[str, str] = {}
    calls: dict[str, ToolCall] = {}
    for message in transcript:
        calls |= {call.id: call for call in message.tool_calls}
        call = calls.pop(message.tool_call_id, None) if message.role == "tool" else None
        if call is None:
            continue
        tool = BY_NAME.get(call.name)
        about = f"{call.name} {_about(call)}".strip()
        only_looks = tool is not None and tool.category in ("read", "search")
        lines = read if only_looks else acted
        lines.pop(about, None)
        lines[about] = f"- {about}" + ("" if only_looks else f": {_outcome(message)}")
    return list(acted.values()), list(read.values())


def _about(call: ToolCall) -> str:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(arguments, dict):
        return ""
    return next((_line(str(arguments[name])) for name in _ABOUT if name in arguments), "")


def _outcome(result: Message) -> str:
    if result.metadata.get("done"):
        last = next((line for line in reversed(result.content.splitlines()) if line.strip()), "")
        return f"done, with {json.dumps(_line(last), ensure_ascii=False)}" if last else "done"
    try:
        return f"failed: {json.loads(result.content)['error']['code']}"
    except (ValueError, KeyError, TypeError, RecursionError):
        return _line(result.content) or "not done"


def _line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LINE else f"{text[:_LINE]}…"


def _within(lines: Sequence[str], budget: int) -> Sequence[str]:
    """Return the first line, and as many of the last ones as fit."""
    kept: list[str] = []
    length = len(lines[0])
    for line in reversed(lines[1:]):
        length += len(line)
        if length > budget and kept:
            break
        kept.insert(0, line)
    left_out = len(lines) - 1 - len(kept)
    return [lines[0], *([f"({left_out} more)"] if left_out else []), *kept]
