"""Files that open plans rest on are watched: by the client where it can, else by the server; with real files."""

import asyncio
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import GREETING, PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="function")

CODE = "PLAN025"


def resting_on(*files: tuple[str, str | None], plan: str = PLAN) -> str:
    """The plan with fingerprints; None = there was no file."""
    hashes = [(path, "" if text is None else hashlib.sha256(text.encode()).hexdigest()) for path, text in files]
    lines = "".join(f'\n  - {{path: {path}, sha256: "{digest}"}}' for path, digest in hashes)
    return plan.replace("status: draft", f"status: draft\ncontext:{lines}")


FRESH = resting_on(("greeting.txt", GREETING), ("farewell.txt", None))


def watching(*, is_relative: bool = True) -> types.ClientCapabilities:
    capabilities = full()
    assert capabilities.workspace
    capabilities.workspace.did_change_watched_files = types.DidChangeWatchedFilesClientCapabilities(
        dynamic_registration=True, relative_pattern_support=is_relative
    )
    return capabilities


class Pushes(dict[str, Any]):
    """What the client was told, push by push."""

    def __init__(self) -> None:
        super().__init__()
        self.pushed: list[list[types.Diagnostic]] = []

    def __setitem__(self, uri: str, found: Any) -> None:
        super().__setitem__(uri, found)
        self.pushed.append(list(found))

    @property
    def last(self) -> list[str]:
        found = self.pushed[-1] if self.pushed else []
        return [each.message.partition(" since planning")[0] for each in found if each.code == CODE]


@asynccontextmanager
async def at_work(folder: Path, capabilities: types.ClientCapabilities) -> AsyncIterator[tuple[PlanactClient, Pushes]]:
    async with planact_client(folder, capabilities) as client:
        client.diagnostics = pushes = Pushes()
        yield client, pushes


async def settled(client: PlanactClient, uri: str) -> None:
    """Until the server has looked at the files for the first time."""
    await until(lambda: client.refreshes > 0)
    assert any("based on" in title for title in await client.titles(uri))


def told(client: PlanactClient, *paths: str) -> None:
    """The client's own watcher saw something."""
    changes = [types.FileEvent(client.uri(path), types.FileChangeType.Changed) for path in paths]
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))


# --- the watcher of our own


async def test_a_change_on_disk_is_shown_on_the_step_and_where_it_is_listed_and_goes_when_taken_back(
    tmp_path: Path,
) -> None:
    async with at_work(tmp_path, full()) as (client, pushes):
        uri = set_up(client, plan=FRESH)
        client.show(PATH)
        await settled(client, uri)
        assert pushes.last == []
        assert "Draft · 2 steps · based on 2 files, unchanged" in await client.titles(uri)
        client.write("greeting.txt", "other\n")
        await until(lambda: pushes.last == ["greeting.txt changed"] * 2)
        places = [client.shown_at(uri, each.range) for each in pushes.pushed[-1] if each.code == CODE]
        assert places == ["greeting.txt"] * 2
        assert "Draft · 2 steps · 1 of 2 files changed" in await client.titles(uri)
        client.write("farewell.txt", "who wrote that?\n")
        await until(lambda: sorted(pushes.last) == ["farewell.txt was created"] * 2 + ["greeting.txt changed"] * 2)
        (tmp_path / "farewell.txt").unlink()
        client.write("greeting.txt", GREETING)
        await until(lambda: pushes.last == [])
        assert client.registered == []


async def test_a_file_whose_folder_goes_and_comes_back_is_still_watched(tmp_path: Path) -> None:
    plan = resting_on(("src/deep/a.txt", "a\n"), plan=PLAN.replace("files: greeting.txt", "files: src/deep/a.txt"))
    async with at_work(tmp_path, full()) as (client, pushes):
        client.write("src/deep/a.txt", "a\n")
        uri = set_up(client, plan=plan)
        client.show(PATH)
        await settled(client, uri)
        shutil.rmtree(tmp_path / "src")
        await until(lambda: pushes.last == ["src/deep/a.txt was deleted"] * 2)
        client.write("src/deep/a.txt", "a\n")
        await until(lambda: pushes.last == [])
        client.write("src/deep/a.txt", "b\n")
        await until(lambda: pushes.last == ["src/deep/a.txt changed"] * 2)


