import json
import signal
import sqlite3
import subprocess
import threading
from pathlib import Path
from typing import Any, get_args

import pytest

from planact.model.runs.journal import EventKind
from tests.cli.program import Program

SCRIPTED = Path(__file__).with_name("model.yaml")
ENDS = {"seconds", "hash", "execution_id", "plan_id", "question_id", "path", "session_id"}


def events(planact: Program, *words: str) -> list[dict[str, Any]]:
    listed = planact.run("events", "--json", *words)
    assert listed.code == 0, listed
    return [json.loads(line) for line in listed.out.splitlines()]


def kinds(listed: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in listed]


def test_nothing_has_happened_yet_and_looking_makes_nothing(planact: Program) -> None:
    listed = planact.run("events")
    assert (listed.code, listed.out, listed.err) == (0, "", "There are no such events in this folder.\n")
    assert [*planact.home.iterdir()] == []


def test_events_are_objects_on_lines_that_can_be_chosen_by_kind_and_session(planact: Program) -> None:
    assert planact.run("chat", "Insist on it", "--json").code == 4
    other = planact.run("chat", "What does it say?", "--json").json["session_id"]
    listed = events(planact)
    assert kinds(listed) == [
        "mode_entered",
        *["model_called", "tool_refused", "disallowed_tool_attempt_in_planning"] * 3,
        "mode_entered",
        "model_called",
    ]
    assert [event.keys() for event in listed] == [{"kind", "session_id", "time", "data"}] * len(listed)
    assert kinds(events(planact, "--session", other)) == ["mode_entered", "model_called"]
    assert kinds(events(planact, "--kind", "tool_refused", "--kind", "mode_entered")) == [
        "mode_entered",
        *["tool_refused"] * 3,
        "mode_entered",
    ]
    assert kinds(events(planact, "--session", other, "--kind", "tool_refused")) == []


def test_people_get_a_line_for_each(planact: Program) -> None:
    planact.run("chat", "Insist on it")
    line = planact.run("events", "--kind", "tool_refused").out.splitlines()[0]
    assert "  tool_refused  tool=create_file mode=plan " in line
    assert "code=TOOL_BLOCKED_BY_MODE" in line


@pytest.mark.parametrize(
    ("words", "code"),
    [(("--kind", "tool_refusd"), "INVALID_ARGUMENTS"), (("--session", "nobody"), "SESSION_NOT_FOUND")],
)
def test_what_there_is_not_is_told(planact: Program, words: tuple[str, ...], code: str) -> None:
    listed = planact.run("events", *words, "--json")
    assert listed.code != 0
    assert listed.json["error"]["code"] == code


# --- following


class Followed:
    """Lines of `planact events --follow`, as they come."""

    def __init__(self, planact: Program) -> None:
        self.process = planact.start("events", "--follow", "--json", stdin=subprocess.DEVNULL)
        self.lines: list[str] = []
        self._has_new = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout:
            for line in self.process.stdout:
                with self._has_new:
                    self.lines.append(line)
                    self._has_new.notify_all()

    def until(self, kind: str, count: int = 1) -> None:
        def is_there() -> bool:
            return [json.loads(line)["kind"] for line in self.lines].count(kind) == count

        with self._has_new:
            assert self._has_new.wait_for(is_there, 180), self.lines


def test_what_other_processes_do_is_seen_as_it_comes_until_ctrl_c(planact: Program) -> None:
    followed = Followed(planact)  # before there is a database
    try:
        planact.run("chat", "What does it say?")
        followed.until("model_called")
        planact.run("chat", "Insist on it")
        followed.until("tool_refused", 3)
        followed.process.send_signal(signal.SIGINT)
        assert followed.process.wait(180) == 130
    finally:
        followed.process.kill()
    assert followed.process.stderr is not None
    with followed.process.stderr:
        assert followed.process.stderr.read() == ""
    assert [json.loads(line) for line in followed.lines] == events(planact)


