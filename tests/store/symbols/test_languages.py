"""One text per language: what it defines, and where `area` is used, of which a comment and a string say nothing."""

from textwrap import dedent

import pytest

from planact.adapters.store.symbols.languages import GRAMMARS, language_of
from planact.adapters.store.symbols.outline import defined, places
from planact.adapters.store.symbols.worker import outline

ECMASCRIPT = """
export class Shape {
  size = 1;
  area(x) { return x * this.size; } // area
}
export const LIMIT = 3;
const grow = (shape) => shape.area(LIMIT) + "area";
function total(a) { return a.area(1); }
const shapes = { first: () => 1 };
"""
TYPED = """
export interface Shape { size: number; area(x: number): number; }
type Name = string; // area
enum Color { Red, Green = 2 }
namespace Deep { export const inner = 1; }
abstract class Base { abstract go(): void; }
class Square extends Base implements Shape {
  size = 1;
  area(x: number): number { return x; }
  go() { this.area(2); }
}
export const LIMIT: Shape = new Square();
const text = "area", grow = (shape: Shape) => shape.area(3);
"""

SAMPLES: dict[str, tuple[str, str, str]] = {
    "bash": (
        """
        LIMIT=3 # area
        area() { echo "area"; local inner=1; }
        function total { area "$LIMIT"; }
        export NAME=x
        """,
        "function area:3, total:4; variable LIMIT:2, NAME:5",
        "4",
    ),
    "c": (
        """
        #define LIMIT 3
        #define TWICE(x) ((x) * 2)
        typedef struct shape { int size; int *sizes; } Shape;
        enum color { RED, GREEN };
        static int count = 0; /* area */
        int area(Shape *s);
        int *total(int a) { puts("area"); return area(a) + count; }
        """,
        "function TWICE:3, area:7, total:8; type Shape:4, color:5, shape:4; "
        "variable GREEN:5, LIMIT:2, RED:5, count:6, size:4, sizes:4",
        "8",
    ),
    "c_sharp": (
        """
        namespace Deep.Shapes {
          public interface IShape { int Area(int x); }
          public class Shape : IShape {
            private int size = 1;
            public string Name { get; set; }
            public Shape() { }
            public int Area(int x) { return x; } // area
            public int Total() { return area(1) + this.area(2); }
          }
          enum Color { Red, Green }
          record Point(int X);
          struct Size { }
        }
        """,
        "function Area:3,8, Shape:7, Total:9; module Shapes:2; type Color:11, IShape:3, Point:12, Shape:4, Size:13; "
        "variable Green:11, Name:6, Red:11, size:5",
        "9",
    ),
    "cpp": (
        """
        namespace deep {
        class Shape {
         public:
          int area(int x) const;
          ~Shape();
          int size = 1;
        };
        }
        int deep::Shape::area(int x) const { return x; } // area
        template <typename T> T total(T a) { return a.area(1); }
        using Name = const char*;
        enum class Color { Red };
        int main() { deep::Shape s; return s.area(2) + total("area"); }
        """,
        "function area:5,10, main:14, total:11, ~Shape:6; module deep:2; type Color:13, Name:12, Shape:3; "
        "variable Red:13, size:7",
        "11,14",
    ),
    "go": (
        """
        package shapes // area
        type Shape struct { size int }
        type Sized interface { area(x int) int }
        const LIMIT = 3
        var name, other = "area", 1
        func (s Shape) area(x int) int { return x * s.size }
        func total(a Shape) int { local := a.area(LIMIT); return local }
        """,
        "function area:4,7, total:8; module shapes:2; type Shape:3, Sized:4; variable LIMIT:5, name:6, other:6, size:3",
        "8",
    ),
    "java": (
        """
        package a.b;
        interface Sized { int area(int x); }
        class Shape implements Sized {
          static final int LIMIT = 3;
          Shape() { }
          public int area(int x) { return x; } // area
          int total() { int local = this.area(1); return area(local) + "area".length(); }
        }
        enum Color { RED, GREEN }
        record Point(int x) { }
        """,
        "function Shape:6, area:3,7, total:8; type Color:10, Point:11, Shape:4, Sized:3; "
        "variable GREEN:10, LIMIT:5, RED:10",
        "8",
    ),
    "javascript": (
        ECMASCRIPT,
        "function area:4, first:9, grow:7, total:8; type Shape:2; variable LIMIT:6, shapes:9, size:3",
        "7,8",
    ),
    "kotlin": (
        """
        package deep

        interface Sized {
            fun area(x: Int): Int
        }
        class Shape(val size: Int) : Sized {
            override fun area(x: Int): Int = x * size // area
        }
        object Single
        typealias Name = String
        const val LIMIT = 3
        fun total(a: Shape): Int {
            val local = "area"
            return a.area(LIMIT)
        }
        """,
        "function area:5,8, total:13; type Name:11, Shape:7, Single:10, Sized:4; variable LIMIT:12, size:7",
        "15",
    ),
    "php": (
        """
        <?php
        namespace Deep\\Shapes;
        interface Sized { public function area($x); }
        class Shape implements Sized {
          const LIMIT = 3;
          private $size = 1;
          function area($x) { return $x; } // area
        }
        trait Grows { }
        enum Color { case Red; }
        function total(Shape $a) { $area = "area"; return $a->area(Shape::LIMIT); }
        """,
        "function area:4,8, total:12; module Shapes:3; type Color:11, Grows:10, Shape:5, Sized:4; "
        "variable LIMIT:6, Red:11, size:7",
        "12",
    ),
    "python": (
        """
        import area
        LIMIT: int = 3  # area
        class Shape:
            size = 1
            async def area(self, x): return x
        def total(a):
            local = "area"
            return a.area(LIMIT)
        """,
        "function area:6, total:7; type Shape:4; variable LIMIT:3, size:5",
        "2,9",
    ),
    "ruby": (
        """
        module Deep
          class Shape
            LIMIT = 3 # area
            def area(x) = x
            def self.total; area(1) + new.area(2); end
            def name=(value); @name = "area"; end
            def round?; end
          end
        end
        """,
        "function area:5, name:7, round?:8, total:6; module Deep:2; type Shape:3; variable LIMIT:4",
        "6",
    ),
    "rust": (
        """
        mod deep { }
        trait Sized2 { fn area(&self) -> i32; }
        struct Shape { size: i32 }
        enum Color { Red }
        type Name = String;
        const LIMIT: i32 = 3; // area
        macro_rules! twice { ($x:expr) => { $x * 2 }; }
        impl Sized2 for Shape { fn area(&self) -> i32 { self.size } }
        fn total(a: Shape) -> i32 { let local = "area"; println!("{}", a.area()); a.area() }
        """,
        "function area:3,9, total:10, twice:8; module deep:2; type Color:5, Name:6, Shape:4, Sized2:3; "
        "variable LIMIT:7, Red:5, size:4",
        "10",
    ),
    "swift": (
        """
        protocol Sized {
            func area(_ x: Int) -> Int
        }
        class Shape: Sized {
            var size: Int = 1
            func area(_ x: Int) -> Int { return x * size } // area
        }
        enum Color {
            case red
        }
        typealias Name = String
        let limit = 3
        func total(a: Shape) -> Int {
            let local = "area"
            return a.area(limit)
        }
        """,
        "function area:3,7, total:14; type Color:9, Name:12, Shape:5, Sized:2; variable limit:13, red:10, size:6",
        "16",
    ),
    "tsx": (
        TYPED + "const view = <Shape area={LIMIT}>area</Shape>;\n",
        "function area:2,9, go:6,10, grow:13; module Deep:5; type Base:6, Color:4, Name:3, Shape:2, Square:7; "
        "variable Green:4, LIMIT:12, Red:4, inner:5, size:2,8, text:13, view:14",
        "10,13,14",
    ),
    "typescript": (
        TYPED,
        "function area:2,9, go:6,10, grow:13; module Deep:5; type Base:6, Color:4, Name:3, Shape:2, Square:7; "
        "variable Green:4, LIMIT:12, Red:4, inner:5, size:2,8, text:13",
        "10,13",
    ),
}  # fmt: skip


