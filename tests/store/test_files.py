import os
import socket
import stat
from pathlib import Path, PurePosixPath

import pytest

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.disk.true_path import folds_case, is_windows_trap, true_case
from planact.adapters.store.files import DiskFiles
from planact.base.errors import InvalidInput, NotFound
from planact.base.paths import Place
from planact.model.file import SearchPage


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_bytes(b"x = 1\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_bytes(b"s")
    (root / "inner").symlink_to("src")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "x.plan").symlink_to("src/app.py")
    (root / "loop").symlink_to("loop")
    (root / "dangling").symlink_to(tmp_path / "outside" / "new")
    return root


@pytest.fixture
def files(root: Path) -> DiskFiles:
    return DiskFiles(root)


@pytest.mark.parametrize(
    ("path", "relative", "exists", "is_directory"),
    [
        ("src/app.py", "src/app.py", True, False),
        ("./src//app.py", "src/app.py", True, False),
        ("", ".", True, True),
        (".", ".", True, True),
        ("src/", "src", True, True),
        ("src/../src/app.py", "src/app.py", True, False),
        ("inner/app.py", "src/app.py", True, False),
        ("inner/../src", "src", True, True),
        ("x.plan", "src/app.py", True, False),
        ("x.plan/../y.py", "src/y.py", False, False),
        ("new/dir/file", "new/dir/file", False, False),
        ("src/app.py/below", "src/app.py/below", False, False),
        ("..", None, True, True),
        ("../outside/secret", None, True, False),
        ("out/secret", None, True, False),
        ("out/new", None, False, False),
        ("dangling", None, False, False),
        ("src/../../root2", None, False, False),
        ("loop", None, False, False),
        ("loop/x", None, False, False),
        ("a\0b", None, False, False),
        ("\ud800", None, False, False),
        ("a" * 300, None, False, False),
        ("a/" * 3000, None, False, False),
    ],
)
def test_a_path_leads_where_it_really_leads(
    files: DiskFiles, path: str, relative: str | None, exists: bool, is_directory: bool
) -> None:
    place = files.resolve(path)
    assert (place.asked, place.exists, place.is_directory) == (path, exists, is_directory)
    assert place.relative == (None if relative is None else PurePosixPath(relative))


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("src\\app.py", "src/app.py"),
        (".\\src\\app.py", "src/app.py"),
        ("src/App.py", "src/app.py"),
        ("SRC/app.py", "src/app.py"),
        ("src/aap.py", "src/app.py"),
        ("root/src/app.py", "src/app.py"),
        ("a/src/app.py", "src/app.py"),
        ("src/app.py:12", "src/app.py"),
        ("src/app.py#L3-L9", "src/app.py"),
        ("`src/app.py`", "src/app.py"),
        ("app.py", ""),
        ("src/other.py", ""),
        ("out/secrets", ""),
        (".envs", ""),
        ("src/hiddn.py", ""),
        ("../outside/secrets", ""),
        ("src/app.py/below", ""),
        ("a/" * 3000 + "src", ""),
    ],
)
def test_what_is_not_there_is_answered_with_what_may_be_meant(
    files: DiskFiles, root: Path, path: str, meant: str
) -> None:
    (root / ".env").touch()
    (root / "src" / "hidden.py").touch()
    (root / ".planactignore").write_text("hidden.py\n")
    for read in (lambda place: files.read(place, 100), files.info, files.list):
        with pytest.raises(InvalidInput) as raised:
            read(files.resolve(path))
        if raised.value.code == "FILE_NOT_FOUND":
            assert raised.value.hint == (
                f"Did you mean {meant}?" if meant else "List the directory to see what there is"
            )


@pytest.mark.parametrize("path", ["srcs", "Src", "src/ap.py", "inne", "inner/ap.py", "inside_"])
def test_a_directory_that_is_hidden_is_not_named_as_what_may_be_meant(root: Path, path: str) -> None:
    (root / "inside").symlink_to("src")
    (root / ".planactignore").write_text("src/\n/inner/\n")
    files = DiskFiles(root)
    with pytest.raises(NotFound) as raised:
        files.read(files.resolve(path), 100)
    assert raised.value.hint == "List the directory to see what there is"


