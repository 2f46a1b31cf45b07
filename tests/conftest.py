"""What holds for all tests: a home of their own, no keys, and with `--forbid-skips` no skipped test, as CI wants it.

With `--soak` tests have their whole counts (see `tests.soak`) and hours for them.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile

import pytest
from hypothesis import settings

from tests import broken_import, soak

settings.register_profile("planact", deadline=None)  # no test is about how fast the machine is
settings.load_profile("planact")
settings.register_profile("quick", deadline=None, max_examples=5)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forbid-skips", action="store_true", help="a skipped test fails the run")
    parser.addoption("--soak", action="store_true", help="give tests their whole counts, as `make soak` does")
    parser.addoption("--quick", action="store_true", help="leave out slow tests, and try less in the others")
    parser.addoption("--seed", type=int, help="what the oracle makes its command lines from, as a failure tells it")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are known, of which there are ten thousand
    soak.configure(config)
    if config.getoption("quick"):
        settings.load_profile("quick")
    # What a shell starts in the background ignores these, and so would all that tests start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # For the whole run, since servers shared by a module start before any fixture of a single test.
    home = tempfile.mkdtemp(prefix="planact-tests-")
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    for name in list(os.environ):
        if name.startswith(("PLANACT_", "XDG_", "PYTEST_ADDOPTS")) or name.endswith("_API_KEY"):
            del os.environ[name]
    os.environ["HOME"] = home


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("quick"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
    if config.getoption("soak"):
        for item in items:
            item.add_marker(pytest.mark.timeout(4 * 3_600), append=False)


def pytest_exception_interact(node: pytest.Collector, call: pytest.CallInfo[object]) -> None:
    is_worker = hasattr(node.config, "workerinput")
    if call.when == "collect" and call.excinfo and not is_worker and (said := broken_import.told(call.excinfo.value)):
        pytest.exit(said, returncode=pytest.ExitCode.TESTS_FAILED)


def pytest_collection_finish() -> None:
    """Leave what was loaded until here out of each search for garbage, in forks of this process, too, which would get
    their own copies of all by looking.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and session.config.getoption("forbid_skips") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"\n{len(skipped)} skipped, which --forbid-skips counts as failures", red=True)
