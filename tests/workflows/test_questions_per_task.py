"""Six ordinary tasks, worked on by models that vary their commands: at most one question besides the approval."""

import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import probe
from planact.model.chat.message import Reply
from planact.model.settings import LimitSettings, Settings
from tests.fakes.world import ENVIRONMENT, Turn, answer, call, calls
from tests.workflows.scene import PATH, SAID, Scene


@dataclass(frozen=True)
class Task:
    """A repository, a step of its plan, and the commands of a model, with the program that each of the `run` needs."""

    files: dict[str, str]
    named: str
    check: str
    edit: tuple[str, str]
    lines: tuple[str, ...]
    needs: str
    run: tuple[str, ...] = field(default=())


UNITTEST = "python3 -m unittest discover -s tests -t ."
TO_FILE = f"timeout 60 {UNITTEST} > /tmp/tinydb-out.txt 2>&1; tail -5 /tmp/tinydb-out.txt"
PYTHON = Task(
    files={
        "tinydb/__init__.py": "def count(found):\n    return 0\n",
        "tests/__init__.py": "",
        "tests/test_count.py": "import unittest\nfrom tinydb import count\n\n\nclass Counts(unittest.TestCase):\n"
        "    def test_count(self):\n        self.assertEqual(count([1, 2]), 2)\n",
        ".gitignore": "__pycache__/\n.pytest_cache/\n*.log\n.planact/\n",
    },
    named="tinydb/__init__.py",
    check="python3 -m unittest -q tests.test_count",
    edit=("tinydb/__init__.py", "def count(found):\n    return len(found)\n"),
    lines=(
        "git status --short && git log --oneline -3",
        "cat /etc/os-release | head -2; which python3; python3 --version",
        "pytest -q tests/test_count.py",
        "python -m pytest -k count | tail -20",
        "cd tests && python -m pytest",
        'PYTHONPATH=. python3 -m pytest tests -x --tb=short 2>&1 | tail -30; echo "exit: $?"',
        "python3 -c 'from tinydb import count; print(count([1]))'",
        "python3 - <<'E'\nfrom tinydb import count\nprint(count([1, 2]))\nE",
        UNITTEST,
        f"cd tests/.. && {UNITTEST} 2>&1 | tail -20",
        TO_FILE,
        "for f in tests/test_*.py; do python -m pytest -q $f; done",
        "rm -rf .pytest_cache && find . -name '*.pyc' -delete",
        "git diff --stat",
    ),
    needs="python3",
    run=(UNITTEST, f"cd tests/.. && {UNITTEST} 2>&1 | tail -20", TO_FILE),
)
NODE = Task(
    files={
        "package.json": '{"name": "a", "version": "1.0.0", '
        '"scripts": {"test": "node --test", "lint": "node --check a.js"}}\n',
        "a.js": "exports.add = (a, b) => a - b;\n",
        "a.test.js": "const { test } = require('node:test');\nconst { add } = require('./a');\n"
        "test('adds', () => { if (add(1, 2) !== 3) throw new Error('no'); });\n",
        ".gitignore": "node_modules/\n.planact/\n",
    },
    named="a.js",
    check="npm test",
    edit=("a.js", "exports.add = (a, b) => a + b;\n"),
    lines=(
        "cat package.json && ls -la",
        "node --version && npm --version",
        "npm test",
        "npm test -- --grep adds",
        "CI=1 npm test 2>&1 | tail -30",
        "npm run lint && npm run test --silent",
        "node --test a.test.js",
        "npx jest a.test.js",
        "node -e \"console.log(require('./a').add(1, 2))\"",
        "npm ls --depth=0",
        "git diff",
    ),
    needs="node",
    run=("npm test", "node --test a.test.js"),
)
GO = Task(
    files={
        "go.mod": "module a\n\ngo 1.22\n",
        "a.go": "package a\n",
        "a_test.go": "package a\n",
        ".gitignore": ".planact/\n",
    },
    named="a.go",
    check="go test ./...",
    edit=("a.go", "package a\n\nfunc One() int { return 1 }\n"),
    lines=(
        "go version; go env GOPATH",
        "go build ./... && go vet ./...",
        "go test ./... -run TestOne",
        "go test -v ./... 2>&1 | tail -20",
        "go test -race -count=1 .",
        "cd . && go test ./...",
        "gofmt -l .",
        "cat go.mod && git diff",
    ),
    needs="go",
    run=("go build ./... && go vet ./...",),
)
RUST = Task(
    files={
        "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "a"\nversion = "0.1.0"\n',
        "src/lib.rs": "pub fn one() -> i32 { 0 }\n#[test]\nfn ones() { assert_eq!(one(), 1) }\n",
        ".gitignore": "target/\n.planact/\n",
    },
    named="src/lib.rs",
    check="cargo test",
    edit=("src/lib.rs", "pub fn one() -> i32 { 1 }\n#[test]\nfn ones() { assert_eq!(one(), 1) }\n"),
    lines=(
        "cargo --version",
        "cargo check --offline 2>&1 | tail -5",
        "cargo test",
        "cargo test --offline ones -- --nocapture",
        "RUST_BACKTRACE=1 cargo test 2>&1 | tail -20",
        "cargo build --offline && cargo clippy --all-targets",
        "cargo fmt --check",
        "git diff --stat && cat Cargo.toml",
    ),
    needs="cargo",
)
MAKE = Task(
    files={
        "Makefile": "check:\n\tgrep -q hello a.txt\n\nall: out/a\n\nout/a: a.txt\n\tmkdir -p out\n\tcp a.txt out/a\n",
        "a.txt": "bye\n",
        "run_tests.sh": "set -e\nmake check\n",
        ".gitignore": "out/\n.planact/\n",
    },
    named="a.txt",
    check="make check",
    edit=("a.txt", "hello\n"),
    lines=(
        "make -n check",
        "make check",
        "make check 2>&1 | tail -20",
        'make -k all check; echo "exit: $?"',
        "make -j2 all && ls out",
        "bash -c 'make check'",
        "sh run_tests.sh",
        "make check > /tmp/make-out.txt && cat /tmp/make-out.txt",
        "cat /proc/cpuinfo | head -1; nproc",
        "git status",
    ),
    needs="make",
    run=("make check", "make -j2 all && ls out"),
)
SNAPSHOTS = Task(
    files={
        "gen.py": "open('docs.md', 'w').write(open('words.txt').read().upper())\n",
        "words.txt": "one\n",
        "docs.md": "ONE\n",
        "release.sh": "true\n",
        ".gitignore": "__pycache__/\nbuild/\n.planact/\n",
    },
    named="words.txt, docs.md",
    check="grep -q TWO docs.md",
    edit=("words.txt", "two\n"),
    lines=(
        "ls /usr/include | head -3",
        "python3 gen.py",
        "python3 gen.py && git diff --stat",
        "mkdir -p build && cp docs.md build/",
        "sed -i 's/TWO/TWO!/' docs.md",
        "python3 gen.py; cat docs.md",
        "printf 'echo released\\n' >> release.sh",
        "git diff",
    ),
    needs="python3",
    run=("python3 gen.py",),
)
TASKS = {"python": PYTHON, "node": NODE, "go": GO, "rust": RUST, "make": MAKE, "generated": SNAPSHOTS}
ALLOWED = {"generated": Counter(outcome=1), "node": Counter(approval=1)}
"""What may be asked about: the script that the last one changes beside its step, and what `npx` would fetch."""


