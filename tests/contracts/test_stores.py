"""What holds for every store, real or fake."""

import pytest

from planact.base.errors import NotFound
from planact.model.chat.message import Message, Session, ToolCall, Usage
from planact.model.plan import StepStatus
from planact.model.plan_records import Approval, Revision
from planact.model.question import Option, Question, QuestionSet
from planact.model.rights.permission import Mode
from planact.model.rights.rule import AllowedCommand, AllowedPath, Rule
from planact.model.runs.execution import Execution, StepRecord
from planact.model.runs.journal import Event, EventKind, JournalEntry
from tests.contracts.conftest import Stores

# --- sessions


def test_a_session_comes_back_as_it_was_kept(stores: Stores) -> None:
    session = Session(
        id="s1",
        title="Übung 🙂",
        mode=Mode.ACT,
        role="actor",
        plan_file="a.plan",
        made_plans=("a.plan",),
        usage=Usage(input_tokens=3, cost=0.5),
    )
    stores.sessions.put(Session(id="s1"))
    stores.sessions.put(session)
    assert stores.sessions.get("s1") == session


def test_a_session_that_is_not_there_is_not_found(stores: Stores) -> None:
    with pytest.raises(NotFound) as caught:
        stores.sessions.get("nobody")
    assert caught.value.code == "SESSION_NOT_FOUND"
    assert stores.sessions.list() == ()


def test_the_session_used_last_is_listed_first(stores: Stores) -> None:
    for name in ("s1", "s2", "s3"):
        stores.sessions.put(Session(id=name))
    stores.sessions.add_message(Message(id="m1", session_id="s2", role="user"))
    stores.sessions.put(Session(id="s1", title="again"))
    assert [session.id for session in stores.sessions.list()] == ["s1", "s2", "s3"]


def test_messages_come_back_in_order_and_only_those_of_the_session(stores: Stores) -> None:
    messages = [
        Message(id="m2", session_id="s1", role="user", content="hello"),
        Message(
            id="m1",
            session_id="s1",
            role="assistant",
            message_type="tool_call",
            tool_calls=(ToolCall(id="c", name="read_file", arguments='{"path": "a'),),
            usage=Usage(requests=1),
        ),
        Message(id="m3", session_id="s1", role="tool", tool_call_id="c", content="\0\ud7ff", metadata={"a": [1, None]}),
    ]
    for message in messages:
        stores.sessions.add_message(message)
        stores.sessions.add_message(message.model_copy(update={"session_id": "other"}))
    assert stores.sessions.messages("s1") == tuple(messages)
    assert stores.sessions.messages("none") == ()


# --- journal


def test_journal_entries_are_numbered_and_read_by_execution(stores: Stores) -> None:
    first = stores.journal.append("s1", "e1", "call_started", {"tool": "x", "args": {"n": 1}})
    stores.journal.append("s1", "e2", "call_started", {})
    last = stores.journal.append("s1", "e1", "call_finished", {"ok": True})
    time = "2026-11-20T10:00:00.000Z"
    assert stores.journal.read("e1") == (
        JournalEntry(first, "s1", "e1", "call_started", time, {"tool": "x", "args": {"n": 1}}),
        JournalEntry(last, "s1", "e1", "call_finished", time, {"ok": True}),
    )
    assert first < last
    assert stores.journal.read("e3") == ()
    assert [stores.journal.count(kind) for kind in ("call_started", "call_finished", "call_refused")] == [2, 1, 0]


def test_a_before_image_is_known_by_its_hash(stores: Stores) -> None:
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert [stores.journal.keep(b"abc"), stores.journal.keep(b"abc")] == [digest, digest]


# --- questions


def question(name: str, **more: object) -> QuestionSet:
    ask = Question(question="Which?", schema={"type": "string"}, options=(Option(label="A", value={"a": 1}),))
    return QuestionSet(id=name, session_id="s1", questions=(ask,), created_at="t", subject="a.plan:1", **more)


