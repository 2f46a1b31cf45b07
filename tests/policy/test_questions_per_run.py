"""How often a run asks about commands, by 60 sessions of 6 to 40 commands that are made by variation.

Shares are near those of recorded sessions of other agents. A question for a text or a folder counts once in a session,
since a yes for always covers the next.
"""

import asyncio
import random
import statistics
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from planact.adapters.sandbox.choose import probe
from planact.model.chat.message import ToolCall
from planact.model.rights.permission import Mode
from planact.policy.context import Allow, Ask, PolicyContext, Try
from planact.policy.decide import outside_reads
from planact.policy.roles import built_in_role
from planact.tools.calls.judged_call import JudgedCall
from tests.fakes.world import World, call

SESSIONS = 60
FILES = ("tests/test_app.py", "tests/test_io.py", "src/app.py", "src/io.py", "web/a.test.ts", "pkg/b_test.go")
ENDS = ("", "", " 2>&1", " 2>&1 | tail -20", " | head -50", " 2>&1 | grep -i fail", " -q", "; echo $?")
KINDS: dict[str, tuple[int, tuple[str, ...]]] = {
    "tests": (
        40,
        (
            *("pytest {file}", "python -m pytest {file} -x", "python3 -m pytest -k name", "npm test", "npm run build"),
            *(
                "npx tsc --noEmit",
                "npx vitest run {file}",
                "go test ./...",
                "go build ./...",
                "cargo test",
                "make test",
            ),
            *(
                "ruff check {file}",
                "mypy {file}",
                "cargo build",
                "python -m unittest",
                "cd web && npm test",
                "tox -e py",
            ),
        ),
    ),
    "scripts": (
        20,
        (
            *(
                "python3 -c 'import app; print(app.f({n}))'",
                "python3 scripts/check_{n}.py",
                "node -e 'console.log({n})'",
            ),
            *("bash scripts/run.sh {n}", "./gradlew test", "python3 - <<'E'\nprint({n})\nE", "python3 {file}"),
        ),
    ),
    "files": (
        15,
        (
            "sed -i 's/a{n}/b/' {file}; git diff --stat",
            *(
                "mkdir -p out/{n} && cp {file} out/{n}/",
                "sed -i 's/a{n}/b/' {file}",
                "mv {file} {file}.{n}",
                "touch n{n}",
            ),
            *(
                "cat {file}",
                "ls -la src",
                "grep -rn word{n} src",
                "wc -l {file}",
                "diff {file} src/io.py",
                "rm -f out/{n}",
            ),
        ),
    ),
    "elsewhere": (
        12,
        (
            *("ls /usr/lib/python3", "cat /etc/os-release", "which python3", "cat /proc/cpuinfo | head -5"),
            *("ls /usr/include | head", "cat /opt/data/readme_{one}.txt"),
        ),
    ),
    "git": (8, ("git status", "git diff", "git log --oneline -5", "git show HEAD:{file}", "git stash list")),
    "beyond": (
        5,
        ("pip install requests", "curl https://example.com/{one}", "git push", "docker ps", "npm install x{one}"),
    ),
}


def session(chance: random.Random) -> Iterator[str]:
    kinds, weights = [*KINDS], [weight for weight, _ in KINDS.values()]
    for _ in range(chance.choice((6, 10, 15, 20, 25, 40))):
        kind = chance.choices(kinds, weights)[0]
        line = chance.choice(KINDS[kind][1])
        filled = line.replace("{n}", str(chance.randrange(99))).replace("{one}", "1")
        end = chance.choice(ENDS) if kind == "tests" else ""
        yield filled.replace("{file}", chance.choice(FILES)) + end


def questions(world: World, context: PolicyContext, lines: Iterator[str]) -> tuple[int, list[str]]:
    """Return the questions of a session, and what ran on trial or was asked."""
    asked: set[object] = set()
    for line in lines:
        made: ToolCall = call("execute_command", command=line)
        found = asyncio.run(world.ws.gate.explain(made, [context], lambda _: None))
        assert isinstance(found, tuple), (line, found)
        [judged] = found
        assert isinstance(judged, JudgedCall)
        assert isinstance(judged.verdict, Allow | Ask | Try), line
        if isinstance(judged.verdict, Ask):
            elsewhere = [path for touch in judged.request.touches for path in outside_reads(touch.found)]
            asked.add(str(PurePosixPath(elsewhere[0]).parent) if elsewhere else line)
    return len(asked), sorted(map(str, asked))


def in_act(world: World) -> PolicyContext:
    for path in FILES:
        world.write(path, "x\n")
    return PolicyContext(
        *(Mode.ACT, built_in_role("actor"), PurePosixPath(".planact/plans")),
        held=world.ports.runner.enforced(),
        can_try=True,
        hides_credentials=True,
    )


