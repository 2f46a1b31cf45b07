"""Links: every path in the text that leads to a file."""

import pytest

from planact.plan.ide.links import links
from planact.plan.syntax.parser import parse

TEXT = """---
context:
  - {path: src/app.py, sha256: 0f}
  - {path: /etc/hosts, sha256: 0f}
  - {path: "with space.py", sha256: 0f}
---
# Change `src/app.py:12`, not `src/app.py:x`

`src/gone.py`, `../src/app.py`, `/src/app.py`, `src`, `app()` and ``src/app.py``

## Steps
- [ ] 1. Look at `README.md`
  - files: src/app.py, `src/b,c.py`,
    src/app.py:7-9
  - files:
    - src/
    - src/*.py
"""
THERE = {"src/app.py", "with space.py", "README.md", "src/b,c.py", "src/", "src"}


def test_paths_that_exist_are_links_once() -> None:
    asked: list[str] = []

    def exists(path: str) -> bool:
        asked.append(path)
        return path in THERE

    found = links(parse(TEXT), exists)
    assert [(TEXT[slice(*file.span)], file.path, file.line) for file in found] == [
        ("src/app.py", "src/app.py", None),
        ("with space.py", "with space.py", None),
        ("src/app.py:12", "src/app.py", 12),
        ("README.md", "README.md", None),
        ("src/app.py", "src/app.py", None),
        ("src/b,c.py", "src/b,c.py", None),
        ("src/app.py:7-9", "src/app.py", 7),
    ]
    assert len(asked) == len(set(asked))
    assert not any(".." in path or path.startswith("/") or "*" in path for path in asked)


@pytest.mark.parametrize("text", ["", "# G", "---\ncontext: [a]\n---\n"])
def test_where_no_path_is_there_is_no_link(text: str) -> None:
    assert links(parse(text), lambda path: True) == ()
