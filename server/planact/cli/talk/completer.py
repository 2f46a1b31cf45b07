"""Completion at the prompt: what `completion` finds, with the plans, roles, models and files of this folder."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from planact.cli.screen import printable
from planact.cli.talk.completion import Names, candidates
from planact.ports import Files
from planact.workflows.choose_model import list_models
from planact.workflows.library import list_plans
from planact.workflows.roles import list_roles
from planact.workflows.templates import list_templates
from planact.workflows.workspace import Workspace

_MOST_FILES = 20_000
_FRESH_SECONDS = 5.0


class MessageCompleter(Completer):
    """Files are looked for beside the event loop, and not again for a while."""

    def __init__(self, ws: Workspace) -> None:
        self._files: Files = ws.ports.files
        self._names = _names(ws)
        self._paths: Sequence[str] = ()
        self._looked_at = -_FRESH_SECONDS

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - however it is asked for, it is the same
    ) -> Iterable[Completion]:
        """See `Completer`: with the files that are known by now."""
        for found in candidates(document.text_before_cursor, self._names, lambda: self._paths):
            shown = printable(found.text)
            yield Completion(found.text, -found.length, display=shown, display_meta=printable(found.detail))

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """See `Completer`."""
        if "@" in document.text_before_cursor and time.monotonic() - self._looked_at > _FRESH_SECONDS:
            self._paths = await asyncio.to_thread(self._look)
            self._looked_at = time.monotonic()
        for each in self.get_completions(document, complete_event):
            yield each

    def _look(self) -> Sequence[str]:
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
