"""One known edit written in each way in which models write it: the answer is right by construction, since it is made
before it is written down. The same ways around lines that stand twice must be refused, with the places named.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from planact.base.span import apply_edits
from planact.tools.edit.hunks import plan_hunks
from planact.tools.edit.patch import Patch, PatchUpdate, parse_patch
from planact.tools.edit.problem import EditProblem
from planact.tools.edit.replace import Replacement, plan_edits

FILES = {
    "python": [
        "import os", "", "", "class Store:", "    def load(self, path):", "        if not path:",
        "            return None", "", "        return os.stat(path)", "", "    def save(self, path, data):",
        "        with open(path, 'w') as file:",
        "            file.write(data)", "", "", "def main():", "    store = Store()", "    print(store.load('x'))",
    ],
    "go": [
        "package main", "", "func add(a, b int) int {", "\treturn a + b", "}", "", "func main() {",
        "\tif add(1, 2) > 2 {",
        "\t\tprintln(\"big\")", "\t}", "\tprintln(\"end\")", "}",
    ],
    "text": ["# Title", "", "First — “quoted” words.", "", "- one  ", "- two", "", "Last line."],
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """Lines `first` to `last` of a file give way to `new`."""

    name: str
    lines: tuple[str, ...]
    first: int
    last: int
    new: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.first}-{self.last} {len(self.new)}"

    @property
    def after(self) -> list[str]:
        return [*self.lines[: self.first], *self.new, *self.lines[self.last :]]

    @property
    def old(self) -> tuple[str, ...]:
        return self.lines[self.first : self.last]

    def hunk(self, context: int, behind: int | None = None) -> list[str]:
        behind = context if behind is None else behind
        before, after = self.lines[max(0, self.first - context) : self.first], self.lines[self.last :][:behind]
        return [
            *(f" {line}" for line in before),
            *(f"-{line}" for line in self.old),
            *(f"+{line}" for line in self.new),
            *(f" {line}" for line in after),
        ]


def bare(lines: Sequence[str]) -> str:
    return "\n".join(line.strip() for line in lines)


def changes() -> Iterator[Change]:
    """Changes whose old lines stand once in their file, so that there is one right answer."""
    drawn = random.Random(17)
    for name, lines in FILES.items():
        for first in range(len(lines)):
            for length in (1, 2):
                old = lines[first : first + length]
                if len(old) < length or not old[0].strip() or not old[-1].strip() or bare(lines).count(bare(old)) > 1:
                    continue
                blanks = old[0][: len(old[0]) - len(old[0].lstrip())]
                new = tuple(f"{blanks}new{drawn.randrange(10_000)}" for _ in range(drawn.randrange(3)))
                yield Change(name, tuple(lines), first, first + length, new)


def update(*hunks: list[str], path: str = "f") -> list[str]:
    return [f"*** Update File: {path}", *(line for hunk in hunks for line in ("@@", *hunk))]


def whole(*sections: list[str]) -> list[str]:
    return ["*** Begin Patch", *(line for section in sections for line in section), "*** End Patch"]


def passed(change: Change) -> list[str]:
    """A context-only hunk of the lines right before."""
    return [f" {line}" for line in change.lines[max(0, change.first - 2) : change.first]]


Write = Callable[[Change], list[str] | None]

PATCHES: dict[str, Write] = {
    "with three lines of context": lambda c: whole(update(c.hunk(3))),
    "with one": lambda c: whole(update(c.hunk(1))),
    "with none": lambda c: whole(update(c.hunk(0))),
    "without a mark before the first hunk": lambda c: whole(["*** Update File: f", *c.hunk(2)]),
    "in a here-document": lambda c: ["<<'EOF'", *whole(update(c.hunk(2))), "EOF"],
    "in a here-document of the command": lambda c: ['apply_patch <<"PATCH"', *whole(update(c.hunk(2))), "PATCH"],
    "in a fence": lambda c: ["```diff", *whole(update(c.hunk(2))), "```"],
    "in a here-document in a fence": lambda c: ["```sh", "apply_patch <<EOF", *whole(update(c.hunk(1))), "EOF", "```"],
    "with blank lines around": lambda c: ["", "", *whole(update(c.hunk(2))), "", ""],
    "with padded outer markers": lambda c: [" *** Begin Patch  ", *update(c.hunk(2)), "  *** End Patch "],
    "with padded markers": lambda c: ["\t*** Begin Patch", "\t*** Update File: f", "@@", *c.hunk(2), "\t*** End Patch"],
    "with a padded header": lambda c: ["*** Begin Patch", "   *** Update File: f", "@@", *c.hunk(2), "*** End Patch"],
    "indented as a whole": lambda c: [f"    {line}" for line in whole(update(c.hunk(2)))],
    "behind a mark of byte order": lambda c: ["\ufeff*** Begin Patch", *whole(update(c.hunk(2)))[1:]],
    "with a context-only hunk before": lambda c: whole(update(passed(c), c.hunk(0))) if c.first else None,
    "with a context-only hunk behind": lambda c: (
        whole(update(c.hunk(0), [f" {line}" for line in c.lines[c.last :][:2]])) if c.last < len(c.lines) else None
    ),
    "with trailing blank context": lambda c: whole(update([*c.hunk(1), " ", " "])),
    "with unmarked blank lines behind": lambda c: whole([*update(c.hunk(2)), "", ""]),
    "with leading blank context": lambda c: whole(update([" ", *c.hunk(1)])),
    "with the names of a unified diff": lambda c: whole(["*** Update File: f", "--- a/f", "+++ b/f", "@@", *c.hunk(2)]),
    "with the line numbers of a unified diff": lambda c: whole(["*** Update File: f", "@@ -9,3 +7,5 @@", *c.hunk(2)]),
    "with an anchor": lambda c: (
        whole(["*** Update File: f", f"@@ {c.lines[c.first - 1]}", *c.hunk(0)])
        if c.first and c.lines[c.first - 1].strip() else None
    ),
    "without trailing blanks": lambda c: whole(update([line.rstrip() or " " for line in c.hunk(3)])),
    "with typewriter quotes": lambda c: whole(
        update([line if line[0] == "+" else line.translate(str.maketrans("—“”", "-\"\"")) for line in c.hunk(3)])
    ),
    "with Windows line ends": lambda c: "\r\n".join(whole(update(c.hunk(2)))).split("\n"),
    "in two hunks whose context overlaps": lambda c: (
        whole(update(c.hunk(1, 1), [f" {c.lines[c.last]}", f"-{c.lines[c.last + 1]}", f"+{c.lines[c.last + 1]}"]))
        if c.last + 1 < len(c.lines) and c.lines[c.last].strip() and c.lines[c.last + 1].strip() else None
    ),
}  # fmt: skip

ENDS = [("\n", True), ("\n", False), ("\r\n", True), ("\r\n", False)]


def text_of(lines: list[str] | tuple[str, ...], end: str, *, ends: bool) -> str:
    return end.join(lines) + end * (ends and bool(lines))


def patched(text: str, written: list[str]) -> str | EditProblem:
    patch = parse_patch("\n".join(written))
    if isinstance(patch, EditProblem):
        return patch
    assert isinstance(patch, Patch)
    for file in patch.files:
        assert isinstance(file, PatchUpdate)
        edits = plan_hunks(text, file.hunks)
        if isinstance(edits, EditProblem):
            return edits
        text = apply_edits(text, edits)
    return text


@pytest.mark.parametrize("way", PATCHES)
def test_a_patch_makes_the_edit_in_whatever_way_it_is_written(way: str) -> None:
    written = [(c, end, ends, p) for c in changes() for end, ends in ENDS if (p := PATCHES[way](c)) is not None]
    assert len(written) > 40
    for change, end, ends, patch in written:
        got = patched(text_of(change.lines, end, ends=ends), patch)
        assert got == text_of(change.after, end, ends=ends), (str(change), end, ends, patch, got)


REPLACEMENTS: dict[str, Callable[[str, str], tuple[str, str]]] = {
    "as it stands": lambda old, new: (old, new),
    "with a mark of byte order in `old`": lambda old, new: (f"\ufeff{old}", new),
    "with one in `new`": lambda old, new: (old, f"\ufeff{new}"),
    "with one in both": lambda old, new: (f"\ufeff{old}", f"\ufeff{new}"),
    "with Windows line ends": lambda old, new: (old.replace("\n", "\r\n"), new.replace("\n", "\r\n")),
    "without trailing blanks": lambda old, new: ("\n".join(line.rstrip() for line in old.split("\n")), new),
    "with typewriter quotes": lambda old, new: (old.translate(str.maketrans("—“”", '-""')), new),
}


@pytest.mark.parametrize("way", REPLACEMENTS)
def test_a_replacement_makes_the_edit_in_whatever_way_it_is_written(way: str) -> None:
    """Whole lines with their last line break, which the file's last line may lack."""
    count = 0
    for change in changes():
        for end, ends in ENDS:
            old, new = (text_of(lines, "\n", ends=True) for lines in (change.old, change.new))
            text = text_of(change.lines, end, ends=ends)
            edits = plan_edits(text, [Replacement(*REPLACEMENTS[way](old, new))])
            assert not isinstance(edits, EditProblem), (str(change), end, ends, edits)
            assert apply_edits(text, edits) == text_of(change.after, end, ends=ends), (str(change), end, ends)
            count += 1
    assert count > 100