def definitions(outlined: str) -> str:
    """As the samples write them: kinds, names and lines in the order of the alphabet."""
    kinds: dict[str, list[str]] = {}
    for name in sorted(set(defined(outlined))):
        for kind in ("function", "module", "type", "variable"):
            lines = [str(line) for found, line in places(outlined, name) if found == kind]
            if lines:
                kinds.setdefault(kind, []).append(f"{name}:{','.join(lines)}")
    return "; ".join(f"{kind} {', '.join(names)}" for kind, names in sorted(kinds.items()))


@pytest.mark.parametrize("language", GRAMMARS)
def test_what_a_text_defines_is_found_and_where_it_is_used(language: str) -> None:
    text, expected, uses = SAMPLES[language]
    outlined = outline(language, dedent(text).encode())
    assert definitions(outlined) == expected
    assert ",".join(str(line) for kind, line in places(outlined, "area") if kind == "reference") == uses


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"), ("a/b.pyi", "python"), ("a.b/c.TSX", "tsx"), ("x.h", "cpp"), ("x.c", "c"),
        ("a.mjs", "javascript"), ("a.d.ts", "typescript"), ("b.gradle.kts", "kotlin"), ("run.sh", "bash"),
        ("X.cs", "c_sharp"), ("py", None), ("a.txt", None), (".py", "python"),
        ("Makefile", None), ("a.py/b", None), ("", None),
    ],
)  # fmt: skip
def test_a_language_is_known_by_the_ending_of_the_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize("language", GRAMMARS)
@pytest.mark.parametrize(
    "source",
    [b"", b"\n", b"\xff\xfe\x00", b"\xef\xbb\xbfx", b"((((", b"}" * 5_000, b"([{" * 1_000,
     b"a" * 100_000, b"\x00" * 100, "é名\u202e".encode()],
)  # fmt: skip
def test_a_broken_text_has_an_outline_too(language: str, source: bytes) -> None:
    outlined = outline(language, source)
    assert outlined.startswith("\n")
    assert outlined.endswith("\n")


@pytest.mark.parametrize("language", ["cpp", "go", "java"])  # others take seconds for it, which is quadratic
def test_a_text_may_be_nested_as_deep_as_it_likes(language: str) -> None:
    assert outline(language, b"([{" * 20_000).startswith("\n")
