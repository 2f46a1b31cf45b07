"""A session's scratch folder in each jail, on every rung that this machine holds."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from planact.model.rights.jail import Confinement
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import HOLDING_UNKNOWN, Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = abilities_of_each_rung()
ON_EACH_RUNG = pytest.mark.parametrize("rung", RUNGS)

ALONE: tuple[Confinement, ...] = ("local-read", "outside-read")
"""Jails without a network on each rung."""


def jails(rung: str) -> tuple[Confinement, ...]:
    return (*ALONE, "contain") if rung in HOLDING_UNKNOWN else ALONE


async def in_session(rung: str, lines: Sequence[tuple[Confinement, str]]) -> tuple[list[str], Mapping[str, str]]:
    """The outputs of lines that run one after another with the same scratch folder, and the files in it at the end.
    Nothing else may have changed.
    """
    yard = Yard.make()
    scratch = yard.base / "scratch"
    scratch.mkdir(mode=0o700)
    for name in ("f", ".git/config"):
        assert (yard.workspace / name).is_file()
    try:
        outputs = []
        before = {path: look for path, look in yard.picture().items() if not path.startswith(str(scratch))}
        for jail, line in lines:
            runner = yard.runner(RUNGS[rung], jail)
            line = line.replace("WORK", str(yard.workspace)).replace("HOME_OF_USER", str(yard.home))
            result = await yard.run(runner, line, scratch=str(scratch))
            outputs.append(result.output.strip())
        after = {path: look for path, look in yard.picture().items() if not path.startswith(str(scratch))}
        assert after == before
        found = {
            path.relative_to(scratch).as_posix(): path.read_text("utf-8", "replace")
            for path in sorted(scratch.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }
        return outputs, found
    finally:
        yard.remove()


def run(rung: str, *lines: tuple[Confinement, str]) -> tuple[list[str], Mapping[str, str]]:
    return as_ordinary_user(lambda: in_session(rung, lines))


@ON_EACH_RUNG
def test_it_lasts_from_command_to_command_while_the_home_does_not(rung: str) -> None:
    for jail in jails(rung):
        outputs, files = run(
            rung,
            (jail, 'echo one > "$TMPDIR/x"; echo two > ~/y; [ "$TMPDIR" = "$TMP" ] && mktemp > /dev/null && echo ok'),
            (jail, 'cat "$TMPDIR/x"; ls -A ~'),
        )
        assert outputs == ["ok", "one"], jail
        assert files["x"] == "one\n"


@ON_EACH_RUNG
@pytest.mark.parametrize(
    "attack",
    [
        'ln -s WORK "$TMPDIR/link"; echo evil > "$TMPDIR/link/f"',
        'ln -s WORK/f "$TMPDIR/f"; echo evil > "$TMPDIR/f"; echo evil >> "$TMPDIR/f"; echo evil | tee "$TMPDIR/f"',
        'ln -s WORK/new "$TMPDIR/new"; echo evil > "$TMPDIR/new"',
        'ln WORK/f "$TMPDIR/hard" && echo evil > "$TMPDIR/hard"',
        'echo evil > "$TMPDIR/../work/f"',
        'mv "$TMPDIR" "$TMPDIR.old"; ln -s WORK "$TMPDIR"; echo evil > "$TMPDIR/f"',
        'mkdir "$TMPDIR/d"; ln -s /proc/self/cwd "$TMPDIR/d/cwd"; echo evil > "$TMPDIR/d/cwd/f"',
        'ln -s HOME_OF_USER/.bashrc "$TMPDIR/rc"; echo evil >> "$TMPDIR/rc"',
    ],
)
def test_a_link_that_a_command_made_there_leads_no_writing_out(rung: str, attack: str) -> None:
    first, _, last = attack.rpartition("; ")
    for jail in jails(rung):
        run(rung, (jail, first), (jail, last), (jail, attack))


@ON_EACH_RUNG
def test_what_has_the_network_reads_nothing_of_it_and_leaves_there_what_it_wrote(rung: str) -> None:
    outputs, files = run(
        rung,
        ("local-read", 'echo secret > "$TMPDIR/x"; echo old > "$TMPDIR/page"'),
        ("net-read", 'cat "$TMPDIR/x"; ls -A "$TMPDIR"; echo new > "$TMPDIR/page"; mkdir "$TMPDIR/d"'),
        ("local-read", 'cat "$TMPDIR/page" "$TMPDIR/x"; ls -d "$TMPDIR/d" > /dev/null && echo there'),
    )
    assert "secret" not in outputs[0] + outputs[1]
    assert outputs[2] == "new\nsecret\nthere"
    assert files == {"x": "secret\n", "page": "new\n"}


@pytest.mark.skipif("landlock 7" not in RUNGS, reason="what an unknown command does is held by Landlock alone")
def test_what_unknown_commands_build_goes_there() -> None:
    outputs, files = run(
        "landlock 7",
        ("contain", "python3 -m py_compile app.py 2>&1 | tail -1; python3 -m compileall -q build && echo compiled"),
        ("contain", 'mkdir -p "$CARGO_TARGET_DIR" "$GOCACHE" && echo made; echo $PYTEST_ADDOPTS'),
    )
    assert outputs[0].endswith("compiled")
    assert [name for name in files if name.startswith("pycache/") and "inner" in name]
    made, options = outputs[1].splitlines()
    assert made == "made"
    assert options.startswith("-o cache_dir=/")
    assert options.endswith("/scratch/pytest")


@pytest.mark.skipif("landlock 7" not in RUNGS, reason="what an unknown command does is held by Landlock alone")
def test_typescript_builds_on_what_it_kept_there_of_the_last_build() -> None:
    """TypeScript has no variable for the place: how it reads and writes it is played by Node, which takes one."""
    build = """node -e 'const fs = require("fs"), name = "tsconfig.tsbuildinfo";
        let old = ""; try { old = fs.readFileSync(name, "utf8") } catch {}
        const file = fs.openSync(name, "w"); fs.writeSync(file, old + "built;"); fs.closeSync(file);
        console.log(old)'"""
    outputs, files = run(
        "landlock 7", ("contain", build), ("contain", build), ("contain", "node -e 1 && touch x.tsbuildinfo")
    )
    assert outputs[:2] == ["", "built;"]
    assert [text for name, text in files.items() if name.endswith(".tsbuildinfo")] == ["built;built;"]
    assert "Permission denied" in outputs[2]


