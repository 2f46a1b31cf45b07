"""The page of rules: each code's example has that code for the real linter, and mended it hasn't."""

import json
from pathlib import Path

from planact.plan import codes
from planact.plan.examples import EXAMPLES
from tests.cli.program import Program


def test_every_code_has_an_example() -> None:
    assert EXAMPLES.keys() == codes.CODES.keys()


def test_each_example_has_its_code_with_its_severity_and_mended_it_has_not(tmp_path: Path) -> None:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "app.py").touch()
    (folder / "cache.db").touch()
    for code, example in EXAMPLES.items():
        (folder / f"{code}-faulty.plan").write_text(example.faulty)
        (folder / f"{code}-mended.plan").write_text(example.mended)
    planact = Program(folder, home, {"PLANACT_COMMANDS_DENY": '["curl"]'})
    found: dict[str, dict[str, str]] = {}
    for problem in json.loads(planact.run("plan", "lint", ".", "--json").out)["problems"]:
        found.setdefault(problem["path"], {})[problem["code"]] = problem["severity"]
    for code in codes.CODES.values():
        assert found[f"{code.name}-faulty.plan"].get(code.name) in code.severities.split(", "), code.name
    graver = {path: told for path, told in found.items() if "mended" in path and set(told.values()) - {"hint"}}
    left = {path: told for path, told in found.items() if "mended" in path and path.partition("-")[0] in told}
    assert (graver, left) == ({}, {})
