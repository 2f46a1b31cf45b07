"""What commands on trial may leave without a question is ordinary: no program, no link, no setting of a tool."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from planact.model.runs.touch import NOTHING, FileState
from planact.policy.outcomes import Outcome, OutcomeContext, rule_to_keep, verdict_on_outcomes

PLAIN = FileState(kind="file", sha256="a" * 64, mode=0o644)
RUNS = FileState(kind="file", sha256="a" * 64, mode=0o755)
LINK = FileState(kind="link", sha256="a" * 64)
NAMED = frozenset({"tests/test_a.py", "web/package.json"})


def verdict(path: str, now: FileState) -> str:
    context = OutcomeContext(NAMED, frozenset(), "acceptEdits", has_step=True)
    judged = verdict_on_outcomes([Outcome(path, NOTHING, now, ("make",))], context)
    return "silent" if judged.silent else "small" if judged.small else "asked"


SETTINGS = (".rspec", ".flake8", ".rubocop.yml", ".eleventy.js", ".storybook/main.js", "web/.eslintrc", ".github/x.yml")
LISTED = Path(__file__).with_name("tool_settings.txt").read_text("utf-8").partition("\n")[2].split()


@pytest.mark.parametrize("folder", ["", "packages/web/"])
@pytest.mark.parametrize("path", [*SETTINGS, *LISTED])
def test_settings_of_tools_are_asked_about(path: str, folder: str) -> None:
    for name in (path, path.swapcase()):
        assert verdict(f"{folder}{name}", PLAIN) == "asked"


@pytest.mark.parametrize("name", ["unknown", "a.unknown", "a.bin", "A.EXE", "a.so.1", "a.", "a.py~", "a.py.sh"])
def test_a_kind_of_file_that_nobody_knows_is_asked_about(name: str) -> None:
    assert verdict(f"src/{name}", PLAIN) == "asked"


@pytest.mark.parametrize(
    "path",
    [
        *("notes.txt", "src/profile.py", "docs/a.b/c.md", "src/build_it.py", "lib.py", "src/a.test.ts", "src/App.tsx"),
        *("tests/fixtures/a.json", "src/locales/de.yml", "pkg/__snapshots__/b.snap", "docs/logo.SVG", "cmd/main.go"),
    ],
)
def test_other_plain_files_stay_with_a_note(path: str) -> None:
    assert verdict(path, PLAIN) == "small"


@pytest.mark.parametrize("path", ["tests/__snapshots__/test_a.snap", "web/package-lock.json"])
def test_what_programs_write_beside_a_named_file_is_silent_but_as_a_program_or_a_link(path: str) -> None:
    assert [verdict(path, now) for now in (PLAIN, RUNS, LINK)] == ["silent", "asked", "asked"]


@pytest.mark.parametrize("name", ["test_a.py", "test_a.sh", "test_a.js", "test_a", "test_a.so", "test_a_conf.txt"])
def test_what_a_program_would_run_is_no_snapshot(name: str) -> None:
    assert verdict(f"tests/__snapshots__/{name}", PLAIN) != "silent"


@pytest.mark.parametrize(("mode", "judged"), [(0o644, "small"), (0o640, "small"), (0o666, "asked"), (0o4644, "asked")])
def test_more_rights_to_a_file_are_asked_about(mode: int, judged: str) -> None:
    now = PLAIN.model_copy(update={"mode": mode})
    context = OutcomeContext(NAMED, frozenset(), "acceptEdits", has_step=True)
    found = verdict_on_outcomes([Outcome("lib.py", PLAIN, now, ("make",))], context)
    assert ("small" if found.small else "asked") == judged


def test_a_new_folder_above_what_stays_is_not_asked_about() -> None:
    """Discarded, it would have to stay, and the user would be told that it couldn't be put back."""
    folder, open_to_all = (FileState(kind="directory", mode=mode) for mode in (0o755, 0o1777))
    found = {
        "web": (NOTHING, folder),
        "web/package.json": (NOTHING, PLAIN),
        "tests": (folder, open_to_all),
        "tests/test_a.py": (NOTHING, PLAIN),
        "other": (NOTHING, folder),
        "other/x.unknown": (NOTHING, PLAIN),
    }
    outcomes = [Outcome(path, before, now, ("make",)) for path, (before, now) in found.items()]
    judged = verdict_on_outcomes(outcomes, OutcomeContext(NAMED, frozenset(), "acceptEdits", has_step=True))
    assert sorted(each.path for each in judged.asked) == ["other", "other/x.unknown", "tests"]
    gone = [Outcome("web", NOTHING, folder, ("make",)), Outcome("web/package.json", PLAIN, NOTHING, ("make",))]
    judged = verdict_on_outcomes([*gone, *outcomes[4:]], OutcomeContext(NAMED, frozenset(), "ask", has_step=True))
    assert "web" in [each.path for each in judged.asked]


