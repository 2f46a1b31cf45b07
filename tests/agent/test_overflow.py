"""An answer in whose middle the model's context is full."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import ModelFailure
from planact.model.chat.message import Reply
from planact.model.notice import MessageDelta
from tests.agent.talking import SAID, Talk, read, talk
from tests.fakes.world import Torn, Turn, calls

FULL = Torn("The first half", ModelFailure("MODEL_CONTEXT_FULL", "no window left"))
LOOK = calls(read("a", "1"))


def overflowing(root: Path, *turns: Turn) -> Talk:
    it = talk(root, LOOK, FULL, *turns)
    it.world.write("a", "x" * 30_000)
    return it


def said(it: Talk) -> list[str]:
    """What the agent said, as it is kept."""
    return [text for role, text in it.transcript() if role == "assistant" and text]


def shown(it: Talk) -> dict[str, str]:
    """What a client shows of each message when all has come."""
    texts: dict[str, str] = {}
    for delta in it.world.editor.notices:
        if isinstance(delta, MessageDelta):
            before = "" if delta.begins_anew else texts.get(delta.message_id, "")
            texts[delta.message_id] = before + delta.text
    return texts


def test_it_is_replaced_by_the_one_that_follows_the_compaction(tmp_path: Path) -> None:
    it = overflowing(tmp_path, Reply("A summary."), SAID)
    assert it.run().text == "done"
    assert said(it) == ["done"]
    assert [text for text in shown(it).values() if text] == ["done"]


def test_it_is_kept_where_no_other_follows(tmp_path: Path) -> None:
    it = overflowing(tmp_path, ModelFailure("MODEL_KEY_REFUSED", "no key"))
    with pytest.raises(ModelFailure, match="MODEL_KEY_REFUSED"):
        it.run()
    assert said(it) == ["The first half"]


def test_it_is_kept_where_the_user_stops_the_compaction(tmp_path: Path) -> None:
    it = overflowing(tmp_path, asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        it.run()
    assert said(it) == ["The first half"]
