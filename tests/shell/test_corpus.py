"""The corpora of commands: useful ones pass in Plan, and nothing that changes anything does."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.shell.judged import in_plan

CORPUS = Path(__file__).parents[1] / "data/shell_commands.json"
# Under another licence than this repository's, so never copied into it: it may lie beside the checkout.
ELSEWHERE = Path(os.environ.get("GTFOBINS_JSON", Path(__file__).parents[3] / "shared/data/gtfobins.json"))
NEEDED = 0.95


def commands(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text("utf-8"))


def test_nearly_all_commands_that_read_are_allowed_in_plan() -> None:
    useful = [entry["cmd"] for entry in commands(CORPUS) if entry["expect"] == "readonly"]
    blocked = [command for command in useful if in_plan(command).kind != "allow"]
    print(f"\nuseful: {len(useful) - len(blocked)} of {len(useful)} allowed; not: {blocked}")
    assert len(useful) > 250
    assert len(blocked) <= (1 - NEEDED) * len(useful), blocked


def test_no_command_that_changes_something_is_allowed_in_plan() -> None:
    core = [entry["cmd"] for entry in commands(CORPUS) if entry["expect"] != "readonly" and entry["tier"] == "core"]
    assert len(core) > 650
    assert [command for command in core if in_plan(command).kind == "allow"] == []


def test_strictly_seen_bypasses_are_reported() -> None:
    strict = [entry["cmd"] for entry in commands(CORPUS) if entry.get("tier") == "strict"]
    allowed = [command for command in strict if in_plan(command).kind == "allow"]
    print(f"\nstrict tier: {len(strict) - len(allowed)} of {len(strict)} refused; allowed: {allowed}")
    # A pattern with a fixed beginning can't become an option, and pagers run as `cat`.
    assert set(allowed) <= {"find src* -name x", "less f"}


@pytest.mark.skipif(not ELSEWHERE.exists(), reason="GTFOBINS_JSON names no file")
def test_none_of_the_known_ways_out_of_a_restricted_shell_is_allowed_in_plan() -> None:
    blocked = [entry["cmd"] for entry in commands(ELSEWHERE) if entry["group"] == "must_block"]
    assert len(blocked) > 600
    assert [command for command in blocked if in_plan(command).kind == "allow"] == []