def test_open_questions_are_listed_the_oldest_first(stores: Stores) -> None:
    for name in ("q2", "q1", "q3"):
        stores.questions.put(question(name))
    assert stores.questions.resolve(question("q1", status="declined"))
    assert stores.questions.open() == (question("q2"), question("q3"))


def test_a_question_ends_once(stores: Stores) -> None:
    stores.questions.put(question("q1"))
    answered = question("q1", status="answered", answers={"answer": "A"})
    assert stores.questions.resolve(answered) is True
    assert stores.questions.resolve(question("q1", status="cancelled")) is False
    assert stores.questions.get("q1") == answered


def test_an_ended_question_cannot_be_opened_again(stores: Stores) -> None:
    stores.questions.put(question("q1"))
    stores.questions.resolve(question("q1", status="declined"))
    stores.questions.put(question("q1"))
    assert stores.questions.open() == ()


def test_a_question_nobody_asked_is_not_found_and_does_not_end(stores: Stores) -> None:
    assert stores.questions.resolve(question("q1", status="answered")) is False
    with pytest.raises(NotFound) as caught:
        stores.questions.get("q1")
    assert caught.value.code == "QUESTION_NOT_OPEN"


def test_an_open_question_is_adopted_as_often_as_one_likes(stores: Stores) -> None:
    stores.questions.put(question("q1"))
    assert stores.questions.claim("s1", "agent", "a.plan:1") == question("q1")
    assert stores.questions.claim("s1", "agent", "a.plan:1") == question("q1")


def test_an_answer_nobody_waited_for_counts_once(stores: Stores) -> None:
    stores.questions.put(question("q1"))
    answered = question("q1", status="answered", answers={"answer": "A"})
    stores.questions.resolve(answered)
    assert stores.questions.claim("s1", "agent", "a.plan:1") == answered
    assert stores.questions.claim("s1", "agent", "a.plan:1") is None


def test_an_answer_goes_before_a_question_that_is_still_open(stores: Stores) -> None:
    for name in ("q1", "q2"):
        stores.questions.put(question(name))
    stores.questions.resolve(question("q2", status="answered"))
    found = [stores.questions.claim("s1", "agent", "a.plan:1") for _ in range(2)]
    assert found == [question("q2", status="answered"), question("q1")]


def test_an_answer_that_was_used_is_not_adopted(stores: Stores) -> None:
    stores.questions.put(question("q1"))
    stores.questions.resolve(question("q1", status="answered"))
    stores.questions.use("q1")
    assert stores.questions.claim("s1", "agent", "a.plan:1") is None


def test_what_the_agent_asked_and_the_user_declined_counts_once_too(stores: Stores) -> None:
    stores.questions.put(question("q1"))
    stores.questions.resolve(question("q1", status="declined"))
    assert stores.questions.claim("s1", "agent", "a.plan:1") == question("q1", status="declined")
    assert stores.questions.claim("s1", "agent", "a.plan:1") is None


@pytest.mark.parametrize(
    ("purpose", "status"), [("agent", "cancelled"), ("confirm", "declined"), ("approval", "declined")]
)
def test_another_question_without_an_answer_is_not_adopted(stores: Stores, purpose: str, status: str) -> None:
    asked = question("q1").model_copy(update={"purpose": purpose})
    stores.questions.put(asked)
    stores.questions.resolve(asked.model_copy(update={"status": status}))
    assert stores.questions.claim("s1", purpose, "a.plan:1") is None


@pytest.mark.parametrize(
    "about", [("s2", "agent", "a.plan:1"), ("s1", "approval", "a.plan:1"), ("s1", "agent", "a.plan:2")]
)
def test_an_answer_counts_for_nothing_else(stores: Stores, about: tuple[str, str, str]) -> None:
    stores.questions.put(question("q1"))
    stores.questions.resolve(question("q1", status="answered"))
    assert stores.questions.claim(*about) is None


