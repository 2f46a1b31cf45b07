"""Whatever commands on trial did, discarded: the folder is as before to the byte and mode, but for ignored files."""

import asyncio
import os
import random
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from planact.adapters.store.disk.process_folder import remove_tree
from planact.adapters.store.git import footprints, tree, trial
from planact.base.errors import PlanactError
from planact.model.runs.touch import Touch
from tests.fakes.ordinary_user import as_ordinary_user
from tests.fakes.world import World
from tests.soak import times
from tests.workflows.discarded import Shown, discard, read_any, shown

PATHS = (
    *("a", "b", "a/x", "a/y/z", "d/e", "d/e/f", "d/g", "d/k/l/m", "new\nline", "ü b/c", ".hidden/h", "bin/tool"),
    *("x.log", "d/y.log", "dist/o", "dist/p/q", "uploads/u", "uploads/v/w", ".env", "sub/repo/f", "sub/g"),
    *(".gitignore", "d/.gitignore", ".gitattributes", "node_modules/m/i.js", "a/dist/keep", "data.bin"),
)
TEXTS = (b"", b"one\n", b"two\r\nlines\n", b"\0\xff\xfe", b"x" * 3_000, b"y" * 1_500)
RULES = (b"*.log\ndist/\nuploads/\n.env\n", b"/bin\n*.bin\n", b"*\n!d/\n!*.log\n", b"", b"dist/*\nd\n")
ATTRIBUTES = (b"* text=auto\n", b"*.bin filter=none\n", b"a working-tree-encoding=utf-16\n", b"b eol=crlf\n")
MODES = (0o644, 0o755, 0o600, 0o444, 0o000, 0o666)
FOLDER_MODES = (0o755, 0o700, 0o750, 0o1777, 0o2755, 0o555, 0o311, 0o444, 0)


class Hands:
    """Does at random what commands do, and leaves alone what a jail would hold."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root = root
        self.chance = chance
        self.held: Collection[Path] = ()

    def act(self) -> None:
        deeds = (
            *(self.write, self.write, self.append, self.replace, self.delete, self.remove, self.rename, self.rename),
            *(self.make_folder, self.mode, self.link, self.hard_link, self.copy, self.repository, self.touch),
            *(self.hard_link_over, self.swap, self.cut),
        )
        try:
            self.chance.choice(deeds)(self.any_path())
        except (OSError, RuntimeError, shutil.Error):
            return  # a command that fails

    def any_path(self) -> Path:
        known = [f"{self.root}/{path}" for path in PATHS]
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".git"]
            known += [f"{folder}/{name}" for name in (*folders, *files)]
        return Path(self.chance.choice(known))

    def is_held(self, path: Path) -> bool:
        """Return whether something is held at, above or below the path."""
        at = path.parent.resolve() / path.name
        if self.root not in (at, *at.parents) or at == self.root:
            return True
        return any(each in (at, *at.parents) or at in each.parents for each in self.held)

    def data(self, path: Path) -> bytes:
        if path.name == ".gitignore":
            return self.chance.choice(RULES)
        if path.name == ".gitattributes":
            return self.chance.choice(ATTRIBUTES)
        return self.chance.choice(TEXTS) + str(self.chance.randrange(4)).encode()

    def write(self, path: Path) -> None:
        if self.is_held(path) or path.is_symlink():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data(path))
        if self.chance.random() < 0.3:
            path.chmod(self.chance.choice(MODES))

    def append(self, path: Path) -> None:
        if not self.is_held(path.resolve()):
            with path.open("ab") as file:
                file.write(b"more\n")

    def replace(self, path: Path) -> None:
        if not self.is_held(path) and path.is_file():
            new = path.with_name("replacing")
            new.write_bytes(self.data(path))
            new.replace(path)

    def delete(self, path: Path) -> None:
        if not self.is_held(path):
            path.unlink()

    def remove(self, path: Path) -> None:
        if not self.is_held(path):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def rename(self, path: Path) -> None:
        target = self.any_path()
        if not (self.is_held(path) or self.is_held(target)):
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)

    def make_folder(self, path: Path) -> None:
        if not self.is_held(path):
            path.mkdir(self.chance.choice(FOLDER_MODES), parents=True)

    def mode(self, path: Path) -> None:
        if not self.is_held(path) and not path.is_symlink():
            path.chmod(self.chance.choice(FOLDER_MODES if path.is_dir() else MODES))

    def link(self, path: Path) -> None:
        if self.is_held(path):
            return
        self.remove(path) if os.path.lexists(path) else path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.chance.choice(("a", "../d", "nowhere", "/etc/hostname")))

    def hard_link(self, path: Path) -> None:
        target = self.any_path()
        if not (self.is_held(path) or self.is_held(target)) and path.is_file() and not path.is_symlink():
            target.hardlink_to(path)

    def hard_link_over(self, path: Path) -> None:
        target = self.any_path()
        is_plain = all(each.is_file() and not each.is_symlink() for each in (path, target))
        if is_plain and not (self.is_held(path) or self.is_held(target) or path.samefile(target)):
            target.unlink()
            target.hardlink_to(path)

    def swap(self, path: Path) -> None:
        other, aside = self.any_path(), self.root / "aside"
        if self.is_held(path) or self.is_held(other) or self.is_held(aside) or path in other.parents:
            return
        path.rename(aside)
        try:
            other.rename(path)
        finally:
            aside.rename(other)

    def cut(self, path: Path) -> None:
        if not self.is_held(path.resolve()) and path.is_file():
            os.truncate(path, self.chance.randrange(3))

    def copy(self, path: Path) -> None:
        target = self.any_path()
        if not (self.is_held(path) or self.is_held(target)) and target not in (path, *path.parents):
            if path.is_dir():
                if path not in target.parents:
                    shutil.copytree(path, target, symlinks=True)
            elif not target.is_symlink():
                shutil.copy2(path, target, follow_symlinks=False)

    def repository(self, path: Path) -> None:
        if not self.is_held(path):
            (path / ".git").mkdir(parents=True)
            (path / ".git/HEAD").write_bytes(b"ref: refs/heads/main\n")
            (path / ".git/objects").mkdir()
            (path / ".git/refs").mkdir()

    def touch(self, path: Path) -> None:
        if not self.is_held(path.resolve()) and path.is_file():
            os.utime(path)


def git(root: Path, *words: str, typed: bytes = b"") -> bytes:
    line = ["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "core.autocrlf=false", *words]
    return subprocess.run(line, cwd=root, input=typed, capture_output=True, check=False, timeout=180).stdout


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that random trees reach."""
    monkeypatch.setattr(trial, "LARGEST", 2_000)
    monkeypatch.setattr(footprints, "LARGEST", 2_000)
    monkeypatch.setattr(tree, "MOST_IN_FOLDER", 6)


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_what_commands_on_trial_did_is_put_back_exactly(request: pytest.FixtureRequest) -> None:
    each_case(request.config.getoption("seed"), times(200, 10_000))


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_it_is_put_back_for_an_ordinary_user_too(request: pytest.FixtureRequest) -> None:
    seed = request.config.getoption("seed")
    failed = as_ordinary_user(lambda: all_cases(f"{seed} ordinary", times(100, 10_000)), timeout=10_000)
    assert failed == ""


