"""Edits are spliced in: what they don't name keeps its characters, and what can't be made isn't made in part."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.span import Span, TextEdit, apply_edits, line_spans, lines_of

TEXT = st.text("ab\n\r\v\u2028 é🌍", max_size=40)


@given(TEXT, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4), TEXT), max_size=5))
def test_the_result_is_the_splice_or_nothing(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits = [TextEdit(Span(start, start + length), new) for start, length, new in wanted]
    in_order = sorted(edits, key=lambda edit: edit.span)
    fits = all(edit.span.end <= len(text) for edit in edits)
    fits = fits and all(one.span.end <= other.span.start for one, other in pairwise(in_order))
    if not fits:
        with pytest.raises(ValueError, match="overlaps another or lies outside"):
            apply_edits(text, edits)
        return
    spliced = text
    for edit in reversed(in_order):  # from the end, where no offset has moved yet
        spliced = spliced[: edit.span.start] + edit.new_text + spliced[edit.span.end :]
    assert apply_edits(text, edits) == spliced


@given(TEXT)
def test_lines_are_what_their_spans_hold(text: str) -> None:
    assert lines_of(text) == [text[start:end] for start, end in line_spans(text)]


@pytest.mark.parametrize("span", [Span(2, 1), Span(-1, 0), Span(0, 4), Span(4, 4)])
def test_an_edit_outside_of_the_text_is_refused(span: Span) -> None:
    with pytest.raises(ValueError, match="lies outside"):
        apply_edits("abc", [TextEdit(span, "x")])
