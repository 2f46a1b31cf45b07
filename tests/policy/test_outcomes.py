"""What commands on trial may leave without a question is ordinary: no program, no link, no setting of a tool."""

import pytest

from planact.model.runs.touch import NOTHING, FileState
from planact.policy.outcomes import Outcome, OutcomeContext, verdict_on_outcomes

PLAIN = FileState(kind="file", sha256="a" * 64, mode=0o644)
RUNS = FileState(kind="file", sha256="a" * 64, mode=0o755)
LINK = FileState(kind="link", sha256="a" * 64)
NAMED = frozenset({"tests/test_a.py", "web/package.json"})


def verdict(path: str, now: FileState) -> str:
    context = OutcomeContext(NAMED, frozenset(), "acceptEdits", has_step=True)
    judged = verdict_on_outcomes([Outcome(path, NOTHING, now, ("make",))], context)
    return "silent" if judged.silent else "small" if judged.small else "asked"


@pytest.mark.parametrize(
    "path",
    [
        *(".rspec", ".flake8", ".rubocop.yml", ".eleventy.js", ".storybook/main.js", "web/.eslintrc", ".github/x.yml"),
        *(
            "bunfig.toml",
            "mypy.ini",
            "setup.cfg",
            "Vagrantfile",
            "lib/Rakefile",
            "build.zig",
            "gulpfile.js",
            "default.nix",
        ),
    ],
)
def test_settings_of_tools_are_asked_about(path: str) -> None:
    assert verdict(path, PLAIN) == "asked"


@pytest.mark.parametrize("path", ["notes.txt", "src/profile.py", "docs/a.b/c.md", "src/build_it.py"])
def test_other_plain_files_stay_with_a_note(path: str) -> None:
    assert verdict(path, PLAIN) == "small"


@pytest.mark.parametrize("path", ["tests/__snapshots__/test_a.snap", "web/package-lock.json"])
def test_what_programs_write_beside_a_named_file_is_silent_but_as_a_program_or_a_link(path: str) -> None:
    assert [verdict(path, now) for now in (PLAIN, RUNS, LINK)] == ["silent", "asked", "asked"]
