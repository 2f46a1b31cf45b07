"""The git commands of the table are git's own: for any other name, git runs the repository's alias of that name. What
shows the content of files is known to do so, by what git really shows.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from planact.shell.catalogue import CATALOGUE
from planact.shell.table import CommandRow
from tests.shell.judged import classify

_ROWS = [row for row in CATALOGUE.commands.values() if row.name.startswith("git ") and row.cls == "local-read"]


def test_each_git_command_is_built_in() -> None:
    listed = subprocess.run(["git", "--list-cmds=main"], capture_output=True, text=True, check=True).stdout.split()
    rows = (row for row in CATALOGUE.commands.values() if row.name.startswith("git ") and row.cls != "mutating")
    named = {row.name.split()[1] for row in rows}
    unknown = sorted(name for name in named - set(listed) if not name.startswith("-"))
    assert not unknown, f"not git's own, so a repository may define them: {', '.join(unknown)}"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose `.env` differs in its commit, in its index, in its stash and in the working folder."""
    root = tmp_path_factory.mktemp("repository")
    _git(root, "init", "-q")
    for at, text in enumerate(("committed", "stashed", "staged", "changed")):
        (root / ".env").write_text(f"KEY=secret-{text}\n")
        if at < 3:
            _git(root, "add", "-A")
        if at < 2:
            _git(root, *(("commit", "-qm", "one") if at == 0 else ("stash", "-q")))
    return root


def test_a_call_that_shows_contents_is_known_to(repository: Path) -> None:
    """A call that names no file and isn't known to show contents shows none."""
    showing = [call for row in _ROWS for call in _calls(row) if not _is_known_to_show(call)]
    assert len(showing) > 100
    wrong = [call for call in showing if "secret-" in _git(repository, *call.split()[1:])]
    assert not wrong, f"they show what is in files: {', '.join(wrong)}"


def test_a_question_about_names_names_no_file_as_read() -> None:
    assert not classify("git check-ignore -v .env && git ls-files -s .env && git status -s .env").reads
    shown = classify("git status -sv .env")
    assert (shown.reads, shown.traits) == ((".env",), {"history"})


def _calls(row: CommandRow) -> Iterator[str]:
    """Each option alone, of those that need no value, and with the last commit."""
    options = (name for name, form in row.options.items() if form.is_attached or not form.values)
    for option in ("", *options):
        for words in ("", "HEAD"):
            yield " ".join(filter(None, (row.name, option.replace("#", "1"), words)))


def _is_known_to_show(call: str) -> bool:
    found = classify(call)
    return found.cls != "local-read" or "history" in found.traits


def _git(root: Path, *words: str) -> str:
    variables = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_PAGER": "cat"}
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *identity, *words], cwd=root, env=variables, capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    return (done.stdout + done.stderr).decode(errors="replace")
