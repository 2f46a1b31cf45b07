"""What must hold for every line: more to run is never judged more mildly, and nothing makes the classifier fail."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planact.model.rights.classification import Classification
from tests.shell.judged import READS, classify, in_plan
from tests.soak import times

pytestmark = pytest.mark.soak

Entry = dict[str, str]
CORPUS = Path(__file__).parents[1] / "data/shell_commands.json"
ENTRIES = json.loads(CORPUS.read_text("utf-8"))
LINES = [entry["cmd"] for entry in ENTRIES]
# Behind a comment, a quote or a backslash that is left open, nothing can be added.
OPEN = [entry for entry in ENTRIES if "#" not in entry["cmd"] and entry["category"] != "encoding"]
USEFUL = [entry["cmd"] for entry in OPEN if entry["expect"] == "readonly"]
STRICTNESS = ("allow", "contain", "ask", "deny")

MORE = [
    "rm x",
    "touch y",
    "unknown-program",
    "cat x > y",
    "git push",
    "docker run x",
    "sh",
    "ls &",
    "eval ls",
    "x=$(rm y)",
]
# Every way to put something before, behind or around a command, so that it runs besides or instead.
ADDITIONS = [
    "{line}; {more}",
    "{line} && {more}",
    "{line} || {more}",
    "{line} | {more}",
    "{line}\n{more}",
    "{more}; {line}",
    "{more} && {line}",
    "{more} | {line}",
    "{more}\n{line}",
    "({more}; {line})",
    "{{ {more}; {line}; }}",
    "if {more}; then {line}; fi",
    "while {more}; do {line}; done",
    "for x in a; do {more}; {line}; done",
    "echo $({more}); {line}",
    'echo "$({more})"; {line}',
    "cat <({more}); {line}",
    "! {more}; {line}",
]
WRAPPERS = [
    "sh -c '{line}'",
    "bash -c '{line}'",
    "eval '{line}'",
    "sudo {line}",
    "xargs sh -c '{line}'",
    "find . -exec sh -c '{line}' ';'",
    "{line} > out",
    "{line} >> out",
    "{line} | tee out",
    "{line} | sh",
    "{line} &",
    "trap '{line}' EXIT",
    "f() {{ {line}; }}; f",
    "alias ls='{line}'",
    "PATH=. {line}",
    "LD_PRELOAD=x {line}",
    "exec {line}",
    "coproc {line}",
    ". <(echo '{line}')",
    "case x in x) {line};; esac",
    "nohup {line}",
    "ssh host {line}",
]


def strictness(line: str) -> int:
    return STRICTNESS.index(in_plan(line).kind)


@settings(max_examples=times(300, 6_000), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(USEFUL), st.sampled_from(ADDITIONS), st.sampled_from(MORE))
def test_a_command_with_something_added_is_never_allowed(line: str, addition: str, more: str) -> None:
    assert in_plan(addition.format(line=line, more=more)).kind != "allow"


@settings(max_examples=times(300, 6_000), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(USEFUL), st.sampled_from(WRAPPERS))
def test_a_wrapped_command_is_never_allowed(line: str, wrapper: str) -> None:
    assert in_plan(wrapper.format(line=line)).kind != "allow"


@settings(max_examples=times(300, 6_000), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(OPEN), st.sampled_from(OPEN), st.sampled_from(["{a}; {b}", "({a}); {b}", "{a} && {b}"]))
def test_two_commands_are_judged_as_strictly_as_either(first: Entry, second: Entry, joint: str) -> None:
    a, b = first["cmd"], second["cmd"]
    both, either = joint.format(a=a, b=b), max(strictness(a), strictness(b))
    assert strictness(both) >= min(either, 1)
    # Where a line can't be read as a whole, it is unknown whatever is in it; so are variables that are set twice.
    if classify(both).rule not in ("construct", "input", "second-parser", "mixed") and "$" not in a + b:
        assert strictness(both) >= either


@settings(max_examples=times(1_000, 20_000))
@given(st.text(max_size=300))
def test_no_text_makes_it_fail(line: str) -> None:
    check_shape(line)


@settings(max_examples=times(1_000, 20_000))
@given(st.text("ls rm$(){}[]<>|&;!\"'`\\\n\t*?~#=-0ax", max_size=60))
def test_no_heap_of_signs_makes_it_fail(line: str) -> None:
    found = check_shape(line)
    # `rm` is no program that reads: whatever holds it as a word of its own isn't allowed as a command.
    assert "rm" not in found.programs or found.cls not in READS


@settings(max_examples=times(500, 10_000))
@given(st.sampled_from(LINES), st.data())
def test_no_damage_to_a_line_makes_it_fail(line: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    check_shape(line[:at] + data.draw(st.text(max_size=3)) + line[at + data.draw(st.integers(0, 3)) :])


def check_shape(line: str) -> Classification:
    found = classify(line)
    assert 0 <= found.span.start <= found.span.end <= len(line)
    assert found.reason
    return found