@pytest.mark.parametrize("way", PATCHES)
def test_no_way_of_writing_makes_a_guess_of_lines_that_stand_twice(way: str) -> None:
    """The whole file stands twice, so that no context tells the two apart; an anchor is there twice as well."""
    for change in changes():
        twice = Change(change.name, (*change.lines, "", *change.lines), change.first, change.last, change.new)
        # Written from one half, whose ends say nothing about where it stands.
        if not (written := PATCHES[way](change)) or change.last + 3 >= len(change.lines) or change.first < 3:
            continue
        got = patched(text_of(twice.lines, "\n", ends=True), written)
        assert isinstance(got, EditProblem), (str(change), written)
        assert got.code == "EDIT_AMBIGUOUS", got
        assert "places" in got.message


@pytest.mark.parametrize("way", REPLACEMENTS)
def test_no_way_of_writing_makes_a_guess_of_a_replacement(way: str) -> None:
    for change in changes():
        text = text_of((*change.lines, "", *change.lines), "\n", ends=True)
        old, new = (text_of(lines, "\n", ends=True) for lines in (change.old, change.new))
        got = plan_edits(text, [Replacement(*REPLACEMENTS[way](old, new))])
        assert isinstance(got, EditProblem), str(change)
        assert got.code == "EDIT_AMBIGUOUS"
        assert "places" in got.message
