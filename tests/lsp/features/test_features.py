"""No feature without a test."""

import re
from pathlib import Path

from planact.lsp import features

TESTED_WITH_OTHERS = {"initialized", "did_close"}  # in test_initialize and test_publish_diagnostics


def test_each_handler_of_a_feature_has_its_tests() -> None:
    sources = [path.read_text("utf-8") for path in Path(*features.__path__).glob("*.py")]
    handlers = {name for source in sources for name in re.findall(r"def on_(\w+)\(", source)} - TESTED_WITH_OTHERS
    there = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert len(handlers) >= len(features.FEATURES)
    assert [name for name in sorted(handlers) if not any(name.startswith(stem) for stem in there)] == []
