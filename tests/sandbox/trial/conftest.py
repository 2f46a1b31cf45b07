from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.trial.ground import held_by, jail_in_use


@pytest.fixture(autouse=True)
def jail(request: pytest.FixtureRequest) -> Iterator[str]:
    """By what commands on trial are held: bubblewrap, but where a test is marked with `each_jail`."""
    name = getattr(request, "param", "bubblewrap")
    with held_by(name):
        found = jail_in_use()
        if not (found.mounts_in(Path.home()) if name == "bubblewrap" else found.rung == "landlock"):
            pytest.skip(f"this machine has no {name}")
        yield name
