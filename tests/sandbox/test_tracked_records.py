"""What planact writes down is hidden from searches, but not from git where that tracks it: `git diff` would fail."""

import subprocess
from pathlib import Path, PurePosixPath

import pytest

from planact.adapters.sandbox.jails import Jails
from planact.adapters.store.git.index import TrackedBelow
from planact.base.paths import Place
from planact.model.rights.jail import Confinement
from planact.model.settings import Settings
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import Yard

FOLDER = ".planact/executions"
RECORD = f"{FOLDER}/e.json"
MIRROR = ".planact/sessions/s.chat"


def git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


def test_git_tracks_what_its_index_says(tmp_path: Path) -> None:
    tracked = TrackedBelow(tmp_path, FOLDER)
    assert not tracked()
    (tmp_path / RECORD).parent.mkdir(parents=True)
    (tmp_path / RECORD).write_text("{}\n")
    git(tmp_path, "init", "-q")
    assert not tracked()
    git(tmp_path, "add", "-A")
    assert tracked()
    git(tmp_path, "rm", "-q", "--cached", RECORD)
    assert not tracked()
    git(tmp_path, "add", "-A")
    git(tmp_path, "update-index", "--index-version", "4")
    assert tracked()
    inner = tmp_path / "inner"
    inner.mkdir()
    assert not TrackedBelow(inner, FOLDER)()


@pytest.mark.parametrize("confinement", ["local-read", "contain", "trial"])
def test_a_record_that_git_tracks_is_compared_and_stays_as_it_is(confinement: Confinement) -> None:
    async def run() -> list[str]:
        yard = Yard.make()
        try:
            root = yard.workspace
            (root / RECORD).parent.mkdir(parents=True)
            (root / RECORD).write_text("needle\n")
            (root / MIRROR).parent.mkdir()
            (root / MIRROR).write_text("a secret needle\n")
            (root / ".gitignore").write_text(".planact/sessions/\n")
            git(root, "init", "-q")
            settings, jails = Settings(), Jails(yard.environment, yard.home, str)
            readable = jails.readable(root, settings, list)
            tracked = TrackedBelow(root, FOLDER)
            runner = jails.runner(root, [], settings, readable, yard.base / "guard", tracked)

            async def output(command: str) -> str:
                place = Place(".", root, PurePosixPath(), exists=True, is_directory=True)
                return (await runner.run(command, place, confinement, 60, 4_000, lambda text: None)).output

            found = [await output("grep -rhs needle .")]
            git(root, "add", "-A")
            git(root, "commit", "-qm", "all")
            (root / RECORD).write_text("needle and more\n")
            found += [await output("grep -rhs secret .")]
            found += [await output("git diff --stat -- . | tail -1"), await output(f"echo x > {RECORD}")]
            return [*found, (root / RECORD).read_text()]
        finally:
            yard.remove()

    searched, of_sessions, compared, _, left = as_ordinary_user(run)
    assert (searched, of_sessions) == ("", "")
    assert "1 file changed, 1 insertion(+), 1 deletion(-)" in compared
    assert left == "needle and more\n"
