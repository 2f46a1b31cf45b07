"""Act is offered for a small, clear fix in one named file, and for nothing that might be more."""

import pytest

from planact.policy.intent.small_fix import small_fix_file


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Fix the typo in README.md", "README.md"),
        ("please correct the spelling in `docs/a.md`.", "docs/a.md"),
        ("Rename foo to bar in src/app.py", "src/app.py"),
        ("fix @src/app.py: the import is unused", "src/app.py"),
        ("修复 README.md 里的错别字", "README.md"),
        ("Fix the typo", ""),
        ("Fix a.py and b.py", ""),
        ("Fix the typo in a.py, then run the tests", ""),
        ("Refactor a.py", ""),
        ("Should I fix a.py?", ""),
        ("Fix a.py everywhere it is used", ""),
        ("Don't fix a.py", ""),
        ("Plan to fix a.py", ""),
        ("Fix the login in auth.py if it is broken", ""),
        ("Fix /etc/passwd.txt", ""),
        ("Fix " + "x" * 200 + " in a.py", ""),
        ("", ""),
    ],
)
def test_only_a_small_clear_fix_names_its_file(text: str, path: str) -> None:
    assert small_fix_file(text) == path
