"""Where something new lacks a part that its list names, the run of the tests ends with one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.broken_import import told

RULES = "from p.rules import a\nfrom p.rules import b\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"rules/b.py": ""}, "Add server/p/rules/a.py, or drop it from server/p/rules/__init__.py:1."),
        ({"rules/a.py": ""}, "Add server/p/rules/b.py, or drop it from server/p/rules/__init__.py:2."),
        (
            {"rules/a.py": "", "rules/b.py": "", "rules/__init__.py": f"{RULES}X = b.judge"},
            "Add `judge` to server/p/rules/b.py, which server/p/rules/__init__.py:3 reads.",
        ),
        (
            {"rules/a.py": "", "rules/__init__.py": "from p.rules.a import check"},
            "Add `check` to server/p/rules/a.py, or drop it from server/p/rules/__init__.py:1.",
        ),
        (
            {"rules/__init__.py": "import planact.no_part"},
            "Add server/planact/no_part.py, or drop it from server/p/rules/__init__.py:1.",
        ),
        ({"rules/__init__.py": "int('x')"}, "server/p/rules/__init__.py:1: ValueError: invalid literal for int()"),
    ],
)
def test_what_a_list_names_and_is_not_there_is_told_with_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], expected: str
) -> None:
    server = tmp_path / "server"
    for name, text in {"__init__.py": "", "rules/__init__.py": RULES, **files}.items():
        path = server / "p" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(server))
    with pytest.raises(Exception) as raised:  # noqa: PT011  whatever it is
        __import__("p.rules")
    for name in [name for name in sys.modules if name == "p" or name.startswith("p.")]:
        del sys.modules[name]
    assert expected in told(raised.value, server)


def test_other_errors_are_shown_as_they_are(tmp_path: Path) -> None:
    assert told(ValueError("x")) == ""
    test = tmp_path / "test_x.py"
    test.write_text("import planact.no_part\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert "No module named 'planact.no_part'" in done.stdout
