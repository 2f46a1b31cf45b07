"""After the third question of a kind, `planact doctor` says how to be asked less, and that way works."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from planact.cli.doctor import _questions, _waiting
from planact.cli.engine import Engine
from planact.model.settings import CommandSettings, WorkspaceSettings
from tests.cli.program import Program
from tests.fakes.world import Turn, answer
from tests.workflows.scene import SAID, WRITE_A, Scene
from tests.workflows.test_outcomes import make_scene, run_it

NO = answer(approval="reject_once")
UNKNOWN = ["git stash", "git reset -q", "git branch other"]
NETWORK = ["npm install left-pad", "curl http://192.0.2.1", "git push"]


def advice(it: Scene) -> list[str]:
    engine = cast(Engine, SimpleNamespace(ws=it.ws))
    return [finding.text for finding in _questions(engine)]


def asked_thrice(root: Path, *turns: Turn, answers: Any = NO, **more: Any) -> Scene:
    it = make_scene(root, WRITE_A, *turns, SAID, script="open('setup.sh', 'a').write('x')", **more)
    it.answers(*[answers] * 3)
    it.execute(step=1)
    return it


def outside(root: Path, count: int = 3) -> list[str]:
    folder = root.with_name(f"{root.name}-beside")
    for number in range(count):
        (folder / str(number)).mkdir(parents=True, exist_ok=True)
        (folder / str(number) / "x").write_text("x")
    return [f"cat {folder}/{number}/x" for number in range(count)]


@pytest.mark.parametrize(
    ("lines", "told", "way"),
    [
        (UNKNOWN, "about commands", "commands.allow"),
        (NETWORK, "about the network and what acts elsewhere", "name it in the plan's steps"),
    ],
)
def test_commands_and_the_network(tmp_path: Path, lines: list[str], told: str, way: str) -> None:
    it = asked_thrice(tmp_path, *map(run_it, lines))
    assert len(it.asked) == 3
    [text] = advice(it)
    assert f"you were asked 3 times {told}; to be asked less, " in text
    assert way in text


def test_two_questions_are_not_worth_a_word(tmp_path: Path) -> None:
    it = asked_thrice(tmp_path, *map(run_it, UNKNOWN[:2]), *map(run_it, NETWORK[:1]))
    assert advice(it) == []


def test_reading_elsewhere_is_asked_about_until_the_setting_names_it(tmp_path: Path) -> None:
    lines = outside(tmp_path)
    it = asked_thrice(tmp_path, *map(run_it, lines))
    [text] = advice(it)
    assert "3 times about reading elsewhere; to be asked less, name the folders in workspace.readable" in text
    (other := tmp_path / "again").mkdir()
    folder = str(tmp_path.with_name(f"{tmp_path.name}-beside"))
    again = asked_thrice(other, *map(run_it, lines), workspace=WorkspaceSettings(readable=[folder]))
    assert again.asked == []


def test_names_of_commands_in_the_setting_are_no_longer_asked_about(tmp_path: Path) -> None:
    it = asked_thrice(tmp_path, *map(run_it, UNKNOWN), commands=CommandSettings(allow=UNKNOWN))
    assert it.asked == []


def test_outcomes(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *(WRITE_A, run_it("python3 gen.py"), SAID) * 3, script="open('setup.sh', 'a').write('x')")
    it.answers(*[answer(outcome="discard")] * 3)
    for _ in range(3):
        it.execute(step=1)
    assert len(it.asked) == 3
    [text] = advice(it)
    assert "3 times about what commands had changed; to be asked less, choose “Keep always”" in text


def test_before_trust_the_first_way_is_to_trust_the_folder(tmp_path: Path) -> None:
    it = asked_thrice(tmp_path, *map(run_it, UNKNOWN))
    waits = replace(it.ws, awaits_trust=lambda: True)
    engine = cast(Engine, SimpleNamespace(ws=waits))
    [finding] = _questions(engine)
    assert "to be asked less, trust this folder (planact trust), choose" in finding.text
    [waiting] = [each.text for each in _waiting(engine)]
    assert waiting == (
        "unknown commands are asked about here, and not tried out, until you trust this folder (planact trust)"
    )


def test_the_real_program_says_what_waits_for_trust_until_the_folder_is_trusted(planact: Program) -> None:
    def told() -> list[str]:
        rows = planact.run("doctor", "--json").json["findings"]
        return [row["text"] for row in rows if row["name"] == "trial"]

    assert ["not tried out" in text for text in told()] == [True]
    assert planact.run("trust").code == 0
    assert told() == []
