"""No feature without a test."""

from pathlib import Path

from planact.lsp import features


def test_each_feature_has_its_tests() -> None:
    named = {register.__module__.rpartition(".")[2] for register in features.FEATURES} - {"initialized"}
    there = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert named - there == set()
