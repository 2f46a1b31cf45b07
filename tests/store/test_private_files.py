"""Who else on a machine may read or change what planact keeps and writes, whatever the user's umask is."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from planact.adapters.mcp.context import LaunchContext
from planact.adapters.mcp.launch import Launch
from planact.adapters.sandbox.limits.lasting_home import make_caches
from planact.adapters.store.disk.atomic import create, put, replace
from planact.adapters.store.disk.lock import FileLock
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.records import WorkspaceRecords
from planact.base.filetext import digest_of
from planact.model.settings import McpServer
from tests.fakes.clock import FakeClock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


@pytest.fixture(params=[0o022, 0o077, 0o002, 0], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> set[int]:
    """The rights of others than the owner below a folder."""
    return {path.lstat().st_mode & 0o077 for path in folder.rglob("*")}


@pytest.mark.usefixtures("umask")
def test_the_state_is_the_users_alone_with_all_folders_that_are_made_for_it(tmp_path: Path) -> None:
    database = Database(tmp_path / "state/planact/work", FakeClock(), lambda value: value, workspace=tmp_path)
    with database.transaction():
        pass
    FileLock(tmp_path / "locks/planact/run.lock", str).acquire("me")
    assert modes(tmp_path) == {0}


@pytest.mark.usefixtures("umask")
def test_the_caches_of_trials_are_the_users_alone(tmp_path: Path) -> None:
    assert make_caches(tmp_path / "cache/planact/trial/work", ())
    assert modes(tmp_path) == {0}


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
async def test_no_server_starts_where_others_can_put_programs(tmp_path: Path, mode: int) -> None:
    room = tmp_path / "planact-mcp"
    room.mkdir()
    room.chmod(mode)
    with pytest.raises(PermissionError, match="others could"):
        async with start_in(tmp_path, room):
            pass
    room.chmod(0o755)
    (tmp_path / "link").symlink_to(room)
    with pytest.raises(PermissionError, match="others could"):
        async with start_in(tmp_path, tmp_path / "link"):
            pass
    async with start_in(tmp_path, room) as folder:
        assert folder.parent == room


def start_in(folder: Path, room: Path) -> AbstractAsyncContextManager[Path]:
    """The folder in which a server is started."""
    context = LaunchContext(folder / "work", {}, "/usr/bin", [room])
    return Launch(McpServer(command="true"), context).folder()


def test_records_in_the_workspace_are_as_open_as_what_the_user_writes(tmp_path: Path, umask: int) -> None:
    WorkspaceRecords(tmp_path, FakeClock(), str, pytest.fail).write("sessions/s.chat", "secret")
    assert modes(tmp_path) == {0o077 & ~umask, 0o066 & ~umask}


def test_a_text_is_never_there_for_more_users_than_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    sync = os.fsync

    def see(handle: int) -> None:
        found = os.fstat(handle).st_mode
        seen.extend([found & 0o077] if stat.S_ISREG(found) else [])
        sync(handle)

    monkeypatch.setattr(os, "fsync", see)
    path = tmp_path / "a"
    create(path, b"one", 0o600)
    replace(path, b"two", digest_of(b"one"), 100)
    put(path, b"three", 0o600)
    assert (seen, path.stat().st_mode & 0o777) == ([0, 0, 0], 0o600)
