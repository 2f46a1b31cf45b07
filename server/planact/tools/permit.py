"""A permit: the only handles a running tool has to the outside, good for the effects that were granted and no others.

Each use looks again where the path leads: between the verdict and the act, a link may have been put in its place.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol, assert_never

from planact.base.errors import Conflict, EditFailure, InvalidInput
from planact.base.paths import Place
from planact.model.change import Change, CreateFile, DeleteFile, MakeDirectory, RenameFile, ReplaceText, RestoreFile
from planact.model.command import CommandResult
from planact.model.effect import CommandEffect, Effect, McpEffect, PathAction, RunningEffect
from planact.model.jail import Confinement
from planact.model.mcp import McpTool
from planact.model.message import REDACTED
from planact.model.plan import Plan
from planact.model.question import Decision, ProposedEdit, Question
from planact.model.touch import Touch
from planact.policy.protected import PLAN_SUFFIX, holds_credentials
from planact.ports import Ports, Protected
from planact.tools.background import FIRST_WORDS_SECONDS, KEPT_OUTPUTS, Background, Started
from planact.tools.command_questions import keep_protected, please_save
from planact.tools.finding import file_change_of, finding
from planact.tools.finish import finish
from planact.tools.proposal import without
from planact.tools.sight import Sight
from planact.tools.touches import state_now, touches_of
from planact.tools.trace import Trace


class Conversation(Protocol):
    """What a tool can do to the conversation it is called in. Workflows implement it."""

    async def ask(self, questions: Sequence[Question]) -> str:
        """Ask the user and return what the model gets to read."""
        ...

    async def write_plan(self, plan: Plan) -> str:
        """Write the session's plan document."""
        ...

    async def exit_plan(self, path: str) -> str:
        """Ask the user to approve the plan and start it.

        Raises:
            EndTurn: they accepted, or want to review it first.
        """
        ...

    async def delegate(self, role: str, task: str) -> str:
        """Have another role work on `task`, and return what the model gets to read of it.

        Raises:
            NotFound: ROLE_NOT_FOUND. EndTurn: what ended its work ends this turn too.
        """
        ...

    def report(self, report: str, skip: int) -> str:
        """What comes behind `skip` characters of what another role reported. Raises InvalidInput INVALID_ARGUMENTS."""
        ...

    async def approve(self, question: Question, subject: str, edits: Sequence[ProposedEdit] = ()) -> Decision:
        """Ask the user to approve one call, which `subject` identifies; `edits` are what it would do to files."""
        ...


class RefusedByJail(Exception):
    """A command's jail held it back, as far as its words tell; `output` is what it printed."""

    def __init__(self, hint: str, output: str) -> None:
        super().__init__(hint)
        self.hint = hint
        self.output = output