async def all_cases(seed: str, count: int) -> str:
    """What went wrong. The cases run in a thread, since they have loops of events of their own."""
    try:
        await asyncio.to_thread(each_case, seed, count)
    except AssertionError as error:
        return str(error)
    return ""


def each_case(seed: str, count: int) -> None:
    for number in range(count):
        label = f"{seed} {number}"
        folder = Path(tempfile.mkdtemp()).resolve()
        try:
            one_case(folder / "w", random.Random(label))
        except (AssertionError, PlanactError) as error:
            raise AssertionError(f"{label}: {error}") from error
        finally:
            remove_tree(folder)


def one_case(root: Path, chance: random.Random) -> None:
    root.mkdir()
    hands = Hands(root, chance)
    in_git = chance.random() < 0.8
    if in_git:
        git(root, "init", "-q")
    if chance.random() < 0.7:
        (root / ".gitignore").write_bytes(chance.choice(RULES))
    for _ in range(chance.randrange(20)):
        hands.act()
    if in_git and chance.random() < 0.9:
        git(root, "add", "--ignore-errors", "-f" if chance.random() < 0.3 else "-A", ".")
        git(root, "commit", "-qm", "c")
    for _ in range(chance.randrange(8)):
        hands.act()
    part_outputs(root)
    before = shown(root)
    ignored = ignored_among(root, before) if in_git else set()
    world = World(root)
    touches = list(found_by_commands(world, hands, before))
    uncovered = [touch for touch in touches if not touch.is_covered]
    assert not uncovered, uncovered
    discard(world, touches)
    after = shown(root)
    others = {path for path in before | after if before.get(path) != after.get(path)}
    if others and in_git:
        ignored |= {path for path in ignored_among(root, after) if path not in before}
        others = without_ignored(others, {path for path in ignored if may_change(path, before)}, before | after)
    assert not others, {path: (before.get(path), after.get(path)) for path in others}


