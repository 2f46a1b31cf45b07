import asyncio
import codecs
import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import psutil
import pytest

from planact.adapters.store.files import DiskFiles
from planact.adapters.store.search.portions import LONGEST_LINE
from planact.adapters.store.search.query import find_ripgrep
from planact.base.errors import InvalidInput
from planact.model.file import SearchHit, SearchPage, SearchResult
from tests.workflows.scene import until

TREE: dict[str, bytes] = {
    "README.md": b"# needle in a haystack\n",
    "src/app.py": b"import os\n\ndef needle(a, b):\n    return a + b  # needle\n",
    "src/a b.py": b"needle\r\nno\r\nneedle two\r\n",
    "src/-dash.py": b"needle\n",
    "src/deep/er/x.ts": b"const needle = 1",
    "src/x.tsx": b"needle()\n",
    "src-2/y.py": b"needle\n",
    ".hidden/h.txt": b"needle\n",
    ".git/config": b"needle\n",
    "ignored/i.py": b"needle\n",
    "ignored/kept.py": b"needle\n",
    "nested/.gitignore": b"*.log\n!keep.log\n/only-here\n",
    "nested/a.log": b"needle\n",
    "nested/keep.log": b"needle\n",
    "nested/only-here": b"needle\n",
    "nested/d/only-here": b"needle\n",
    "nested/d/.ignore": b"z.txt\n!a.log\n",
    "nested/d/z.txt": b"needle\n",
    "nested/d/a.log": b"needle\n",
    "binary.bin": b"needle\n" * 10 + b"\0",
    "late-binary.bin": b"needle\n" + b"x\n" * 200_000 + b"\0",
    "utf16.txt": codecs.BOM_UTF16_LE + "käse needle\n".encode("utf-16-le"),
    "bom.txt": codecs.BOM_UTF8 + "needle é\n".encode(),
    "latin.txt": b"needle \xe9\n",
    "long.txt": b"x" * 3000 + b" needle\n" + b"needle " + "é".encode() * 5000 + b"\n",
    "secret.pem": b"needle\n",
    "keys/id_rsa": b"needle\n",
    "hush/h.py": b"needle\n",
    ".planactignore": b"hush/\n",
    ".gitignore": b"ignored/\n!ignored/kept.py\n",
    ".planact-12.tmp": b"needle\n",
    "dialects.txt": b"a<b>c [[x]] a.b\n(unclosed\n\ttab\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for path, data in TREE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    (root / "link.py").symlink_to("src/app.py")
    (root / "linked").symlink_to("src")
    os.mkfifo(root / "fifo")
    return root


@pytest.fixture(params=["ripgrep", "own"])
def files(request: pytest.FixtureRequest, root: Path) -> DiskFiles:
    ripgrep = find_ripgrep(os.environ["PATH"], root) if request.param == "ripgrep" else None
    if request.param == "ripgrep" and ripgrep is None:
        pytest.skip("ripgrep is not installed")
    return DiskFiles(root, [], ripgrep)


async def search(
    files: DiskFiles,
    pattern: str,
    path: str = "",
    glob: str = "",
    limit: int = 100,
    *,
    skipped: int = 0,
    per_file: int = 0,
    context: int = 0,
    is_literal: bool = False,
    unsaved: Mapping[str, str] = MappingProxyType({}),
) -> SearchResult:
    place, skip = files.resolve(path), ["*.pem", "id_*"]
    page = SearchPage(limit, skipped, per_file, context)
    return await files.search(pattern, place, glob, page, is_literal=is_literal, skip=skip, unsaved=unsaved)


def lines(result: SearchResult) -> list[str]:
    return [f"{hit.path}:{hit.line}" for hit in result.hits]


EVERYWHERE = [
    ".hidden/h.txt:1",
    "README.md:1",
    "bom.txt:1",
    "latin.txt:1",
    "long.txt:1",
    "long.txt:2",
    "nested/d/a.log:1",
    "nested/d/only-here:1",
    "nested/keep.log:1",
    "src/-dash.py:1",
    "src/a b.py:1",
    "src/a b.py:3",
    "src/app.py:3",
    "src/app.py:4",
    "src/deep/er/x.ts:1",
    "src/x.tsx:1",
    "src-2/y.py:1",
    "utf16.txt:1",
]


async def test_files_are_searched_as_ignore_files_want_it_in_order(files: DiskFiles) -> None:
    assert lines(await search(files, "needle")) == EVERYWHERE


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("src/app.py", "", ["src/app.py:3", "src/app.py:4"]),
        ("linked/app.py", "", ["src/app.py:3", "src/app.py:4"]),
        ("src/deep", "", ["src/deep/er/x.ts:1"]),
        ("nested/d", "", ["nested/d/a.log:1", "nested/d/only-here:1"]),
        # who names something ignored wants it
        ("ignored", "", ["ignored/i.py:1", "ignored/kept.py:1"]),
        ("nested/a.log", "", ["nested/a.log:1"]),
        # but hidden and credential files stay out
        ("hush", "", []),
        ("hush/h.py", "", []),
        ("secret.pem", "", []),
        ("keys", "", []),
        ("", "*.{ts,tsx}", ["src/deep/er/x.ts:1", "src/x.tsx:1"]),
        ("", "src/*.{py,{ts,tsx}}",
         ["src/-dash.py:1", "src/a b.py:1", "src/a b.py:3", "src/app.py:3", "src/app.py:4", "src/x.tsx:1"]),
        ("src", "**/er/*", ["src/deep/er/x.ts:1"]),
        ("src", "!*.py", ["src/deep/er/x.ts:1", "src/x.tsx:1"]),
        ("", "*.nothing", []),
    ],
)  # fmt: skip
async def test_a_search_can_be_narrowed(files: DiskFiles, path: str, glob: str, expected: list[str]) -> None:
    assert lines(await search(files, "needle", path, glob)) == expected


