"""`make bench`: what things cost, beside raw baselines that are taken in the same run."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import psutil

from tests.bench.parts import PARTS
from tests.bench.report import as_json, markdown, table, with_recorded
from tests.bench.run import run

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / ".test-output" / "bench.json"
PAGE, README = ROOT / "server/docs/benchmarks.md", ROOT / "README.md"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--short", action="store_true", help="a few samples each: that all of it still runs")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the JSON goes")
    parser.add_argument("--record", action="store_true", help="write the tables into README.md and server/docs")
    asked = parser.parse_args(words)
    if asked.record and (asked.only or asked.short):
        parser.error("only a whole run can be recorded")
    about = surroundings()
    try:
        rows, failed = run(asked.only or PARTS, is_short=asked.short)
    except KeyboardInterrupt:
        return 130
    print(table(rows))
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    asked.output.write_text(json.dumps(as_json(rows, about), indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"\n{about['machine']}; as JSON: {asked.output}", file=sys.stderr)
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
        return 1
    if asked.record:
        for path, quoted in ((PAGE, rows), (README, [row for row in rows if row.goal])):
            path.write_text(with_recorded(path.read_text("utf-8"), markdown(quoted, about)), "utf-8")
    return 0


def surroundings() -> dict[str, str]:
    """When and where; `load` is how many processes want to run before ours do, for one that is shared."""
    memory = round(psutil.virtual_memory().total / 2**30)
    machine = f"{os.cpu_count()} cores, {memory} GiB, {platform.system()}"
    return {
        "date": f"{datetime.now().astimezone():%Y-%m-%d}",
        "machine": machine,
        "load": f"{psutil.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
    }


if __name__ == "__main__":
    sys.exit(main())
