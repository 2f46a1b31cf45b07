"""Words about a place in a file: the user's, asked for where they haven't said any yet."""

from planact.model.question import MOMENTARY, Question
from planact.workflows.hooks import ask_user
from planact.workflows.workspace import Workspace


async def words_about(ws: Workspace, session_id: str, about: str, words: str, question: str) -> str:
    """The user's words with the place they are about, such as `src/app.py:10-20`; empty when they don't say any.

    Raises:
        EndTurn: `waiting`, when nobody can be asked now.
    """
    if not words.strip():
        asked = Question(name="words", question=question, context=about)
        ended = await ask_user(ws, session_id, (asked,), "confirm", f"{MOMENTARY}about {ws.ports.ids.uuid7()}")
        words = str(ended.answers["words"]) if ended.status == "answered" else ""
    return f"{words.strip()}\n\nThis is about `{about}`." if words.strip() else ""
