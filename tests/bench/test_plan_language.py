"""What the plan language costs with each key: at 10, 1,000 and 10,000 steps, and how it grows."""

import statistics
import time
from collections.abc import Callable
from typing import Any

from planact.base.span import Span
from planact.plan.ide.actions import actions
from planact.plan.ide.folding import folding
from planact.plan.ide.formatting import formatting
from planact.plan.ide.lenses import lenses
from planact.plan.ide.symbols import symbols
from planact.plan.offers import PlanState
from planact.plan.parser import parse
from planact.plan.rules import lint
from planact.plan.surroundings import Surroundings, ToolFact
from planact.tools.registry import TOOLS

SIZES = (10, 1_000, 10_000)
RUNS = {10: 50, 1_000: 11, 10_000: 3}
# Ten times the steps may cost so many times more; quadratic would be a hundred.
GROWTH = 30.0
# Many times the budget of 30 ms, so that only a change of kind fails on a busy machine.
KEYSTROKE_LIMIT_MS = 600.0

AROUND = Surroundings({tool.name: ToolFact(tool.name, "", tool.required_permissions, tool.risk) for tool in TOOLS})
HEAD = '---\nformat_version: "1.0"\nid: plan_20261120_aaaa\n---\n# Rename everything\n\n## Steps\n'
STEP = """- [ ] {0}. Rename the function in `src/module_{0}.py`
  - reason: the name hides what it does
  - tools: read_file, update_file
  - files: src/module_{0}.py
  - check: `python -m pytest -q tests/test_{0}.py`
"""


def plan_of(steps: int) -> str:
    return HEAD + "".join(STEP.format(number) for number in range(1, steps + 1))


def test_each_view_grows_with_the_text_and_no_faster() -> None:
    found: dict[str, dict[int, float]] = {}
    for size in SIZES:
        text = plan_of(size)
        tree = parse(text)
        key = text.index("module_5")  # a key is struck near the top
        typed = text[:key] + "x" + text[key:]
        whole = Span(0, len(text))
        acts: dict[str, Callable[[], Any]] = {
            "parse": lambda text=text: parse(text),
            "a keystroke to fresh diagnostics": lambda typed=typed, tree=tree: lint(parse(typed, tree), AROUND),
            "diagnostics": lambda tree=tree: lint(tree, AROUND),
            "lenses": lambda tree=tree: lenses(tree, PlanState()),
            "actions": lambda tree=tree, whole=whole: actions(tree, PlanState(), whole),
            "symbols": lambda tree=tree: symbols(tree),
            "folding": lambda tree=tree: list(folding(tree)),
            "formatting": lambda tree=tree: formatting(tree),
        }
        for name, act in acts.items():
            found.setdefault(name, {})[size] = median(act, RUNS[size])
    print()
    for name, times in found.items():
        growth = times[10_000] / times[1_000]
        row = ", ".join(f"{size:,} steps {times[size]:.2f} ms" for size in SIZES)
        print(f"plan, {name}: {row}; ten times the steps cost × {growth:.1f}")
        assert growth < GROWTH, name
    assert found["a keystroke to fresh diagnostics"][1_000] < KEYSTROKE_LIMIT_MS


def median(act: Callable[[], Any], runs: int) -> float:
    """Milliseconds."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        act()
        times.append((time.perf_counter() - started) * 1_000)
    return statistics.median(times)