# --- approvals


def test_an_approval_replaces_the_earlier_one_for_the_same_path_until_it_is_withdrawn(stores: Stores) -> None:
    stores.approvals.approve(Approval("plan_1", "a.plan", "old", "text", "t1"))
    stores.approvals.approve(Approval("plan_1", "a.plan", "new", "text 2", "t2", {2: ("a.py", "b.py")}))
    stores.approvals.approve(Approval("plan_2", "b.plan", "b", "", "t3"))
    assert stores.approvals.find("a.plan") == Approval("plan_1", "a.plan", "new", "text 2", "t2", {2: ("a.py", "b.py")})
    assert stores.approvals.paths() == {"a.plan", "b.plan"}
    stores.approvals.withdraw("a.plan")
    stores.approvals.withdraw("never.plan")
    assert stores.approvals.find("a.plan") is None
    assert stores.approvals.paths() == {"b.plan"}


def test_trust_is_bound_to_the_last_fingerprint(stores: Stores) -> None:
    assert stores.approvals.trusted() == ""
    stores.approvals.trust("one")
    stores.approvals.trust("two")
    assert stores.approvals.trusted() == "two"


def test_whether_programs_start_is_the_last_decision(stores: Stores) -> None:
    assert stores.approvals.programs_trusted() is None
    for decision in (True, False, True):
        stores.approvals.trust_programs(is_trusted=decision)
        assert stores.approvals.programs_trusted() is decision


# --- rules


MAKE = Rule(id="r1", created_at="t1", allows=AllowedCommand(command="make 🙂", directory="."))
WRITE = Rule(id="r2", created_at="t2", allows=AllowedPath(action="write", path="src/app.py"))


def test_rules_are_listed_the_oldest_first_until_they_are_revoked(stores: Stores) -> None:
    assert tuple(stores.rules.list()) == ()
    for rule in (WRITE, MAKE):
        stores.rules.add(rule)
    assert tuple(stores.rules.list()) == (WRITE, MAKE)
    assert stores.rules.revoke("r2") == WRITE
    assert tuple(stores.rules.list()) == (MAKE,)


def test_what_is_allowed_already_is_kept_once(stores: Stores) -> None:
    stores.rules.add(MAKE)
    stores.rules.add(MAKE.model_copy(update={"id": "r3"}))
    assert tuple(stores.rules.list()) == (MAKE,)


def test_a_rule_that_is_not_there_cannot_be_revoked(stores: Stores) -> None:
    with pytest.raises(NotFound) as caught:
        stores.rules.revoke("r1")
    assert caught.value.code == "RULE_NOT_FOUND"


def test_a_rule_that_holds_a_secret_cannot_be_kept(stores: Stores) -> None:
    assert stores.rules.can_keep(MAKE.allows)
    assert not stores.rules.can_keep(AllowedCommand(command="login --password=Hunter2Hunter2", directory="."))


# --- records


def test_a_record_is_written_read_listed_and_deleted(stores: Stores) -> None:
    assert (stores.records.read("plans/a.json"), tuple(stores.records.list("plans"))) == (None, ())
    stores.records.write("plans/b.json", "{}")
    stores.records.write("plans/a.json", "old")
    stores.records.write("plans/a.json", "é\r\n")
    assert stores.records.read("plans/a.json") == "é\r\n"
    assert tuple(stores.records.list("plans")) == ("a.json", "b.json")
    stores.records.delete("plans/a.json")
    stores.records.delete("plans/a.json")
    assert tuple(stores.records.list("plans")) == ("b.json",)


