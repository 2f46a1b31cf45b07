"""Definitions in a text with their lines, for each language, and the one that a name means."""

from textwrap import dedent

import pytest

from planact.adapters.store.symbols.languages import GRAMMARS, language_of
from planact.adapters.store.symbols.worker import definitions
from planact.base.errors import InvalidInput
from planact.model.symbol import Definition
from planact.tools.reading.named_definition import definition_of
from tests.store.symbols.test_languages import SAMPLES


def read(language: str, text: str) -> list[Definition]:
    found = definitions(language, dedent(text).encode())
    return [Definition(tuple(names), first, last, frozenset(words)) for names, first, last, words in found]


SOURCES = {
    "python": (
        "py",
        """\
        import os
        # of plane figures
        class Shape(Base):
            size = 1

            @property
            @cached
            def area(self):
                return self.size

            class Inner:
                def area(self):
                    def deep():
                        return 1
                    return deep()

        def area():
            return 2
        """,
        {
            "Shape": (2, 15),
            "Shape.area": (6, 9),
            "Inner.area": (12, 15),
            "Shape.Inner.area": (12, 15),
            "deep": (13, 14),
            "area": (17, 18),
            "Shape::size": (4, 4),
        },
    ),
    "go": (
        "go",
        """\
        package a

        // Area is it.
        func (s *Shape) Area() int {
            return 1
        }

        func (c Circle) Area() int {
            return 2
        }
        """,
        {"Shape.Area": (3, 6), "Circle.Area": (8, 10)},
    ),
    "rust": (
        "rs",
        """\
        struct Shape;

        impl Shape {
            /// It.
            #[inline]
            fn area(&self) -> u8 {
                1
            }
        }
        """,
        {"Shape::area": (4, 8), "Shape": (1, 1)},
    ),
    "cpp": (
        "cpp",
        """\
        int Shape::area() {
          return 1;
        }
        int Circle::area() {
          return 2;
        }
        """,
        {"Circle::area": (4, 6)},
    ),
    "typescript": (
        "ts",
        """\
        export class Shape {
          area(): number {
            return 1;
          }
        }

        export const grow = () => {
          return 2;
        };
        """,
        {"Shape.area": (2, 4), "grow": (7, 9), "Shape": (1, 5)},
    ),
    "java": (
        "java",
        """\
        class Shape {
          /** It. */
          @Override
          int area() {
            return 1;
          }
        }
        """,
        {"Shape.area": (2, 6)},
    ),
    "ruby": (
        "rb",
        """\
        module Deep
          class Shape
            def area
              1
            end
          end
        end
        """,
        {"Shape#area": (3, 5), "Deep::Shape": (2, 6)},
    ),
    "c": (
        "c",
        """\
        static int *area(int a)
        {
          return 0;
        }
        """,
        {"area": (1, 4)},
    ),
}


@pytest.mark.parametrize("language", SOURCES)
def test_a_name_means_the_lines_of_its_definition(language: str) -> None:
    ending, text, expected = SOURCES[language]
    known = read(str(language_of(f"a.{ending}")), text)
    found = {name: definition_of(name, known, "a") for name in expected}
    assert {name: (each.first_line, each.last_line) for name, each in found.items()} == expected


@pytest.mark.parametrize("language", GRAMMARS)
def test_each_language_has_definitions_with_lines_of_the_text(language: str) -> None:
    text, _, _ = next(sample for name, sample in SAMPLES.items() if GRAMMARS[name].query == GRAMMARS[language].query)
    known, count = read(language, text), len(dedent(text).split("\n"))
    assert known
    assert all(1 <= each.first_line <= each.last_line <= count for each in known)
    assert all(
        each.names[-1] in "\n".join(dedent(text).split("\n")[each.first_line - 1 : each.last_line]) for each in known
    )


def test_what_is_ambiguous_or_missing_is_told_with_the_names_that_there_are() -> None:
    known = read(
        "python", "class A:\n    def go(self): ...\nclass B:\n    def go(self): ...\n    def stop(self): ...\n"
    )
    with pytest.raises(InvalidInput, match=r"a.py defines go 2 times. Name lines: A.go \(2-2\), B.go \(4-4\)"):
        definition_of("go", known, "a.py")
    with pytest.raises(InvalidInput, match=r"a.py doesn't define B.stopx. Names like it: B.stop \(5-5\)"):
        definition_of("B.stopx", known, "a.py")
    with pytest.raises(InvalidInput, match=r"It defines A \(1-2\), A.go \(2-2\), B"):
        definition_of("zzz", known, "a.py")
    with pytest.raises(InvalidInput, match=r"the names in a\.txt can't be told"):
        definition_of("zzz", None, "a.txt")
    with pytest.raises(InvalidInput, match=r"a\.py doesn't define C.stop"):
        definition_of("C.stop", known, "a.py")


def test_broken_code_still_has_definitions() -> None:
    known = read("python", "def a(:\n    return (\n\ndef b():\n    pass\n")
    assert definition_of("b", known, "a.py").last_line == 5