@pytest.mark.parametrize("words", [(), ("--follow",)])
def test_a_reader_that_leaves_ends_it_without_a_word(planact: Program, words: tuple[str, ...]) -> None:
    planact.run("chat", "Insist on it")
    process = planact.start("events", *words, "--json", stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stderr:
        try:
            process.stdout.readline()
            process.stdout.close()  # and nothing more happens
            process.wait(180)
            assert process.stderr.read() == ""
        finally:
            process.kill()


# --- what is recorded


def test_each_kind_is_recorded_where_it_happens(planact: Program) -> None:
    plan_id = planact.plan()
    (planact.folder / "greeting.txt").write_text("hello again\n")
    assert planact.run("act", plan_id, "--yes").code == 5  # stale
    (planact.folder / "greeting.txt").write_text("hello\n")
    assert planact.run("act", plan_id, "--yes").code == 0
    (planact.folder / "greeting.txt").write_text("hello\n")
    planact.plan()
    planact.variables["PLANACT_INTENT_SWITCH"] = "auto"
    assert planact.run("chat", "--continue", "go ahead").code == 0
    assert planact.run("chat", "Ask me first", "--defaults").code == 0
    assert planact.run("chat", "Insist on it").code == 4
    assert planact.run("chat", "Be busy").code == 0
    last: dict[str, dict[str, Any]] = {}
    for event in events(planact):
        last[event["kind"]] = {name: value for name, value in event["data"].items() if name not in ENDS}
    model = f"scripted:{SCRIPTED}"
    tokens = {"input_tokens", "output_tokens", "cached_tokens", "cost", "requests", "is_estimated"}
    tokens |= {"cache_written_tokens", "reasoning_tokens"}
    assert last["model_called"].keys() == {"model", "purpose"} | tokens
    assert last["model_called"]["model"] == model
    refused = {
        "tool": "create_file",
        "mode": "plan",
        "model": model,
        "layer": "policy",
        "code": "TOOL_BLOCKED_BY_MODE",
        "message": "System is in Plan Mode. You can only modify the plan. Switch to Act Mode to apply changes.",
    }
    recorded = {kind: data for kind, data in last.items() if kind != "model_called"}
    assert recorded == {
        "mode_entered": {"mode": "plan", "by": "new session"},
        "execution_intent_detected": {"rule": "order", "judge": "rules"},
        "mode_switched_by_intent": {},
        "disallowed_tool_attempt_in_planning": refused,
        "plan_created": {"also_read": []},
        "plan_approved": {"implied_files": {}},
        "plan_stale": {"files": ["greeting.txt"]},
        "step_started": {"step": 2},
        "step_finished": {"step": 2, "status": "done"},
        "tool_called": {"tool": "ask_user", "mode": "plan", "model": model, "outcome": "done"},
        "tool_refused": refused,
        "question_asked": {"purpose": "agent", "status": "open", "about": "the task"},
        "question_resolved": {"purpose": "agent", "status": "answered"},
        "execution_finished": {"status": "success", "reason": ""},
        "model_retried": {
            "model": model,
            "code": "MODEL_OVERLOADED",
            "reason": "the script says so",
            "attempt": 2,
            "of": 5,
            "wait_seconds": 0,
        },
    }
    assert set(get_args(EventKind)) == last.keys()


# --- metrics


def test_metrics_add_up_what_happened(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("act", plan_id, "--yes").code == 0
    assert planact.run("chat", "Insist on it").code == 4
    metrics = planact.run("metrics", "--json").json
    assert metrics["refusals"] == {"made": 3, "recorded": 3, "by_code": {"TOOL_BLOCKED_BY_MODE": 3}}
    (model,) = metrics["models"]
    calls = (model["calls_in_plan"], model["attempts_in_plan"], model["adherence"], model["attempts_per_100_calls"])
    assert calls == (5, 3, 0.4, 60.0)
    (plan,) = metrics["plans"]
    requests = [step["spent"]["requests"] for step in plan["steps"]]
    assert (plan["plan_id"], plan["runs"], requests, plan["planning"]["requests"]) == (plan_id, 1, [3, 2], 3)
    assert plan["spent"]["requests"] == 3 + 5
    assert metrics["planning"]["spent"]["requests"] + 5 == model["spent"]["requests"]
    assert metrics["questions"] == {"asked": 0, "by_purpose": {}, "by_kind": {}, "runs": 1, "per_run": 0.0}
    shown = planact.run("metrics").out
    assert "Refusals: 3 made, 3 recorded (TOOL_BLOCKED_BY_MODE 3)" in shown
    assert "kept to Plan in 40.0 % of 5 calls, 60.0 attempts per 100" in shown


def test_an_event_that_was_lost_shows_and_the_refusal_stands(planact: Program) -> None:
    assert planact.run("chat", "What does it say?").code == 0
    (state,) = planact.home.rglob("state.db")
    with sqlite3.connect(state) as database:
        database.execute("CREATE TRIGGER no_room BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END")
    database.close()
    refused = planact.run("chat", "Insist on it")
    assert refused.code == 4
    assert not (planact.folder / "forced.txt").exists()
    assert refused.err.count("was not recorded") == 1
    assert "no room" in refused.err
    metrics = planact.run("metrics", "--json").json
    assert metrics["refusals"] == {"made": 3, "recorded": 0, "by_code": {}}
    assert "! 3 not recorded" in planact.run("metrics").out
