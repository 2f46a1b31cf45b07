"""What stands in the place of a file that a language server was shown is not read for it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.language_servers.conftest import Yard
from tests.language_servers.test_names import RENAME, Names, message

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


def fifo(path: Path) -> None:
    os.mkfifo(path)


def link(path: Path) -> None:
    secret = path.parent.parent / "secret.py"
    secret.write_text("KEY = 'secret'\n")
    path.symlink_to(secret)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("put", [fifo, link, endless])
def test_a_file_that_became_something_else_is_closed(yard: Yard, put: Callable[[Path], None]) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    names.plan("store.py")
    names.bench.listener.answers = ["reject_once"]

    def replace() -> None:
        (yard.root / "app.py").unlink()
        put(yard.root / "app.py")
        names.say({"textDocument/rename": {"error": {"code": 1, "message": "$heard"}}})

    names.bench.listener.meanwhile = replace
    where = {"path": "store.py", "line": 1, "name": "load", "new_name": "fetch"}
    _, heard = names.calls(("rename_symbol", where), ("rename_symbol", where))
    assert "didClose app.py textDocument/rename" in message(heard)
