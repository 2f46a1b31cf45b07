"""Command lines in the user's shell, in the jail of a spawner. All processes of a command end with it.

The shell is started without awaiting, so that no cancellation can lose it.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from time import monotonic
from typing import Any, Protocol, TypeVar

from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
from planact.adapters.sandbox.limits.git_drivers import without_drivers
from planact.adapters.sandbox.limits.guard import Guard
from planact.adapters.sandbox.limits.guard_record import GuardRecord
from planact.adapters.sandbox.limits.lasting_home import drop_oldest_caches
from planact.adapters.sandbox.limits.profiles import own_records
from planact.adapters.sandbox.limits.scratch import Scratch
from planact.adapters.sandbox.limits.sources import with_links
from planact.adapters.sandbox.limits.view import View, view
from planact.adapters.sandbox.runner.descendants import TOKEN_VARIABLE, Descendants
from planact.adapters.sandbox.runner.output import Output
from planact.adapters.sandbox.runner.output_pipe import OutputPipe, Takes
from planact.adapters.sandbox.runner.parent_watchdog import end_with_parent
from planact.adapters.sandbox.runner.program import PipedProgram, ProgramPipes
from planact.adapters.sandbox.runner.refusal import find_hidden, find_refusal, locked_folders, refused_path
from planact.adapters.sandbox.runner.shell import shell_line
from planact.adapters.sandbox.spawner import Spawner, Start, Started
from planact.adapters.sandbox.unavailable import unavailable
from planact.base.errors import CommandFailure
from planact.base.paths import Place
from planact.base.text import first_few
from planact.model.rights.command import CommandResult
from planact.model.rights.jail import JailProfile

T = TypeVar("T")

# No person sees their terminal, so commands neither ask, page nor colour. pip asks for a newer pip even to list.
_QUIET = {
    "DEBIAN_FRONTEND": "noninteractive",
    "GIT_EDITOR": "true",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "MANPAGER": "cat",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "TERM": "dumb",
}
_KEYS_OF_PROVIDERS = {"ANTHROPIC_AUTH_TOKEN", "AWS_BEARER_TOKEN_BEDROCK", "HF_TOKEN", "HUGGINGFACE_TOKEN"}

_DRAIN_SECONDS = 0.5


class _Ends(Protocol):
    """The descriptors that a process gets, and the end of them here once it has them."""

    write_end: int
    input: int
    errors: int | None

    def close_write_end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command that is to run: for `timeout` seconds at most, None = without limit; `variables` are added to its
    environment. It ends with this process, however that ends. It may read the paths `outside` as
    well; `scratch` is the folder of its session. `program` takes the place of the shell and its `command`, and may read
    the folders `parts` that it consists of. On trial, the absolute paths `unchangeable` stay as they are.
    """

    command: str
    directory: Place
    timeout: float | None
    variables: Mapping[str, str]
    outside: Sequence[str] = ()
    scratch: str = ""
    program: Sequence[str] = ()
    parts: Sequence[str] = ()
    unchangeable: Sequence[str] = ()