class EndTurn(Exception):
    """The turn ends with this call: nobody can answer, the user wants it so, or the plan was accepted."""

    def __init__(self, kind: Literal["waiting", "stopped", "accepted", "review"], reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one call: bytes of a file, seconds and characters of a command or an MCP call."""

    file_bytes: int
    command_seconds: float
    command_output: int


class Permit(Sight):
    """Made by the gate alone, for one call, and asks it again right before it acts: `hold` looks for it beside the
    event loop and raises where it may not act any more. Its command runs in the jail `confinement`, `why` says what it
    is, and `only_reads` that it is known to change nothing; the files in `rejected` stay as they are.
    """

    def __init__(
        self,
        ports: Ports,
        granted: Sequence[tuple[Effect, Place | None]],
        confinement: Confinement,
        why: str,
        conversation: Conversation,
        trace: Trace,
        limits: Limits,
        hold: Callable[[Callable[[], Any]], Awaitable[Any]],
        write_down: Callable[[str, dict[str, Any]], None],
        on_output: Callable[[str], None],
        on_edit: Callable[[Sequence[Change]], None],
        variables: Mapping[str, str] | None = None,
        background: Background | None = None,
        rejected: frozenset[str] = frozenset(),
        *,
        only_reads: bool = False,
    ) -> None:
        super().__init__(ports, granted, limits.file_bytes, trace.read, trace.known)
        self.confinement = confinement
        self.why = why
        self._trace = trace
        self._limits = limits
        self._hold = hold
        self._write_down = write_down
        self._on_output = on_output
        self._on_edit = on_edit
        self._variables = variables
        self._background = background
        self._rejected = rejected
        self._only_reads = only_reads
        self.conversation = conversation

    async def apply(self, changes: Sequence[Change], label: str) -> Sequence[Change]:
        """Make all changes or none, without those that the user rejected; returns what was made.

        Raises:
            EditFailure: what `Editor.apply` raises.
        """
        changes = without(changes, self._rejected)
        if not changes:
            raise EditFailure("EDIT_REFUSED", "the user rejected all of these changes", "Go another way.")
        await asyncio.to_thread(self._check, changes)
        # A change that was sent can't be called back: its end is written down, even when the turn is stopped.
        await finish(self._apply(changes, label))
        self._on_edit(changes)
        return changes

    def _check(self, changes: Sequence[Change]) -> None:
        for change in changes:
            _refuse_marks(change)
            for place, actions in _needs(change):
                self._place(place.asked, *actions)

    async def start(self, command: str, directory: str) -> str:
        """Start a command line that goes on beside the work; returns its id and what it says first.

        Raises:
            Conflict: BUSY, when as many run as may.
            EditFailure: as `run`.
        """
        place = self._place_of_command(CommandEffect(command, directory, goes_on=True))
        background = self._started()
        background.check_room()
        left = await self._save_others()
        await self._save_changed(command)
        if background.before is None:
            background.before = self._ports.protected.look()
        await background.look(partial(self._ports.footprints.look, self._trace.about()))
        await self._hold(lambda: None)
        self._trace.loose.append(command)
        background.put_back = partial(self._put_back, command)
        limit = self._limits.command_output
        running = self._ports.runner.start(command, place, self.confinement, KEPT_OUTPUTS * limit)
        name = background.add(Started(command, running, limit))
        return f"id {name}: {await background.output_of(name, FIRST_WORDS_SECONDS)}{left}"

    def background(self, name: str) -> Background:
        """The commands of the run, among them that one, which may be read and ended."""
        if RunningEffect(name) not in [effect for effect, _ in self._granted]:
            raise PermissionError(f"no permit for the command {name!r}")
        return self._started()

    def _started(self) -> Background:
        if self._background is None:
            raise Conflict("MODE_CONFLICT", "no run is going on, which it could end with", "Use execute_command.")
        return self._background

    async def run(self, command: str, directory: str, timeout: float | None) -> CommandResult:
        """Run a command line in its jail. In Act what is open is saved first, so that the command sees what the user
        sees, and what it did to files that git and planact act on counts only if the user says so.

        Raises:
            EditFailure: EDIT_CONFLICT when files that this run changed couldn't be saved.
        """
        place = self._place_of_command(CommandEffect(command, directory))
        if self.confinement != "act":
            return await self._run(command, place, timeout)
        if not self._only_reads:
            self._trace.loose.append(command)
        left = await self._save_others()
        result = await self._guarded(command, self._found_out(command, place, timeout))
        return replace(result, output=f"{result.output}{left}") if left else result

    def _place_of_command(self, effect: CommandEffect) -> Place:
        place = next((place for granted, place in self._granted if granted == effect), None)
        if place is None or self._ports.files.resolve(effect.directory).real != place.real:
            raise PermissionError(f"no permit to run {effect.command!r} in {effect.directory!r}")
        return place

    async def _found_out(self, command: str, place: Place, timeout: float | None) -> CommandResult:
        """What happens meanwhile is the run's own doing: the command's, or that of the editor, which may format what it
        saves.
        """
        outdated = self.outdated()
        try:
            async with finding(self._ports, self._trace.about(), self._found):
                await self._save_changed(command)
                return await self._run(command, place, timeout)
        finally:
            for path in self.outdated() - outdated:
                self._known.forget(path)

    def _found(self, touches: Sequence[Touch]) -> None:
        """Files that were found to have changed while a command or a tool of an MCP server ran."""
        self._write_down("files_found", {"touches": [touch.model_dump() for touch in touches]})
        for change in map(file_change_of, touches):
            self._trace.note(change)
            self._write_down("file_changed", change.model_dump())

    async def _run(self, command: str, place: Place, timeout: float | None) -> CommandResult:
        seconds = min(timeout or self._limits.command_seconds, self._limits.command_seconds)
        limit = self._limits.command_output
        await self._hold(lambda: None)
        result = await self._ports.runner.run(
            command, place, self.confinement, seconds, limit, self._on_output, self._variables
        )
        self._trace.commands.append(result)
        return result

    async def _guarded(self, command: str, running: Coroutine[Any, Any, CommandResult]) -> CommandResult:
        """Undo at once what it does to protected files, and do it again if the user lets it stand: nothing may believe
        it meanwhile.
        """
        try:
            await self._settle_background()
        except BaseException:
            running.close()
            raise
        before = self._ports.protected.look()
        try:
            result = await running
        except BaseException:
            self._put_back(command, before)  # stopped: nobody is there to be asked
            raise
        undone = await self._undo(command, before)
        if not undone:
            return result
        return replace(result, output=f"{result.output}\n[planact] What it did to {undone} was undone.")

    async def _settle_background(self) -> None:
        """The same for what was started before and goes on: no command may meet what it left there."""
        background = self._background
        if background is not None and background.before is not None:
            await self._undo(background.names, background.before)
            background.before = self._ports.protected.look()

    async def _undo(self, command: str, before: Protected) -> str:
        """The names of the files for which the user didn't let it stand."""
        after = self._ports.protected.look()
        undone = self._put_back(command, before)
        if not undone:
            return ""
        names = ", ".join(undone)
        subject = f"protected {command} {' '.join(undone.values())}"
        if (await self.conversation.approve(keep_protected(command, names), subject)).value != "keep":
            return names
        after.put_back()
        self._write_down("protected_kept", {"files": list(undone)})
        if self._background is not None and self._background.before is not None:
            self._background.before = self._ports.protected.look()
        return ""

    def _put_back(self, command: str, before: Protected) -> Mapping[str, str]:
        """What was put back: SHA-256 of what the command had made of it, which is kept, by path."""
        changed = {path: self._ports.journal.keep(data) for path, data in before.changed().items()}
        if changed:
            still = before.put_back()
            self._write_down("protected_changed", {"command": command, "files": changed, "not_put_back": list(still)})
        return changed

    async def call_mcp(self, tool: McpTool, arguments: Mapping[str, Any]) -> str:
        """Call a tool of an MCP server, as it was when the verdict was given.

        Raises:
            McpFailure: MCP_FAILED.
        """
        asked = (tool.server, tool.name, tool.fingerprint)
        granted = [effect for effect, _ in self._granted if isinstance(effect, McpEffect)]
        if asked not in [(effect.server, effect.tool, effect.fingerprint) for effect in granted]:
            raise PermissionError(f"no permit to call {tool.name!r} of the MCP server {tool.server!r}")
        limits = self._limits
        await self._hold(lambda: None)
        calling = self._ports.mcp.call(tool, arguments, limits.command_seconds, limits.command_output)
        if self._background is None:  # no run is going on, which could be taken back
            return await calling
        self._trace.loose.append(f"{tool.server}: {tool.name}")
        async with finding(self._ports, self._trace.about(), self._found):
            return await calling

    def _not_made(self, touches: Sequence[Touch]) -> Sequence[str]:
        """Where a change that failed isn't seen: whoever makes the same of these files later did it themselves."""
        limit = self._limits.file_bytes
        return [touch.path for touch in touches if not touch.is_made(state_now(self._ports, touch.path, limit))]

    async def _save_others(self) -> str:
        """Have what the user left unsaved saved by editors that do that, before the run looks at the files: it is none
        of its doing. What the model is told of files that were left so.
        """
        own = self._trace.touched.union(self._trace.changed)
        unsaved = self._ports.editor.unsaved(self._ports.files.resolve("."))
        places = [self._ports.files.resolve(path) for path in sorted(unsaved.keys() - own)]
        left = await self._ports.editor.save([place for place in places if self._may_be_named(place)])
        names = ", ".join(place.shown for place in left)
        return f"\n[planact] The user has not saved {names}: the command met the text on disk." if names else ""

    def _may_be_named(self, place: Place) -> bool:
        path = place.relative
        if path is None or path.suffix == PLAN_SUFFIX or holds_credentials(path):
            return False
        return not self._ports.files.is_hidden(place)

    async def _save_changed(self, command: str) -> None:
        """Have what the run changed saved, by the editor or else by the user, whom nobody takes at their word."""
        changed = sorted(self._trace.touched.union(self._trace.changed))
        places = [self._ports.files.resolve(path) for path in changed]
        unsaved = await self._ports.editor.save(places)
        names = ", ".join(place.shown for place in unsaved)
        if unsaved:
            asked = await self.conversation.approve(please_save(names, command), f"save {names}")
            unsaved = await self._ports.editor.save(places) if asked.value == "saved" else unsaved
        if unsaved:
            raise EditFailure("EDIT_CONFLICT", f"unsaved in the editor: {names}", "Go on without the command, or ask.")

    async def _apply(self, changes: Sequence[Change], label: str) -> None:
        touches = await self._hold(lambda: touches_of(self._ports, changes, self._limits.file_bytes))
        self._write_down("files_changing", {"label": label, "touches": [touch.model_dump() for touch in touches]})
        try:
            made = await self._ports.editor.apply(changes, label)
        except (EditFailure, InvalidInput) as failure:
            if failure.code != "EDITOR_NO_ANSWER":  # which may still come
                self._write_down("files_unchanged", {"paths": self._not_made(touches)})
            if isinstance(failure, InvalidInput):
                raise
            raise self.telling_what_changed(failure, changes) from failure
        for change in changes:
            self._known.learn(change)
        for done in made:
            self._trace.note(done)
            self._write_down("file_changed", done.model_dump())


def _refuse_marks(change: Change) -> None:
    """What stands for a secret in a session that was taken up again must not get into a file in the secret's place."""
    match change:
        case ReplaceText():
            is_new = REDACTED not in change.before.text and any(REDACTED in edit.new_text for edit in change.edits)
        case CreateFile():
            is_new = REDACTED in change.text
        case _:
            is_new = False
    if is_new:
        message = f"the new text of {change.place.shown} has {REDACTED}, which stands for a secret that was left out"
        raise EditFailure("EDIT_REFUSED", message, "Read the file again and leave that line alone, or ask the user.")


def _needs(change: Change) -> Sequence[tuple[Place, tuple[PathAction, ...]]]:
    match change:
        case ReplaceText() | RestoreFile():
            return ((change.place, ("write",)),)
        case CreateFile():
            return ((change.place, ("create",)),)
        case RenameFile():
            return ((change.place, ("write", "delete")), (change.target, ("create",)))
        case DeleteFile():
            return ((change.place, ("delete",)),)
        case MakeDirectory():
            return ((change.place, ("make_directory",)),)
        case _:
            assert_never(change)
