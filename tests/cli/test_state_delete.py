"""`planact doctor --size` and `planact state delete`: how much planact keeps, and taking all of it away."""

import fcntl
from pathlib import Path

from tests.cli.program import Program
from tests.cli.terminal import Terminal


def below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def state(planact: Program) -> Path:
    return planact.home / ".local" / "state" / "planact"


def test_what_planact_keeps_is_told_by_workspace_and_kind(planact: Program) -> None:
    assert planact.run("doctor", "--size", "--json").json == {
        "folder": str(state(planact)),
        "bytes": 0,
        "workspaces": [],
    }
    planact.plan()
    for name, size in (("symbols.db", 5_000), ("symbols.db-wal", 70)):
        (next(state(planact).glob("*/state.db")).parent / name).write_bytes(b"x" * size)
    found = planact.run("doctor", "--size", "--json").json
    (row,) = found["workspaces"]
    on_disk = sum(path.stat().st_size for path in state(planact).rglob("*") if path.is_file())
    assert (row["workspace"], row["bytes"], found["bytes"]) == (str(planact.folder.resolve()), on_disk, on_disk)
    assert sum(row["kinds"].values()) == on_disk
    assert row["kinds"]["index of names in code"] == 5_070
    assert {"conversations", "events", "versions of plans"} <= row["kinds"].keys()
    told = planact.run("doctor", "--size")
    assert (told.code, str(planact.folder.resolve()) in told.out, "conversations" in told.out) == (0, True, True)


def test_all_of_it_is_deleted_after_a_yes_and_nothing_of_the_users(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("act", "--yes").code == 0
    own = planact.folder / ".planact"
    (own / "config.toml").write_text('approval = "ask"\n')
    (own / "plans" / "mine.json").write_text("{}")
    (next(state(planact).glob("*/state.db")).parent / "symbols.db").write_bytes(b"x")
    before = below(planact.folder), below(state(planact))
    asked = planact.run("state", "delete", "--json")
    assert (asked.code, asked.json["deleted"]) == (1, False), asked
    assert (below(planact.folder), below(state(planact))) == before
    done = planact.run("state", "delete", "--yes", "--json")
    assert (done.code, done.json["deleted"]) == (0, True), done
    assert [row["workspace"] for row in done.json["workspaces"]] == [str(planact.folder.resolve())]
    assert any("*.plan" in line for line in done.json["stays"])
    assert below(state(planact)) == set()
    plan = str(planact.document(plan_id).relative_to(planact.folder))
    gone = before[0] - below(planact.folder)
    assert {plan, ".planact/config.toml", ".planact/plans/mine.json", ".planact/.gitignore"} <= below(planact.folder)
    assert all(path.startswith((".planact/sessions/", ".planact/executions/", ".planact/plans/")) for path in gone)
    assert len([path for path in gone if path.startswith(".planact/executions/")]) == 2
    assert planact.run("executions", "--json").json["executions"] == []
    assert planact.run("plan", "list").code == 0
    assert planact.run("state", "delete", "--yes").code == 1


def test_nothing_is_deleted_while_something_runs(planact: Program) -> None:
    planact.plan()
    (lock,) = (path / "run.lock" for path in state(planact).iterdir())
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("a.plan: step 1")
        file.flush()
        before = below(state(planact)), below(planact.folder)
        ran = planact.run("state", "delete", "--yes", "--json")
        assert (ran.code, ran.json["error"]["code"]) == (1, "BUSY"), ran
        assert "a.plan: step 1" in ran.json["error"]["message"]
        assert (below(state(planact)) - before[0] <= {f"{lock.parent.name}/run.lock.gate"}, below(planact.folder)) == (
            True,
            before[1],
        )


def test_a_link_in_a_workspace_leads_nowhere(planact: Program, tmp_path: Path) -> None:
    planact.plan()
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "a.json").write_text("{}")
    executions = planact.folder / ".planact" / "executions"
    executions.mkdir(exist_ok=True)
    executions.rmdir()
    executions.symlink_to(victim)
    assert planact.run("state", "delete", "--yes").code == 0
    assert (victim / "a.json").exists()


def test_a_person_at_the_terminal_is_asked(planact: Program) -> None:
    planact.plan()
    for typed, code, is_left in (("1\n", 1, True), ("2\n", 0, False)):
        terminal = Terminal(planact, "state", "delete")
        try:
            terminal.until("What stays:")
            terminal.until("Number")
            terminal.types(typed)
            assert (terminal.ends(), bool(list(state(planact).glob("*/state.db")))) == (code, is_left), terminal.shown
        finally:
            terminal.close()
