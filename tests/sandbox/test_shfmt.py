"""The second parser as a process: what it finds, and that it never does worse than not knowing."""

import stat
import sys
from pathlib import Path

import pytest

from planact.adapters.sandbox.shfmt import Shfmt, find_shfmt
from planact.model.rights.classification import Reading


@pytest.fixture
def shfmt() -> Shfmt:
    path = find_shfmt(Path(sys.executable))
    assert path is not None
    return Shfmt(path)


def test_it_finds_commands_assignments_redirections_and_tests(shfmt: Shfmt) -> None:
    assert shfmt.read(b"x=1 ls -a 2>f | wc; [[ -f a ]]") == Reading(
        commands=frozenset({((4, 6), (7, 9)), ((16, 18),)}),
        assignments=frozenset({(0, 3)}),
        redirects=frozenset({(">", 12, 13)}),
        tests=frozenset({(20, 30)}),
    )


@pytest.mark.parametrize(
    "line",
    [
        b"ls &",
        b"f() { ls; }",
        b"case a in a) ls;; esac",
        b"((x))",
        b"ls (",
        b"coproc ls",
        b"time -p ls",
        b"let x=1",
        b"\xff",
    ],
)
def test_what_it_may_not_confirm_it_does_not_know(shfmt: Shfmt, line: bytes) -> None:
    assert shfmt.read(line) is None


@pytest.mark.skipif(sys.platform == "win32", reason="the fake is a shell script")
def test_too_long_input_is_not_even_given_to_it(tmp_path: Path) -> None:
    program = tmp_path / "shfmt"
    program.write_text(f"#!/bin/sh\n: > {tmp_path}/started\n")
    program.chmod(stat.S_IRWXU)
    assert Shfmt(program).read(b"ls;" * 300_000) is None
    assert not (tmp_path / "started").exists()
    Shfmt(program).read(b"ls")
    assert (tmp_path / "started").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the fakes are shell scripts")
@pytest.mark.parametrize(
    "script", ["echo nonsense", "echo '{}'", "echo []", "exit 1", "exec sleep 600", "exec yes", "kill -9 $$"]
)
def test_whatever_goes_wrong_it_just_does_not_know(tmp_path: Path, script: str) -> None:
    program = tmp_path / "shfmt"
    program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
    program.chmod(stat.S_IRWXU)
    found = Shfmt(program, seconds=0.5).read(b"ls")
    assert found is None or found.commands == frozenset()


def test_a_program_that_is_not_there_does_not_know(tmp_path: Path) -> None:
    assert Shfmt(tmp_path / "shfmt").read(b"ls") is None
