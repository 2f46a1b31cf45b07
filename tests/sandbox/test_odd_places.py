"""Unknown commands where the workspace, the home or tools lie in places that jails make anew, or behind links."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import pytest

from planact.base.paths import Place
from planact.model.rights.jail import Confinement
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import HOLDING_UNKNOWN, PATH, Yard, abilities_of_each_rung

RUNGS = {name: rung for name, rung in abilities_of_each_rung().items() if name in HOLDING_UNKNOWN}

pytestmark = pytest.mark.skipif(not RUNGS, reason="nothing here holds unknown commands")

UNKNOWN: tuple[Confinement, ...] = ("contain", "trial")


@dataclass(frozen=True)
class OddYard(Yard):
    """One with its `parts` elsewhere, and with more in its `environment`."""

    parts: Mapping[str, Path] = field(default_factory=dict)
    more: Mapping[str, str] = field(default_factory=dict)
    readable: Sequence[Path] = ()

    @property
    def home(self) -> Path:
        return self.parts.get("home", super().home)

    @property
    def workspace(self) -> Path:
        return self.parts.get("work", super().workspace)

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, **self.more}


def below(place: str) -> OddYard:
    yard = OddYard(Path(tempfile.mkdtemp(prefix="yard-", dir=place)))
    for folder in (yard.home, yard.workspace):
        folder.mkdir()
    (yard.workspace / "f").write_text("seen\n")
    return yard


def at_tmp() -> OddYard:
    Path("/tmp/f").write_text("seen\n")
    return replace(below("/var/tmp"), parts={"work": Path("/tmp")})


def with_tmp_opened() -> OddYard:
    Path("/tmp/f").write_text("seen\n")
    return replace(below("/var/tmp"), readable=[Path("/tmp")])


def with_root_as_home() -> OddYard:
    return replace(below("/var/tmp"), parts={"home": Path("/")})


def with_tools_behind_links() -> OddYard:
    """Tools of the home, which lies behind a link, and on the PATH by way of another; a script names them, too."""
    yard = below("/var/tmp")
    tools, home = yard.home / "versions/1/bin", yard.base / "link"
    tools.mkdir(parents=True)
    home.symlink_to("home")
    (yard.home / "now").symlink_to("versions/1")
    for path, text in {tools / "tool": "#!/bin/cat\nseen\n", yard.workspace / "s": f"#!{home}/now/bin/other\n"}.items():
        path.write_text(text)
        path.chmod(0o755)
    shutil.copy("/bin/cat", tools / "other")
    return replace(yard, parts={"home": home}, more={"PATH": f"{home}/now/bin:{PATH}"})


SEES: dict[str, tuple[Callable[[], OddYard], str]] = {
    "below /tmp": (lambda: below("/tmp"), "cat f"),
    "below /dev/shm": (lambda: below("/dev/shm"), "cat f"),
    "at /tmp": (at_tmp, "cat f"),
    "/tmp is opened": (with_tmp_opened, "cat /tmp/f"),
    "home is /": (with_root_as_home, "cat f"),
    "tools behind links": (with_tools_behind_links, "tool | tail -n 1"),
    "interpreter behind links": (with_tools_behind_links, "./s | wc -l | sed s/1/seen/"),
}


# On trial at `/tmp`, what other tests make there meanwhile would be taken for the command's.
CASES = [(place, profile) for place in SEES for profile in UNKNOWN if (place, profile) != ("at /tmp", "trial")]


@pytest.mark.parametrize(("place", "profile"), CASES)
@pytest.mark.parametrize("rung", RUNGS)
def test_the_workspace_and_tools_are_seen(rung: str, place: str, profile: Confinement) -> None:
    make, line = SEES[place]
    assert as_ordinary_user(lambda: output(rung, make(), profile, line)) == "seen\n"


@pytest.mark.skipif(not os.access("/run", os.W_OK), reason="needs a folder below /run")
@pytest.mark.parametrize("profile", UNKNOWN)
@pytest.mark.parametrize("rung", RUNGS)
def test_a_workspace_on_a_disk_below_run_is_seen(rung: str, profile: Confinement) -> None:
    assert asyncio.run(output(rung, below("/run"), profile, "cat f")) == "seen\n"


async def output(rung: str, yard: OddYard, profile: Confinement, line: str) -> str:
    try:
        runner = yard.runner(RUNGS[rung], profile, readable=yard.readable)
        return (await yard.run(runner, line)).output
    finally:
        yard.remove()


@pytest.mark.parametrize("rung", RUNGS)
def test_a_program_that_is_named_by_a_link_runs(rung: str) -> None:
    async def run() -> bytes:
        yard = below("/var/tmp")
        program, link = yard.base / "programs/tool", yard.base / "link"
        program.parent.mkdir()
        shutil.copy("/bin/echo", program)
        link.symlink_to("programs/tool")
        try:
            place = Place(".", yard.workspace, PurePosixPath(), exists=True, is_directory=True)
            runner, parts = yard.runner(RUNGS[rung], "contain"), [str(link), str(program)]
            async with runner.open([str(link), "seen"], place, {}, parts, "") as piped:
                return await piped.read()
        finally:
            yard.remove()

    assert as_ordinary_user(run) == b"seen\n"


@pytest.mark.parametrize("rung", RUNGS)
def test_what_the_user_opens_by_a_link_is_seen(rung: str) -> None:
    async def read() -> str:
        yard = below("/var/tmp")
        (yard.base / "data").mkdir()
        (yard.base / "data/f").write_text("seen\n")
        (yard.base / "link").symlink_to("data")
        name = str(yard.base / "link/f")
        try:
            return (await yard.run(yard.runner(RUNGS[rung], "trial"), f"cat {name}", outside=[name])).output
        finally:
            yard.remove()

    assert as_ordinary_user(read) == "seen\n"
