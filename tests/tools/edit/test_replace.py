import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from planact.base.span import Span, TextEdit, apply_edits
from planact.tools.edit.problem import EditProblem
from planact.tools.edit.replace import Replacement, plan_edits


def changed(text: str, *replacements: Replacement) -> str:
    edits = plan_edits(text, replacements)
    assert not isinstance(edits, EditProblem), edits
    return apply_edits(text, edits)


def problem(text: str, *replacements: Replacement) -> EditProblem:
    result = plan_edits(text, replacements)
    assert isinstance(result, EditProblem), result
    return result


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        # exact, within a line and over lines
        ("load(a)\n", "load", "read", "read(a)\n"),
        ("a\nb\nc\n", "b\n", "", "a\nc\n"),
        ("a\nb\nc", "\nc", "", "a\nb"),
        ("a\nb", "a\nb", "", ""),
        ("a", "a", "a\nb\n", "a\nb\n"),
        ("", "", "new\r\n", "new\r\n"),
        # line endings are the file's, whatever was sent
        ("a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\nb\n", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\nb\n", "a\r\nb\r\n", "a\r\nx\r\nb\r\n", "a\nx\nb\n"),
        ("a\rb\r", "a\nb", "a\nx\nb", "a\rx\rb\r"),
        ("a\r\nb\nc\r\n", "a\nb\nc", "A\nb\nC", "A\r\nb\nC\r\n"),
        ("a\r\nb\nc\r\n", "b\nc", "b\nx\nc", "a\r\nb\nx\r\nc\r\n"),
        ("a\r\nb\nc\rd", "a\nb\nc", "A\nB\nC", "A\r\nB\nC\rd"),
        ("one line", "one line", "two\r\nlines", "two\r\nlines"),
        # the last line lacks the line break that was sent, and goes on lacking it
        ("a\nb", "b\n", "c\n", "a\nc"),
        ("a\r\nb", "a\nb\n", "a\nb\nc\n", "a\r\nb\r\nc"),
        ("a\nb", "b\n", "", "a"),
        ("a\r\nb", "b\n", "", "a"),
        ("b", "b\n", "", ""),
        ("a\nb ", "a\nb\n", "a\nc", "a\nc"),
        ("b\na\nb", "b\n", "c\n", "c\na\nb"),
        # a byte order mark is no part of a text
        ("a\nb\n", "\ufeffa\n", "\ufeffc\n", "c\nb\n"),
        ("a\nb\n", "a\n", "\ufeffc\n", "c\nb\n"),
        ("", "", "\ufeffnew", "new"),
        ("\ufeffa\nb\n", "\ufeffa", "c", "c\nb\n"),
        ("\ufeffa\nb\n", "a", "\ufeffc", "\ufeffc\nb\n"),
        # characters at which Python splits lines and editors don't
        ("a\x0cb\u2028c\n", "b\u2028c", "d", "a\x0cd\n"),
        # trailing blanks: lines that stay keep theirs
        ("a  \nb\t\nc\n", "a\nb\nc", "a\nx\nc", "a  \nx\nc\n"),
        ("a\n\nb\n", "a\n    \nb", "a\n\nc", "a\n\nc\n"),
        ("def f():  \n    a\n", "def f():\n    a", "def f():\n    b", "def f():  \n    b\n"),
        # typography
        ("say(“hi”)\nx = 1\n", 'say("hi")\nx = 1', 'say("hi")\nx = 2', "say(“hi”)\nx = 2\n"),
        ("a\u00a0= 1 – 2\n", "a = 1 - 2", "a = 1", "a = 1\n"),
        # indentation: moved, in tabs, in other widths
        ("class A:\n    def f():\n        a\n", "def f():\n    a\n", "def f():\n    b\n    c\n",
         "class A:\n    def f():\n        b\n        c\n"),
        ("if a:\n\tb\n\tc\n", "if a:\n    b\n    c", "if a:\n    b\n    if d:\n        c",
         "if a:\n\tb\n\tif d:\n\t\tc\n"),
        ("if a:\n  if b:\n    c\n", "if a:\n    if b:\n        c", "if a:\n    if b:\n        c\n            .d",
         "if a:\n  if b:\n    c\n      .d\n"),
        ("    a\n    b\n", "        a\n        b\n", "        a\n\n        c\n", "    a\n\n    c\n"),
        ("\tx\r\n\ty\r\n", "  x\n  y", "  x\n  z", "\tx\r\n\tz\r\n"),
    ],
)  # fmt: skip
def test_a_replacement_is_spliced_in(text: str, old: str, new: str, expected: str) -> None:
    assert changed(text, Replacement(old, new)) == expected


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("a b a\na\n", "a", "c", "c b c\nc\n"),
        ("aaaa", "aa", "b", "bb"),
        ("aaa", "aa", "b", "ba"),
        ("x \ny\n\nx\ny\n", "x\ny", "x\nz", "x \ny\n\nx\nz\n"),
        ("\tx\n\ty\n\n\t\tx\n\t\ty\n", "x\n  y", "x\n  z", "\tx\n\tz\n\n\t\tx\n\t\tz\n"),
    ],
)
def test_every_place_is_changed_on_demand(text: str, old: str, new: str, expected: str) -> None:
    assert changed(text, Replacement(old, new, replace_all=True)) == expected


