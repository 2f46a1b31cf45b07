"""The commands of a running tool: each in its jail, with open files saved before and what it changes written down."""

import asyncio
import shlex
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar

from planact.base.errors import Conflict, EditFailure
from planact.base.filetext import fingerprint
from planact.base.paths import Place
from planact.base.text import named
from planact.model.rights.command import KEPT_CHARACTERS, CommandResult
from planact.model.rights.credentials import holds_credentials
from planact.model.rights.files_beside import with_files_beside
from planact.model.rights.jail import CHANGING
from planact.model.rights.permission import (
    CommandEffect,
    Mode,
    Permission,
    RunningEffect,
)
from planact.model.runs.touch import Touch
from planact.policy.given_addresses import READING_ON
from planact.policy.protected import PLAN_SUFFIX
from planact.policy.rights import may_use
from planact.ports import Before, Ports, Protected, TrialBefore
from planact.tools.call_records import CallRecords
from planact.tools.commands.background import FIRST_WORDS_SECONDS, Background, StartedCommand
from planact.tools.commands.file_changes import file_change_of, record_changes
from planact.tools.commands.kept_output import LongOutputs
from planact.tools.commands.questions import keep_protected, please_save
from planact.tools.read_access import ReadAccess
from planact.tools.tool_result import Failed
from planact.tools.turn import Grant, Turn

T = TypeVar("T")


class Recheck(Protocol):
    """Judges the call again right before it acts."""

    async def __call__(self, prepare: Callable[[], T]) -> T:
        """Run `prepare` in a thread and return its result. Raises where the call may not act any more."""


