import asyncio
import os
import random
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planact.adapters.store.files import DiskFiles
from planact.adapters.store.symbols.find_symbols import SearchLimits, SymbolIndex
from planact.adapters.store.symbols.outline import LARGEST_SOURCE
from planact.adapters.store.symbols.readers import Answer, Task, read_outlines
from planact.base.errors import InvalidInput
from planact.model.symbol import SymbolHit, SymbolQuery, SymbolResult
from tests.soak import times
from tests.workflows.scene import until

TREE = {
    "src/a.py": "def load(path):\n    return path\n\n\n"
                "class Store:\n    def load(self):\n        return load(1)  # load\n",
    "src/b.ts": "import { load } from './a';\nexport const read = () => load('load');\n",
    "src/deep/c.go": "package deep\nfunc use() { load() }\n",
    "notes.txt": "load\n",
    ".gitignore": "built/\n",
    "built/d.py": "def load(): ...\n",
    ".planactignore": "hush/\n",
    "hush/e.py": "def load(): ...\n",
    ".aws/f.py": "def load(): ...\n",
}  # fmt: skip
FOUND = SymbolResult(
    (
        SymbolHit("src/a.py", 1, "function", "def load(path):"),
        SymbolHit("src/a.py", 6, "function", "def load(self):"),
        SymbolHit("src/a.py", 7, "reference", "return load(1)  # load"),
        SymbolHit("src/b.ts", 1, "reference", "import { load } from './a';"),
        SymbolHit("src/b.ts", 2, "reference", "export const read = () => load('load');"),
        SymbolHit("src/deep/c.go", 2, "reference", "func use() { load() }"),
    ),
    definitions=2,
    references=4,
)
PATIENT = SearchLimits(seconds=120, file_seconds=60)


class Bench:
    """An index over a folder, of which each search may be by another process as far as the index can tell."""

    def __init__(
        self, base: Path, tree: Mapping[str, str] = TREE, limits: SearchLimits = PATIENT, ripgrep: str | None = None
    ) -> None:
        self.root, self.database, self.limits = base / "ws", base / "state" / "symbols.db", limits
        self.ripgrep = ripgrep
        self.root.mkdir()
        self.write(tree)

    def write(self, tree: Mapping[str, str]) -> None:
        for path, text in tree.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
            os.utime(self.root / path, (1, 1))

    async def find(
        self,
        name: str,
        path: str = "",
        glob: str = "",
        kind: str = "",
        limit: int = 50,
        unsaved: Mapping[str, str] = MappingProxyType({}),
    ) -> SymbolResult:
        files = DiskFiles(self.root, (), self.ripgrep)
        index = SymbolIndex(files, self.database, self.limits)
        sought = SymbolQuery(name, limit, 0, kind, glob)  # type: ignore[arg-type]
        found = await index.find(sought, files.resolve(path), skip=[".aws/"], unsaved=unsaved)
        if index.filling is not None:
            await index.filling
        await index.close()
        return found

    def kept(self) -> list[str]:
        with closing(sqlite3.connect(self.database)) as db:
            return [path for (path,) in db.execute("SELECT path FROM outlines ORDER BY path")]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def places(found: SymbolResult) -> list[str]:
    return [f"{hit.path}:{hit.line}" for hit in found.hits]


async def test_definitions_come_before_uses_and_hidden_files_stay_hidden(bench: Bench) -> None:
    assert await bench.find("load") == FOUND
    assert await bench.find("load") == FOUND
    assert bench.kept() == ["src/a.py", "src/b.ts", "src/deep/c.go"]


@pytest.mark.parametrize(
    ("wanted", "expected", "counts"),
    [
        ({"path": "src/deep"}, ["src/deep/c.go:2"], (0, 1)),
        ({"path": "src/a.py", "kind": "definition"}, ["src/a.py:1", "src/a.py:6"], (2, 0)),
        ({"glob": "*.ts"}, ["src/b.ts:1", "src/b.ts:2"], (0, 2)),
        ({"kind": "reference", "limit": 2}, ["src/a.py:7", "src/b.ts:1"], (0, 4)),
        ({"kind": "type"}, [], (0, 0)),
        ({"path": "hush"}, [], (0, 0)),
        ({"path": ".aws"}, [], (0, 0)),
        ({"path": "built"}, ["built/d.py:1"], (1, 0)),
        ({"path": "notes.txt"}, [], (0, 0)),
    ],
)
async def test_a_search_can_be_narrowed(
    bench: Bench, wanted: dict[str, str], expected: list[str], counts: tuple[int, int]
) -> None:
    found = await bench.find("load", **wanted)  # type: ignore[arg-type]
    assert (places(found), (found.definitions, found.references)) == (expected, counts)


