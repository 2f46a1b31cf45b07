import hashlib
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.adapters.store.files import DiskFiles
from planact.base.errors import EditFailure

OLD, NEW = b"old\n", b"new and longer\n"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").write_bytes(OLD)
    return root.resolve()


@pytest.fixture
def files(root: Path) -> DiskFiles:
    return DiskFiles(root)


def code_of(act: Callable[[], None]) -> str:
    with pytest.raises(EditFailure) as caught:
        act()
    return caught.value.code


def test_a_file_is_replaced_whole_and_keeps_its_mode(files: DiskFiles, root: Path) -> None:
    (root / "a").chmod(0o755)
    before = (root / "a").stat().st_ino
    files.write(files.resolve("a"), NEW, sha256(OLD))
    assert (root / "a").read_bytes() == NEW
    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o755
    assert (root / "a").stat().st_ino != before
    assert names_in(root) == ["a"]


def test_a_link_stays_a_link(files: DiskFiles, root: Path) -> None:
    (root / "link").symlink_to("a")
    files.write(files.resolve("link"), NEW, sha256(OLD))
    assert (root / "link").is_symlink()
    assert (root / "a").read_bytes() == NEW


def test_hard_links_stay_one_file(files: DiskFiles, root: Path) -> None:
    os.link(root / "a", root / "b")
    files.write(files.resolve("a"), b"n", sha256(OLD))
    assert (root / "b").read_bytes() == b"n"
    assert (root / "a").samefile(root / "b")


def test_extended_attributes_are_kept(files: DiskFiles, root: Path) -> None:
    try:
        os.setxattr(root / "a", "user.note", b"mine")
    except OSError:
        return  # this file system has none, so none can be lost
    files.write(files.resolve("a"), NEW, sha256(OLD))
    assert os.getxattr(root / "a", "user.note") == b"mine"


def test_another_users_file_stays_theirs(files: DiskFiles, root: Path) -> None:
    if os.geteuid() != 0:
        return  # only root can make one; then the next test shows the same way
    os.chown(root / "a", 12345, 12345)
    files.write(files.resolve("a"), NEW, sha256(OLD))
    status = (root / "a").stat()
    assert (status.st_uid, status.st_gid, (root / "a").read_bytes()) == (12345, 12345, NEW)


def as_nobody(root: Path, act: str) -> subprocess.CompletedProcess[str]:
    """Run `act` with `files` as a user whom modes bind, which root isn't."""
    program = f"""
import os
from pathlib import Path
from planact.adapters.store.files import DiskFiles
from planact.base.errors import PlanactError
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
files = DiskFiles(Path({str(root)!r}))
try:
    {act}
except PlanactError as error:
    print(error.code)
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=180)


@pytest.fixture
def reachable(root: Path) -> Path:
    """The same folder, for a user who isn't its owner."""
    if os.geteuid() == 0:
        for path in (root, *list(root.iterdir())):
            os.chown(path, 65534, 65534)
        for path in root.parents:
            if path.stat().st_uid == 0 and str(path).startswith("/tmp/"):
                path.chmod(path.stat().st_mode | 0o711)
    return root


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file to a group of others")
def test_a_file_of_a_group_of_others_stays_theirs(reachable: Path) -> None:
    os.chown(reachable / "a", 65534, 12345)
    (reachable / "a").chmod(0o664)
    done = as_nobody(reachable, f"files.write(files.resolve('a'), {NEW!r}, {sha256(OLD)!r})")
    status = (reachable / "a").stat()
    assert (done.stdout, status.st_gid, status.st_mode & 0o777) == ("", 12345, 0o664), done
    assert (reachable / "a").read_bytes() == NEW


def test_in_a_read_only_directory_a_file_is_written_in_place(reachable: Path) -> None:
    reachable.chmod(0o555)
    done = as_nobody(reachable, f"files.write(files.resolve('a'), {NEW!r}, {sha256(OLD)!r})")
    reachable.chmod(0o755)
    assert (done.stdout, done.stderr) == ("", "")
    assert (reachable / "a").read_bytes() == NEW


def test_a_read_only_file_is_not_replaced(reachable: Path) -> None:
    (reachable / "a").chmod(0o444)
    done = as_nobody(reachable, f"files.write(files.resolve('a'), {NEW!r}, {sha256(OLD)!r})")
    assert (done.stdout, done.stderr) == ("EDIT_REFUSED\n", "")
    assert (reachable / "a").read_bytes() == OLD


@pytest.mark.parametrize("mode", [0o755, 0o444])
def test_a_read_only_file_of_two_names_is_written_where_its_mode_is_given(reachable: Path, mode: int) -> None:
    os.link(reachable / "a", reachable / "b")
    (reachable / "a").chmod(0o444)
    done = as_nobody(reachable, f"files.write(files.resolve('a'), {NEW!r}, {sha256(OLD)!r}, {mode})")
    assert (done.stdout, done.stderr) == ("", "")
    status = (reachable / "b").stat()
    assert ((reachable / "b").read_bytes(), stat.S_IMODE(status.st_mode), status.st_nlink) == (NEW, mode, 2)


