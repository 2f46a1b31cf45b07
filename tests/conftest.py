"""What holds for all tests: `--forbid-skips` makes a run with skipped tests fail, as CI wants it."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forbid-skips", action="store_true", help="a skipped test fails the run")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and session.config.getoption("forbid_skips") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"\n{len(skipped)} skipped, which --forbid-skips counts as failures", red=True)
