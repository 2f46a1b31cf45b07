"""Without any jail, a line that runs without a question shows nothing of the user's and no credentials it names.

Lines are made at random of what decides which file a name means: `cd`, lists, pipes, groups, redirections, variables,
links. Each file holds a line of its own, so the output of bash tells which ones were read.
"""

import random
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from planact.model.settings import Settings
from planact.shell.parse import bash
from planact.tools.tool_result import Done
from tests.fakes.bench import PLAN, Bench
from tests.fakes.world import World
from tests.shell.judged import classify
from tests.soak import times

pytestmark = [pytest.mark.soak, pytest.mark.timeout(times(300, 4 * 3600))]

DEEPEST = 3
OWN, USERS = "of the workspace", "of the user's"
FOLDERS = ("a", "a/b", "a/.aws", ".ssh", "c/d/e")
NAMES = ("x.txt", "y.txt", ".env", "credentials", "id_rsa", "config")
LED_ASTRAY = (
    *("cd a && cat < out.txt", "cd a && ls | cat < out.txt", "cd a && { cat; } < out.txt", "cd .ssh && cat < config"),
    "cd a && cat <<E\n$(cat out.txt)\nE",
)
"""Lines whose redirection is opened in another folder than the one they begin in."""


class Maker:
    """Makes lines of forms that run without a jail, with parts that may not to a depth of `DEEPEST`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def line(self) -> str:
        return self._pick("{0}", "{0}", "{0} && {1}", "{0}\n{1}").format(self._list(DEEPEST), self._list(1))

    def _list(self, deep: int) -> str:
        if not deep or not self.random.randrange(3):
            return self._read() if self.random.randrange(3) else self._move()
        form = self._pick(
            *("{0} && {1}", "{0} && {1}", "{0} | {1}", "{0} || {1}", "{0}; {1}", "({0})", "{{ {0}; }}", "! {0}"),
            *("echo $({0})", 'echo "$({0})"', "cat <({0})", "{0} < {path}", "({0}) < {path}", "{0} 2>&1"),
            *("cat <<E\n$({0})\nE", "[[ -e {path} ]] && {0}", "{0} && cat <<E\n$({1})\nE", "cat <<E && {0}\nx\nE"),
        )
        return form.format(self._list(deep - 1), self._list(deep - 1), path=self._path())

    def _read(self) -> str:
        form = self._pick(
            *("cat {0}", "cat < {0}", "head -n 3 {0} {1}", "cat", "cat - {0}", "grep -h . {0}", "cat {0} {1} < {1}"),
            *("x={0}; cat $x", "x={0} && cat $x < {1}", "d={2} && cat $d/x.txt", "tail -n1 0<{0}"),
        )
        return form.format(self._path(), self._path(), self._folder())

    def _move(self) -> str:
        form = self._pick(
            "cd {0}", "cd {0}", "cd -P {0}", "d={0} && cd $d", "cd {0} 2>/dev/null", "cd -L {0}", "cd {0}/"
        )
        return form.format(self._folder())

    def _folder(self) -> str:
        forms = ("{0}", "{0}", "{0}", "./{0}", "link", "up", "up/ws/{0}", "{0}/..", "..", "link/..", "none", "a/../{0}")
        return self._pick(*forms).format(self._pick(*FOLDERS[1:]))

    def _path(self) -> str:
        name = self._pick(*NAMES)
        return self._pick(name, name, f"./{name}", f"../{name}", "out.txt", f"{self._folder()}/{name}")

    def _pick(self, *of: str) -> str:
        return self.random.choice(of)


def lay(folder: Path) -> Path:
    """Make a workspace with credentials in it and the user's files around it; return it."""
    root = folder / "top/ws"
    for place in (folder, folder / "top", folder / "top/other", folder / "home", *(root / each for each in FOLDERS)):
        place.mkdir(parents=True, exist_ok=True)
    places = [root, *(path for path in folder.rglob("*") if path.is_dir()), folder]
    for place in dict.fromkeys(places):
        for name in NAMES:
            is_hidden = name in (".env", "id_rsa") or place.name in (".aws", ".ssh")
            is_own = place.is_relative_to(root) and not is_hidden
            (place / name).write_text(f"{OWN if is_own else USERS}: {place / name}\n")
    for link, target in (("link", "a/b"), ("up", ".."), ("a/out.txt", "../../other/x.txt"), ("out.txt", "a/x.txt")):
        (root / link).symlink_to(target)
    return root


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="planact-test-", dir="/var/tmp"))
    monkeypatch.setenv("HOME", str(folder / "home"))
    yield lay(folder)
    shutil.rmtree(folder)


def shown(root: Path, lines: Iterable[str]) -> tuple[int, dict[str, str]]:
    """Return how many of the lines run without a question, and what of the user's they show."""
    world = World(root, settings=Settings(model="played", sandbox="off"))
    it = Bench(root, replace(PLAN, held=world.ports.runner.enforced()), *["reject_once"] * 100_000, world=world)
    outputs: dict[str, str] = {}
    for line in dict.fromkeys(lines):
        if "plain" in classify(line).traits:  # no other runs without a jail
            outcome = it.run("execute_command", command=line)
            outputs |= {line: outcome.text} if isinstance(outcome, Done) else {}
    return len(outputs), {line: text[:300] for line, text in outputs.items() if USERS in text}


def test_nothing_of_the_users_is_shown(root: Path, pytestconfig: pytest.Config) -> None:
    seed = pytestconfig.getoption("seed") or times(1, random.SystemRandom().randrange(2, 10**6))
    maker = Maker(seed)
    lines = [*LED_ASTRAY, *(maker.line() for _ in range(times(500, 60_000)))]
    count, found = shown(root, lines)
    assert found == {}, f"--seed {seed}"
    assert count > len(lines) // 20


def test_what_reads_a_redirection_before_the_cd_that_it_follows_is_caught(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bash, "_last_command", lambda node: node)
    assert set(shown(root, LED_ASTRAY)[1]) == set(LED_ASTRAY)
