"""Completion at the prompt: candidates from the plans, roles, models and files of this folder."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from planact.cli.chat.completion import Names, candidates
from planact.cli.output.screen import printable
from planact.ports import Files
from planact.workflows.plans.library import list_plans
from planact.workflows.sessions.choose_model import list_models
from planact.workflows.sessions.roles import list_roles
from planact.workflows.templates import list_templates
from planact.workflows.workspace import Workspace

_MOST_FILES = 20_000
_FRESH_SECONDS = 5.0


class MessageCompleter(Completer):
    """Completer of messages. Lists files in a thread, at most every five seconds."""

    def __init__(self, ws: Workspace) -> None:
        self._files: Files = ws.ports.files
        self._names = _names(ws)
        self._paths: Sequence[str] = ()
        self._listed_at = -_FRESH_SECONDS

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - the candidates are the same for each event
    ) -> Iterable[Completion]:
        """Yield completions from the files of the last listing."""
        for found in candidates(document.text_before_cursor, self._names, lambda: self._paths):
            shown = printable(found.text)
            yield Completion(found.text, -found.length, display=shown, display_meta=printable(found.detail))

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        if "@" in document.text_before_cursor and time.monotonic() - self._listed_at > _FRESH_SECONDS:
            self._paths = await asyncio.to_thread(self._list_files)
            self._listed_at = time.monotonic()
        for each in self.get_completions(document, complete_event):
            yield each

    def _list_files(self) -> Sequence[str]:
        return self._files.find("", _MOST_FILES)


def _names(ws: Workspace) -> Names:
    def plans() -> Sequence[str]:
        return [plan.id for plan in list_plans(ws)]

    def templates() -> Sequence[str]:
        return [known.template.name for known in list_templates(ws)[0]]

    def roles() -> Sequence[str]:
        return [role.name for role in list_roles(ws)[0]]

    def models() -> Sequence[str]:
        return [model.name for model in list_models(ws, "", is_whole=False)]

    return {
        **dict.fromkeys(("/act", "/resume", "/plan show", "/plan delete"), plans),
        **dict.fromkeys(("/template use", "/template show"), templates),
        "/role": roles,
        "/model": models,
        "/mode": lambda: ("plan", "act"),
        "/acceptall": lambda: ("off",),
    }
