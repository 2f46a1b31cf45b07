"""How many cases a test tries: a few in `make quick`, some in `make test`, all in `make soak`."""

import pytest

_is_soak = _is_quick = False
QUICK_SHARE = 20


def configure(config: pytest.Config) -> None:
    """Take over what the command line asks for. Before any test is loaded, since decorators ask for counts."""
    global _is_soak, _is_quick
    _is_soak, _is_quick = bool(config.getoption("soak")), bool(config.getoption("quick"))


def times(short: int, whole: int) -> int:
    """Return the count for this run: `whole` with `--soak`, a share of `short` with `--quick`."""
    return whole if _is_soak else max(1, short // QUICK_SHARE) if _is_quick else short