@pytest.mark.parametrize(
    ("pattern", "is_literal", "expected"),
    [
        (r"^needle$", False, [".hidden/h.txt:1", "nested/d/a.log:1", "nested/d/only-here:1", "nested/keep.log:1",
                              "src/-dash.py:1", "src/a b.py:1", "src-2/y.py:1"]),
        (r"def \w+\(", False, ["src/app.py:3"]),
        (r"(?i)NEEDLE IN", False, ["README.md:1"]),
        ("käse", False, ["utf16.txt:1"]),
        ("käse", True, ["utf16.txt:1"]),
        # known to Python only, or meant otherwise by ripgrep
        (r"needle(?= two)", False, ["src/a b.py:3"]),
        (r"(a) \+ (?!c)", False, ["src/app.py:4"]),
        (r"\<b\>", False, ["dialects.txt:1"]),
        (r"\[\[x", False, ["dialects.txt:1"]),
        ("a.b", True, ["dialects.txt:1"]),
        ("(unclosed", True, ["dialects.txt:2"]),
        ("[[x]] a", True, ["dialects.txt:1"]),
        ("\ttab", True, ["dialects.txt:3"]),
        ("--version", False, []),
        ("-", True, ["nested/.gitignore:3"]),
    ],
)  # fmt: skip
async def test_patterns_mean_what_they_mean_in_python(
    files: DiskFiles, pattern: str, is_literal: bool, expected: list[str]
) -> None:
    assert lines(await search(files, pattern, is_literal=is_literal)) == expected


async def test_lines_are_shown_whole_up_to_a_length(files: DiskFiles) -> None:
    assert (await search(files, "needle", "src/a b.py")).hits == (
        SearchHit("src/a b.py", 1, "needle"),
        SearchHit("src/a b.py", 3, "needle two"),
    )
    first, second = (await search(files, "needle", "long.txt")).hits
    before = LONGEST_LINE // 3
    assert first == SearchHit("long.txt", 1, "…" + "x" * (before - 1) + " needle")
    assert second == SearchHit("long.txt", 2, ("needle " + "é" * 5000)[:LONGEST_LINE] + "…")
    (files.root / "min.js").write_bytes("é".encode() * 40_000 + b"straw" + b"y" * 200_000 + b"behind\n")
    [inside] = (await search(files, "st.aw", "min.js")).hits
    assert inside.text == "…" + "é" * before + "straw" + "y" * (LONGEST_LINE - before - 5) + "…"
    [behind] = (await search(files, "behind", "min.js")).hits
    assert behind.text == "é" * LONGEST_LINE + "…"
    assert (await search(files, "needle", "latin.txt")).hits == (SearchHit("latin.txt", 1, "needle \ufffd"),)