@pytest.mark.parametrize(
    ("text", "old", "lines"),
    [
        ("a\nb\na\n", "a", "2 places: line 1, line 3"),
        ("aaa", "aa", "2 places: line 1, line 1"),
        ("a\nb\nc\na\nb\n", "a\nb\n", "2 places: lines 1-2, lines 4-5"),
        ("a \nb\na\nb \n\n", "a\nb\n\n", None),
        ("a \nb\n\na \nb\n", "a\nb", "2 places (ignoring trailing blanks): lines 1-2, lines 4-5"),
        ("\ta\n\tb\n\n  a\n  b\n", "a\nb", "2 places (ignoring indentation): lines 1-2, lines 4-5"),
        ("x\n" * 30, "x", "more than 20 places: line 1, line 2, "),
    ],
)
def test_what_stands_in_several_places_is_not_guessed(text: str, old: str, lines: str | None) -> None:
    result = plan_edits(text, [Replacement(old, "new")])
    if lines is None:
        assert not isinstance(result, EditProblem)
        return
    assert isinstance(result, EditProblem)
    assert result.code == "EDIT_AMBIGUOUS"
    assert lines in result.message


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        ("a\n", "b", "c", "`old` isn't in the file"),
        ("def f():\n\treturn load(1)\n", "def f():\n    return load(2)", "x",
         "The closest place is lines 1-2: line 2: file has '\\treturn load(1)', you sent '    return load(2)'"),
        ("x = 1\nif a:\n\tb = call(a)\n\tc = call(b)\n", "if a:\n    b = call(a)\n    c = call(c)", "x",
         "line 3: file has a tab, you sent 4 spaces; line 4: file has '\\tc = call(b)', you sent '    c = call(c)'"),
        ("say(‘one’, two)\nsay(three)\n", "say('one', two)\nsay(tree)", "x",
         "file has '‘' (U+2018), you sent \"'\" (U+0027)"),
        ("x = one\n", "x = one()", "x", "The closest place is line 1: file has 'x = one', you sent 'x = one()'"),
        ("alpha = beta\n", "alpha = beta\ngamma", "x", "The closest place is line 1: the file ends at line 1"),
        ("a = read_config()\n", "a = load()", "a = read_config()", "Its `new` is there already, at line 1"),
        ("foo bar", "foo ", "x", None),
        # a block that lost its blanks must not match within a longer line
        ("a\nfoobar\n", "a \nfoo ", "x", "`old` isn't in the file"),
        ("a\n", "  \n  ", "x", "`old` isn't in the file"),
        # a block that ends its line must not match a last line that doesn't
        ("a\n\tb", "a\n  b\n", "a\n  c\n", "line 2: file has a tab, you sent 2 spaces"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told_so_that_it_can_be_repaired(text: str, old: str, new: str, said: str | None) -> None:
    result = plan_edits(text, [Replacement(old, new)])
    if said is None:
        assert not isinstance(result, EditProblem)
        return
    assert isinstance(result, EditProblem)
    assert result.code == "EDIT_NOT_FOUND"
    assert said in f"{result.message} {result.hint}"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        # One level moved, or units of 2 in place of 4: the block shows both.
        ("\tif a:\n\t\tb\n", "if a:\n    b", "if a:\n    b\n    if c:\n        d"),
        # The same indentation stands for two.
        ("a:\n  b\n    c\n", "a:\n b\n c", "a:\n b\n d"),
        # Three spaces are no multiple of four.
        ("if a:\n\tb\n", "if a:\n    b", "if a:\n   c"),
    ],
)
def test_an_indentation_that_can_be_read_in_two_ways_is_not_guessed(text: str, old: str, new: str) -> None:
    found = problem(text, Replacement(old, new))
    assert found.code == "EDIT_NOT_FOUND"
    assert "doesn't tell how to indent" in found.message


