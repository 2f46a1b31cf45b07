"""What holds for all tests: `--forbid-skips` makes a run with skipped tests fail, as CI wants it."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forbid-skips", action="store_true", help="count a skipped test as a failure")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and item.config.getoption("forbid_skips"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and skips are forbidden here: {call.excinfo.value}"
    return report
