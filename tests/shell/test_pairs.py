"""Two commands on a line are never judged more mildly than the stricter of them, and none gains a network by the other.

Each row of the tables stands with one call that it allows. With `--soak` each that speaks is paired with each other.
"""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from planact.model.rights.classification import Classification
from planact.model.rights.permission import Mode
from planact.policy.commands import judge_command, reading_jail
from planact.shell.catalogue import CATALOGUE
from tests.shell.judged import CLASSIFIER, CONTEXT, HELD, READS
from tests.soak import times

pytestmark = pytest.mark.soak

STRICTNESS = ("allow", "contain", "ask", "deny")
SPEAKING = ("net-read", "registry-read", "daemon-read")
TAILS = (
    "",
    " x",
    " x y",
    " x y z",
    " --version",
    " -l",
    " --list",
    " list",
    " +1",
    " f",
    " -qa",
    " -Q",
    " https://h/x",
)
# Judged by what they are asked: one harmless call of each.
CALLS = (
    *("find . -name x", "sed -n 1,5p f", "awk '{print $1}' f", "xargs ls", "timeout 5 ls", "env ls", "nice ls"),
    *("git config --get a.b", "git branch --list", "git log -p", "git remote show origin", "tar -tf f", "date +%s"),
    *("aws ec2 describe-instances", "curl https://h/x", "gh api repos/o/r", "kubectl get pods", "sqlite3 f .tables"),
    *("pip list --outdated", "go list ./...", "terraform fmt -check", "[ -f x ]", "sysctl -a", "python3 --version"),
)
# Whatever else a table says, these run code that they read: from their input, a file of the project or an argument.
INTERPRETERS = {
    *("perl", "ruby", "node", "php", "lua", "luajit", "elixir", "java", "dotnet", "make", "gmake", "python", "python3"),
    *("vim", "vi", "nvim", "emacs", "most", "R", "julia", "scala", "gdb", "bash", "sh", "zsh", "fish", "psql", "mysql"),
    *("redis-cli", "ssh"),
}
RUNS_CODE = INTERPRETERS | {"npm", "go", "pip", "gem", "sqlite3", "man", "docker", "terraform", "gcc"}


def harmless_calls() -> Iterator[str]:
    """One line for each row that has one, with the row's verdict in Plan being that it may run."""
    for name, command in CATALOGUE.commands.items():
        option = next(iter(command.options), "")
        for tail in (*TAILS, f" {option}", f" {option}x", f" {option} x"):
            if may_run(judged(name + tail)):
                yield name + tail
                break
    yield from CALLS


def judged(line: str) -> Classification:
    return CLASSIFIER.classify(line, second=None, context=CONTEXT)


def kind(found: Classification) -> str:
    return judge_command(found, Mode.PLAN, "on", HELD).kind


def may_run(found: Classification) -> bool:
    return kind(found) == "allow"


@cache
def harmless() -> dict[str, Classification]:
    return {line: judged(line) for line in harmless_calls()}


@cache
def speakers() -> list[str]:
    return [line for line, found in harmless().items() if reading_jail(found) in SPEAKING]


def check_pair(first: str, second: str, joint: str) -> None:
    line = f"{first}{joint}{second}"
    both = judged(line)
    alone = harmless()[first], harmless()[second]
    strictest = max(STRICTNESS.index(kind(each)) for each in alone)
    assert STRICTNESS.index(kind(both)) >= strictest, line
    jail = reading_jail(both)
    if not may_run(both) or jail not in SPEAKING:
        return
    for text, found in zip((first, second), alone, strict=True):
        gains = reading_jail(found) != jail
        assert not gains or (reading_jail(found) == "local-read" and not RUNS_CODE & set(found.programs)), line
        assert not gains or "history" not in found.traits, text


@pytest.mark.slow
def test_most_rows_have_a_call_here() -> None:
    rows = [
        command for command in CATALOGUE.commands.values() if command.cls in ("local-read", "net-read", "daemon-read")
    ]
    assert len(harmless()) > 0.8 * len(rows)
    assert len(speakers()) > 100
    assert {reading_jail(harmless()[line]) for line in speakers()} == set(SPEAKING)


@pytest.mark.slow
def test_no_pair_is_milder_than_its_stricter_half() -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    draw = random.Random(seed)
    lines = list(harmless())
    for speaker in speakers():
        for other in draw.sample(lines, times(15, len(lines))):
            check_pair(*draw.sample([speaker, other], 2), draw.choice(["; ", " && ", " | ", " || "]))
    for _ in range(times(5_000, 200_000)):
        check_pair(draw.choice(lines), draw.choice(lines), draw.choice(["; ", " && ", " | ", " || "]))


@pytest.mark.parametrize(
    "line",
    [
        "cargo search x; perl <<'E'\nprint 1\nE",
        "npm view x; echo 'print 1' | perl",
        "pip index versions x; node <<E\nE",
        "cargo search x; node",
        "npm view x | php",
        "gh pr list; make",
        "gh pr list | python3 -m json.tool",
        "docker ps; lua",
        "npm view x; cat .env",
        "cd src && npm view x",
        "npm view x < f",
        "npm view $(cat f)",
        "cat f | xargs npm view",
        "cat f | xargs dig",
        "gh pr list; npm view x",
        "git ls-remote origin; git diff",
        "gh pr list; git show HEAD",
    ],
)
def test_nothing_that_runs_code_shares_a_line_with_the_network(line: str) -> None:
    found = CLASSIFIER.classify(line, second=None, context=CONTEXT)
    assert found.cls not in READS, found


@pytest.mark.parametrize("program", sorted(INTERPRETERS))
@pytest.mark.parametrize("form", ["{}", "{} < f", "{} <<E\nx\nE", "echo x | {}"])
def test_a_program_that_reads_a_program_is_not_known_to_only_read(program: str, form: str) -> None:
    assert judged(form.format(program)).cls == "unknown"


@pytest.mark.parametrize(
    "line", ["python -m json.tool f", "python3 -m pip list", "make build", "make -n", "yarn --version", "mvn --version"]
)
def test_what_may_run_a_file_of_the_workspace_is_not_known_to_only_read(line: str) -> None:
    assert judged(line).cls == "unknown"
