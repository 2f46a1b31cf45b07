"""Outlines: the names in one source text with their kinds and lines, as a compact text.

A line of an outline is `name TAB kind TAB line,line,…`; it begins and ends with a line break, so that a name is found
in thousands of outlines by searching for it between a line break and a tab.
"""

from collections.abc import Iterator

REFERENCE = "reference"

LARGEST_SOURCE = 1_000_000
"""Bytes of a file that is parsed: more is made by machines, or against them."""


def places(outlined: str, name: str) -> Iterator[tuple[str, int]]:
    """Return the kinds and lines of a name in an outline."""
    at = outlined.find(f"\n{name}\t")
    while at >= 0:
        end = outlined.index("\n", at + 1)
        _, kind, lines = outlined[at + 1 : end].split("\t")
        yield from ((kind, int(line)) for line in lines.split(","))
        at = end if outlined.startswith(f"\n{name}\t", end) else -1


def defined(outlined: str) -> Iterator[str]:
    """Return the names that a text defines, by its outline."""
    for entry in outlined.strip("\n").split("\n"):
        name, _, rest = entry.partition("\t")
        if rest and not rest.startswith(REFERENCE):
            yield name
