"""What is held to only read does only read: lines made from the tables themselves are run, and strace watches.

They run without planact's jail, so that nothing is hidden by what the jail would have caught. A failure shows the line
as short as it still fails, the system call, and the seed to make the same lines again (`--seed`).
"""

import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from planact.shell.catalogue import CATALOGUE
from tests.oracle.lines import Maker, only_read, recorded
from tests.oracle.observe import Observation, Post, observe_all, user_environment
from tests.oracle.shrink import shrink
from tests.soak import times

TESTS = Path(__file__).parents[1]
CORPORA = (
    TESTS / "data/shell_commands.json",
    # Under another licence than this repository's, so never copied into it: it may lie beside the checkout.
    Path(os.environ.get("GTFOBINS_JSON", TESTS.parents[1] / "shared/data/gtfobins.json")),
)
SEED = 1  # the same lines every time: the search for new ones is `make soak`'s
AT_ONCE = 3
MOST_SHRUNK = 9


def can_observe() -> bool:
    """Whether there is strace, and bubblewrap can make a container here."""
    if sys.platform != "linux" or not shutil.which("strace") or not shutil.which("bwrap"):
        return False
    return subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], check=False).returncode == 0


pytestmark = [
    pytest.mark.skipif(not can_observe(), reason="needs Linux, strace, and bubblewrap that may make containers"),
    pytest.mark.timeout(times(900, 4 * 3600)),
    pytest.mark.soak,
]


@pytest.fixture(scope="module")
def posts() -> Iterator[list[Post]]:
    made = [Post() for _ in range(AT_ONCE)]
    yield made
    for post in made:
        post.remove()


def drawn(maker: Maker, post: Post, seed: int) -> list[str]:
    """A part from each source, of the corpora and of the tables' rows and options all in `make soak`."""
    few = times(60, 1_000_000)
    found: dict[str, None] = {}
    for lines in (recorded(*CORPORA), list(maker.each_program()), list(maker.each_option())):
        random.Random(seed).shuffle(lines)
        found |= dict.fromkeys(only_read(iter(lines), post.reads, few))
    return [*found, *only_read(maker.lines(), post.reads, times(300 - len(found), 5_000))]


async def shown(failed: Sequence[Observation], post: Post) -> list[str]:
    """For each the shortest line that still fails, and why."""
    found = []
    for each in failed:
        last = each

        async def fails(line: str) -> bool:
            nonlocal last
            if not post.reads(line):
                return False
            observed = await post.observe(line)
            last = observed if observed.offences else last
            return bool(observed.offences)

        await shrink(each.line, fails)
        found.append(f"{why(last)}\n    found in {json.dumps(each.line)}")
    return found


def why(failed: Observation) -> str:
    return f"{json.dumps(failed.line)}\n    {failed.offences[0][:300]}"


async def test_what_is_held_to_only_read_does_only_read(
    posts: list[Post], pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = pytestconfig.getoption("seed") or times(SEED, random.SystemRandom().randrange(2, 10**6))
    path = user_environment(posts[0].home)["PATH"]
    maker = Maker(CATALOGUE.commands, path, seed)
    lines = drawn(maker, posts[0], seed)
    assert len(lines) >= times(300, 5_000)
    observed = await observe_all(lines, posts)
    started = {program for each in observed for program in each.programs}
    failed = [each for each in observed if each.offences]
    with capsys.disabled():
        print(f"\noracle, seed {seed}: {len(observed)} lines observed, {len(started)} programs, {len(failed)} failed")
        print(f"oracle: {len(maker.unobserved)} not installed, so unobserved: {' '.join(maker.unobserved)}")
    told = await asyncio.gather(*(shown(failed[at:MOST_SHRUNK:AT_ONCE], post) for at, post in enumerate(posts)))
    told.append([why(each) for each in failed[MOST_SHRUNK:]])
    shown_once = dict.fromkeys(line for lines in told for line in lines)
    assert not failed, "\n".join([f"{len(failed)} lines (--seed {seed}) do more than read:", *shown_once])


BAD = {
    "echo x > y": 'openat(.*"y", O_WRONLY',
    "cat f.txt | tee -a /tmp/y": 'openat(.*"/tmp/y", O_WRONLY',
    "touch /etc/planact": 'openat(.*"/etc/planact", O_WRONLY',
    "(cd src && mkdir d)": 'mkdir("d"',
    "rm -f missing": "unlinkat(",
    "ln -s f.txt l": "symlinkat(",
    "chmod +x f.txt": "fchmodat(",
    "timeout 1 ./prog.sh": 'execve("./prog.sh"',
    "PATH=bin:$PATH; ls": 'execve("bin/ls"',
    "cat < /dev/tcp/127.0.0.1/9": "AF_INET",
    "find . -maxdepth 1 -name f.txt -exec cp {} copy ';'": '"copy"',
    "echo 'import socket; socket.socket(socket.AF_UNIX).connect(\"/run/x\")' | python3 -I": 'sun_path="/run/x"',
    "echo x > fifo": 'openat(.*"fifo", O_WRONLY',
    "python3 prog.py": "caught-by-python",
}


@pytest.mark.parametrize("line", BAD)
async def test_a_line_that_does_more_is_caught(posts: list[Post], line: str) -> None:
    observed = await posts[0].observe(line)
    start, _, rest = BAD[line].partition(".*")
    assert any(start in each and rest in each for each in observed.offences), (observed.offences, observed.output)
    again = await posts[0].observe("cat f.txt | head -2; ls fifo")
    assert (again.offences, again.output) == ([], "foo\na line with foo in it\nfifo\n")


async def test_a_table_that_allows_too_much_is_caught_and_its_line_is_shrunk(posts: list[Post]) -> None:
    line = "ls src; cat f.txt 2>/dev/null | sort -u | head -3 && sort -n -o sorted f.txt names; wc -l f.txt"
    assert not posts[0].reads(line)

    async def fails(shorter: str) -> bool:
        return bool((await posts[0].observe(shorter)).offences)

    assert re.fullmatch(r"sort -o \S+", await shrink(line, fails))


async def test_what_goes_on_for_ever_ends_with_all_that_it_started(posts: list[Post]) -> None:
    observed = await posts[0].observe("tail -f f.txt & sleep 1000", seconds=1)
    assert observed.offences == []
    assert {"tail", "sleep"} <= observed.programs
    assert [line for line in all_command_lines() if str(posts[0].base) in line] == []


def all_command_lines() -> Iterator[str]:
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            yield file.read_text(errors="replace")