class CommandPermit(ReadAccess):
    """The part of a permit that runs commands."""

    def __init__(self, ports: Ports, turn: Turn, grant: Grant, records: CallRecords, recheck: Recheck) -> None:
        super().__init__(ports, grant.effects, turn.limits.file_bytes, turn.trace.read, turn.trace.known)
        self.grant = grant
        self.conversation = turn.conversation
        self._trace = turn.trace
        self._limits = turn.limits
        self._turn = turn
        self._records = records
        self._recheck = recheck
        self._long_outputs = LongOutputs(
            *(ports.outputs, ports.sessions, turn.session_id, turn.limits.command_output, self._may_read_on)
        )

    def _may_read_on(self) -> bool:
        """Return whether the model may read on in outputs that were cut."""
        if not self._turn.model:
            return False
        rights = self._turn.policy_context().role.rights
        return may_use(rights, READING_ON) and Permission.READ_FILES in rights.permissions

    async def start(self, command: str, directory: str) -> str:
        """Start a command line that goes on beside the work; return its id and its first output.

        Raises:
            Conflict: BUSY, when `MAX_RUNNING` commands run; MODE_CONFLICT, where no run is going on.
            EditFailure: as `run`.
        """
        place = self._place_of_command(CommandEffect(command, directory, goes_on=True))
        background = self._background_of_run()
        background.check_room()
        left = await self._save_files_of_user()
        await self._save_files_of_run(command)
        if background.before is None:
            background.before = self._ports.protected.snapshot()
        await background.record_files(self._files_now())
        await self._recheck(lambda: None)
        self._trace.loose.append(command)
        background.put_back = partial(self._restore_protected, command)
        running = self._ports.runner.start(command, place, self.grant.confinement, KEPT_CHARACTERS, self.grant.outside)
        name = background.add(StartedCommand(command, running))
        return f"id {name}: {await background.output_of(name, FIRST_WORDS_SECONDS, self._long_outputs)}{left}"

    async def output_of(self, name: str, seconds: float) -> str:
        """Return the new output of a started command, as `Background.output_of`."""
        return await self._background(name).output_of(name, seconds, self._long_outputs)

    async def stop(self, name: str) -> str:
        """Stop a started command, as `Background.stop`."""
        return await self._background(name).stop(name, self._long_outputs)

    def _background(self, name: str) -> Background:
        self._check_granted(RunningEffect(name))
        return self._background_of_run()

    def _background_of_run(self) -> Background:
        if self._turn.background is None:
            raise Conflict("MODE_CONFLICT", "no run is going on, which it could end with", "Use execute_command.")
        return self._turn.background

    async def run(self, effect: CommandEffect, timeout: float | None) -> CommandResult:
        """Run a command line in its jail. In Act open files are saved first, so that the command sees the text that the
        user sees; before one that is known to only read, only those whose unsaved text is all the agent's. Changes of
        protected files (which git and planact act on) are undone unless the user keeps them.

        Raises:
            EditFailure: EDIT_CONFLICT when files that this run changed couldn't be saved.
        """
        place, command = self._place_of_command(effect), effect.command
        jail = self.grant.confinement
        if jail not in CHANGING and (jail != "contain" or self.grant.mode is Mode.PLAN):
            await self._save_own_files()
            left = await asyncio.to_thread(self._describe_unsaved)
            result = await self._run(command, place, timeout)
            return replace(result, output=f"{result.output}{left}")
        if jail == "act" and not self.grant.only_reads:
            self._trace.loose.append(command)
        left = await self._save_files_of_user()
        running = self._try_and_record if jail == "trial" else self._run_and_record
        result = await self._run_guarded(command, running(command, place, timeout))
        return replace(result, output=f"{result.output}{left}")

    def _place_of_command(self, effect: CommandEffect) -> Place:
        place = next((place for granted, place in self._granted if granted == effect), None)
        if place is None or self._ports.files.resolve(effect.directory).real != place.real:
            raise PermissionError(f"no permit to run {effect.command!r} in {effect.directory!r}")
        return place

    async def _run_and_record(self, command: str, place: Place, timeout: float | None) -> CommandResult:
        async with self._recorded():
            await self._save_files_of_run(command)
            return await self._run(command, place, timeout)

    async def _try_and_record(self, command: str, place: Place, timeout: float | None) -> CommandResult:
        """Run a command on trial. What it changes waits to be judged, but is put back at once where it failed for want
        of something.
        """
        assert self._turn.outcomes is not None, "only a run has commands on trial"
        if self._ports.editor.unsaved(self._ports.files.resolve(".")):
            async with self._recorded():
                await self._save_files_of_run(command)
        footprints, named, since = self._ports.footprints, self._trace.about(), self._trace.before_trial
        tried = f"cd {shlex.quote(place.shown)} && {command}" if place.shown != "." else command
        started = self._records.write("trial_started", {"command": tried})
        self._trace.waits_for_judgement = True

        def record() -> TrialBefore:
            before = footprints.trial(named, since)
            footprints.save(before, f"{self._turn.execution_id} {started}")
            return before

        def report(touches: Sequence[Touch]) -> None:
            self._record_found(touches, tried=tried)
            footprints.forget()

        effects = [effect for effect, _ in self._granted if isinstance(effect, CommandEffect)]
        opens = {path for effect in effects for path in effect.opens}
        with self._forgetting_changed():
            async with record_changes(self._ports, record, report) as before:
                self._trace.before_trial = self._trace.before_trial or before
                given, held = with_files_beside(opens), before.unchangeable
                fixed = [path for path in held if path not in given]
                result = await self._run(command, place, timeout, fixed, sorted(opens.difference(held)))
        has_failed_again = result.exit_code != 0 and any(effect.is_held_in_act for effect in effects)
        if result.held_back or has_failed_again:
            await self._turn.outcomes.put_back(started)
        return result

    @asynccontextmanager
    async def _recorded(self) -> AsyncIterator[None]:
        """Record every file that changes meanwhile as a change of this run: by its command, or by the editor, which may
        format the files that it saves.
        """
        with self._forgetting_changed():
            async with record_changes(self._ports, self._files_now(), self._record_found):
                yield

    def _files_now(self) -> Callable[[], Before]:
        """Return a function that records the state of the files that the work is about."""
        return partial(self._ports.footprints.snapshot, self._trace.about())

    @contextmanager
    def _forgetting_changed(self) -> Iterator[None]:
        """Forget that the model knows the texts that change meanwhile: the work changed them itself."""
        outdated = self.outdated()
        try:
            yield
        finally:
            for path in self.outdated() - outdated:
                self._known.forget(path)

    async def _save_own_files(self) -> None:
        """Have the editor save the files whose unsaved text is all the agent's, where the call may write at this
        moment; never in Plan.
        """
        own = await self._recheck(lambda: [place for place in self._unsaved() if self._is_own(place)])
        context = self._turn.policy_context()
        if own and context.mode is Mode.ACT and Permission.WRITE_FILES in context.role.rights.permissions:
            async with self._recorded():
                await self._ports.editor.save(own)

    def _record_found(self, touches: Sequence[Touch], tried: str = "") -> None:
        """Record files that changed while a command or a tool of an MCP server ran; `tried` = a command on trial."""
        if not touches:
            return
        found = {"touches": [touch.model_dump() for touch in touches]}
        self._records.write("files_found", {**found, "tried": tried} if tried else found)
        changes = [file_change_of(touch) for touch in touches]
        self._ports.language_servers.files_changed(changes)
        for change in changes:
            self._trace.note(change)
            # The last one takes those before it to the disk.
            self._records.write("file_changed", change.model_dump(), is_synced=change is changes[-1])

    async def _run(
        self,
        command: str,
        place: Place,
        timeout: float | None,
        unchangeable: Sequence[str] = (),
        outside: Sequence[str] | None = None,
    ) -> CommandResult:
        seconds = min(timeout or self._limits.command_seconds, self._limits.command_seconds)
        await self._recheck(lambda: None)
        grant, limits = self.grant, self._limits
        result = await self._ports.runner.run(
            *(command, place, grant.confinement, seconds, limits.command_output),
            *(self._records.show_output, self._turn.variables),
            *(grant.outside if outside is None else outside, grant.scratch),
            kept=self._long_outputs.kept,
            unchangeable=unchangeable,
        )
        self._trace.commands.append(result)
        return replace(result, output=await self._long_outputs.cut(result.whole)) if result.whole else result

    async def _run_guarded(self, command: str, running: Coroutine[Any, Any, CommandResult]) -> CommandResult:
        """Run, and undo changes of protected files at once; they are made again if the user keeps them, so that git and
        planact never act on them before.
        """
        try:
            await self._restore_after_background()
        except BaseException:
            running.close()
            raise
        before = self._ports.protected.snapshot()
        try:
            result = await running
        except BaseException:
            self._restore_protected(command, before)  # stopped: no user to ask
            raise
        told = await self._ask_to_keep(command, before)
        return replace(result, output=f"{result.output}\n[planact] {told}") if told else result

    async def _restore_after_background(self) -> None:
        """Restore the protected files that background commands changed, before another command could act on them."""
        background = self._turn.background
        if background is not None and background.before is not None:
            await self._ask_to_keep(background.names, background.before)
            background.before = self._ports.protected.snapshot()

    async def _ask_to_keep(self, command: str, before: Protected) -> str:
        """Restore protected files, then ask the user; return what became of the command's changes, empty where they
        stand.
        """
        after = self._ports.protected.snapshot()
        changed, stays = self._restore_protected(command, before)
        if not changed:
            return ""
        subject = f"protected {command} {' '.join(changed.values())}"
        answer = (await self.conversation.approve(keep_protected(command, changed, stays), subject)).value
        if answer != "keep":
            return _what_was_undone(changed, stays)
        lost = after.put_back()
        self._records.write("protected_kept", {"files": [path for path in changed if path not in lost]})
        if self._turn.background is not None and self._turn.background.before is not None:
            self._turn.background.before = self._ports.protected.snapshot()
        return self._tell_lost(lost) if lost else ""

    def _tell_lost(self, lost: Collection[str]) -> str:
        """Tell the user of changes that they let stand and that couldn't be made again; return it for the model."""
        names = ", ".join(map(named, lost))
        failed = f"its changes of {names}, which you let stand, couldn't be made again, and are undone"
        self._records.show_failure(Failed("EDIT_REFUSED", failed))
        return f"Its changes of {names} couldn't be made again."

    def _restore_protected(self, command: str, before: Protected) -> tuple[Mapping[str, str], Sequence[str]]:
        """Restore protected files; return the SHA-256 of the command's versions by path, which the journal keeps, and
        the paths that couldn't be restored.
        """
        found = before.changed()
        try:
            changed = {path: self._ports.journal.keep(data) for path, data in found.items()}
        except BaseException:
            before.put_back()  # what git or planact would act on goes also where it can't be kept
            raise
        stays = before.put_back() if changed else ()
        if changed:
            self._records.write(
                "protected_changed", {"command": command, "files": changed, "not_put_back": list(stays)}
            )
        return changed, stays

    async def _save_files_of_user(self) -> str:
        """Have the editor save the user's unsaved files before changes count as the run's; return a note for the model
        on files that are still unsaved.
        """
        own = self._trace.touched.union(self._trace.changed)
        await self._ports.editor.save([place for place in self._unsaved() if place.shown not in own])
        return self._describe_unsaved(own)

    def _describe_unsaved(self, own: Set[str] = frozenset()) -> str:
        """Return a note for the model on files that aren't saved; `own` are saved yet."""
        names = ", ".join(named(place.shown) for place in self._unsaved() if place.shown not in own)
        note = "the command met the text on disk, while read_file and search_code see the editor's."
        return f"\n[planact] The user has not saved {names}: {note}" if names else ""

    def _unsaved(self) -> Sequence[Place]:
        """Return the files that are unsaved in the editor and may be told of."""
        unsaved = self._ports.editor.unsaved(self._ports.files.resolve("."))
        return [place for place in map(self._ports.files.resolve, sorted(unsaved)) if self._may_be_told(place)]

    def _is_own(self, place: Place) -> bool:
        buffer = self._ports.editor.buffer(place)
        return buffer is not None and self._known.is_own(place.shown, fingerprint(buffer))

    def _may_be_told(self, place: Place) -> bool:
        path = place.relative
        if path is None or path.suffix == PLAN_SUFFIX or holds_credentials(path):
            return False
        return not self._ports.files.is_hidden(place)

    async def _save_files_of_run(self, command: str) -> None:
        """Have the files saved that the run changed: by the editor, or else by the user, which is then checked."""
        changed = sorted(self._trace.touched.union(self._trace.changed))
        places = [self._ports.files.resolve(path) for path in changed]
        unsaved = await self._ports.editor.save(places)
        names = ", ".join(named(place.shown) for place in unsaved)
        if unsaved:
            question = please_save([place.shown for place in unsaved], command)
            asked = await self.conversation.approve(question, f"save {names}")
            unsaved = await self._ports.editor.save(places) if asked.value == "saved" else unsaved
        if unsaved:
            raise EditFailure("EDIT_CONFLICT", f"unsaved in the editor: {names}", "Go on without the command, or ask.")


def _what_was_undone(changed: Iterable[str], stays: Collection[str]) -> str:
    """Say for the model which changes of protected files were undone, and which couldn't be."""
    undone = [named(path) for path in changed if path not in stays]
    told = [f"What it did to {', '.join(undone)} was undone."] if undone else []
    return " ".join([*told, *([f"{', '.join(map(named, stays))} couldn't be put back as before."] if stays else [])])
