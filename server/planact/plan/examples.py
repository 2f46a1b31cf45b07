"""Each code of the linter in the smallest plan that has it, and the same plan mended.

Tests lint both: the first has its code, the second hasn't.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Example:
    """Two texts of plans."""

    faulty: str
    mended: str


def _plan(steps: str, more: str = "") -> str:
    return f"# Rename `load`\n\n## Steps\n{steps}\n{more}"


_FIRST = "- [ ] 1. Rename it in `app.py`\n  - reason: the name hides that it reads a file"


def _steps(steps: str, mended: str) -> Example:
    return Example(_plan(steps), _plan(mended))


def _details(details: str, mended: str) -> Example:
    return _steps(f"{_FIRST}\n{details}", f"{_FIRST}\n{mended}")


def _front(keys: str, mended: str) -> Example:
    text = "Rename `load` to `read_config`."
    return Example(f"---\n{keys}\n---\n{text}\n", f"---\n{mended}\n---\n{text}\n")


_DELETES = "- [ ] 1. Remove the old cache\n  - reason: nothing reads it\n  - tools: delete_file\n  - files: cache.db"
_QUESTION = "\n  > [!QUESTION] q1 major: Keep the old name, too?\n  > - [{}] yes: Keep it\n  > - [ ] no: Remove it"

_NOW = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""SHA-256 of the file in the examples, which is empty."""


def _resting_on(sha256: str) -> str:
    body = _plan(f"{_FIRST}\n  - files: app.py")
    return f"---\ncontext:\n  - {{path: app.py, sha256: {sha256}}}\n---\n{body}"


EXAMPLES: Mapping[str, Example] = MappingProxyType(
    {
        "PLAN001": Example(f"## Steps\n{_FIRST}\n", _plan(_FIRST)),
        "PLAN002": Example("# Rename `load`\n\n## Steps\n", _plan(_FIRST)),
        "PLAN003": _steps(
            f"{_FIRST}\n- [ ] 1. Test it\n  - reason: trust is good",
            f"{_FIRST}\n- [ ] 2. Test it\n  - reason: trust is good",
        ),
        "PLAN004": _steps(_FIRST.replace("[ ]", "[?]"), _FIRST),
        "PLAN005": _front("status: &s draft", "status: draft"),
        "PLAN006": _front("statis: draft", "status: draft"),
        "PLAN007": _front('format_version: "9.0"', 'format_version: "1.0"'),
        "PLAN008": _details("  - tools: reed_file", "  - tools: read_file"),
        "PLAN009": _steps("- [ ] 1. Rename it in `app.py`", _FIRST),
        "PLAN010": _steps("- [ ] 1.", _FIRST),
        "PLAN011": _steps(f"{_FIRST}\n- Test it", f"{_FIRST}\n- [ ] 2. Test it\n  - reason: trust is good"),
        "PLAN012": _details("  - [ ] Test it", "- [ ] 2. Test it\n  - reason: trust is good"),
        "PLAN013": _details("  - reason: it is short", "  - expect: it is short"),
        "PLAN014": _steps(f"{_FIRST}\n\n## Notes\n```python\nload()", f"{_FIRST}\n\n## Notes\n```python\nload()\n```"),
        "PLAN015": _front("status: maybe", "status: draft"),
        "PLAN016": _details("  - tools: update_file\n  - files: gone.py", "  - tools: create_file\n  - files: gone.py"),
        "PLAN017": _details("  - check: `grep 'read_config app.py`", "  - check: `grep -q read_config app.py`"),
        "PLAN018": _details("  - check: `curl example.com`", "  - check: `grep -q read_config app.py`"),
        "PLAN019": Example(
            _plan(_DELETES), _plan(_DELETES, "\n## Risks\n- The cache is built anew, which takes a minute.\n")
        ),
        "PLAN020": _details("  - files: {{file}}", "  - files: app.py"),
        "PLAN021": _steps(_FIRST + _QUESTION.format(" "), _FIRST + _QUESTION.format("x")),
        "PLAN022": Example(
            f"<<<<<<< ours\n# Rename `load`\n=======\n# Rename load\n>>>>>>> theirs\n\n## Steps\n{_FIRST}\n",
            _plan(_FIRST),
        ),
        "PLAN023": _details("  - checks: `true`", "  - check: `true`"),
        "PLAN024": Example(
            "Rename `load`:\n\n1. in `app.py`\n2. in its tests\n",
            _plan("- [ ] 1. Rename it in `app.py`\n- [ ] 2. Rename it in its tests"),
        ),
        "PLAN025": Example(_resting_on("0" * 64), _resting_on(_NOW)),
    }
)