@ON_EACH_RUNG
def test_commands_that_only_read_take_nothing_from_what_unknown_ones_built(rung: str) -> None:
    names = "$PYTHONPYCACHEPREFIX$CARGO_TARGET_DIR$GOCACHE$MYPY_CACHE_DIR$RUFF_CACHE_DIR$PYTEST_ADDOPTS"
    for jail in ALONE:
        outputs, _ = run(rung, (jail, f'echo "[{names}]"'))
        assert outputs == ["[]"]


def test_without_one_a_command_gets_a_folder_that_is_thrown_away(tmp_path: Path) -> None:
    async def twice() -> tuple[str, str]:
        yard = Yard.make()
        try:
            runner = yard.runner(RUNGS[next(iter(RUNGS))], "local-read")
            first = await yard.run(runner, 'echo x > "$TMPDIR/x"; echo "$TMPDIR"')
            return first.output.strip(), (await yard.run(runner, f"ls {first.output.strip()} 2>&1")).output
        finally:
            yard.remove()

    folder, listed = as_ordinary_user(twice)
    assert "No such file" in listed
    assert not Path(folder).exists()


@ON_EACH_RUNG
def test_the_home_leads_to_what_may_be_read_of_the_users(rung: str) -> None:
    async def listed() -> list[str]:
        yard = Yard.make()
        try:
            folder = yard.home / "go/pkg/mod/x"
            folder.mkdir(parents=True)
            (folder / "a.go").write_text("package x\n")
            outputs = []
            for jail in jails(rung):
                runner = yard.runner(RUNGS[rung], jail, readable=[yard.home / "go/pkg/mod"])
                line = "cat ~/go/pkg/mod/x/a.go; ls -A $HOME ~/go; echo evil 2>&1 > ~/go/pkg/mod/x/a.go"
                outputs.append((await yard.run(runner, line)).output)
            assert (folder / "a.go").read_text() == "package x\n"
            return outputs
        finally:
            yard.remove()

    for output in as_ordinary_user(listed):
        assert output.startswith("package x\n")
        assert ".ssh" not in output
        assert "go" in output.splitlines()


@ON_EACH_RUNG
def test_git_starts_no_program_that_a_repository_there_names(rung: str) -> None:
    made = (
        "mkdir -p $TMPDIR/r/.git/objects $TMPDIR/r/.git/refs && cd $TMPDIR/r && echo 'ref: refs/heads/m' > .git/HEAD"
        " && printf '[diff \"evil\"]\\ntextconv = echo ran; cat\\n' > .git/config"
        " && echo 'f diff=evil' > .gitattributes && echo 1 > f && git add f && echo 2 > f"
    )
    outputs, _ = run(rung, ("local-read", made), ("local-read", "cd $TMPDIR/r && git diff"))
    assert "+2" in outputs[1]
    assert "ran" not in outputs[1]
