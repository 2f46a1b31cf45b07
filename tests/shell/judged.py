"""The classifier as planact puts it together, for all tests of command lines."""

import sys
from pathlib import Path
from typing import get_args

from planact.adapters.sandbox.shfmt import Shfmt, find_shfmt
from planact.model.rights.classification import Classification
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Mode
from planact.policy.commands import CommandVerdict, judge_command
from planact.shell.classify import Classifier
from planact.shell.judge import LineContext

CONTEXT = LineContext("/ws", ("/ws",))
CLASSIFIER = Classifier()
HELD: frozenset[Confinement] = frozenset(get_args(Confinement))
READS = ("local-read", "net-read", "daemon-read")


def second_parser() -> Shfmt:
    path = find_shfmt(Path(sys.executable))
    assert path is not None, "shfmt is a dependency"
    return Shfmt(path)


SHFMT = second_parser()


def classify(line: str) -> Classification:
    return CLASSIFIER.classify(line, second=SHFMT, context=CONTEXT)


def in_plan(line: str) -> CommandVerdict:
    return judge_command(classify(line), Mode.PLAN, "on", HELD)
