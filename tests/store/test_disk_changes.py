import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from planact.adapters.store.disk.changes import apply_to_disk
from planact.adapters.store.files import DiskFiles
from planact.base.errors import EditFailure, PlanactError
from planact.base.filetext import FileText, decode_text
from planact.base.paths import Place
from planact.base.span import Span, TextEdit
from planact.model.runs.change import Change, CreateFile, DeleteFile, MakeDirectory, RenameFile, ReplaceText
from planact.model.runs.execution import FileChange
from tests.fakes.ordinary_user import as_ordinary_user


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Kept:
    def __init__(self) -> None:
        self.images: list[bytes] = []

    def __call__(self, data: bytes) -> str:
        self.images.append(data)
        return sha256(data)


class Interfering(DiskFiles):
    """A disk on which something happens when a file is written."""

    def __init__(self, root: Path, happens: Callable[[Path], None]) -> None:
        super().__init__(root)
        self._happens = happens

    def write(
        self, place: Place, data: bytes, expected: str | None, mode: int | None = None, *, is_apart: bool = False
    ) -> None:
        super().write(place, data, expected, mode, is_apart=is_apart)
        self._happens(self.root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    (root / "b").write_bytes(b"b\n")
    (root / "empty").mkdir()
    return root.resolve()


@pytest.fixture
def files(root: Path) -> DiskFiles:
    return DiskFiles(root)


def read(files: DiskFiles, path: str) -> FileText:
    file = decode_text(files.read(files.resolve(path), 10_000))
    assert file is not None
    return file


def replace(files: DiskFiles, path: str, old: str, new: str) -> ReplaceText:
    file = read(files, path)
    at = file.text.index(old)
    return ReplaceText(files.resolve(path), file, (TextEdit(Span(at, at + len(old)), new),))


def tree(root: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in root.rglob("*")}


def test_all_kinds_of_changes_are_made_and_told(files: DiskFiles, root: Path) -> None:
    kept = Kept()
    changes = (
        replace(files, "a", "one", "eins"),
        CreateFile(files.resolve("new/deep/c"), "c\n"),
        RenameFile(files.resolve("b"), files.resolve("moved/b")),
        DeleteFile(files.resolve("empty"), ""),
        MakeDirectory(files.resolve("made")),
    )
    before, after = b"\xef\xbb\xbfone\r\ntwo\r\n", b"\xef\xbb\xbfeins\r\ntwo\r\n"
    b, c = sha256(b"b\n"), sha256(b"c\n")
    assert apply_to_disk(files, changes, kept) == (
        FileChange(path="a", before=sha256(before), after=sha256(after)),
        FileChange(path="new"),
        FileChange(path="new/deep"),
        FileChange(path="new/deep/c", after=c),
        FileChange(path="moved"),
        FileChange(path="b", before=b),
        FileChange(path="moved/b", after=b),
        FileChange(path="empty"),
        FileChange(path="made"),
    )
    assert tree(root) == {
        "a": after, "new": None, "new/deep": None, "new/deep/c": b"c\n", "moved": None, "moved/b": b"b\n", "made": None
    }  # fmt: skip
    assert kept.images == [before, b"b\n"]


def test_later_changes_build_on_earlier_ones(files: DiskFiles, root: Path) -> None:
    b, new = files.resolve("b"), files.resolve("x/new")
    middle = FileText("B\n", sha256=sha256(b"B\n"))
    changes = (
        replace(files, "b", "b", "B"),
        RenameFile(b, new),
        ReplaceText(new, middle, (TextEdit(Span(1, 1), "!"),)),
        CreateFile(b, "again\n"),
        DeleteFile(files.resolve("a"), read(files, "a").sha256),
        CreateFile(files.resolve("a"), "fresh\n"),
    )
    result = apply_to_disk(files, changes, Kept())
    assert tree(root) == {"a": b"fresh\n", "b": b"again\n", "empty": None, "x": None, "x/new": b"B!\n"}
    assert FileChange(path="b", before=sha256(b"b\n"), after=sha256(b"again\n")) in result
    assert FileChange(path="x/new", after=sha256(b"B!\n")) in result


Bad = Callable[[DiskFiles], Change]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (lambda files: CreateFile(files.resolve("b"), ""), "FILE_EXISTS"),
        (lambda files: CreateFile(files.resolve("empty"), ""), "FILE_EXISTS"),
        (lambda files: CreateFile(files.resolve("n"), "\ud800"), "EDIT_REFUSED"),
        (lambda files: CreateFile(files.resolve("b/below"), ""), "EDIT_REFUSED"),
        (lambda files: RenameFile(files.resolve("b"), files.resolve("empty")), "FILE_EXISTS"),
        (lambda files: RenameFile(files.resolve("no"), files.resolve("n")), "EDIT_CONFLICT"),
        (lambda files: MakeDirectory(files.resolve("b")), "FILE_EXISTS"),
        (lambda files: DeleteFile(files.resolve("b"), sha256(b"other")), "EDIT_CONFLICT"),
        (lambda files: DeleteFile(files.resolve("b"), ""), "EDIT_CONFLICT"),
        (lambda files: DeleteFile(files.resolve("no"), ""), "EDIT_CONFLICT"),
        (lambda files: ReplaceText(files.resolve("b"), FileText("b\n"), ()), "EDIT_CONFLICT"),
        (lambda files: ReplaceText(files.resolve("no"), FileText(""), ()), "EDIT_CONFLICT"),
        (lambda files: ReplaceText(files.resolve("b"), read(files, "b"), (TextEdit(Span(0, 9), ""),)), "EDIT_REFUSED"),
    ],
)
def test_one_change_that_cannot_be_made_leaves_all_undone(files: DiskFiles, root: Path, bad: Bad, code: str) -> None:
    before, status = tree(root), (root / "a").stat()
    changes = (
        replace(files, "a", "one", "eins"),
        CreateFile(files.resolve("d/c"), "c\n"),
        MakeDirectory(files.resolve("e")),
        bad(files),
    )
    with pytest.raises(EditFailure) as caught:
        apply_to_disk(files, changes, Kept())
    assert caught.value.code == code
    assert tree(root) == before
    assert (root / "a").stat().st_mode == status.st_mode


