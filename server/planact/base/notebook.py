"""Jupyter notebooks (nbformat 4) as text: their cells with what they printed, without pictures and metadata."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planact.base.text import capped, one_line

MAX_PRINTED_CHARACTERS = 2_000
"""Of the outputs of one cell, each."""

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def cells_as_text(text: str) -> Sequence[str] | None:
    """Return each cell with its number, kind and outputs; None for a text that is no such notebook."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        return None
    return ["\n".join(_cell(number, cell)) for number, cell in enumerate(cells, 1)]


def _cell(number: int, cell: Mapping[str, Any]) -> Iterator[str]:
    yield f"--- cell {number}: {one_line(str(cell.get('cell_type', 'unknown')), 20)}"
    yield _joined(cell.get("source"))
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        if isinstance(output, dict) and (printed := _printed(output)):
            yield f"--- output of cell {number}"
            yield capped(_ESCAPE.sub("", printed).rstrip("\n"), MAX_PRINTED_CHARACTERS)


def _printed(output: Mapping[str, Any]) -> str:
    """Return the text of an output, or the types of what isn't shown."""
    match output.get("output_type"):
        case "stream":
            return _joined(output.get("text"))
        case "error":
            return _joined(output.get("traceback"), "\n") or f"{output.get('ename')}: {output.get('evalue')}"
        case _:
            data = output.get("data")
            shown = data if isinstance(data, dict) else {}
            return _joined(shown.get("text/plain")) or ", ".join(f"[{one_line(kind, 40)}, not shown]" for kind in shown)


def _joined(lines: object, between: str = "") -> str:
    """Return a text that a notebook holds as one string or as lines."""
    if isinstance(lines, list):
        return between.join(line for line in lines if isinstance(line, str))
    return lines if isinstance(lines, str) else ""
