"""Notebooks as cells: what people see of them, whatever the file holds."""

import json

import pytest

from planact.base.notebook import MAX_PRINTED_CHARACTERS, cells_as_text


def notebook(*cells: object) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def code(source: object, *outputs: object) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": source, "outputs": outputs}


def test_cells_are_shown_with_what_they_printed() -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 1000}}
    plain = {"output_type": "execute_result", "data": {"text/plain": ["42"], "text/html": "<b>42</b>"}}
    stream = {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]}
    error = {"output_type": "error", "ename": "KeyError", "traceback": ["\x1b[0;31mKeyError\x1b[0m", "line 2"]}
    shown = cells_as_text(
        notebook(
            {"cell_type": "markdown", "source": "# Title\nText"},
            code(["import os\n", "os.x"], stream, plain, picture, error),
            code("pass"),
        )
    )
    assert shown == [
        "--- cell 1: markdown\n# Title\nText",
        "--- cell 2: code\nimport os\nos.x\n--- output of cell 2\none\ntwo\n--- output of cell 2\n42\n"
        "--- output of cell 2\n[image/png, not shown]\n--- output of cell 2\nKeyError\nline 2",
        "--- cell 3: code\npass",
    ]


def test_a_long_output_is_cut() -> None:
    shown = cells_as_text(notebook(code("x", {"output_type": "stream", "text": "y" * 1_000_000})))
    assert shown is not None
    assert len(shown[0]) < MAX_PRINTED_CHARACTERS + 200


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"worksheets": []}', '{"cells": 1}', '{"cells": ["x"]}', "[" * 100_000]
)
def test_what_is_no_notebook_is_left_as_it_is(text: str) -> None:
    assert cells_as_text(text) is None


@pytest.mark.parametrize(
    "cell",
    [{}, code(7), code({"a": 1}), code([1, None]), code("x", 1, {}, {"data": 3}, {"output_type": "stream", "text": 3})],
)
def test_cells_of_any_shape_are_shown_somehow(cell: object) -> None:
    shown = cells_as_text(notebook(cell))
    assert shown is not None
    assert shown[0].startswith("--- cell 1: ")
