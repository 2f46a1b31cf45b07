"""Lines that need no second parser are read as bash reads them, which is asked itself."""

import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planact.shell.parse.plain import plain_commands
from planact.shell.words import evaluate
from tests.soak import times

# Where nothing can be found, bash hands each command with its words to this function.
HANDLER = r"""
command_not_found_handle() { printf '%s\0' "$@" "end of words" >&3; return 0; }
set -f
PATH=/nowhere HOME='~'
"""
BARE = st.text("abz019_./:=,@%+^?*-~", min_size=1, max_size=5)
ESCAPED = st.characters(min_codepoint=32, max_codepoint=126).map(lambda char: f"\\{char}")
QUOTED = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=6)
WORD = st.lists(
    st.one_of(BARE, ESCAPED, QUOTED.map(lambda text: f"'{text}'"), QUOTED.map(lambda text: f'"{text}"'), st.just("{}")),
    min_size=1,
    max_size=3,
).map("".join)
REDIRECT = st.sampled_from(["", " 2>/dev/null", " >/dev/null", " &>/dev/null", " 2>&1", " > /dev/null 2>&1"])
COMMAND = st.builds(
    lambda name, words, redirect: " ".join([f"command{name}", *words]) + redirect,
    st.integers(0, 9),
    st.lists(WORD, max_size=4),
    REDIRECT,
)
LINE = st.builds(
    lambda first, rest: first + "".join(joint + command for joint, command in rest),
    COMMAND,
    st.lists(st.tuples(st.sampled_from([" ; ", "; ", " | ", "|", " && ", "&&", ";"]), COMMAND), max_size=3),
)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.soak
@settings(max_examples=times(400, 4_000), suppress_health_check=list(HealthCheck))
@given(st.lists(LINE, min_size=1, max_size=20))
def test_what_is_plain_is_what_bash_runs(lines: list[str]) -> None:
    for line, expected in [(line, commands) for line in lines if (commands := plain_commands(line)) is not None]:
        ours = [[evaluate(word, {}) for word in words] for words in expected]
        if any(word.text == "/~" for words in ours for word in words):
            continue
        # With patterns off, bash leaves them as they are written.
        texts = sorted(tuple("".join(part.value for part in word.parts) for word in words) for words in expected)
        if any("/" in program for program, *_ in texts):
            continue  # bash tells its handler of no path
        assert sorted(run_by_bash(line)) == texts, line


def run_by_bash(line: str) -> list[tuple[str, ...]]:
    done = subprocess.run(
        ["bash", "-c", f"exec 3>&1 >/dev/null 2>&1 </dev/null\n{HANDLER}\n{line}"],
        stdout=subprocess.PIPE,
        timeout=180,
        check=False,
    )
    return split(done.stdout.decode())


def split(output: str) -> list[tuple[str, ...]]:
    # Commands of a pipeline run at once, but each says all its words in one short write.
    return [tuple(command.split("\0")[:-1]) for command in output.split("end of words\0")[:-1]]


@pytest.mark.parametrize(
    "line",
    [
        "ls $x",
        "ls `x`",
        "ls > f",
        "ls >/dev/nullx",
        "x=1 ls",
        "if ls",
        "ls &",
        "ls & ls",
        "ls |& ls",
        "ls ;; ls",
        "ls |",
        "| ls",
        "ls\nls",
        "ls {a,b}",
        "ls [a]",
        "ls (a)",
        "ls #a",
        "ls !a",
        "ls <f",
        "ls <<E",
        "export a",
        "time ls",
        "ls 'a",
        'ls "a',
        'ls "$a"',
        'ls "`a`"',
        "ls \\",
        "ls é",
        "{ ls",
        "",
        "ls x2>/dev/null>f",
    ],
)
def test_what_leaves_something_to_interpret_is_not_plain(line: str) -> None:
    assert plain_commands(line) is None
