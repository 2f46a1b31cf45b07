"""An approved command can fetch packages though it may not write the user's caches, which stay as they are."""

import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from planact.adapters.sandbox.choose import Jail, JailSupport
from planact.adapters.sandbox.limits.caches_in_act import caches_in_act
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.base.paths import Place
from planact.model.rights.command import CommandResult
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import Yard, abilities_of_each_rung

HELD = abilities_of_each_rung()
RUNGS = {**HELD, "none": JailSupport()}
INSTALL = "npm install --no-audit --no-fund ./left-1.0.0.tgz && node -e 'console.log(require(\"left\")())'"


def installed(rung: str, *writable: str) -> tuple[CommandResult, list[str], list[str]]:
    """Install a package of a file; return how that ended, what is in npm's cache, and what is left elsewhere."""

    async def install() -> Any:
        yard = Yard.make()
        try:
            package = yard.workspace / "package"
            package.mkdir()
            (package / "package.json").write_text('{"name": "left", "version": "1.0.0", "main": "i.js"}')
            (package / "i.js").write_text("module.exports = () => 'it works'\n")
            with tarfile.open(yard.workspace / "left-1.0.0.tgz", "w:gz") as archive:
                archive.add(package, "package")
            (yard.workspace / "package.json").write_text('{"name": "a", "version": "1.0.0"}')
            (yard.home / ".npm").mkdir()
            (scratch := yard.base / "sessions/one").mkdir(parents=True)
            around = JailEnvironment(
                environment=yard.environment,
                home=yard.home,
                workspace=yard.workspace,
                kept=[],
                temporary=(),
                writable=[yard.home / name for name in writable],
            )
            spawner = Jail(RUNGS[rung], "auto").spawner(make_profiles(around)["act"])
            runner = CommandRunner(str(yard.workspace), yard.environment, Descendants(), spawner)
            place = Place(".", yard.workspace, PurePosixPath(), exists=True, is_directory=True)
            result = await runner.run(INSTALL, place, 120, 20_000, lambda text: None, None, (), str(scratch))
            kept = sorted(path.name for path in (yard.home / ".npm").iterdir())
            return result, kept, sorted(path.name for path in scratch.parent.iterdir())
        finally:
            yard.remove()

    return as_ordinary_user(install)


@pytest.mark.skipif(not shutil.which("npm", path="/usr/bin"), reason="it needs npm")
@pytest.mark.parametrize("rung", HELD)
def test_npm_installs_and_the_users_cache_stays_as_it_is(rung: str) -> None:
    result, cache, left = installed(rung)
    assert (result.exit_code, "it works" in result.output) == (0, True), result.output
    assert (cache, left) == ([], ["one"])


@pytest.mark.skipif(not shutil.which("npm", path="/usr/bin"), reason="it needs npm")
@pytest.mark.parametrize(("rung", "writable"), [("none", ()), *((rung, (".npm",)) for rung in [*HELD][:1])])
def test_where_the_users_cache_can_be_written_it_is_used(rung: str, writable: tuple[str, ...]) -> None:
    result, cache, _ = installed(rung, *writable)
    assert result.exit_code == 0, result.output
    assert "_cacache" in cache


def test_a_cache_that_the_user_put_elsewhere_counts_where_it_is() -> None:
    found = dict(caches_in_act({"NPM_CONFIG_CACHE": "/w/npm"}, Path("/home/a"), [Path("/w")]))
    assert found == {"UV_CACHE_DIR": "$TMPDIR/UV_CACHE_DIR"}
