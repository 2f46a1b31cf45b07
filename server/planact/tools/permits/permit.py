"""A permit: the only handles a running tool has to the outside, good for the effects that were granted and no others.

Each use resolves its path again: between the verdict and the act, a link may have been put in its place.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from planact.base.errors import EditFailure, InvalidInput
from planact.model.chat.image import MAX_IMAGES, KeptImage, picture_of
from planact.model.mcp import McpAnswer, McpTool
from planact.model.page import Page
from planact.model.rights.permission import (
    McpEffect,
    OutputEffect,
    PageEffect,
)
from planact.model.runs.change import Change
from planact.model.runs.touch import Touch
from planact.ports import Ports
from planact.tools.call_records import CallRecords
from planact.tools.commands.file_changes import record_changes
from planact.tools.diagnostics.check_edits import check_edits, prepare_edits
from planact.tools.edit.change_checks import needed_access, refuse_secret_marks
from planact.tools.edit.proposed_edits import without_rejected
from planact.tools.edit.touches import state_now, touches_of
from planact.tools.permits.command_permit import CommandPermit, Recheck
from planact.tools.shielded import run_shielded
from planact.tools.turn import Grant, Turn

T = TypeVar("T")


class RefusedByJail(Exception):
    """A jail held a command back, as far as its words tell; `output` is what it printed, and `held_back` what it wanted
    where it ran unasked, if that is known; `openable` = the path that has to be opened for it on trial.
    """

    def __init__(self, hint: str, output: str, held_back: str = "", openable: str = "") -> None:
        super().__init__(hint)
        self.hint = hint
        self.output = output
        self.held_back = held_back
        self.openable = openable


class Permit(CommandPermit):
    """The hands of one running tool, made by the gate alone."""

    def __init__(self, ports: Ports, turn: Turn, grant: Grant, records: CallRecords, recheck: Recheck) -> None:
        super().__init__(ports, turn, grant, records, recheck)
        self.pictures: list[KeptImage] = []

    @property
    def outputs(self) -> Sequence[str]:
        """Return the ids under which long outputs of the call are kept."""
        return self._long_outputs.ids

    async def apply(self, changes: Sequence[Change], label: str) -> Sequence[Change]:
        """Make all changes or none, without those that the user rejected; return the changes that were made.

        Raises:
            EditFailure: what `Editor.apply` raises.
        """
        changes = without_rejected(changes, self.grant.rejected)
        if not changes:
            raise EditFailure("EDIT_REFUSED", "the user rejected all of these changes", "Go another way.")
        await asyncio.to_thread(self._check, changes)
        # A change that was sent can't be called back: its end is written down, even when the turn is stopped.
        await run_shielded(self._apply(changes, label))
        self._records.show_edits(changes)
        return changes

    def _check(self, changes: Sequence[Change]) -> None:
        for change in changes:
            refuse_secret_marks(change)
            for place, actions in needed_access(change):
                # A link may have been put in the way just while the change was made out.
                if self._place(place.asked, *actions).real != place.real:
                    message = f"{place.asked!r} led elsewhere for a moment"
                    raise EditFailure("EDIT_CONFLICT", message, "Look at it again.")

    async def fetch_page(self, address: str) -> Page:
        """Fetch a page of the web; a long text is cut and kept.

        Raises:
            PageFailure: PAGE_NOT_FETCHED.
        """
        self._check_granted(PageEffect(address))
        await self._recheck(lambda: None)
        page = await self._ports.pages.fetch(address)
        return replace(page, text=await self._long_outputs.cut(page.text))

    async def call_mcp(self, tool: McpTool, arguments: Mapping[str, Any]) -> str:
        """Call a tool of an MCP server, whose description is the one that was judged.

        Raises:
            McpFailure: MCP_FAILED.
        """
        asked = (tool.server, tool.name, tool.fingerprint)
        granted = [effect for effect, _ in self._granted if isinstance(effect, McpEffect)]
        if asked not in [(effect.server, effect.tool, effect.fingerprint) for effect in granted]:
            raise PermissionError(f"no permit to call {tool.name!r} of the MCP server {tool.server!r}")
        limits = self._limits
        await self._recheck(lambda: None)
        calling = self._ports.mcp.call(tool, arguments, limits.command_seconds, self._long_outputs.kept)
        if self._turn.background is None:  # no run is going on, which could be taken back
            return await self._answer(await calling)
        self._trace.loose.append(f"{tool.server}: {tool.name}")
        async with record_changes(self._ports, self._files_now(), self._record_found):
            return await self._answer(await calling)

    async def _answer(self, answer: McpAnswer) -> str:
        """Return the answer's text for the model, and show its images."""
        shown = [f"[image {number}: {await self.show_picture(each)}]" for number, each in enumerate(answer.images, 1)]
        return "\n".join((await self._long_outputs.cut(answer.text), *shown))

    async def show_picture(self, content: bytes) -> str:
        """Show an image to the model, if it sees any; return its kind and size, for the text of the result.

        Raises:
            ValueError: it can't be sent; the message says why.
        """
        picture = picture_of(content)
        if self._ports.models.about(self._turn.model).takes_images is False:
            return f"{picture}; you can't see images"
        if len(self.pictures) >= MAX_IMAGES:
            return f"{picture}; not shown, since {MAX_IMAGES} are already"
        sha256 = await asyncio.to_thread(self._ports.journal.keep, content)
        self.pictures.append(picture.model_copy(update={"sha256": sha256}))
        return str(picture)

    async def read_output(self, output_id: str, first: int, last: int | None, sought: str) -> str:
        """Return lines of an output that the session keeps, as `LongOutputs.read`."""
        self._check_granted(OutputEffect(output_id))
        return await self._long_outputs.read(output_id, first, last, sought)

    def _paths_not_made(self, touches: Sequence[Touch]) -> Sequence[str]:
        """Return the paths without the change that failed: if they change so later, others did it."""
        limit = self._limits.file_bytes
        return [touch.path for touch in touches if not touch.is_made(state_now(self._ports, touch.path, limit))]

    async def _apply(self, changes: Sequence[Change], label: str) -> None:
        limit, editor = self._limits.file_bytes, self._ports.editor
        touches, unsaved = await self._recheck(
            lambda: (
                touches_of(self._ports, changes, limit),
                {path for change in changes for path in editor.unsaved(change.place)},
            )
        )
        await prepare_edits(self._ports, self._turn.session_id, changes)
        self._records.write("files_changing", {"label": label, "touches": [touch.model_dump() for touch in touches]})
        try:
            made = await editor.apply(changes, label)
        except (EditFailure, InvalidInput) as failure:
            if failure.code != "EDITOR_NO_ANSWER":  # which may still come
                self._records.write("files_unchanged", {"paths": self._paths_not_made(touches)})
            if isinstance(failure, InvalidInput):
                raise
            raise self.with_changes_by_others(failure, changes) from failure
        for change in changes:
            self._known.learn(change)
        for done in made:
            self._known.note_own(done, was_unsaved=done.path in unsaved)
            self._trace.note(done)
            self._records.write("file_changed", done.model_dump())
        check_edits(self._ports, self._turn.session_id, changes, made)