class CommandRunner:
    """`ports.Runner`. Commands get `environment` without planact's own variables and the keys of model providers, and
    with those of their jail's profile. All runners of a process share their `descendants`. `record` is for commands on
    trial.
    """

    def __init__(
        self,
        folder: str,
        environment: Mapping[str, str],
        descendants: Descendants,
        spawner: Spawner,
        finder: CredentialFinder | None = None,
        record: GuardRecord | None = None,
    ) -> None:
        self._finder = finder or CredentialFinder()
        self._folder = folder
        self._records = tuple(map(str, own_records(Path(os.path.realpath(folder)))))
        self._environment = public_environment(environment)
        self._descendants = descendants
        self._spawner = spawner
        self._record = record
        for name, value in spawner.profile.variables if spawner.profile else ():
            if value is None:
                self._environment.pop(name, None)
            else:
                self._environment[name] = value

    async def run(
        self,
        command: str,
        directory: Place,
        timeout: float,
        limit: int,
        on_output: Callable[[str], None],
        variables: Mapping[str, str] | None = None,
        outside: Sequence[str] = (),
        scratch: str = "",
        kept: int = 0,
        unchangeable: Sequence[str] = (),
    ) -> CommandResult:
        """Run a command as `ports.Runner.run` says. Cancelling ends it and all its descendants.

        Raises:
            CommandFailure: COMMAND_FAILED_TO_START, SANDBOX_UNAVAILABLE.
        """
        known = variables or {}
        run = CommandRun(
            command, directory, timeout, known, outside=outside, scratch=scratch, unchangeable=unchangeable
        )
        output = Output(limit, on_output, kept)
        return replace(await self._run_guarded(run, output), whole=output.whole)

    async def follow(self, command: str, directory: Place, output: Takes, outside: Sequence[str] = ()) -> CommandResult:
        """Run `command` without a time limit; its output goes to `output`, and it ends with this process."""
        run = CommandRun(command, directory, None, {}, outside=outside)
        return await self._run_guarded(run, output)

    @contextlib.asynccontextmanager
    async def open(
        self, program: Sequence[str], directory: Place, variables: Mapping[str, str], parts: Sequence[str], scratch: str
    ) -> AsyncIterator[PipedProgram]:
        """Start a program that goes on beside the work, and yield its streams; afterwards, and when this process ends,
        it and all its descendants are ended. Raises as `run`.
        """
        run = CommandRun(program[0], directory, None, variables, (), scratch, program, parts)
        async with self._limited(run) as (own, seen):
            with self._descendants.command(self._folder, is_beside=True) as token, contextlib.ExitStack() as cleanup:
                pipes = cleanup.enter_context(ProgramPipes())
                tell_watcher = cleanup.enter_context(end_with_parent(TOKEN_VARIABLE, token))
                started = self._start(run, token, pipes, own, seen)
                try:
                    self._descendants.started(token, started.shell)
                    tell_watcher(started.shell.pid)
                    async with pipes.streams(started.shell) as piped:
                        yield piped
                finally:
                    try:
                        await _to_the_end(self._descendants.end(token))
                    finally:
                        started.close()

    @property
    def _is_guarded(self) -> bool:
        return self._spawner.profile is not None and self._spawner.profile.guards is not None

    async def _run_guarded(self, run: CommandRun, output: Takes) -> CommandResult:
        async with self._limited(run) as (scratch, seen):
            if not self._is_guarded:
                return await self._run(run, output, scratch, seen)
            removed: list[str] = []
            async with self._guarded(run, seen, removed) as guard:
                limited = replace(seen, fixed=guard.fixed, held=guard.held, empty=guard.empty)
                result = await self._run(run, output, scratch, limited, guard.places)
            return replace(result, removed=tuple(removed), packages=guard.packages)

    @contextlib.asynccontextmanager
    async def _guarded(self, run: CommandRun, seen: View, removed: list[str]) -> AsyncIterator[Guard]:
        """Yield the guard of the workspace; afterwards what it took away is in `removed`."""
        profile = self._spawner.profile
        assert profile is not None
        assert profile.guards is not None
        root, searched = profile.guards, self._searched(profile)
        guard = await asyncio.to_thread(
            Guard, root, searched, self._finder, seen.found, run.directory.real, run.unchangeable
        )

        async def put_back() -> None:
            with self._record.ending() if self._record else contextlib.nullcontext():
                removed.extend(await asyncio.to_thread(guard.put_back, Path(run.scratch) if run.scratch else None))
            if profile.lasting is not None:
                await asyncio.to_thread(drop_oldest_caches, Path(profile.lasting.parent))

        try:
            if self._record is not None:
                self._record.begin(guard)
            yield guard
        finally:
            await _to_the_end(put_back())

    def put_back_killed(self, aside: str) -> tuple[tuple[str, ...], int | None]:
        """Put back what a command on trial of a killed process made of what programs load by themselves; return it as
        paths below the workspace, and when that command ended (ns), if that is known.
        """
        profile, record = self._spawner.profile, self._record
        if profile is None or record is None:
            return (), None
        removed = record.put_back(self._searched(profile), self._finder, Path(aside) if aside else None)
        return removed, record.ended_at()

    def _searched(self, profile: JailProfile) -> PurePath:
        root = profile.guards or PurePath(self._folder)
        return next((path for path in profile.searched if root.is_relative_to(path)), root)

    @contextlib.asynccontextmanager
    async def _limited(self, run: CommandRun) -> AsyncIterator[tuple[Scratch | None, View]]:
        """Yield the folders of a command's own and the limits of its reading."""
        profile = self._spawner.profile
        is_seen = profile is not None and (profile.is_read_only or profile.guards)
        if profile is None or not (is_seen or profile.caches):
            yield None, View()
            return
        more = {"outside-read": (*run.outside, str(run.directory.real)), "trial": run.outside}
        outside = more.get(profile.name, run.parts)
        seen = View()
        if is_seen:
            seen = await _to_the_end(asyncio.to_thread(view, profile, self._finder, outside, run.scratch))
        try:
            scratch = Scratch(with_links(profile, run.outside, self._environment), run.scratch, run.command)
        except OSError as error:
            raise unavailable(f"no folder of its own could be made: {error}") from error
        try:
            yield scratch, seen
        finally:
            await _to_the_end(scratch.remove())

    async def _run(
        self, run: CommandRun, output: Takes, scratch: Scratch | None, seen: View, empty: Sequence[str] = ()
    ) -> CommandResult:
        begun = monotonic()
        with (
            self._descendants.command(self._folder) as token,
            OutputPipe(output) as pipe,
            contextlib.ExitStack() as cleanup,
        ):
            own = map(str, scratch.own if scratch and self._is_guarded else ())
            ended = str(self._record.ended) if self._record and self._is_guarded else ""
            tell_watcher = cleanup.enter_context(end_with_parent(TOKEN_VARIABLE, token, (*empty, *own), ended))
            started = self._start(run, token, pipe, scratch, seen)
            shell = started.shell
            self._descendants.started(token, shell)
            try:
                tell_watcher(shell.pid)
                is_timeout = not await _within(run.timeout, _exit_of(shell))
                was_jailed = is_timeout or started.was_jailed()
                if not is_timeout:
                    # What runs on in the background may still have something to say, but not for long.
                    await _within(_DRAIN_SECONDS, pipe.closed.wait())
            finally:
                try:
                    left = await _to_the_end(self._descendants.end(token, started.is_over))
                finally:
                    wants_network = started.wanted_network()
                    started.close()
            pipe.drain()
            if left:
                output.add(f"\n[planact] Still running, although SIGKILL was sent: {first_few(left, 5)}.\n".encode())
        if not was_jailed:
            raise unavailable(output.text.strip())
        exit_code = None if is_timeout else _exit_code(shell.returncode)
        profile = self._spawner.profile
        kept = [*map(str, profile.kept), *seen.unchanging] if profile and profile.is_split and exit_code else ()
        hidden = find_hidden(seen.credentials, output.text)
        path, openable = refused_path(profile, seen, str(run.directory.real), run.unchangeable, exit_code, output.text)
        return CommandResult(
            exit_code=exit_code,
            output=output.text,
            ended="timeout" if is_timeout else "exited",
            duration=monotonic() - begun,
            refusal=find_refusal(profile, exit_code, output.text, (*hidden, *self._records)),
            hidden=tuple(path.removeprefix(f"{self._folder}/") for path in hidden),
            wants_network=wants_network,
            refused_path=path.removeprefix(f"{self._folder}/"),
            openable=openable,
            locked=tuple(locked_folders(self._folder, kept)) if kept else (),
        )

    def _start(self, run: CommandRun, token: str, pipes: _Ends, scratch: Scratch | None, seen: View) -> Started:
        command, directory, profile = run.command, run.directory, self._spawner.profile
        own = {**(scratch.variables if scratch else {}), TOKEN_VARIABLE: token}
        if profile and profile.is_read_only:
            own |= without_drivers(self._environment, seen.repositories)
        begin = scratch.folders[0] if scratch and profile and profile.starts_in_home else directory.real
        argv = run.program or shell_line(command, self._environment)
        try:
            return self._spawner.start(
                Start(
                    argv,
                    begin,
                    {**self._environment, **run.variables, **own},
                    pipes.write_end,
                    scratch.folders if scratch else (),
                    seen,
                    pipes.input,
                    pipes.errors,
                )
            )
        except (OSError, ValueError) as error:
            is_gone = isinstance(error, OSError) and not os.path.isdir(directory.real)
            cause = f"{directory.shown} is not a directory" if is_gone else str(error)
            raise CommandFailure(
                "COMMAND_FAILED_TO_START",
                f"`{command[:200]}` could not be started: {cause}",
                "Choose another directory" if is_gone else "Shorten or correct the command",
            ) from error
        finally:
            pipes.close_write_end()