def found_by_commands(world: World, hands: Hands, before: Shown) -> Iterator[Touch]:
    state = None
    for _ in range(hands.chance.randrange(1, 4)):
        assert world.ports.footprints.can_try()
        state = world.ports.footprints.trial((), state)
        hands.held = [Path(path) for path in state.unchangeable]
        for _ in range(hands.chance.randrange(1, 6)):
            hands.act()
        yield from state.found()


def ignored_among(root: Path, paths: Shown) -> set[str]:
    """The paths that git ignores as it is asked, and the folders in which it ignores any file."""
    tracked = {os.fsdecode(path) for path in git(root, "ls-files", "-z").split(b"\0")}
    asked = {**{f"{path}/any": path for path in paths if paths[path][0] == "folder"}, **{path: path for path in paths}}
    told = (
        git(root, "check-ignore", "--no-index", "-z", "--stdin", typed=os.fsencode("\0".join(asked))) if asked else b""
    )
    return {asked[os.fsdecode(path)] for path in told.split(b"\0") if path} - tracked


def part_outputs(root: Path) -> None:
    """Give build outputs a content of their own: what is written to them would show under other names, ignored ones
    too.
    """
    for path in [path for path in root.rglob("*") if os.path.isfile(path) and not path.is_symlink()]:
        if path.stat().st_nlink > 1 and is_output(path.relative_to(root).as_posix()):
            mode = path.parent.stat().st_mode
            path.parent.chmod(0o700)
            data = read_any(path)
            path.unlink()
            path.write_bytes(data)
            path.parent.chmod(stat.S_IMODE(mode))


def may_change(path: str, before: Shown) -> bool:
    """Return whether a command may change an ignored path unseen: a new one, or a known build output."""
    return path not in before or is_output(path)


def is_output(path: str) -> bool:
    return path.endswith(".log") or not {"bin", "dist"}.isdisjoint(path.split("/"))


def without_ignored(paths: Collection[str], ignored: Collection[str], every: Collection[str]) -> set[str]:
    """The paths that aren't ignored, but for folders that only hold such."""
    known = {*ignored}
    left = {path for path in paths if path not in known}
    for path in sorted(left, key=lambda path: -path.count("/")):
        below = [each for each in every if each.startswith(f"{path}/")]
        if below and all(each in known for each in below):
            left.discard(path)
            known.add(path)
    return left


def test_nothing_stays_in_a_folder_that_an_ordinary_user_may_not_write_again() -> None:
    async def find() -> Shown:
        return await asyncio.to_thread(added_in_closed_folder)

    assert as_ordinary_user(find) == {"closed": ("folder", 0o555, b"")}


def added_in_closed_folder() -> Shown:
    """What is there after a command opened a folder, added to it, and was discarded."""
    root = Path(tempfile.mkdtemp()).resolve() / "w"
    try:
        (root / "closed").mkdir(0o555, parents=True)
        world = World(root)
        state = world.ports.footprints.trial(())
        (root / "closed").chmod(0o755)
        (root / "closed/made/deep").mkdir(parents=True)
        (root / "closed/made/deep/f").write_bytes(b"x")
        discard(world, state.found())
        return shown(root)
    finally:
        remove_tree(root.parent)


def test_a_folder_that_a_later_command_closed_goes_for_an_ordinary_user_too() -> None:
    async def find() -> tuple[Shown, Shown]:
        return await asyncio.to_thread(closed_by_second), await asyncio.to_thread(closed_by_second, "users")

    # What the user made in it stays, and so does it.
    assert as_ordinary_user(find) == ({}, {"made": ("folder", 0o555, b""), "made/users": ("file", 0o644, b"mine")})


def closed_by_second(name: str = "") -> Shown:
    """What is there after one command made a folder and the next one took the right to write there, and both were
    discarded; with a file of the user's by that `name`.
    """
    root = Path(tempfile.mkdtemp()).resolve() / "w"
    try:
        root.mkdir()
        world = World(root)
        state = world.ports.footprints.trial(())
        (root / "made/deep").mkdir(parents=True)
        (root / "made/f").write_bytes(b"x")
        touches = [*state.found()]
        state = world.ports.footprints.trial((), state)
        (root / "made").chmod(0o555)
        touches += state.found()
        if name:
            (root / "made").chmod(0o755)
            (root / "made" / name).write_bytes(b"mine")
            (root / "made").chmod(0o555)
        discard(world, touches)
        return shown(root)
    finally:
        remove_tree(root.parent)