def asks_about(world: World, line: str) -> bool:
    return questions(world, in_act(world), iter([line]))[0] > 0


@pytest.mark.slow
@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
def test_commands_are_asked_about_at_most_twice_in_the_median_run(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    world = World(tmp_path)
    context = in_act(world)
    chance = random.Random(str(request.config.getoption("seed")))
    found = [questions(world, context, session(chance)) for _ in range(SESSIONS)]
    counts = [count for count, _ in found]
    why = sorted({line for _, lines in found for line in lines})
    print(f"median {statistics.median(counts)}, mean {statistics.fmean(counts):.2f}: {why}")
    assert statistics.median(counts) <= 2, why
    assert statistics.fmean(counts) <= 4, why


@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize(
    ("line", "is_asked"),
    [
        ("sed -i 's/a/b/' src/app.py; git diff --stat", False),
        ("rm -rf build && git status --short", False),
        ("git ls-files -z | xargs -0 touch", False),
        ("git apply fix.patch && make", False),
        ("git clean -fd", False),
        ("sed -i 's/a/b/' src/app.py; git add src/app.py", True),
        ("git clean -fd && git stash", True),
        ("git diff --name-only | xargs git add", True),
        ("make test && timeout 9 git commit -qm x", True),
        ("echo $(git checkout -- src/app.py)", True),
        ("git config core.pager x; mkdir out", True),
    ],
)
def test_a_line_with_git_is_asked_about_where_git_changes_its_own_files(
    tmp_path: Path, line: str, *, is_asked: bool
) -> None:
    assert asks_about(World(tmp_path), line) == is_asked


@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize(
    ("line", "is_asked"),
    [
        ("cat > src/app.py <<'E'\n# look at http headers, also of docker\nprint(1)\nE", False),
        ("cat > src/app.py <<'E'\nprint('at')\nE\npython3 src/app.py", False),
        ("python3 -c \"print('kill or mount')\"", False),
        ("rm -rf docker scripts/docker", False),
        ("mkdir -p mail && mv src/io.py mail", False),
        ("cat > run.sh <<'E'\ndocker ps\nE\nsh run.sh", True),
        ("sh -c 'docker ps'", True),
        ("timeout 9 docker rm x", True),
        ("make docker", True),
        ("npx vitest & sleep 2; curl -s http://localhost:3000/x; kill $!", False),
        ("python3 src/app.py > out.log 2>&1 &\nsleep 1\ncurl -s localhost:8000 | head -3\nwait", False),
        ("python3 src/app.py & curl -s https://example.com", True),
        ("curl -s http://localhost:3000/x", True),
        ("pkill -f app.py", True),
    ],
)
def test_a_line_is_asked_about_where_it_starts_a_program_that_reaches_beyond(
    tmp_path: Path, line: str, *, is_asked: bool
) -> None:
    assert asks_about(World(tmp_path), line) == is_asked


@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize(
    ("line", "is_asked"),
    [
        ("cat /tmp/planact-none/log | tail -3", False),
        ("sleep 1 && grep -i error /tmp/planact-none.log | head -5", False),
        ("cd /tmp && mkdir -p planact-none && cd planact-none && touch a && ls", False),
        ("cd /tmp/planact-none && ls -la", False),
        ("python3 src/app.py > /tmp/planact-none.log; tail -3 /tmp/planact-none.log", False),
        ("cat {there}", True),
        ("wc -l {there} > src/io.py", True),
        ("ls /tmp", True),
        ("cat /tmp/planact-none/../../home/x", True),
        ("cat /tmp/planact-none /home/planact-none/x", True),
        ("cat /tmp/planact-none/.ssh/id_rsa", True),
        ("cd /tmp && touch ../home/planact-none/x", True),
        ("curl -s https://example.com/a && cat /tmp/planact-none", True),
    ],
)
def test_a_temporary_file_that_is_not_there_is_not_asked_about(tmp_path: Path, line: str, *, is_asked: bool) -> None:
    there = tmp_path.with_name(f"{tmp_path.name}-there")
    there.touch()
    assert asks_about(World(tmp_path), line.format(there=there)) == is_asked


@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize("line", ["cat /tmp/planact-none", "cd /tmp && touch a"])
def test_a_temporary_file_is_asked_about_where_nothing_is_tried(tmp_path: Path, line: str) -> None:
    world = World(tmp_path)
    context = in_act(world)
    for approval in ("ask", "acceptAll"):
        asked, _ = questions(world, replace(context, can_try=False, approval=approval), iter([line]))
        assert asked == 1