def test_a_file_url_is_answered_with_its_path(files: DiskFiles, root: Path) -> None:
    with pytest.raises(NotFound) as raised:
        files.read(files.resolve((root / "src" / "app.py").as_uri()), 100)
    assert raised.value.hint == "Did you mean src/app.py?"


def test_a_directory_is_no_file_and_said_to_be_one(files: DiskFiles) -> None:
    with pytest.raises(InvalidInput) as raised:
        files.read(files.resolve("src"), 100)
    assert (raised.value.message, raised.value.hint) == ("src is a directory", "List it")


def test_a_file_with_a_second_name_is_known_as_such(files: DiskFiles, root: Path) -> None:
    assert [files.resolve(path).is_shared for path in ("src/app.py", "src", "new")] == [False, False, False]
    (root / "hard.plan").hardlink_to(root / "src" / "app.py")
    assert [files.resolve(path).is_shared for path in ("src/app.py", "hard.plan", "inner/app.py")] == [True, True, True]


def test_absolute_paths_and_a_root_that_is_a_link_lead_to_the_same_place(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    files = DiskFiles(tmp_path / "link")
    assert files.root == root.resolve()
    paths = [tmp_path / "link" / "src" / "app.py", root / "src" / "app.py"]
    assert {files.resolve(str(path)).relative for path in paths} == {PurePosixPath("src/app.py")}


def test_a_sibling_whose_name_begins_like_the_root_is_outside(root: Path) -> None:
    (root.parent / "root2").mkdir()
    assert DiskFiles(root).resolve("../root2").relative is None


def test_names_get_the_case_of_the_directory(root: Path) -> None:
    assert true_case(root / "SRC" / "App.PY") == root / "src" / "app.py"
    assert true_case(root / "SRC" / "New.py") == root / "src" / "New.py"


def test_a_file_system_that_tells_case_apart_is_recognised(root: Path) -> None:
    assert folds_case(root) == (root / "SRC").exists()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py:stream", True),
        ("NUL", True),
        ("d/com1.txt", True),
        ("a.plan.", True),
        ("a.plan /b", True),
        ("src/console.py", False),
        ("nullable.py", False),
        (".git/config", False),
        (".", True),
    ],
)
def test_names_that_windows_reads_otherwise_are_known(path: str, expected: bool) -> None:
    assert is_windows_trap(path) is expected


def test_what_is_there_is_described(files: DiskFiles, root: Path) -> None:
    info = files.info(files.resolve("src/app.py"))
    status = (root / "src" / "app.py").stat()
    assert (info.kind, info.size, info.modified, info.mode) == ("file", 6, status.st_mtime, status.st_mode)
    assert files.info(files.resolve("src")).kind == "directory"
    with pytest.raises(NotFound) as caught:
        files.info(files.resolve("nothing"))
    assert caught.value.code == "FILE_NOT_FOUND"


def test_a_file_is_read_up_to_the_limit(files: DiskFiles) -> None:
    place = files.resolve("src/app.py")
    assert files.read(place, 6) == b"x = 1\n"
    with pytest.raises(InvalidInput) as caught:
        files.read(place, 5)
    assert caught.value.code == "FILE_TOO_LARGE"


def test_a_huge_file_is_refused_before_it_is_read(files: DiskFiles, root: Path) -> None:
    with (root / "huge").open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(InvalidInput) as caught:
        files.read(files.resolve("huge"), 10_000_000)
    assert caught.value.code == "FILE_TOO_LARGE"
    assert "200000000 bytes" in caught.value.message


@pytest.mark.timeout(120)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs files whose size the system doesn't tell")
def test_a_file_without_a_size_is_read_whole_and_up_to_the_limit() -> None:
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0
    assert read_regular(path, 1_000_000).startswith(b"Name:")
    with pytest.raises(OSError, match="limit is 100"):
        read_regular(path, 100)


def test_what_is_no_file_is_refused_without_waiting(files: DiskFiles, root: Path) -> None:
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(root / "socket"))
        for path in ("fifo", "socket", "/dev/zero", "src"):
            with pytest.raises(InvalidInput) as caught:
                files.read(files.resolve(path), 100)
            assert caught.value.code == "FILE_UNREADABLE"
        assert files.info(files.resolve("fifo")).kind == "other"


