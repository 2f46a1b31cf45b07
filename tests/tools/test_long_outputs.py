"""Outputs that are too long for their result are kept whole, and can be read on and searched by their session alone."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from planact.agent.context import COMPACTION, request_messages
from planact.base.errors import InvalidInput
from planact.model.chat.message import Message, Session
from planact.model.rights.command import KEPT_CHARACTERS
from planact.model.rights.permission import Permission
from planact.tools.commands.kept_output import cut_output, lines_of_output, read_lines
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench
from tests.fakes.world import call

NUMBERS = "seq 1 5000"
KEY = "sk-abcdefghijklmnopqrstuvwxyz"


def bench(root: Path, standing: object = PLAN) -> Bench:
    made = Bench(root, standing)  # type: ignore[arg-type]
    made.world.store.sessions.put(Session(id="s"))
    made.world.store.sessions.put(Session(id="other"))
    return made


def done(result: object) -> str:
    assert isinstance(result, Done), result
    return result.text


@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_the_middle_of_a_long_output_is_read_on_by_lines_and_by_search(tmp_path: Path, standing: object) -> None:
    it = bench(tmp_path, standing)
    cut = done(it.run("execute_command", command=NUMBERS))
    said = re.search(
        r"\n(\d+)\n\[… (\d+) lines left out; to see them: "
        r'read_output with id "(o\d+)" and first_line (\d+), or search …\]'
        r"\n(\d+)\n",
        cut,
    )
    assert said, cut
    before, left_out, output_id, first, after = int(said[1]), int(said[2]), said[3], int(said[4]), int(said[5])
    assert (before + 1, first + left_out) == (first, after)
    assert len(cut) < 5_200

    some = done(it.run("read_output", id=output_id, first_line=first, last_line=first + 1))
    assert some == f"{output_id}: lines {first}-{first + 1} of 5000\n{first}\t{first}\n{first + 1}\t{first + 1}"
    found = done(it.run("read_output", id=output_id, search="3333"))
    assert found == f"{output_id}: 1 line with '3333' of 5000\n3333\t3333"

    seen, at = [], 1
    while at:
        part = done(it.run("read_output", id=output_id, first_line=at)).splitlines()[1:]
        seen += [line.partition("\t")[2] for line in part if "\t" in line]
        more = re.fullmatch(r"… \d+ more; go on with first_line (\d+)", part[-1])
        at = int(more[1]) if more else 0
    assert seen == [str(number) for number in range(1, 5_001)]


def test_another_session_never_reads_it_and_neither_does_a_path(tmp_path: Path) -> None:
    it = bench(tmp_path)
    done(it.run("execute_command", command=NUMBERS))
    mine = it.run("read_output", id="o1")
    it.turn = replace(it.turn, session_id="other")
    for name in ("o1", "../o1", "s/o1", "1", "o01", "o1 ", "state.db", "o٠1"):
        theirs = it.run("read_output", id=name)
        assert isinstance(theirs, Failed), (name, theirs)
        assert theirs.code == "OUTPUT_NOT_FOUND"
    assert isinstance(mine, Done)


def test_it_goes_with_its_session(tmp_path: Path) -> None:
    it = bench(tmp_path)
    done(it.run("execute_command", command=NUMBERS))
    it.world.store.sessions.delete("s")
    gone = it.run("read_output", id="o1")
    assert isinstance(gone, Failed)
    assert gone.code == "OUTPUT_NOT_FOUND"
    assert "[… " in done(it.run("execute_command", command=NUMBERS))


def test_secrets_are_not_kept(tmp_path: Path) -> None:
    it = bench(tmp_path)
    done(it.run("execute_command", command=f"seq 1 2000; echo key {KEY}; seq 1 2000"))
    assert done(it.run("read_output", id="o1", search="key")).endswith("\n2001\tkey [redacted]")


def test_a_role_that_may_not_read_on_gets_no_promise(tmp_path: Path) -> None:
    role = replace(PLAN.role, rights=replace(PLAN.role.rights, tools=frozenset({frozenset({"execute_command"})})))
    it = bench(tmp_path, replace(PLAN, role=role))
    assert "characters left out: narrow the command" in done(it.run("execute_command", command=NUMBERS))
    reading = it.run("read_output", id="o1")
    assert isinstance(reading, Refused)


def test_reading_on_needs_the_right_to_read_and_no_other(tmp_path: Path) -> None:
    it = bench(tmp_path, ACT)
    done(it.run("execute_command", command=NUMBERS))
    for permissions, is_read in (({Permission.READ_FILES}, True), ({Permission.EXECUTE_COMMANDS}, False)):
        rights = replace(ACT.role.rights, permissions=frozenset(permissions))
        it.standing = replace(ACT, role=replace(ACT.role, rights=rights))
        assert isinstance(it.run("read_output", id="o1"), Done) == is_read


def test_lines_of_a_started_command_are_not_named(tmp_path: Path) -> None:
    it = bench(tmp_path, ACT)
    told = it.run("read_output", id="c1", search="x")
    assert isinstance(told, Failed)
    assert told.code == "INVALID_ARGUMENTS"


def test_what_is_too_long_to_keep_says_so(tmp_path: Path) -> None:
    it = bench(tmp_path)
    done(it.run("execute_command", command=f"seq 1 {KEPT_CHARACTERS}"))
    assert "characters were not kept …]" in done(it.run("read_output", id="o1", search="not kept"))


def test_a_line_that_is_too_long_is_read_in_parts() -> None:
    text = f"{'a' * 5_000}\n\nend\n"
    assert [len(line) for line in lines_of_output(text)] == [2_000, 2_000, 1_000, 0, 3]
    cut = cut_output(text, 3_000, "o1")
    assert cut.startswith("[… 2 lines left out; ")
    assert read_lines(text, "o1", 2, 2, "", 10_000) == f"o1: lines 2-2 of 5\n2\t{'a' * 2_000}"
    assert read_lines(text, "o1", 1, None, "", 100).startswith(f"o1: lines 1-1 of 5\n1\t{'a' * 2_000}\n… 4 more; ")


def test_lines_that_are_not_there_are_told() -> None:
    with pytest.raises(InvalidInput, match="o1 has 1 line, and 2 to the end is none"):
        read_lines("a\n", "o1", 2, None, "", 100)
    assert read_lines("a\nb\n", "o1", 1, None, "C", 100) == "o1: 0 lines with 'C' of 2"
    assert read_lines("a\nB\n", "o1", 1, None, "b", 100) == "o1: 1 line with 'b' of 2\n2\tB"


def test_the_runner_keeps_the_whole_only_where_it_is_asked_to(tmp_path: Path) -> None:
    runner, place = bench(tmp_path).world.ports.runner, bench(tmp_path).world.files.resolve(".")

    async def run(kept: int) -> tuple[str, str]:
        result = await runner.run(NUMBERS, place, "local-read", 20, 1_000, lambda _: None, kept=kept)
        return result.output, result.whole

    cut, whole = asyncio.run(run(0))
    assert (len(cut) < 1_200, whole) == (True, "")
    assert asyncio.run(run(100_000))[1] == "".join(f"{number}\n" for number in range(1, 5_001))


def test_a_result_that_a_compaction_cut_is_read_by_its_own_session(tmp_path: Path) -> None:
    it = bench(tmp_path)
    read = Message(id="r", session_id="s", role="assistant", tool_calls=(call("read_file", path="a.txt"),))
    result = Message(
        id="m", session_id="s", role="tool", tool_call_id="call_read_file", content="one\n" + "two\n" * 900
    )
    metadata = {"for_model": True, COMPACTION: {"keeps_from": "r", "results": 400}}
    begun = Message(id="z", session_id="s", role="system", content="so far", metadata=metadata)
    cut = str(request_messages("", [read, result, begun])[-1]["content"])
    assert cut.endswith('[planact: read_output with id "m" has all of it]')
    assert len(cut) < 600

    for message in (read, result):
        it.world.store.sessions.add_message(message)
    assert done(it.run("read_output", id="m", last_line=2)) == "m: lines 1-2 of 901\n1\tone\n2\ttwo"
    assert isinstance(it.run("read_output", id="r"), Failed)
    it.turn = replace(it.turn, session_id="other")
    assert isinstance(it.run("read_output", id="m"), Failed)