STATES = [
    *(NOTHING, LINK, FileState(kind="other"), FileState(kind="directory", mode=0o755)),
    *(FileState(kind="file", sha256=digit * 64, mode=mode) for digit in "ab" for mode in (0o600, 0o644, 0o666, 0o755)),
    FileState(kind="directory", mode=0o777),
]


@pytest.mark.parametrize("path", ["setup.sh", "package.json", "src/a.py"])
def test_a_rule_keeps_its_example_and_nothing_that_goes_leads_elsewhere_or_has_more_rights(path: str) -> None:
    changes = [(before, now) for before in (None, *STATES) for now in STATES if before != now]
    rules = {change: rule_to_keep([Outcome(path, *change, ("make",))]) for change in changes}
    kept: set[tuple[FileState | None, FileState]] = set()
    for rule in set(rules.values()):  # one of these paths for this command, or none
        context = OutcomeContext(NAMED, frozenset(), "ask", has_step=True, rules=[rule] if rule else ())
        by_rule = {each for each in changes if verdict_on_outcomes([Outcome(path, *each, ("make",))], context).silent}
        assert by_rule == {each for each in changes if rule and rules[each] == rule}
        kept |= by_rule
    assert (STATES[4], STATES[8]) in kept
    for before, now in kept:
        assert before is not None
        assert now.kind in ("file", "directory")
        assert before.kind in ("nothing", now.kind)
        assert before == NOTHING or not now.mode or not before.mode or now.mode | before.mode == before.mode
        assert (before, now.kind) != (NOTHING, "file") or not (now.mode or 0) & 0o111


def test_the_first_of_many_small_changes_of_a_step_is_asked_about() -> None:
    def judged(now: Sequence[str], before: Sequence[str]) -> bool:
        outcomes = [Outcome(path, PLAIN, FileState(kind="file", sha256="b" * 64, mode=0o644), ("x",)) for path in now]
        context = OutcomeContext(NAMED, frozenset(), "acceptEdits", has_step=True, changed=before)
        return bool(verdict_on_outcomes(outcomes, context).asked)

    files = [f"src/f{at}.py" for at in range(8)]
    assert not judged(files[:1], [*files[1:5], *NAMED])
    assert not judged(files[:1], files[:5])
    assert judged(files[:1], files[1:6])
    assert not judged(files[:1], files[1:7])  # the user has allowed more already
    assert judged(files[:6], files[6:])


@pytest.mark.parametrize("name", ["dev.db-wal", "dev.db-shm", "dev.db-journal", "data/in/x.duckdb.wal"])
def test_what_a_database_keeps_beside_it_is_judged_as_the_database_is(name: str) -> None:
    def judged(before: FileState, now: FileState, **more: frozenset[str]) -> bool:
        context = OutcomeContext(more.get("named", NAMED), frozenset(), "ask", True, given=more.get("given", ()))
        return bool(verdict_on_outcomes([Outcome(name, before, now, ("make",))], context).silent)

    database = frozenset({name.removesuffix("-" + name.rpartition("-")[2]).removesuffix(".wal")})
    assert not judged(NOTHING, PLAIN)
    assert not judged(NOTHING, PLAIN, given=frozenset({"other.db", "dev"}))
    for now in (PLAIN, NOTHING):
        assert judged(PLAIN, now, given=database)
    assert judged(NOTHING, PLAIN, named=database)
    for now in (RUNS, LINK, FileState(kind="directory", mode=0o777)):
        assert not judged(NOTHING, now, given=database)