def test_what_is_neither_a_file_nor_a_folder_is_in_the_way_of_what_was_in_its_place(
    files: DiskFiles, root: Path
) -> None:
    os.mkfifo(root / "odd")
    with pytest.raises(EditFailure, match="odd is a file, so odd/in/it can't be"):
        apply_to_disk(files, [CreateFile(files.resolve("odd/in/it"), "x")], Kept())


def test_what_fails_in_the_middle_is_taken_back(root: Path) -> None:
    def occupy(root: Path) -> None:
        (root / "late").write_bytes(b"theirs")

    files = Interfering(root, occupy)
    before = tree(root)
    changes: Sequence[Change] = (
        DeleteFile(files.resolve("empty"), ""),
        RenameFile(files.resolve("b"), files.resolve("m/b")),
        replace(files, "a", "one", "eins"),
        CreateFile(files.resolve("late"), "ours"),
    )
    with pytest.raises(EditFailure) as caught:
        apply_to_disk(files, changes, Kept())
    assert caught.value.code == "FILE_EXISTS"
    assert tree(root) == {**before, "late": b"theirs"}


def test_a_file_that_something_else_changed_right_after_is_told_and_left_alone(root: Path) -> None:
    def meddle(root: Path) -> None:
        (root / "a").write_bytes(b"theirs")

    files = Interfering(root, meddle)
    change = replace(files, "a", "one", "eins")
    with pytest.raises(PlanactError) as caught:
        apply_to_disk(files, (CreateFile(files.resolve("n"), ""), change), Kept())
    assert caught.value.code == "EDIT_CONFLICT"
    assert tree(root)["a"] == b"theirs"


def test_nothing_is_touched_before_its_image_is_kept(files: DiskFiles, root: Path) -> None:
    def full(data: bytes) -> str:
        assert tree(root) == before
        raise EditFailure("EDIT_REFUSED", "the state directory is full")

    before = tree(root)
    with pytest.raises(EditFailure):
        apply_to_disk(files, (CreateFile(files.resolve("n"), ""), replace(files, "a", "one", "eins")), full)
    assert tree(root) == before


def test_a_folder_that_is_closed_again_is_so_when_all_in_it_was_seen() -> None:
    async def restore() -> tuple[bool, int]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "closed").mkdir()
            (folder / "closed/new").write_bytes(b"n")
            files = DiskFiles(folder)
            deletion = DeleteFile(files.resolve("closed/new"), sha256(b"n"))
            apply_to_disk(files, [deletion, MakeDirectory(files.resolve("closed"), mode=0)], Kept())
            mode = (folder / "closed").stat().st_mode & 0o777
            (folder / "closed").chmod(0o700)
            return (folder / "closed/new").exists(), mode

    assert as_ordinary_user(restore) == (False, 0)
