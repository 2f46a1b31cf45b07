"""How much planact keeps, for `planact doctor --size` and before `planact state delete` asks."""

from collections.abc import Mapping, Sequence
from typing import Any

from planact.model.estate import Holding

STAYS = (
    "plan documents (*.plan), and .planact/ with its config.toml, roles and templates",
    "your own settings and roles",
    "keys of providers: planact writes none to a disk; VS Code's secret storage has those that were set there",
)


def size_text(bytes_: int) -> str:
    """As people read it: `1.2 MB`."""
    value, unit = float(bytes_), "B"
    for larger in ("kB", "MB", "GB"):
        if value < 1_000:
            break
        value, unit = value / 1_000, larger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def holdings_text(held: Sequence[Holding], home: str) -> str:
    """What there is, the largest first, a workspace in two lines."""
    lines = [f"{size_text(sum(each.bytes for each in held))} in {home}"]
    for each in held:
        kinds = sorted(each.kinds.items(), key=lambda kind: -kind[1])
        lines += [f"  {size_text(each.bytes):>8}  {each.workspace or each.folder.name}"]
        lines += [f"            {', '.join(f'{kind} {size_text(size)}' for kind, size in kinds)}"] if kinds else []
    return "\n".join(lines)


def holdings_data(held: Sequence[Holding], home: str) -> Mapping[str, Any]:
    """The same as JSON, in bytes."""
    rows = [
        {"workspace": each.workspace, "folder": str(each.folder), "bytes": each.bytes, "kinds": dict(each.kinds)}
        for each in held
    ]
    return {"folder": home, "bytes": sum(each.bytes for each in held), "workspaces": rows}
