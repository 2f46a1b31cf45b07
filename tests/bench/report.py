"""The rows of a run as one table for people, as JSON for programs, and as Markdown in the pages that quote them."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from tests.bench.row import Row

HEAD = ("what", "median", "p90", "n", "unit", "× raw", "goal")
BEGIN, END = "<!-- bench: written by `make bench RECORD=yes` -->", "<!-- bench: end -->"


def table(rows: Sequence[Row]) -> str:
    """Columns of even width; numbers end at the same place."""
    cells = [HEAD, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    lines = []
    for line in cells:
        name, *numbers, unit, ratio, goal = line
        middle = (number.rjust(width) for number, width in zip(numbers, widths[1:4], strict=True))
        last = (unit.ljust(widths[4]), ratio.ljust(widths[5]), goal)
        lines.append("  ".join((name.ljust(widths[0]), *middle, *last)).rstrip())
    return "\n".join(lines)


def as_json(rows: Sequence[Row], about: Mapping[str, str]) -> dict[str, Any]:
    return {"format_version": "1.0", **about, "rows": [_as_json(row) for row in rows]}


def markdown(rows: Sequence[Row], about: Mapping[str, str]) -> str:
    """The table with when and on what it was measured."""
    cells = [HEAD, ("---", "--:", "--:", "--:", "---", "---", "---"), *map(_cells, rows)]
    where = f"{about['machine']}, Python {about['python']}"
    busy = f"with a load of {about['load']} from other work before it began; where that is much, look at × raw"
    return "\n".join(
        [f"Measured on {about['date']} ({where}), {busy}.", "", *(f"| {' | '.join(line)} |" for line in cells)]
    )


def with_recorded(page: str, text: str) -> str:
    """`page` with `text` between the markers, which must be there."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"there is no {BEGIN} … {END} on the page")
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def _cells(row: Row) -> tuple[str, ...]:
    ratio = f"{shown(row.ratio)} ({row.raw})" if row.ratio is not None else ""
    return (row.name, shown(row.median), shown(row.p90), str(len(row.samples)), row.unit, ratio, row.goal)


def shown(number: float) -> str:
    """Three digits that count, and no fewer than the whole ones."""
    if number and abs(number) < 100:
        return f"{number:.3g}" if abs(number) >= 0.001 else f"{number:.1e}"
    return f"{number:,.0f}"


def _as_json(row: Row) -> dict[str, Any]:
    found = {"name": row.name, "unit": row.unit, "median": row.median, "p90": row.p90, "n": len(row.samples)}
    if row.baseline:
        found |= {"raw": row.raw, "raw_median": statistics.median(row.baseline), "ratio": row.ratio}
    return found | ({"goal": row.goal} if row.goal else {})