def test_executions_are_listed_the_newest_first(stores: Stores) -> None:
    step = StepRecord(step_number=1, action="Do", status=StepStatus.DONE, usage=Usage(cost=0.1))
    old = Execution(id="e1", session_id="s1", started_at="2026-11-20T10:00:00Z", steps=(step,))
    new = Execution(id="e0", session_id="s1", started_at="2026-11-20T11:00:00Z", status="paused")
    for execution in (old, new, old.model_copy(update={"status": "success"})):
        stores.records.put_execution(execution)
    assert tuple(stores.records.executions()) == (new, old.model_copy(update={"status": "success"}))


def test_an_execution_is_found_by_its_id_and_ids_are_listed_the_greatest_first(stores: Stores) -> None:
    assert (stores.records.execution("e1"), tuple(stores.records.execution_ids())) == (None, ())
    runs = [Execution(id=name, session_id="s1") for name in ("e2", "e1", "e3")]
    for run in runs:
        stores.records.put_execution(run)
    assert (stores.records.execution("e1"), tuple(stores.records.execution_ids())) == (runs[1], ("e3", "e2", "e1"))
    assert [stores.records.execution(name) for name in ("", "e", "../e1", "index", "a/b")] == [None] * 5


def test_the_runs_of_a_plan_are_found_by_its_path_and_by_its_id_and_what_they_changed(stores: Stores) -> None:
    begun = {"e1": ("a.plan", "p1"), "e2": ("b.plan", "p2"), "e3": ("moved.plan", "p1"), "e4": ("", "")}
    for name, (path, plan_id) in begun.items():
        stores.journal.append("s1", name, "run_started", {"path": path, "plan_id": plan_id} if path else {"task": "x"})
        stores.journal.append("s1", name, "file_changed", {"path": f"{name}.py"})
    stores.journal.append("s1", "e2", "file_changed", {"path": "e2.py"})
    ids = stores.journal.run_ids
    assert ids() == ("e4", "e3", "e2", "e1")
    assert (ids("a.plan"), ids(plan_id="p1"), ids("b.plan", "p1")) == (("e1",), ("e3", "e1"), ("e3", "e2", "e1"))
    assert (ids("c.plan"), ids(plan_id="p3")) == ((), ())
    assert stores.journal.paths_changed("b.plan") == {"e2.py"}
    assert (dict(stores.journal.runs_with("file_changed")), dict(stores.journal.runs_with("x"))) == (
        {"e1": 1, "e2": 2, "e3": 1, "e4": 1},
        {},
    )


def test_a_workspace_without_configuration_has_no_fingerprint(stores: Stores) -> None:
    stores.records.write("plans/a.json", "{}")
    assert stores.records.fingerprint() == ""


# --- events


def test_events_are_listed_in_order_all_or_those_of_a_session(stores: Stores) -> None:
    events = [
        Event(kind="mode_entered", session_id="s1", time="t2", data={"mode": "plan"}),
        Event(kind="tool_called", session_id="s2", time="t1"),
        Event(kind="tool_refused", session_id="s1", time="t3"),
    ]
    for event in events:
        stores.events.record(event)
    assert tuple(stores.events.list()) == tuple(events)
    assert tuple(stores.events.list("s1")) == (events[0], events[2])


def test_events_are_found_by_kind_and_run_and_counted_where_they_are(stores: Stores) -> None:
    happened: list[tuple[EventKind, dict[str, object]]] = [
        ("tool_called", {"model": "a", "mode": "plan"}),
        ("model_called", {"model": "a", "execution_id": "e1"}),
        ("tool_called", {"model": "b", "mode": "plan"}),
        ("tool_refused", {"model": "a", "execution_id": "e1"}),
        ("tool_called", {"model": "b", "mode": "plan"}),
        ("tool_called", {"mode": "act"}),
        ("model_called", {"model": "b", "execution_id": "e2"}),
        ("model_called", {"model": "a", "execution_id": "e1", "cost": 1.0}),
    ]
    events = [Event(kind=kind, session_id="s1", time="t", data=data) for kind, data in happened]
    for event in events:
        stores.events.record(event)
    found = stores.events.list(kinds=("model_called", "tool_refused"))
    assert list(found) == [events[1], events[3], events[6], events[7]]
    assert list(stores.events.list("other", ("model_called",))) == []
    assert list(stores.events.requests("e1")) == [events[1], events[7]]
    counts = stores.events.count("tool_called", "model", "mode")
    assert list(counts.items()) == [(("b", "plan"), 2), (("a", "plan"), 1), (("", "act"), 1)]
    assert stores.events.count("plan_created", "plan_id") == {}


