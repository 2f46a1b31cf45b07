"""A fresh copy of the real package for each test."""

from pathlib import Path

import pytest

from tests.real.rig import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.unpack(tmp_path)