def test_a_new_file_is_made_with_its_directories_and_the_usual_mode(files: DiskFiles, root: Path) -> None:
    mask = os.umask(0o027)
    files.write(files.resolve("d/e/new"), NEW, None)
    os.umask(mask)
    assert (root / "d/e/new").read_bytes() == NEW
    assert stat.S_IMODE((root / "d/e/new").stat().st_mode) == 0o640
    assert names_in(root / "d/e") == ["new"]


def test_nothing_that_exists_is_overwritten(files: DiskFiles, root: Path) -> None:
    (root / "b").write_bytes(b"b")
    (root / "d").mkdir()
    a, b = files.resolve("a"), files.resolve("b")
    assert code_of(lambda: files.write(a, NEW, None)) == "FILE_EXISTS"
    with pytest.raises(EditFailure, match=r"^b exists\. .*\[FILE_EXISTS\]$"):
        files.rename(a, b)
    assert code_of(lambda: files.rename(files.resolve("d"), b)) == "FILE_EXISTS"
    assert code_of(lambda: files.rename(a, files.resolve("d"))) == "FILE_EXISTS"
    assert code_of(lambda: files.make_directory(a)) == "FILE_EXISTS"
    assert code_of(lambda: files.write(files.resolve("a/below"), NEW, None)) == "EDIT_REFUSED"
    assert ((root / "a").read_bytes(), (root / "b").read_bytes()) == (OLD, b"b")


@pytest.mark.parametrize("now", [b"other\n", None])
def test_what_changed_meanwhile_stays(files: DiskFiles, root: Path, now: bytes | None) -> None:
    place = files.resolve("a")
    (root / "a").unlink()
    if now is not None:
        (root / "a").write_bytes(now)
    assert code_of(lambda: files.write(place, NEW, sha256(OLD))) == "EDIT_CONFLICT"
    assert code_of(lambda: files.delete(place, sha256(OLD))) == "EDIT_CONFLICT"
    assert (root / "a").read_bytes() == now if now is not None else not (root / "a").exists()


def test_a_link_put_in_the_way_is_a_conflict(files: DiskFiles, root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "f").write_bytes(OLD)
    (root / "d").mkdir()
    (root / "d" / "f").write_bytes(OLD)
    place, new = files.resolve("d/f"), files.resolve("d/new")
    (root / "d").rename(root / "was")
    (root / "d").symlink_to(outside)
    assert code_of(lambda: files.write(place, NEW, sha256(OLD))) == "EDIT_CONFLICT"
    assert code_of(lambda: files.write(new, NEW, None)) == "EDIT_CONFLICT"
    assert code_of(lambda: files.delete(place, sha256(OLD))) == "EDIT_CONFLICT"
    assert code_of(lambda: files.rename(files.resolve("a"), new)) == "EDIT_CONFLICT"
    assert code_of(lambda: files.rename(place, files.resolve("b"))) == "EDIT_CONFLICT"
    assert code_of(lambda: files.make_directory(new)) == "EDIT_CONFLICT"
    assert names_in(outside) == ["f"]
    assert (outside / "f").read_bytes() == OLD


@pytest.mark.parametrize("is_linked", [False, True])
def test_a_full_disk_leaves_the_old_file_whole(files: DiskFiles, root: Path, is_linked: bool) -> None:
    if is_linked:
        os.link(root / "a", root / "b")
    names = names_in(root)
    place, new = files.resolve("a"), files.resolve("new")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        codes = (
            code_of(lambda: files.write(place, b"x" * 5000, sha256(OLD))),
            code_of(lambda: files.write(new, b"x" * 5000, None)),
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert codes == ("EDIT_REFUSED", "EDIT_REFUSED")
    assert (root / "a").read_bytes() == OLD
    assert names_in(root) == names


def test_files_and_directories_move(files: DiskFiles, root: Path) -> None:
    (root / "a").chmod(0o755)
    files.rename(files.resolve("a"), files.resolve("d/b"))
    assert not (root / "a").exists()
    assert stat.S_IMODE((root / "d/b").stat().st_mode) == 0o755
    files.rename(files.resolve("d"), files.resolve("e"))
    assert (root / "e/b").read_bytes() == OLD
    assert code_of(lambda: files.rename(files.resolve("a"), files.resolve("c"))) == "EDIT_CONFLICT"


def test_only_empty_directories_are_removed(files: DiskFiles, root: Path) -> None:
    files.make_directory(files.resolve("d/e"))
    files.make_directory(files.resolve("d/e"))
    assert code_of(lambda: files.delete(files.resolve("d"), None)) == "EDIT_REFUSED"
    files.delete(files.resolve("d/e"), None)
    files.delete(files.resolve("d"), None)
    files.delete(files.resolve("a"), sha256(OLD))
    assert names_in(root) == []


@pytest.mark.timeout(120)
def test_a_pipe_is_neither_written_nor_removed(files: DiskFiles, root: Path) -> None:
    os.mkfifo(root / "fifo")
    place = files.resolve("fifo")
    assert code_of(lambda: files.write(place, NEW, sha256(b""))) == "EDIT_REFUSED"
    assert code_of(lambda: files.delete(place, sha256(b""))) == "EDIT_REFUSED"