def test_the_newest_planning_of_a_plan_is_found(stores: Stores) -> None:
    made = [Event(kind="plan_created", session_id="s", time=f"{n}", data={"plan_id": "ab"[n % 2]}) for n in range(4)]
    for event in (*made, Event(kind="plan_stale", session_id="s", time="9", data={"plan_id": "a"})):
        stores.events.record(event)
    assert [stores.events.planning(plan_id) for plan_id in "abc"] == [made[2], made[3], None]


def test_events_are_read_on_from_a_mark(stores: Stores) -> None:
    assert stores.events.after(0, 10) == ((), 0)
    assert stores.events.after(7, 10) == ((), 7)
    events = [
        Event(kind="mode_entered" if number % 2 else "tool_called", session_id=f"s{number % 3}", time=str(number))
        for number in range(6)
    ]
    for event in events:
        stores.events.record(event)
    first, mark = stores.events.after(0, 4)
    rest, end = stores.events.after(mark, 4)
    assert [*first, *rest] == events
    assert stores.events.after(end, 4) == ((), end)
    assert [event.time for event in stores.events.after(0, 9, kinds=["mode_entered"])[0]] == ["1", "3", "5"]
    assert [event.time for event in stores.events.after(0, 9, "s1")[0]] == ["1", "4"]
    assert [event.time for event in stores.events.after(0, 9, "s1", ["tool_called", "plan_stale"])[0]] == ["4"]


# --- lock


def test_who_does_not_get_the_lock_learns_who_has_it(stores: Stores) -> None:
    first, second = stores.new_lock(), stores.new_lock()
    assert [first.acquire("one"), second.acquire("two"), first.acquire("one")] == ["", "one", "one"]
    second.release()
    assert second.acquire("two") == "one"
    first.release()
    assert [second.acquire("two"), first.acquire("one")] == ["", "two"]
    second.release()


# --- revisions


def test_revisions_of_a_document_are_counted_and_kept_in_order(stores: Stores) -> None:
    for path, text in (("a.plan", "# One\n"), ("a.plan", "# One\n"), ("b.plan", "# B\n"), ("a.plan", "# Two 🙂\n")):
        stores.revisions.add(path, "plan_1", text, "planner", "2026-11-20T10:00:00Z")
    stores.revisions.add("a.plan", "plan_1", "# One\n", "user", "2026-11-20T11:00:00Z")
    assert stores.revisions.list("a.plan") == (
        Revision(1, "a.plan", "plan_1", "# One\n", "planner", "2026-11-20T10:00:00Z"),
        Revision(2, "a.plan", "plan_1", "# Two 🙂\n", "planner", "2026-11-20T10:00:00Z"),
        Revision(3, "a.plan", "plan_1", "# One\n", "user", "2026-11-20T11:00:00Z"),
    )
    assert [revision.number for revision in stores.revisions.list("b.plan")] == [1]
    assert stores.revisions.list("c.plan") == ()


def test_a_plan_is_pinned_until_it_is_not(stores: Stores) -> None:
    assert stores.revisions.pinned() == frozenset()
    for path in ("a.plan", "a.plan", "b.plan"):
        stores.revisions.pin(path, is_pinned=True)
    stores.revisions.pin("a.plan", is_pinned=False)
    stores.revisions.pin("c.plan", is_pinned=False)
    assert stores.revisions.pinned() == frozenset({"b.plan"})