@pytest.mark.parametrize(
    ("text", "old", "new"), [("a", "", "b"), ("a\n", "a", "a"), ("a\n", "a\n", "a\r\n"), ("", "", "")]
)
def test_an_edit_that_says_nothing_is_refused(text: str, old: str, new: str) -> None:
    result = plan_edits(text, [Replacement(old, new)])
    assert (
        result == () if old == new == text == "" else isinstance(result, EditProblem) and result.code == "EDIT_REFUSED"
    )


def test_later_edits_see_what_earlier_ones_left_and_refer_to_the_original() -> None:
    text = "a\nb\nc\n"
    edits = plan_edits(text, [Replacement("a", "x\ny"), Replacement("y\nb", "z"), Replacement("c", "C")])
    assert edits == (TextEdit(Span(0, 3), "x\nz"), TextEdit(Span(4, 5), "C"))


def test_one_bad_edit_leaves_all_undone_and_is_named() -> None:
    found = problem("a\nb\n", Replacement("a", "c"), Replacement("a", "d"))
    assert found.message.startswith("edit 2 of 2: `old` isn't in the file")


LINE = st.text('ab \t“"', max_size=4)
TEXT = st.lists(st.tuples(LINE, st.sampled_from(["\n", "\r\n", "\r"])), max_size=8).map(
    lambda lines: "".join(line + end for line, end in lines)
)


@given(TEXT, st.lists(st.builds(Replacement, st.text('ab \n"', max_size=6), TEXT, st.booleans()), max_size=4))
def test_edits_are_in_order_and_never_overlap(text: str, replacements: list[Replacement]) -> None:
    edits = plan_edits(text, replacements)
    if not isinstance(edits, EditProblem):
        apply_edits(text, edits)
        assert list(edits) == sorted(edits, key=lambda edit: edit.span)


@given(
    st.text("ab\n", max_size=12),
    st.lists(st.tuples(st.text("ab\n", min_size=1, max_size=3), st.text("abc\n", max_size=4))),
)
def test_exact_edits_are_what_replacing_strings_gives(text: str, pairs: list[tuple[str, str]]) -> None:
    expected = text
    for old, new in pairs:
        assume(old != new and old in expected)
        expected = expected.replace(old, new)
    assert changed(text, *(Replacement(old, new, replace_all=True) for old, new in pairs)) == expected


@given(TEXT, TEXT, st.lists(LINE, min_size=1, max_size=3), st.lists(LINE, max_size=3))
def test_what_is_outside_the_match_keeps_its_bytes(before: str, after: str, old: list[str], new: list[str]) -> None:
    head, tail = before + "<<<", ">>>" + after
    text = head + "\r\n".join(["", *old, ""]) + tail
    edits = plan_edits(text, [Replacement("\n".join(["<<<", *old, ">>>"]), "\n".join(["<<<", *new, ">>>"]))])
    assume(not isinstance(edits, EditProblem))
    result = apply_edits(text, edits)
    assert result.startswith(head)
    assert result.endswith(tail)
    assert result[len(head) : len(result) - len(tail)].replace("\r\n", "\n").replace("\r", "\n") == "\n".join(
        ["", *new, ""]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "old", "replace_all"),
    [
        (lambda size: "a" * size, lambda size: "a" * (size // 2), False),
        (lambda size: "a" * size, lambda size: "a" * (size // 2) + " ", False),
        (lambda size: "a" * size, lambda size: "a" * (size // 2) + "b", False),
        (lambda size: "a" * size, lambda size: "a" * 1000, True),
        (lambda size: "a\n" * (size // 2), lambda size: "a\n" * (size // 4) + "b", False),
        (lambda size: " " * size, lambda size: " " * (size // 2) + "\n", False),
        (lambda size: "word " * (size // 4), lambda size: "word wort\nword", False),
    ],
)
def test_what_a_text_of_sameness_takes_grows_no_faster_than_the_text(
    text: Callable[[int], str], old: Callable[[int], str], replace_all: bool
) -> None:
    def seconds(size: int) -> float:
        whole, wanted = text(size), Replacement(old(size), "x", replace_all)
        begun = time.process_time()  # others may keep the machine busy
        plan_edits(whole, [wanted])
        return time.process_time() - begun

    # Sixteen times the text: linear is about 16, quadratic 256. What takes no time at all is all noise.
    few = max(0.001, min(seconds(2**15) for _ in range(3)))
    assert any(seconds(2**19) < 64 * few for _ in range(2))
