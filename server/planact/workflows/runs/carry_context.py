"""What a run knows of the conversation in which its plan was made: all of it, or a digest that no model wrote."""

from collections.abc import Iterator
from dataclasses import dataclass

from planact.agent.compaction_facts import facts_of
from planact.agent.context import in_context
from planact.base.text import shortened
from planact.plan.syntax.code_span import fenced
from planact.workflows.plans.library import PlanDocument
from planact.workflows.runs.run_plan import rests_on
from planact.workflows.sessions.context import begins_afresh, context_tokens, own_transcript, window_of
from planact.workflows.workspace import Workspace

_MOST_TOKENS = 80_000

_FACTS, _LAST_WORDS, _FILES = 32_000, 8_000, 48_000
"""Characters of a digest: of words and deeds, of the planner's last text, and of files."""


@dataclass(frozen=True, slots=True)
class CarriedContext:
    """`is_whole`: the session's transcript goes on. `digest`: what the model is told besides, empty = nothing."""

    is_whole: bool = False
    digest: str = ""


def carried_context(ws: Workspace, session_id: str, document: PlanDocument) -> CarriedContext:
    """Return the context for a run that is about to begin or go on in a session, by the setting `act.context`.

    The transcript goes on whole up to half the model's window and 80,000 tokens. Longer ones, and that of another
    session that made the plan, come as a digest, once. Reads the disk, from any thread.
    """
    if ws.settings.act.context == "fresh":
        return CarriedContext()
    transcript = own_transcript(ws, session_id)
    window = window_of(ws, session_id)
    is_whole = context_tokens(transcript) <= min(window // 2, _MOST_TOKENS)
    has_digest = any(message.metadata.get("digest_of") == document.path for message in in_context(transcript))
    if is_whole and (has_digest or begins_afresh(transcript, document.path)):
        return CarriedContext(is_whole)
    maker = _maker(ws, session_id, document.path)
    if not maker or (is_whole and maker == session_id):
        return CarriedContext(is_whole)
    room = min(window // 4, _MOST_TOKENS) * 3 / (_FACTS + _LAST_WORDS + _FILES)
    return CarriedContext(is_whole, "\n\n".join(_digest(ws, maker, session_id, document, min(room, 1.0))))


def _maker(ws: Workspace, session_id: str, path: str) -> str:
    """Return the session that made the plan, the own one first; empty = none that is left."""
    sessions = (ws.ports.sessions.get(session_id), *ws.ports.sessions.list())
    return next((session.id for session in sessions if path in session.made_plans), "")


def _digest(ws: Workspace, maker: str, reader: str, document: PlanDocument, share: float) -> Iterator[str]:
    """Yield paragraphs from the session `maker` for the model of the session `reader`."""
    transcript = own_transcript(ws, maker)
    yield "This plan was made in an earlier conversation. What is left of it:"
    yield from facts_of(ws.ports.sessions.get(maker), transcript, (), int(_FACTS * share))
    answers = (message.content for message in reversed(transcript) if message.role == "assistant" and message.content)
    if last := next(answers, ""):
        yield "## What you said last while planning\n" + shortened(last, int(_LAST_WORDS * share))
    room = int(_FILES * share)
    for path, text in _unchanged(ws, maker, document):
        if len(text) <= room:
            room -= len(text)
            ws.known_texts(reader).note(path, text)
            yield f"## {path}, which you have read and which is the same now\n{fenced(text)}"


def _unchanged(ws: Workspace, session_id: str, document: PlanDocument) -> Iterator[tuple[str, str]]:
    """Yield the files that the plan rests on and the session's model has read, where their text is still the same."""
    known = ws.known_texts(session_id)
    for path in sorted(rests_on(document.complete()).intersection(known.paths())):
        now = ws.shown_text(path)
        if now is not None and not known.difference(path, now):
            yield path, now
