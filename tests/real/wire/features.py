"""The table of providers in `server/docs/models.md`, from what was sent and heard.

To write it anew: `.venv/bin/python -m tests.real.wire.features`. With titles of providers it prints their rows.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planact.adapters.llm.litellm_model import LitellmLoader
from tests.real.wire.conversation import PNG, TURNS, Heard
from tests.real.wire.providers import WIRES, Wire
from tests.real.wire.server import Sent

PAGE = Path(__file__).parents[3] / "server" / "docs" / "models.md"
_COLUMNS = ("provider", "tried with", "pictures", "reasoning is shown", "and sent back", "effort is told in")
HEAD = f"| {' | '.join(_COLUMNS)} | cached tokens told |\n{'|---' * 7}|\n"


def row_of(wire: Wire, sent: Sequence[Sent], heard: Sequence[Heard]) -> str:
    """Return the row of a provider, for a conversation with an effort."""
    first, second = (json.dumps(each.body, ensure_ascii=False) for each in sent[:2])
    said, reply = TURNS[0], heard[0].reply
    cells = (
        wire.title,
        f"`{wire.model}`",
        "yes" if PNG in first else "left out",
        "yes" if reply.reasoning == said.reasoning else "no",
        "signed" if said.mark in second else "as text" if said.reasoning in second else "no",
        f"`{wire.effort}`" if wire.effort and value_at(wire.effort, sent[0].body) is not None else "–",
        "yes" if reply.usage.cached_tokens else "no",
    )
    return f"| {' | '.join(cells)} |\n"


def value_at(path: str, body: dict[str, Any]) -> Any:
    """Return what stands under names that are joined by dots."""
    value: Any = body
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


async def _record() -> None:
    from tests.real.wire.test_conversation import converse

    loader, rows = LitellmLoader({}), []
    await loader.ready()
    wanted = sys.argv[1:] or [wire.title for wire in WIRES]
    for wire in (wire for wire in WIRES if wire.title in wanted):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(row_of(wire, *await converse(wire, "high", loader, Path(folder))))
    if sys.argv[1:]:
        print("".join(rows), end="")
        return
    before, _, rest = PAGE.read_text("utf-8").partition(HEAD)
    after = "\n" + rest.partition("\n\n")[2] if rest.startswith("|") else rest
    PAGE.write_text(f"{before}{HEAD}{''.join(rows)}{after}", "utf-8")


if __name__ == "__main__":
    asyncio.run(_record())
