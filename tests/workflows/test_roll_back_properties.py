"""Whatever steps did: rolled back, the folder is as before to the last byte and mode, or nothing was changed."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from planact.base.errors import Conflict
from planact.model.chat.message import ModelRequest, Reply
from planact.model.settings import Settings
from planact.workflows.undo.roll_back import FilesMovedOn
from tests.fakes.world import call, calls
from tests.soak import times
from tests.workflows.rolled_back import back, files, in_git
from tests.workflows.scene import SAID, Scene

PATHS = ("a", "b", "d/c", "d/e/f", "new/g")
PLAN = f"""---
format_version: "1.0"
id: plan_20261120_aaaa
---
# Do this and that

## Steps
- [ ] 1. This
  - reason: r
  - files: {", ".join(PATHS)}
- [ ] 2. That
  - reason: r
  - files: {", ".join(PATHS)}
"""

Kind = Literal["write", "delete", "rename", "sh_write", "sh_delete", "sh_move", "sh_mode", "sh_same"]
FileTouch = tuple[Kind, str, str]

DEEDS = st.tuples(
    st.sampled_from(("write", "delete", "rename", "sh_write", "sh_delete", "sh_move", "sh_mode", "sh_same")),
    st.sampled_from(PATHS),
    st.sampled_from(PATHS),
)
STEPS = st.tuples(st.lists(DEEDS, max_size=4), st.lists(DEEDS, max_size=4))
FEW = settings(
    max_examples=times(12, 300), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@pytest.mark.soak
@pytest.mark.slow
@FEW
@given(steps=STEPS, is_in_git=st.booleans(), apart=st.booleans())
def test_what_only_the_steps_touched_is_as_before(
    steps: tuple[list[FileTouch], list[FileTouch]], *, is_in_git: bool, apart: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        it, before = done(Path(folder), steps, is_in_git=is_in_git)
        for step in (2, 1) if apart else (None,):
            rolled_back(it, step)
        assert files(it.world.root) == before


@pytest.mark.soak
@pytest.mark.slow
@FEW
@example(steps=([], [("delete", "b", "a"), ("write", "b", "a")]), theirs="delete", path="b")
@given(steps=STEPS, theirs=st.sampled_from(("write", "delete", "mode")), path=st.sampled_from(PATHS))
def test_what_others_did_since_is_never_lost(
    steps: tuple[list[FileTouch], list[FileTouch]], theirs: Literal["write", "delete", "mode"], path: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        it, before = done(Path(folder), steps, is_in_git=True)
        left = files(it.world.root)
        meddle(it.world.root / path, theirs)
        met = files(it.world.root)
        assume(met != left)
        try:
            rolled_back(it)
        except FilesMovedOn:
            assert files(it.world.root) == met
            return
        now = files(it.world.root)
        others = {name for name in before | now if name != path and not name.endswith("/")}
        assert {name: now.get(name) for name in others} == {name: before.get(name) for name in others}
        if theirs == "mode":
            # A file that the steps made goes whatever its permissions: nobody else has written a byte of it.
            assert content(now, path) in (content(met, path), content(before, path))
        else:
            assert now.get(path) == met.get(path)


def content(tree: dict[str, tuple[bytes, int]], path: str) -> bytes | None:
    return tree[path][0] if path in tree else None


def rolled_back(it: Scene, step: int | None = None) -> None:
    try:
        back(it, step)
    except Conflict as conflict:
        if conflict.code != "NOTHING_TO_ROLL_BACK":
            raise


def done(
    root: Path, steps: Sequence[Sequence[FileTouch]], *, is_in_git: bool
) -> tuple[Scene, dict[str, tuple[bytes, int]]]:
    """The folder after the steps, and what was in it before them."""
    counter = iter(range(1000))
    turns = [turn for deeds in steps for turn in (*(played(root, deed, next(counter)) for deed in deeds), SAID)]
    it = Scene(root, *turns, settings=Settings(model="played", approval="acceptAll"))
    it.write_plan(PLAN)
    for path, data, mode in (
        ("a", b"one\r\ntwo\n", 0o755),
        ("b", b"gr\xfc\xdfe \xff", 0o644),
        ("d/c", b"\0bin", 0o600),
    ):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
        (root / path).chmod(mode)
    if is_in_git:
        in_git(root)
    before = files(root)
    for step in (1, 2):
        it.execute(step=step)
    return it, before


def played(root: Path, deed: FileTouch, number: int) -> Callable[[ModelRequest], Reply]:
    """The model's turn; what can't be done is told it, and is nothing."""
    kind, path, other = deed
    commands = {
        "sh_write": f"mkdir -p $(dirname {path}) && echo {number} >> {path}",
        "sh_delete": f"rm -f {path}; : {number}",
        "sh_move": f"mkdir -p $(dirname {other}) && mv -f {path} {other}; : {number}",
        "sh_mode": f"chmod {'7' if number % 2 else '6'}{number % 8}0 {path}",
        "sh_same": f"touch {path} && cp -p {path} {path}.copy && mv {path}.copy {path}; : {number}",
    }

    def turn(_: ModelRequest) -> Reply:
        if kind == "delete":
            made = call("delete_file", f"c{number}", path=path)
        elif kind == "rename":
            made = call("rename_file", f"c{number}", path=path, new_path=other)
        elif kind != "write":
            made = call("execute_command", f"c{number}", command=commands[kind])
        elif not (root / path).exists():
            made = call("create_file", f"c{number}", path=path, content=f"{number}\n")
        else:
            edits = [{"old": "one", "new": f"one {number}"}] if path == "a" else [{"old": "e", "new": f"e{number}"}]
            made = call("update_file", f"c{number}", path=path, edits=edits)
        return calls(made)

    return turn


def meddle(path: Path, theirs: Literal["write", "delete", "mode"]) -> None:
    if theirs == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"somebody else's")
    elif path.exists():
        path.unlink() if theirs == "delete" else path.chmod(0o640)