async def test_what_is_typed_counts_before_it_is_saved(tmp_path: Path) -> None:
    async with at_work(tmp_path, full()) as (client, pushes):
        uri = set_up(client, plan=FRESH)
        client.show(PATH)
        other = client.show("greeting.txt")
        await settled(client, uri)
        client.type(other, "typed\n")
        await until(lambda: pushes.last == ["greeting.txt changed"] * 2)
        client.close(other)
        await until(lambda: pushes.last == [])


async def test_what_the_run_itself_changes_is_no_warning(tmp_path: Path) -> None:
    async with at_work(tmp_path, full()) as (client, pushes):
        uri = set_up(client, plan=FRESH)
        client.show(PATH)
        await settled(client, uri)
        run = await client.do(
            "executeStep", uri=uri, step=1, approve_hash=(await client.do("showPlan", uri=uri)).plan_hash
        )
        assert run.status == "success"
        assert client.text("greeting.txt") != GREETING
        await asyncio.sleep(1)
        assert pushes.last == []
        client.write("greeting.txt", "by hand\n")
        await until(lambda: pushes.last == ["greeting.txt changed"])  # the step that names it is done


# --- a client that watches


@pytest.mark.parametrize("is_relative", [True, False])
async def test_a_client_that_watches_is_asked_to_and_nothing_else_does(tmp_path: Path, is_relative: bool) -> None:
    async with at_work(tmp_path, watching(is_relative=is_relative)) as (client, pushes):
        uri = set_up(client, plan=FRESH)
        client.show(PATH)
        await settled(client, uri)
        [registration] = [each for each in client.registered if each.method == "workspace/didChangeWatchedFiles"]
        options: Any = registration.register_options
        patterns = [each["globPattern"] for each in options["watchers"]]
        names = ["farewell.txt", "greeting.txt"]
        relative = [{"baseUri": tmp_path.as_uri(), "pattern": name} for name in names]
        assert patterns == (relative if is_relative else [f"**/{name}" for name in names])
        client.write("greeting.txt", "other\n")
        await asyncio.sleep(1)
        assert pushes.last == []
        assert threads(client) < 10
        told(client, "unrelated.txt", "greeting.txt")
        await until(lambda: pushes.last == ["greeting.txt changed"] * 2)
        client.close(uri)
        await until(lambda: [each.id for each in client.unregistered] == [registration.id])


def threads(client: PlanactClient) -> int:
    assert client._server is not None
    tasks = Path(f"/proc/{client._server.pid}/task")
    names = [(task / "comm").read_text() for task in tasks.iterdir()]
    assert not any("inotify" in name.lower() or "observer" in name.lower() for name in names), names
    return len(names)


async def test_a_client_that_refuses_to_watch_leaves_it_to_the_server(tmp_path: Path) -> None:
    async with at_work(tmp_path, watching()) as (client, pushes):
        client.refuses_registrations = True
        uri = set_up(client, plan=FRESH)
        client.show(PATH)
        await settled(client, uri)
        client.write("greeting.txt", "other\n")
        await until(lambda: pushes.last == ["greeting.txt changed"] * 2)


# --- what can be done about it


async def test_a_changed_file_can_be_accepted_looked_at_and_planned_for(tmp_path: Path) -> None:
    async with at_work(tmp_path, full()) as (client, pushes):
        uri = set_up(client, plan=FRESH)
        client.show(PATH)
        await settled(client, uri)
        approved = (await client.approve(uri)).plan_hash
        client.write("greeting.txt", "other\n")
        await until(lambda: len(pushes.last) == 2)
        line = client.texts[uri][: client.texts[uri].index("  - files: greeting.txt")].count("\n")
        place = types.Range(types.Position(line, 12), types.Position(line, 12))
        context = types.CodeActionContext(pushes.pushed[-1])
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
        found: Any = await asyncio.wait_for(client.text_document_code_action_async(params), LIMIT)
        quick = {each.title: each for each in found if each.kind == "quickfix"}
        assert set(quick) == {"Accept greeting.txt as it is now", "Re-plan", "Show changes"}
        assert all(each.diagnostics for each in quick.values())
        assert "greeting.txt (changed)" in quick["Re-plan"].command.arguments[0]["feedback"]
        shown = await client.do("showChanges", uri=uri)
        assert [(each.path, each.what) for each in shown.files] == [("greeting.txt", "changed")]
        assert "what it said before is not known" in shown.diff
        [edit] = quick["Accept greeting.txt as it is now"].edit.document_changes
        client.change(uri, edit.edits)
        await until(lambda: pushes.last == [])
        assert (await client.do("showPlan", uri=uri)).plan_hash == approved
        assert hashlib.sha256(b"other\n").hexdigest() in client.texts[uri]


