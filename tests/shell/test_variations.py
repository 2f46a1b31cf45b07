"""The corpus as agents vary it: other names, filters behind, `cd` before, wrappers around, two in a line.

What only reads runs without a question, known or contained; nothing that changes something is allowed.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell.judged import in_plan
from tests.soak import times

pytestmark = pytest.mark.soak

ENTRIES = json.loads((Path(__file__).parents[1] / "data/shell_commands.json").read_text("utf-8"))
READING = [entry["cmd"] for entry in ENTRIES if entry["expect"] == "readonly"]
CHANGING = [entry["cmd"] for entry in ENTRIES if entry["expect"] != "readonly" and entry["tier"] == "core"]
# What can stand behind a command whatever it prints, and before it whatever it does.
BEHIND = ("| head -50", "2>&1 | tail -20", "| wc -l", "2>/dev/null", "|| true", "; echo done", "| grep -v x | sort")
BEFORE = (
    "cd /ws && ",
    "cd src && ls; ",
    "pwd; ",
    "set -e; ",
    "echo '---'; ",
    "git rev-parse HEAD && ",
    "ls >/dev/null && ",
)
AROUND = ("({})", "{{ {}; }}", "if true; then {}; fi", 'x=$({}); echo "$x"', "for f in a b; do {}; done", "{} | cat")
# These leave the workspace or ask a server, which the user is asked about.
LEAVES = ("~", "/tmp", "/etc", "curl", "wget", "ls-remote", "remote show")
NEEDED = 0.95


def variations(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with each change that leaves it whole: the line it was, and the varied one."""
    for line in lines:
        is_open = "#" in line or "\n" in line or "<<" in line or line.rstrip().endswith(("\\", "&"))
        yield from ((line, f"{before}{line}") for before in BEFORE)
        if not is_open:
            yield from ((line, f"{line} {behind}") for behind in BEHIND)
            yield from ((line, around.format(line)) for around in AROUND)
            yield line, f"{line} && {random.Random(line).choice(READING)}"


def test_what_only_reads_runs_without_a_question_however_it_is_varied() -> None:
    varied = list(variations([line for line in READING if not any(word in line for word in LEAVES)]))
    chosen = random.Random(1).sample(varied, min(len(varied), times(1_500, len(varied))))
    stopped = [line for _, line in chosen if in_plan(line).kind not in ("allow", "contain")]
    print(f"\n{len(varied)} variations of lines that read, {len(chosen)} tried, {len(stopped)} stopped: {stopped[:10]}")
    assert len(varied) > 4_000
    assert len(stopped) <= (1 - NEEDED) * len(chosen), stopped


def test_nothing_that_changes_something_is_allowed_however_it_is_varied() -> None:
    varied = list(variations(CHANGING))
    chosen = random.Random(2).sample(varied, min(len(varied), times(1_500, len(varied))))
    allowed = [line for _, line in chosen if in_plan(line).kind == "allow"]
    print(f"\n{len(varied)} variations of lines that change something, {len(chosen)} tried")
    assert len(varied) > 8_000
    assert allowed == []