@pytest.mark.parametrize("limit", [1, 5, len(EVERYWHERE) - 1, len(EVERYWHERE)])
async def test_more_than_the_limit_is_cut_and_said(files: DiskFiles, limit: int) -> None:
    result = await search(files, "needle", limit=limit)
    assert (lines(result), result.is_cut) == (EVERYWHERE[:limit], limit < len(EVERYWHERE))


@pytest.mark.parametrize("limit", [1, 4, 7])
@pytest.mark.parametrize("unsaved", [{}, {"src/app.py": TREE["src/app.py"].decode()}])
async def test_page_by_page_every_line_is_found_once(files: DiskFiles, limit: int, unsaved: dict[str, str]) -> None:
    found: list[str] = []
    while (page := await search(files, "needle", limit=limit, skipped=len(found), unsaved=unsaved)).is_cut:
        found += lines(page)
    assert [*found, *lines(page)] == EVERYWHERE


async def test_of_a_file_with_many_hits_as_many_are_shown_as_wanted(files: DiskFiles) -> None:
    result = await search(files, "needle", per_file=1)
    once = list({line.partition(":")[0]: line for line in reversed(EVERYWHERE)}.values())[::-1]
    assert (lines(result), result.is_cut) == (once, False)
    assert result.cut_files == ("long.txt", "src/a b.py", "src/app.py")
    assert (await search(files, "needle", per_file=1, limit=3)).cut_files == ()


