"""The pages that users read, taken apart: fenced blocks with their kind, links, headings."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.source import ROOT

DOCS = ROOT / "server" / "docs"
CLIENT_DOCS = ROOT / "client-vscode" / "docs"
EDITORS = ROOT / "server" / "editors"
CODES = ROOT / "server" / "planact" / "plan" / "rules" / "codes.md"

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<kind>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]\n]*\]\((?:<([^>\n]+)>|([^)\s]+))\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\| *(?:\[)?`([^`]+)`(?:[^|]*)\|", re.MULTILINE)


def pages() -> list[Path]:
    """Every page for users, the linter's included."""
    own = [ROOT / "README.md", ROOT / "client-vscode" / "README.md", EDITORS / "README.md", CODES]
    return [*own, *sorted(DOCS.glob("*.md")), *sorted(CLIENT_DOCS.glob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its fence, its text, and where it stands."""

    page: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


def blocks(*kinds: str) -> list[Block]:
    """The blocks of all pages, or only those of some kinds."""
    found = [block for page in pages() for block in _blocks(page)]
    return [block for block in found if not kinds or block.kind in kinds]


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for match in _FENCE.finditer(text):
        yield Block(page, text.count("\n", 0, match.start()) + 1, match["kind"].strip(), match["text"])


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def links(page: Path) -> list[str]:
    return [bracketed or plain for bracketed, plain in _LINK.findall(prose(page))]


def anchors(page: Path) -> set[str]:
    """What links can point to: headings in small letters, without punctuation, blanks as hyphens."""
    titles = [re.sub(r"[^\w\- ]", "", title.lower()) for title in _HEADING.findall(prose(page))]
    return {title.strip().replace(" ", "-") for title in titles}


def section(page: Path, title: str) -> str:
    """What stands below a heading, up to the next of any level."""
    _, found, rest = prose(page).partition(f"# {title}\n")
    assert found, f"{name_of(page)} has no heading {title!r}"
    return re.split(r"^#+ ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[str]:
    """The code that each row of a table begins with."""
    return _ROW.findall(text)


def tracked_pictures() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.png"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines()]