@pytest.mark.parametrize("path", ["nothing", "nothing/below", "src/app.py/below", "a\0b"])
def test_what_is_not_there_says_so(files: DiskFiles, path: str) -> None:
    place = files.resolve(path)
    for look in (lambda: files.read(place, 10), lambda: files.info(place), lambda: files.list(place)):
        with pytest.raises(NotFound) as caught:
            look()
        assert caught.value.code == "FILE_NOT_FOUND"


@pytest.mark.parametrize("path", ["loop", "src"])
def test_what_cannot_be_read_says_so(files: DiskFiles, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        files.read(files.resolve(path), 10)
    assert caught.value.code == "FILE_UNREADABLE"


def test_a_file_cannot_be_listed(files: DiskFiles) -> None:
    with pytest.raises(InvalidInput) as caught:
        files.list(files.resolve("src/app.py"))
    assert caught.value.code == "FILE_UNREADABLE"


def test_a_link_put_in_the_way_of_a_read_is_noticed(files: DiskFiles, root: Path) -> None:
    place = files.resolve("src/app.py")
    (root / "src").rename(root / "old")
    (root / "src").symlink_to("old")
    with pytest.raises(InvalidInput) as caught:
        files.read(place, 100)
    assert caught.value.code == "FILE_UNREADABLE"


def test_a_directory_is_listed_without_what_is_hidden(root: Path) -> None:
    (root / ".hidden").write_bytes(b"")
    (root / "secret.txt").write_bytes(b"")
    files = DiskFiles(root, ["secret*", "/inner/"])
    assert files.list(files.resolve("")) == [".hidden", "dangling", "loop", "out/", "src/", "x.plan"]
    assert files.list(files.resolve("inner")) == ["app.py"]


def hidden(files: DiskFiles, *paths: str) -> list[str]:
    return [path for path in paths if files.is_hidden(files.resolve(path))]


def test_hidden_is_what_the_ignore_patterns_say_now(root: Path) -> None:
    files = DiskFiles(root, ["*.key"])
    paths = ("a.key", "src/app.py", "inner/app.py", "src/new.py", "../outside/a.key", "")
    assert hidden(files, *paths) == ["a.key"]
    (root / ".planactignore").write_text("src/\n!src/new.py\n")
    assert hidden(files, *paths) == ["a.key", "src/app.py", "inner/app.py", "src/new.py"]
    (root / ".planactignore").write_text("new.py\n")
    assert hidden(files, *paths) == ["a.key", "src/new.py"]
    (root / ".planactignore").unlink()
    assert hidden(files, *paths) == ["a.key"]


async def test_an_ignore_file_takes_back_nothing_that_the_user_hides(root: Path) -> None:
    (root / ".planactignore").write_text("!src/\n!app.py\n!new.py\nb.txt\n")
    files = DiskFiles(root, ["src/"])
    assert hidden(files, "src/app.py", "src", "b.txt") == ["src/app.py", "src", "b.txt"]
    assert "src/" not in files.list(files.resolve("."))
    found = await files.search("", files.resolve("."), "", SearchPage(100), is_literal=False, skip=(), unsaved={})
    assert [hit.path for hit in found.hits if hit.path.startswith("src/")] == []
    assert [path for path in files.find(".py", 100) if path.startswith("src/")] == []


@pytest.mark.timeout(120)
def test_an_ignore_file_that_cannot_be_read_hides_everything(root: Path) -> None:
    os.mkfifo(root / ".planactignore")
    assert hidden(DiskFiles(root), "src/app.py") == ["src/app.py"]


def test_files_are_found_everywhere_but_in_ignored_folders(root: Path) -> None:
    for path in ("a.plan", "b/c.plan", "node_modules/d.plan", ".git/e.plan", "ignored/f.plan", ".planact/plans/g.plan"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"")
    (root / ".gitignore").write_text("ignored/\n")
    (root / ".planact-0.tmp").write_bytes(b"")
    files = DiskFiles(root, ["a.plan"])
    assert files.find(".plan", 10) == (".planact/plans/g.plan", "b/c.plan")
    assert files.find(".plan", 1) == (".planact/plans/g.plan",)
    assert files.find(".tmp", 10) == ()


def test_a_place_is_only_data(files: DiskFiles, root: Path) -> None:
    assert files.resolve("src") == Place("src", root.resolve() / "src", PurePosixPath("src"), True, True)
    assert stat.S_ISDIR(files.info(files.resolve("src")).mode)