async def test_lines_come_with_those_beside_them_once(files: DiskFiles) -> None:
    assert (await search(files, "needle two|käse", context=1)).hits == (
        SearchHit("src/a b.py", 2, "no", is_context=True),
        SearchHit("src/a b.py", 3, "needle two"),
        SearchHit("utf16.txt", 1, "käse needle"),
    )
    assert (await search(files, "needle", "src/app.py", context=5)).hits == (
        SearchHit("src/app.py", 1, "import os", is_context=True),
        SearchHit("src/app.py", 2, "", is_context=True),
        SearchHit("src/app.py", 3, "def needle(a, b):"),
        SearchHit("src/app.py", 4, "    return a + b  # needle"),
    )


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(unclosed", "unterminated subpattern at position 0"),
        ("a**", "multiple repeat at position 2"),
        ("[x", "unterminated character set at position 0"),
        ("[[x]]", "Possible nested set at position 1"),
        ("a\nb", "line break"),
        ("\ud800", "surrogates not allowed"),
        ("x" * 3000, "more than 2000 characters"),
        ("x{99999999999}", "the repetition number is too large"),
    ],
)
async def test_a_bad_pattern_is_told(files: DiskFiles, pattern: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await search(files, pattern)
    assert caught.value.code == "INVALID_ARGUMENTS"
    assert said in caught.value.message


async def test_searching_what_is_not_there_is_told(files: DiskFiles) -> None:
    with pytest.raises(InvalidInput) as caught:
        await search(files, "a", "nothing")
    assert caught.value.code == "FILE_NOT_FOUND"
    with pytest.raises(InvalidInput) as caught:
        await search(files, "a", "..")
    assert caught.value.code == "PATH_OUTSIDE_WORKSPACE"


async def test_ripgreps_own_configuration_does_not_count(
    files: DiskFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text("--invert-match\n--ignore-case\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "config"))
    assert lines(await search(files, "needle")) == EVERYWHERE


async def test_more_files_than_fit_a_command_line_are_searched_in_order(files: DiskFiles, tmp_path: Path) -> None:
    for number in range(1500):
        (tmp_path / f"{number:04}-{'x' * 60}.txt").write_text("needle\n" if number % 100 == 0 else "hay\n")
    many = DiskFiles(tmp_path, [], files._ripgrep)
    result = await asyncio.wait_for(search(many, "needle"), 180)
    assert [hit.path[:4] for hit in result.hits] == [f"{number:04}" for number in range(0, 1500, 100)]


async def test_what_comes_after_the_limit_is_not_waited_for(tmp_path: Path) -> None:
    for number in range(1_000):
        (tmp_path / f"file_{number}.txt").write_text(f"needle {'x' * 250}\n" * 5)
    files = DiskFiles(tmp_path, ripgrep=find_ripgrep(os.environ["PATH"], tmp_path))
    async with asyncio.timeout(25):
        for limit in (1, 10, 100, 300):
            found = await search(files, "needle", limit=limit)
            assert (len(found.hits), found.is_cut) == (limit, True)


async def test_a_pattern_that_never_ends_is_stopped_with_its_process(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a" * 60 + "!\n")
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticker = asyncio.create_task(tick())
    with pytest.raises(InvalidInput) as caught:
        await search(DiskFiles(tmp_path, search_seconds=1), r"(a|aa)+$")
    ticker.cancel()
    assert caught.value.code == "INVALID_ARGUMENTS"
    assert "took more than" in caught.value.message
    assert ticks > 5
    assert children() == []


async def test_cancelling_ends_the_process(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a" * 60 + "!\n")
    task = asyncio.create_task(search(DiskFiles(tmp_path), r"(a|aa)+$"))
    await until(lambda: any(child.cpu_times().user > 1 for child in children()))  # it is in the midst of it
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert children() == []


async def test_a_ripgrep_that_does_not_start_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("needle\n")
    assert lines(await search(DiskFiles(tmp_path, [], str(tmp_path / "rg")), "needle")) == ["a.txt:1"]


def children() -> list[psutil.Process]:
    """The searches that run; servers that other modules share may live beside them."""
    found = psutil.Process().children(recursive=True)
    return [child for child in found if any("match_lines" in word for word in words_of(child))]


def words_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()  # a zombie has none
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def test_ripgrep_is_never_taken_from_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "else").mkdir()
    for folder in ("bin", "else"):
        (tmp_path / folder / "rg").write_text("#!/bin/sh\n")
        (tmp_path / folder / "rg").chmod(0o755)
    inside, outside = str(tmp_path / "bin"), str(tmp_path / "else")
    root = tmp_path / "bin"
    assert find_ripgrep(os.pathsep.join([".", "", "bin", inside, outside]), root) == str(tmp_path / "else" / "rg")
    assert find_ripgrep(os.pathsep.join([".", "", "bin", inside]), root) is None
    assert find_ripgrep("", root) is None
    (root / "rg").unlink()
    (root / "rg").symlink_to("/bin/sh")
    assert find_ripgrep(inside, root) is None
    assert shutil.which("rg", path=inside) is not None


async def test_what_is_unsaved_in_the_editor_is_searched_instead_of_the_disk(files: DiskFiles) -> None:
    unsaved = {"src/app.py": "one\nneedle in the buffer\n", "key.pem": "needle\n", "not/there.py": "needle\n"}
    found = await search(files, "needle in the buffer", unsaved=unsaved)
    hits = (SearchHit("src/app.py", 2, "needle in the buffer"),)
    assert replace(found, skipped=()) == SearchResult(hits, is_cut=False)
    # Listed twice, told once.
    assert found.skipped == (await search(files, "needle in the buffer")).skipped != ()
    on_disk = {hit.path for hit in (await search(files, ".")).hits}
    assert {hit.path for hit in (await search(files, ".", unsaved={"src/app.py": ""})).hits} == on_disk - {"src/app.py"}
    cut = await search(files, ".", limit=3, unsaved={"src/app.py": "x\ny\n"})
    assert (len(cut.hits), cut.is_cut) == (3, True)


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
async def test_a_name_with_line_breaks_is_one_file_and_stops_no_search(files: DiskFiles, tmp_path: Path) -> None:
    odd = "x\n/outside/y.py"
    (tmp_path / odd).parent.mkdir(parents=True)
    for path in ("a.py", odd, "z\n1:2: needle\n.py"):
        (tmp_path / path).write_text("needle\n", "utf-8")
    found = await search(DiskFiles(tmp_path, [], files._ripgrep), "needle")
    assert found.hits == tuple(SearchHit(path, 1, "needle") for path in ("a.py", odd, "z\n1:2: needle\n.py"))


@pytest.mark.skipif(os.name == "nt", reason="no such files there")
@pytest.mark.timeout(25)
async def test_nobody_waits_for_a_pipe_that_is_named(files: DiskFiles, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    found = await search(DiskFiles(tmp_path, [], files._ripgrep), "needle", "pipe.py")
    assert found.hits == ()
