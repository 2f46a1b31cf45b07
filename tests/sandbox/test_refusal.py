import os
import sqlite3
from contextlib import closing
from pathlib import Path, PurePosixPath
from shutil import copyfile

import pytest

from planact.adapters.sandbox.runner.refusal import find_hidden, find_refusal, find_refused_entry, find_refused_path
from planact.model.rights.jail import JailProfile

PLAN = JailProfile("local-read", None)
NET = JailProfile("net-read", None, network="inet")
TRIAL = JailProfile("trial", (), network="loopback", guards=PurePosixPath("/w"))
READ_ONLY = "sqlite3.OperationalError: attempt to write a readonly database"
BUSY = "rm: cannot remove '.envrc': Device or resource busy"


@pytest.mark.parametrize(
    ("profile", "exit_code", "output", "expected"),
    [
        (PLAN, 1, "one\n/bin/bash: line 1: new: Permission denied\n", "/bin/bash: line 1: new: Permission denied"),
        (PLAN, 1, "touch: f: Read-only file system\nlast", "touch: f: Read-only file system"),
        (PLAN, 1, "Error: EACCES: mkdir '/x'", "Error: EACCES: mkdir '/x'"),
        (PLAN, 6, "curl: (6) Could not resolve host: h", "curl: (6) Could not resolve host: h"),
        (NET, 6, "curl: (6) Could not resolve host: h", ""),
        (TRIAL, 6, "curl: (6) Could not resolve host: h", "curl: (6) Could not resolve host: h"),
        (TRIAL, 1, BUSY, BUSY),
        (PLAN, 1, BUSY, ""),
        (TRIAL, 1, READ_ONLY, READ_ONLY),
        (PLAN, 1, READ_ONLY, READ_ONLY),
        (JailProfile("act", (), writable=(PurePosixPath("/w"),)), 1, READ_ONLY, ""),
        (PLAN, 159, "", "a system call of another kind of machine"),
        (PLAN, 1, "FAILED test_x", ""),
        (PLAN, 0, "Permission denied", ""),
        (PLAN, None, "Permission denied", ""),
        (None, 1, "Permission denied", ""),
    ],
)
def test_a_refusal_is_known_by_its_words(
    profile: JailProfile | None, exit_code: int | None, output: str, expected: str
) -> None:
    assert find_refusal(profile, exit_code, output) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cat: .env: Permission denied", (".env",)),
        ("grep: ./deep/.env: Permission denied", ("deep/.env",)),
        ("PermissionError: [Errno 13] Permission denied: '/w/a.pem'", ("a.pem",)),
        ("cat: .env.example: Permission denied", ()),
        ("cat: x.envy: Permission denied", ()),
        ("TOKEN in .env", ()),
    ],
)
def test_the_hidden_file_of_a_line_is_found(line: str, expected: tuple[str, ...]) -> None:
    paths = ("/w/.env", "/w/deep/.env", "/w/a.pem")
    assert find_hidden(paths, f"some\n{line}\n") == tuple(f"/w/{name}" for name in expected)
    profile = JailProfile("local-read", ())
    assert bool(find_refusal(profile, 1, line, paths)) == ("denied" in line and not expected)


def test_a_program_that_is_missing_is_no_path_that_the_jail_kept(tmp_path: Path) -> None:
    """Or each one would be a question: on most systems the shell in `/bin` lies in `/usr` by its real path."""
    (real := tmp_path / "usr").mkdir()
    (real / "bash").write_text("")
    (tmp_path / "bin").symlink_to(real)
    shell = f"{tmp_path}/bin/bash"
    output = f"{shell}: line 1: go: command not found"
    assert find_refused_path(output, "/ws", (), (str(real),), 127) == ""
    assert find_refused_path(output, "/ws", (), ("/ws",), 127) == shell
    (tmp_path / "bin/out").symlink_to(tmp_path)
    hidden = f"cat: {tmp_path}/bin/out: Permission denied"
    assert find_refused_path(hidden, "/ws", (), (str(real),), 1) == f"{tmp_path}/bin/out"


def test_no_byte_of_an_output_spoils_the_search_for_what_was_refused() -> None:
    for output in ("cat: /a\0b: Permission denied", "cat: '/a\0b': Permission denied", "\0/\0: not found"):
        found = find_refused_path(output, "/ws", (), (), 1)
        assert "\0" not in found + find_refused_entry(output, "/ws", "/ws", ["/ws/.git"])


def test_a_file_that_a_program_could_not_make_is_told_by_what_keeps_it(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/there").write_text("")
    for name, told in ((".venv/sedUKMd1w", ".venv"), (".venv/there", ".venv/there")):
        output = f"sed: couldn't open temporary file ./{name}: Read-only file system"
        found = find_refused_path(output, str(tmp_path), [f"{tmp_path}/.venv"], (str(tmp_path),), 4)
        assert found == f"{tmp_path}/{told}"


def test_the_only_database_that_stays_as_it_is_was_meant_by_sqlite(tmp_path: Path) -> None:
    fixed = [f"{tmp_path}/{name}" for name in ("dev.db", "notes.db", "gone.db", "pipe", "folder")]
    with closing(sqlite3.connect(fixed[0])) as made:
        made.execute("create table t (x)")
    Path(fixed[1]).write_text("no database")
    os.mkfifo(fixed[3])
    Path(fixed[4]).mkdir()
    assert find_refused_path(READ_ONLY, str(tmp_path), fixed, (str(tmp_path),), 1) == fixed[0]
    assert find_refused_path("FAILED", str(tmp_path), fixed, (str(tmp_path),), 1) == ""
    copyfile(fixed[0], fixed[2])
    assert find_refused_path(READ_ONLY, str(tmp_path), fixed, (str(tmp_path),), 1) == ""


@pytest.mark.parametrize(
    ("output", "entry"),
    [
        ("Error: EACCES: permission denied, open 'new.js'\n  code: 'EACCES',\n  path: 'new.js'\n", "/new.js"),
        ("npm ERR! code EACCES\nnpm ERR! errno -13", ""),
        ("PermissionError: [Errno 13] Permission denied", ""),
        ("tar: new: Cannot open: Permission denied\ntar: Exiting with failure status", "/new"),
        ("tar: a link: Cannot create symlink to ‘f’: Permission denied", "/a link"),
        ("tar: src: Cannot change mode to rwxr-xr-x: Operation not permitted", "/src"),
        ("/bin/bash: line 1: new: Permission denied", "/new"),
        ("perl: cannot open new.pl: Permission denied at -e line 1.", "/new.pl"),
        ("patch: **** Can't create temporary file ./app.py.o7 : Permission denied", "/app.py.o7"),
        ('Error: unable to open database "new.db": unable to open database file', "/new.db"),
        ("sqlite3.OperationalError: unable to open database file", ""),
    ],
)
def test_what_could_not_be_made_is_named_as_programs_write_it(output: str, entry: str) -> None:
    assert find_refused_entry(output, "/ws", "/ws", ["/ws/.git"]) == f"/ws{entry}"
