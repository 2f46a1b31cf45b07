"""Runs in the journal, which may go on after their end; of the store and of its fake."""

from tests.contracts.conftest import Stores


def test_a_run_that_goes_on_is_open_again_and_the_newest(stores: Stores) -> None:
    journal = stores.journal
    for name in ("e1", "e2"):
        journal.append("s1", name, "run_started", {"path": f"{name}.plan"})
        journal.append("s1", name, "run_finished", {})
    assert (journal.run_ids(), journal.open_runs()) == (("e2", "e1"), ())
    journal.append("s2", "e1", "run_resumed", {})
    assert journal.run_ids() == ("e1", "e2")
    assert [begun.execution_id for begun in journal.runs()] == ["e1", "e2"]
    assert [(run.execution_id, run.kind) for run in (*journal.runs(limit=1), *journal.open_runs())] == [
        *(("e1", "run_started"), ("e1", "run_started"))
    ]
    journal.append("s2", "e1", "run_finished", {})
    assert journal.open_runs() == ()
    journal.append("s2", "e2", "run_resumed", {})
    assert (journal.run_ids(), [run.execution_id for run in journal.open_runs()]) == (("e2", "e1"), ["e2"])
    assert (journal.run_ids("e1.plan"), len(journal.runs("e1.plan"))) == (("e1",), 1)


def test_what_was_done_in_one_step_is_found_in_all_runs_of_its_plan(stores: Stores) -> None:
    journal = stores.journal
    for run, path in (("e1", "a.plan"), ("e2", "b.plan"), ("e3", "a.plan")):
        journal.append("s1", run, "run_started", {"path": path})
        for number in (1, 2):
            journal.append("s1", run, "step_started", {"step": {"step_number": number, "action": run}})
            journal.append("s1", run, "repair_started", {"step_number": number})
            journal.append("s1", run, "file_changed", {"path": "f"})
            journal.append("s1", run, "step_finished", {"step_number": number, "status": "done"})
    journal.append("s1", "e1", "run_resumed", {})
    journal.append("s1", "e1", "step_started", {"step": {"step_number": 2, "action": "again"}})

    found = journal.step_starts("a.plan", 2)
    assert [(each.execution_id, each.data["step"]["action"]) for each in found] == [
        *(("e3", "e3"), ("e1", "e1"), ("e1", "again"))
    ]
    assert [each.kind for each in journal.of_step("e2", 1)] == ["step_started", "repair_started", "step_finished"]
    assert (journal.of_step("e2", 3), journal.step_starts("c.plan", 1)) == ((), ())


def test_the_entries_of_a_run_are_read_on_from_the_last_one(stores: Stores) -> None:
    journal = stores.journal
    for number in range(3):
        journal.append("s1", "e1", "file_changed", {"path": f"{number}"})
        journal.append("s1", "e2", "file_changed", {"path": "other"})
        journal.append("s1", "e1", "call_started", {})
    first, *rest = journal.read("e1", ("file_changed",))
    assert list(journal.read("e1", ("file_changed",), after=first.sequence)) == rest
    assert len(journal.read("e1", after=first.sequence)) == 5
    assert journal.read("e1", after=journal.read("e1")[-1].sequence) == ()
