"""Paths outside the workspace that a command names are what its jail opens besides the workspace."""

from pathlib import Path, PurePosixPath

import pytest

from planact.base.paths import Place
from planact.model.rights.permission import CommandEffect
from planact.policy.context import PlacedEffect
from planact.shell.classify import Classifier
from planact.shell.judge import LineContext
from planact.tools.calls.judge import outside_paths

CLASSIFIER = Classifier()
PLACE = Place(".", Path("/work/a"), PurePosixPath(), exists=True, is_directory=True)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat f src/g", ()),
        ("cat /etc/hosts ../b/x", ("/etc/hosts", "/work/b/x")),
        ("cat /etc/ho*", ("/etc",)),
        ("cat ../b/*/x", ("/work/b",)),
        ("cat src/*", ()),
        ("cat ~/x", ()),
        ("grep -r x ../b", ("/work/b",)),
    ],
)
def test_what_a_command_names_outside_the_workspace(command: str, expected: tuple[str, ...]) -> None:
    found = CLASSIFIER.classify(command, second=None, context=LineContext("/work/a", ("/work/a",)))
    assert outside_paths(PlacedEffect(CommandEffect(command, "."), PLACE, found=found)) == expected