def turns(task: Task) -> list[Turn]:
    path, content = task.edit
    half = len(task.lines) // 2
    return [
        *(calls(call("execute_command", command=line, _id=f"call_{at}")) for at, line in enumerate(task.lines[:half])),
        calls(call("create_file", path=path, content=content, overwrite=True)),
        *(calls(call("execute_command", command=line, _id=f"later_{at}")) for at, line in enumerate(task.lines[half:])),
        SAID,
    ]


def plan(task: Task, check: str) -> str:
    return (
        '---\nformat_version: "1.0"\nid: plan_20261120_aaaa\n---\n# Mend it\n\n## Steps\n- [ ] 1. Mend what is wrong\n'
        f"  - reason: it fails\n  - files: {task.named}\n  - check: `{check}`\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize("name", TASKS)
def test_a_task_asks_at_most_once_besides_the_approval(tmp_path: Path, name: str) -> None:
    task = TASKS[name]
    search = ENVIRONMENT["PATH"]
    for path, content in task.files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    for command in (("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    settings = Settings(model="played", limits=LimitSettings(repairs=0, max_turns=40))
    it = Scene(tmp_path, *turns(task), Reply("Done."), settings=settings)
    is_there = shutil.which(task.needs, path=search) is not None
    it.write_plan(plan(task, task.check if is_there else "git diff --stat"), PATH)
    it.world.editor.answers_by_name = {
        "outcome": answer(outcome="keep"),
        "approval": answer(approval="reject_once"),
        "failed": answer(failed="stop"),
    }
    it.execute()
    counted = Counter(asked.questions[0].name for asked in it.asked)
    assert counted == ALLOWED.get(name, Counter()), [asked.questions[0].question for asked in it.asked]
    results = {
        str(message["tool_call_id"]): str(message["content"])
        for message in it.world.model.requests[-1].messages
        if message["role"] == "tool"
    }
    told = dict(zip(task.lines, (text for key, text in results.items() if key != "call_create_file"), strict=False))
    assert len(told) == len(task.lines)
    refused = [line for line, text in told.items() if "REFUSED" in text or "BLOCKED" in text]
    assert len(refused) == counted["approval"], refused
    if is_there:
        for line in task.run:
            assert "exit code" in told[line], told[line]
            assert "exit code 127" not in told[line], told[line]
