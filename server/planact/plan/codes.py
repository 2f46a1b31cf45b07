"""Codes of the linter, each with its severities, explanation and example, read from the page of rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

PAGE = Path(__file__).parent / "rules" / "codes.md"
"""The page of rules, which users read as it is: a section with each code as its heading."""

_HEADING = re.compile(r"^## (PLAN[0-9]{3})\n", re.MULTILINE)
_FENCED = r"````plan\n(?P<{0}>.*?)````\n"
_SECTION = re.compile(
    r"\n\*\*(?P<title>[^\n]+)\*\* \((?P<severities>[a-z ]+)\)\n\n(?P<text>.+?)\n\n"
    + rf"{_FENCED.format('faulty')}\nMended:\n\n{_FENCED.format('mended')}",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Code:
    """One code of the linter.

    Attributes:
        severities: "error", "warning" or "hint"; several where the severity depends on the problem.
        text: the explanation, in Markdown.
        line: of its heading on the page, from 1.
        faulty: the smallest plan that has the problem.
        mended: the same plan without the problem.
    """

    name: str
    severities: tuple[str, ...]
    title: str
    text: str
    line: int
    faulty: str
    mended: str


def read_codes(page: str) -> Mapping[str, Code]:
    """Return the codes of a page by name, without those whose section lacks a part or has another form."""
    codes: dict[str, Code] = {}
    headings = list(_HEADING.finditer(page))
    ends = [heading.start() for heading in headings[1:]] + [len(page)]
    for heading, end in zip(headings, ends, strict=True):
        if found := _SECTION.fullmatch(page[heading.end() : end].rstrip("\n") + "\n"):
            name, line = heading[1], page.count("\n", 0, heading.start()) + 1
            severities = tuple(found["severities"].split(" or "))
            codes[name] = Code(name, severities, found["title"], found["text"], line, found["faulty"], found["mended"])
    return MappingProxyType(codes)


CODES = read_codes(PAGE.read_text("utf-8"))
