"""What holds for all tests: a home of their own, no keys, and with `--forbid-skips` no skipped test, as CI wants it."""

import os
import shutil
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("planact", deadline=None)  # no test is about how fast the machine is
settings.load_profile("planact")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forbid-skips", action="store_true", help="a skipped test fails the run")


def pytest_configure(config: pytest.Config) -> None:
    # For the whole run, since servers shared by a module start before any fixture of a single test.
    home = tempfile.mkdtemp(prefix="planact-tests-")
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    for name in list(os.environ):
        if name.startswith(("PLANACT_", "XDG_", "PYTEST_ADDOPTS")) or name.endswith("_API_KEY"):
            del os.environ[name]
    os.environ["HOME"] = home


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and session.config.getoption("forbid_skips") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"\n{len(skipped)} skipped, which --forbid-skips counts as failures", red=True)
