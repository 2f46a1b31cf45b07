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
