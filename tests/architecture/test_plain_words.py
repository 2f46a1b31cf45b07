"""Docstrings name what they are about: words that stand where a name should, and vague openings, stay rare."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE

MOST_VAGUE_WORDS = 0.3
"""Per 100 words of docstring."""

MOST_VAGUE_OPENINGS = 3.0
"""Percent of docstrings."""

VAGUE_WORD = re.compile(
    "nobody|somebody|someone|anybody|anyone|everybody|whoever|whatever|whichever|whomever|something|anything|everything"
    "|nothing|thing|things|such|so-called|stuff|thereof|therein|whereupon"
)
VAGUE_OPENING = re.compile(
    r"(?:what|who|whose|whether|why|how|where|the same|see|those|that which|such|one that)\b", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_CODE = re.compile(r"`[^`]*`")
_SHOWN = 15


@dataclass(frozen=True)
class Docstring:
    place: str
    text: str

    @property
    def words(self) -> list[str]:
        return _WORD.findall(self.text.lower())

    @property
    def vague_words(self) -> list[str]:
        return [word for word in self.words if VAGUE_WORD.fullmatch(word)]

    @property
    def opens_vaguely(self) -> bool:
        return VAGUE_OPENING.match(self.text) is not None


def docstrings_in(source: str, place: str = "") -> Iterator[Docstring]:
    """Code in backticks counts as one word."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            text := ast.get_docstring(node)
        ):
            yield Docstring(f"{place}:{getattr(node, 'lineno', 1)}", _CODE.sub("code", text))


@pytest.fixture(scope="module")
def docstrings() -> list[Docstring]:
    paths: list[Path] = sorted(PACKAGE.rglob("*.py"))
    return [each for path in paths for each in docstrings_in(path.read_text("utf-8"), str(path.relative_to(PACKAGE)))]


def told(docstrings: list[Docstring]) -> str:
    return "\n".join(f"{each.place}: {each.text.splitlines()[0]}" for each in docstrings[:_SHOWN])


def test_vague_words_are_rare(docstrings: list[Docstring]) -> None:
    vague = sorted((each for each in docstrings if each.vague_words), key=lambda each: -len(each.vague_words))
    rate = 100 * sum(len(each.vague_words) for each in vague) / sum(len(each.words) for each in docstrings)
    message = f"{rate:.2f} vague words per 100: name the person, the file or the value in\n{told(vague)}"
    assert rate <= MOST_VAGUE_WORDS, message


def test_docstrings_open_with_a_verb_or_a_noun(docstrings: list[Docstring]) -> None:
    vague = [each for each in docstrings if each.opens_vaguely]
    share = 100 * len(vague) / len(docstrings)
    message = f"{share:.1f} % of docstrings open vaguely: begin with a verb or a noun in\n{told(vague)}"
    assert share <= MOST_VAGUE_OPENINGS, message


def test_the_measure_counts_words_and_openings_but_no_code() -> None:
    source = '"""Whether `something` is left for anybody."""\ndef f():\n    """Return the file, or nothing."""\n'
    found = list(docstrings_in(source))
    assert [each.vague_words for each in found] == [["anybody"], ["nothing"]]
    assert [each.opens_vaguely for each in found] == [True, False]
