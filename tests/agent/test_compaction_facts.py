"""What a compaction keeps of the words of a long conversation, and what of them the summary is made from."""

from collections.abc import Sequence

import pytest

from planact.agent.compact import summary_source
from planact.agent.compaction_facts import facts_of
from planact.agent.context import COMPACTION
from planact.model.chat.message import Message, Session
from planact.model.rights.permission import Mode

RULE = "The port must stay 7777."


def said(number: int, content: str, role: str = "user", **more: object) -> Message:
    return Message.model_validate({"id": f"{number:04}", "session_id": "s", "role": role, "content": content, **more})


def kept(messages: Sequence[Message], budget: int) -> str:
    session = Session(id="s", workspace_root="/w", mode=Mode.PLAN)
    return "\n".join(facts_of(session, messages, (), budget))


@pytest.mark.parametrize("size", [2_000, 50_000], ids=["long", "longer than all that is kept"])
def test_what_was_pasted_displaces_no_short_words(size: int) -> None:
    pasted = [said(number, "log " * (size // 4)) for number in range(3, 30)]
    assert RULE in kept([said(1, "Begin."), said(2, RULE), *pasted], 32_000)


def test_of_many_messages_each_keeps_its_beginning() -> None:
    remarks = [said(number, f"Remark {number}: {'and so on ' * 20}") for number in range(3, 200)]
    text = kept([said(1, "Begin."), said(2, RULE), *remarks], 80_000)
    assert all(f"Remark {number}:" in text for number in range(3, 200))
    assert RULE in text


def test_words_are_cut_only_where_they_do_not_fit() -> None:
    begin = "Begin. " + "x" * 3_000 + RULE + "y" * 3_000
    assert RULE in kept([said(1, begin), said(2, "Go on.")], 32_000)


def test_a_summary_is_made_from_the_whole_one_before_and_from_all_words() -> None:
    summary = f"{RULE} {'It was seen. ' * 300}"
    facts = "The conversation became too long. " + "facts " * 2_000
    former = said(1, facts, "system", metadata={"for_model": True, COMPACTION: {"summary": summary}})
    outputs = [said(number, "out " * 200, "tool") for number in range(2, 100)]
    words = "Never call the staging server."
    told = summary_source([former, *outputs[:50], said(100, words), *outputs[50:]], 30_000)
    assert summary in told
    assert words in told
    assert len(told) < 40_000