async def test_what_is_not_there_is_told_with_what_looks_like_it(bench: Bench) -> None:
    assert await bench.find("Load") == SymbolResult((), 0, 0, similar=("load",))
    assert await bench.find("nothing") == SymbolResult((), 0, 0)
    for path, code in (("missing", "FILE_NOT_FOUND"), ("..", "PATH_OUTSIDE_WORKSPACE")):
        with pytest.raises(InvalidInput) as caught:
            await bench.find("load", path)
        assert caught.value.code == code


async def test_what_is_unsaved_counts_instead_of_the_disk_and_is_not_kept(bench: Bench) -> None:
    unsaved = {"src/a.py": "x = 1\nload()\n", "new.py": "def load(): ...\n", "src/b.ts": ""}
    assert places(await bench.find("load", unsaved=unsaved)) == ["src/a.py:2", "src/deep/c.go:2"]
    assert await bench.find("load") == FOUND


async def test_a_file_that_changed_is_read_again_even_with_its_old_size_and_time(bench: Bench) -> None:
    assert await bench.find("load") == FOUND
    before = (bench.root / "src/a.py").stat()
    (bench.root / "src/a.py").write_text(TREE["src/a.py"].replace("load", "save"))
    os.utime(bench.root / "src/a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert places(await bench.find("load")) == ["src/b.ts:1", "src/b.ts:2", "src/deep/c.go:2"]
    assert places(await bench.find("save")) == ["src/a.py:1", "src/a.py:6", "src/a.py:7"]


async def test_what_was_read_before_is_hidden_once_an_ignore_file_says_so(bench: Bench) -> None:
    assert await bench.find("load") == FOUND
    bench.write({".planactignore": "src/a.py\n"})
    assert "src/a.py" not in {hit.path for hit in (await bench.find("load")).hits}
    assert "src/a.py" not in bench.kept()


@pytest.mark.parametrize("damage", ["garbage", "removed", "other version", "read-only folder"])
async def test_the_index_may_be_damaged_or_gone_at_any_time(bench: Bench, damage: str) -> None:
    assert await bench.find("load") == FOUND
    if damage == "garbage":
        bench.database.write_bytes(b"nonsense" * 2_000)
    elif damage == "removed":
        bench.database.unlink()
    elif damage == "other version":
        with closing(sqlite3.connect(bench.database)) as db:
            db.execute("PRAGMA user_version = 99")
            db.execute("ALTER TABLE outlines RENAME COLUMN sha256 TO another")
    else:
        bench.database = Path("/proc/nowhere/symbols.db")
    assert await bench.find("load") == FOUND


@pytest.mark.parametrize("ripgrep", [shutil.which("rg"), None])
@pytest.mark.parametrize("beside", [{}, {"sub/x.py": ""}], ids=["whole folder", "file by file"])
async def test_while_many_files_are_new_those_with_the_name_are_read_first(
    tmp_path: Path, ripgrep: str | None, beside: Mapping[str, str]
) -> None:
    many = {f"m{number}.py": f"def name{number}(): ...\n" for number in range(20)} | beside
    bench = Bench(tmp_path, many, SearchLimits(120, 120, 60, spare_seconds=0, few=5), ripgrep)
    assert places(await bench.find("name7")) == ["m7.py:1"]
    assert bench.kept() == ["m7.py"]
    bench.limits = SearchLimits(120, 120, 60, spare_seconds=120, few=5)
    assert places(await bench.find("name8")) == ["m8.py:1"]
    assert bench.kept() == sorted(many)


@pytest.mark.soak
async def test_of_many_new_files_those_with_the_name_are_found_as_by_reading_each(tmp_path: Path) -> None:
    texts = ("def load(): ...\n", "x = load\n", "def other(): ...\n", f"load()\n#{'x' * LARGEST_SOURCE}", "")
    names = ("a.py", "b.ts", ".c.py", "-d.go", "notes.txt", "e e.py", "ü.py", ".gitignore")
    for case in range(times(10, 200)):
        chance = random.Random(case)
        folders = ["", *(f"f{number}/" for number in range(5)), "f1/deep/", "built/"]
        tree = {folder + name: chance.choice(texts) for folder in folders for name in chance.sample(names, 4)}
        tree = {path: "built\n" if path.endswith("ignore") else text for path, text in tree.items()}
        (tmp_path / str(case)).mkdir()
        bench = Bench(tmp_path / str(case), tree, PATIENT, shutil.which("rg"))
        each = await bench.find("load")
        bench.database.unlink()
        bench.limits = SearchLimits(120, 120, 60, spare_seconds=0, few=0)
        found = await bench.find("load")
        assert found == each, case


async def test_files_beyond_the_limits_are_counted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.py": "def f(): ...\n", "b.py": "f()\n", "c.py": f"f()\n#{'x' * LARGEST_SOURCE}"})
    assert (await bench.find("f")).unread == 1
    bench.limits = SearchLimits(files=1, seconds=120)
    found = await bench.find("f")
    assert (places(found), found.unread) == (["a.py:1"], 2)
    bench.database.unlink()
    bench.limits = SearchLimits(seconds=0)
    assert await bench.find("f") == SymbolResult((), 0, 0, unread=3)


async def test_names_of_every_kind_can_be_sought_without_harm(bench: Bench) -> None:
    for name in ("a\tb", "\ud800", "%", "\0", "'", "é", "x" * 200):
        assert (await bench.find(name)).hits == ()


async def test_a_file_that_ends_its_reader_or_never_ends_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("def f(): ...\n")
    (tmp_path / "more.py").write_text("f()\n")
    end = asyncio.get_running_loop().time() + 120
    tasks = [Task("good.py", "python"), Task("good.py.x", "no such language", text="f"), Task("more.py", "python")]
    answers = await read_outlines(tmp_path, tasks, "", end, 60)
    assert {path: answer.state for path, answer in answers.items()} == {
        "good.py": "read", "good.py.x": "unreadable", "more.py": "read"
    }  # fmt: skip
    slow = [Task(f"{number}.py", "python", text="(" * 900_000) for number in range(3)]
    answers = await read_outlines(tmp_path, slow, "", end, 0.001)
    assert answers == {task.path: Answer("unreadable", "", "") for task in slow}
    assert readers() == []


@pytest.mark.skipif(os.name == "nt", reason="nothing limits memory there")
async def test_a_file_that_fills_the_memory_ends_its_reader(tmp_path: Path) -> None:
    tasks = [Task("a.cs", "c_sharp", text="a<" * 499_999), Task("b.cs", "c_sharp", text="class B {}\n")]
    end = asyncio.get_running_loop().time() + 240
    reading = asyncio.create_task(read_outlines(tmp_path, tasks, "", end, 240))
    most = 0
    try:
        while not reading.done() and most < 800_000_000:
            with suppress(psutil.Error):
                most = max([most, *(reader.memory_info().rss for reader in readers())])
            await asyncio.sleep(0.05)
    finally:
        is_over = not reading.cancel()
        await asyncio.wait([reading])
    assert is_over, f"a reader took {most} bytes"
    assert {path: answer.state for path, answer in reading.result().items()} == {"a.cs": "unreadable", "b.cs": "read"}


async def test_cancelling_ends_the_readers(tmp_path: Path) -> None:
    tasks: Sequence[Task] = [Task(f"{number}.py", "python", text="x = [1]\n" * 90_000) for number in range(200)]
    end = asyncio.get_running_loop().time() + 120
    task = asyncio.create_task(read_outlines(tmp_path, tasks, "", end, 60))
    await until(lambda: any(reader.cpu_times().user > 1 for reader in readers()))  # they are in the midst of it
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert readers() == []


async def test_what_goes_on_after_an_answer_ends_with_the_index(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {f"m{number}.py": "x = [1]\n" * 90_000 for number in range(40)})
    files = DiskFiles(bench.root, (), shutil.which("rg"))
    for seconds in (0.0, 0.05, 0.5):
        bench.database.unlink(missing_ok=True)
        index = SymbolIndex(files, bench.database, SearchLimits(seconds=120, spare_seconds=60, few=1))
        await index.find(SymbolQuery("none", 9, 0, "", ""), files.resolve(""), skip=[], unsaved={})
        assert index.filling is not None
        await asyncio.sleep(seconds)
        await asyncio.wait_for(index.close(), 60)
        assert index.filling.done()
        assert readers() == []


def readers() -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children(recursive=True):
        try:
            found += [child] * any("symbols.worker" in word for word in child.cmdline())
        except (psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
    return found


NAMES = ("one", "two", "three")
TEXTS = st.builds(
    lambda lines: "\n".join(lines),
    st.lists(
        st.sampled_from([form.format(name) for form in ("def {}(): ...", "{}()", "# {}", "{} = 1") for name in NAMES]),
        max_size=4,
    ),
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b.py", "d/a.py", "d/b.txt"]),
        st.one_of(TEXTS, st.none(), st.just("rename")),
        st.sampled_from([*NAMES, ""]),
    ),
    max_size=6,
)


@pytest.mark.soak
@settings(max_examples=times(15, 500), deadline=None)
@given(EDITS)
def test_after_any_edits_the_index_says_what_a_new_one_says(edits: list[tuple[str, str | None, str]]) -> None:
    with TemporaryDirectory() as base:
        bench = Bench(Path(base), {"a.py": "def one(): ...\n", "d/b.py": "two()\n"})
        for at, (path, edit, asked) in enumerate(edits):
            target = bench.root / path
            if edit == "rename" and target.exists():
                target.rename(target.with_name("moved.py"))
            elif edit is None:
                target.unlink(missing_ok=True)
            elif edit != "rename":
                target.parent.mkdir(exist_ok=True)
                target.write_text(edit)
                if at % 2:
                    os.utime(target, (1, 1))
            if asked:
                asyncio.run(bench.find(asked))
        grown = [asyncio.run(bench.find(name)) for name in NAMES]
        bench.database = Path(base) / "other.db"
        assert grown == [asyncio.run(bench.find(name)) for name in NAMES]
