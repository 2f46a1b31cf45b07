"""A fresh arena for each test."""

from pathlib import Path

import pytest

from tests.adversarial.arena import Arena


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena(tmp_path)