# --- many at once


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: ext4 searches long for a new file's place after so many were deleted."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else tmp_path) as folder:
        yield Path(folder)


def commit(branch: str, text: str, names: list[str]) -> str:
    """For `git fast-import`: a branch in which each of the files has that text."""
    files = "".join(f"M 100644 :1 {name}\n" for name in names)
    return (
        f"blob\nmark :1\ndata {len(text)}\n{text}commit refs/heads/{branch}\ncommitter a <a@b> 0 +0000\ndata 0\n{files}"
    )


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("watches", [False, True])
async def test_a_checkout_of_ten_thousand_files_is_one_push_per_plan(in_memory: Path, watches: bool) -> None:
    names = [f"src/m{number // 1000}/f{number}.txt" for number in range(10_000)]
    rests_on = ["src/m0/f0.txt", "src/m5/f5000.txt", "src/m9/f9999.txt"]
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-c", "gc.auto=0"]

    def run(*words: str, typed: str = "") -> None:
        subprocess.run(
            [*git, *words], cwd=in_memory, input=typed.encode(), check=True, capture_output=True, timeout=120
        )

    run("init")
    run("fast-import", "--quiet", typed=commit("main", "one\n", names) + commit("two", "two\n", names))
    run("reset", "--hard")
    step = PLAN.replace("files: greeting.txt", f"files: {', '.join(rests_on)}")
    plan = resting_on(*((name, "one\n") for name in rests_on), plan=step)
    async with at_work(in_memory, watching() if watches else full()) as (client, pushes):
        uri = set_up(client, plan=plan)
        client.show(PATH)
        await settled(client, uri)
        for branch, wanted in (("two", [f"{name} changed" for name in rests_on] * 2), ("main", [])):
            before = len(pushes.pushed)
            await asyncio.to_thread(run, "checkout", "-q", branch)
            if watches:
                told(client, *names)
            await until(lambda wanted=wanted: pushes.last == wanted)
            await asyncio.sleep(1)
            # A checkout that takes longer than a burst may be shown half done, within its second, and then done.
            assert 1 <= len(pushes.pushed) - before <= (1 if watches else 3)
            assert pushes.last == wanted
        assert memory(client) < 150_000_000


@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="it counts what the kernel watches")
async def test_of_many_folders_only_those_that_open_plans_rest_on_are_watched_and_a_storm_there_holds_nothing_up(
    tmp_path: Path,
) -> None:
    for number in range(2_000):
        (tmp_path / f"area{number // 100}" / f"part{number}").mkdir(parents=True)
    rests_on = ["area0/part1/a.txt", "area0/part1/b.txt", "area9/part900/c.txt"]
    for name in rests_on:
        (tmp_path / name).write_text("one\n")
    step = PLAN.replace("files: greeting.txt", f"files: {', '.join(rests_on)}")
    plan = resting_on(*((name, "one\n") for name in rests_on), plan=step)
    async with at_work(tmp_path, full()) as (client, pushes):
        uri = set_up(client, plan=plan)
        client.show(PATH)
        await settled(client, uri)
        assert watches(client) == 2
        before = len(pushes.pushed)

        def storm() -> None:
            for number in range(10_000):
                (tmp_path / "area0/part1" / f"noise{number}").touch()
            (tmp_path / "two").write_text("two\n")
            (tmp_path / "two").replace(tmp_path / rests_on[0])

        raging = asyncio.ensure_future(asyncio.to_thread(storm))
        answers = 0
        while not raging.done():
            assert await client.titles(uri)
            answers += 1
        await raging
        await until(lambda: pushes.last == [f"{rests_on[0]} changed"] * 2)
        assert answers > 1
        assert len(pushes.pushed) == before + 1
        assert watches(client) == 2
        client.close(uri)
        await until(lambda: watches(client) == 0)


def watches(client: PlanactClient) -> int:
    """Folders that the kernel watches for the server."""
    assert client._server is not None
    found = 0
    for info in Path(f"/proc/{client._server.pid}/fdinfo").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            found += sum(line.startswith("inotify wd:") for line in info.read_text().splitlines())
    return found


def memory(client: PlanactClient) -> int:
    """Bytes that the server has in memory."""
    assert client._server is not None
    pages = int(Path(f"/proc/{client._server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
