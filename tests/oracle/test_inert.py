"""A line that may stand beside one that speaks to others opens no file that its words don't name, and tells no key.

Each row that says `inert` is asked, with each of its options, in a workspace whose folders have links out of it and
whose files name files outside. strace watches what is opened, and the output is searched for keys.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from planact.model.rights.jail import Confinement
from planact.shell.catalogue import CATALOGUE
from planact.shell.judge import LineContext, LineJudge
from planact.shell.table import CommandCall, CommandRow
from tests.oracle.lines import Maker
from tests.oracle.observe import Observation, Post, observe_all, user_environment
from tests.oracle.test_oracle import AT_ONCE, can_observe
from tests.shell.judged import CLASSIFIER, SHFMT
from tests.soak import times

pytestmark = [
    pytest.mark.skipif(not can_observe(), reason="needs Linux, strace, and bubblewrap that may make containers"),
    pytest.mark.timeout(times(900, 4 * 3600)),
    pytest.mark.soak,
]

INERT = {name: row for name, row in CATALOGUE.commands.items() if row.is_inert and row.cls == "local-read"}
KEY = "caught-key-7f3a"
LETTER = "a letter of the user's"
_LETTERS = re.compile(r"<[^<>]*/home/letters[/>]")
LEADING_OUT = (
    *("awk 'BEGIN {for (name in ENVIRON) print ENVIRON[name]}'", "b2sum -c sums", "diff -r src bin", "diff src bin"),
    *("du -L src", "du --dereference src", "du -aL src", "egrep -R foo .", "env", "env -0", "env LC_ALL=C"),
    *("fgrep --dereference-recursive foo .", "find -L src", "find src -follow", "grep -R foo", "grep -nR letter src"),
    *("grep --dereference-recursive foo src", "jq -n env", "jq -n '$ENV'", 'jq -n \'include "m" {search: "src"}; m\''),
    *("jq -n -L src 'include \"m\"; m'", "jq -nf src/out.jq", "jq -n --from-file src/out.jq", "ls -LR src"),
    *("ls -R --dereference src", "ls -RH src", "md5sum --check sums", "ps auxe", "ps axeww", "rg --follow letter"),
    *("rg -L letter .", "sha1sum -c sums", "sha256sum --check sums", "stat -L src", "xargs cat < sums", "cat src/*"),
    *("grep src/*", "grep -y src/* src", "grep -A src/* x", "grep -e src/*", "rg src/*", "head -n src/*"),
    *("rg letter", "rg foo .", "rg --files", "echo foo | rg --files", "cat f.txt | rg foo src", "rg --hidden foo src"),
    *("cd here/here && cat ../home/letters/letter", "cd here/missing; cat ../home/letters/letter"),
    *("cd missing; cat src/out.txt", "cd src && for i in 1 2; do cd ..; done; cat home/letters/letter"),
    *("cat a=~/letters/letter", 'x=a:~/letters/letter; cat "$x"'),
)
"""Calls that could be led out of the workspace by a link, a list or a module, or tell the environment."""


class TrappedPost(Post):
    """With a letter in the home, to which a link and lists of the workspace lead, and a key in the environment."""

    jail: Confinement = "net-read"

    def _lay(self) -> None:
        super()._lay()
        letter = self.home / "letters/letter"
        letter.parent.mkdir()
        letter.write_text(f"{LETTER}\nfoo\n")
        (letter.parent / "other").write_text("x\n")
        for folder, name in (("src", "letter"), ("bin", "other")):
            (self.workspace / folder / "out").symlink_to(letter.parent)
            (self.workspace / folder / "out.txt").symlink_to(letter.parent / name)
        for name, target in ((".ignore", letter), ("here", "."), ("a=", "/"), ("a:", "/")):
            (self.workspace / name).symlink_to(target)
        (self.workspace / "sums").write_text(f"{'0' * 32}  {letter}\n{'0' * 40}  {letter}\n{'0' * 64}  {letter}\n")
        (self.workspace / "src/m.jq").symlink_to(letter)
        (self.workspace / "src/out.jq").write_text('include "m" {search: "./"}; m')

    def environment(self) -> Mapping[str, str]:
        return {**super().environment(), "FORGE_TOKEN": KEY}

    def may_stand_beside(self, line: str) -> bool:
        """Return whether planact lets the line stand beside one that speaks, and its files are where they seem."""
        context = LineContext(str(self.workspace), (str(self.workspace),))
        found = CLASSIFIER.classify(f"gh pr list; {line}", second=SHFMT, context=context)
        if found.cls != "net-read" or "outside" in found.traits:
            return False
        named = (Path(os.path.realpath(self.workspace / path)) for path in found.reads)
        return all(path.is_relative_to(self.workspace) for path in named)

    @staticmethod
    def opened(observed: Observation) -> list[str]:
        """Return what a line opened of the letters, and the key in its output."""
        found = [line for line in observed.trace.splitlines() if "open" in line and _LETTERS.search(line)]
        return found + [f"its output has {each!r}" for each in (KEY, LETTER) if each in observed.output]


@pytest.fixture(scope="module")
def posts() -> Iterator[list[TrappedPost]]:
    made = [TrappedPost() for _ in range(AT_ONCE)]
    yield made
    for post in made:
        post.remove()


def lines(rows: Mapping[str, CommandRow], path: str) -> Iterator[str]:
    """Yield lines of each row, of each of its options, and such as could be led out."""
    maker = Maker(rows, path, 1)
    made = [
        *maker.each_program(),
        *maker.each_option(),
        *(f"{each} {word}" for each in flags(rows) for word in (".", "src", "sums")),
    ]
    Random(1).shuffle(made)
    yield from LEADING_OUT
    yield from (f"{name} src" for name in rows if name.split()[0] not in maker.unobserved)
    yield from made[: times(80, len(made))]
    yield from islice(maker.lines(), times(40, 5_000))


def flags(rows: Mapping[str, CommandRow]) -> Iterator[str]:
    """Yield each row with each of its options that stands alone."""
    for name, row in rows.items():
        yield from (f"{name} {option}" for option, form in row.options.items() if not form.values)


async def caught(posts: list[TrappedPost], made: Iterable[str]) -> tuple[int, dict[str, str]]:
    """Return the count of lines that may stand beside others, and those that opened more, with the reason."""
    let = [line for line in dict.fromkeys(made) if posts[0].may_stand_beside(line)]
    observed = await observe_all(let, posts)
    return len(let), {each.line: found[0][:300] for each in observed if (found := TrappedPost.opened(each))}


async def test_what_may_stand_beside_others_opens_nothing_unnamed(posts: list[TrappedPost]) -> None:
    count, found = await caught(posts, lines(INERT, user_environment(posts[0].home)["PATH"]))
    assert count > times(100, 2_000)
    assert found == {}


async def test_a_row_or_a_check_that_forgets_to_say_so_is_caught(
    posts: list[TrappedPost], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CommandCall, "opens_more", False)
    monkeypatch.setattr(LineJudge, "open_more", lambda _: None)
    _, found = await caught(posts, LEADING_OUT)
    words = [line.split() for line in found]
    for options in {id(row.options): row.options for row in INERT.values()}.values():
        names = {name for name, row in INERT.items() if row.options is options and shutil.which(name)}
        told = [word for each in words if each[0] in names for word in each[1:]]
        for mark in (name for name, option in options.items() if option.opens_more and names):
            assert any(is_given(mark, word) for word in told), (mark, names, told)
    assert {"awk", "diff", "env", "find", "jq", "ps"} <= {each[0] for each in words}


def is_given(option: str, word: str) -> bool:
    """Return whether a word gives an option, or several short ones with it."""
    return word == option or (len(option) == 2 and re.fullmatch(rf"-\w*{option[1]}\w*", word) is not None)