def public_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of programs: without planact's variables, keys of model providers, and programs that ask
    the user.
    """
    return {name: value for name, value in environment.items() if not _is_private(name)} | _QUIET


def _is_private(name: str) -> bool:
    upper = name.upper()
    return upper.startswith("PLANACT_") or "API_KEY" in upper or upper in _KEYS_OF_PROVIDERS


def _exit_code(code: int | None) -> int | None:
    # As shells say it: 128 and the signal.
    return 128 - code if code is not None and code < 0 else code


async def _exit_of(shell: subprocess.Popen[bytes]) -> None:
    with _noticed(shell) as exited:
        while shell.poll() is None:
            await _within(0.02 if exited is None else 1.0, (exited or asyncio.Event()).wait())


@contextlib.contextmanager
def _noticed(shell: subprocess.Popen[bytes]) -> Iterator[asyncio.Event | None]:
    """Return an event that the kernel sets when the shell exits; None where the kernel can't, and the caller has to
    poll.
    """
    descriptor = -1
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(shell.pid)
    if descriptor < 0:
        yield None
        return
    loop, exited = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, exited.set)
    try:
        yield exited
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


async def _within(seconds: float | None, waiting: Coroutine[Any, Any, Any]) -> bool:
    """Wait; return True if it ended in time."""
    try:
        async with asyncio.timeout(seconds):
            await waiting
    except TimeoutError:
        return False
    return True


async def _to_the_end(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result even when cancelled, and pass the cancellation on afterwards."""
    task = asyncio.ensure_future(coroutine)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()
