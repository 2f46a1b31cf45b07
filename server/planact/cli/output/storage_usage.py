"""Sizes of planact's state, for `planact doctor --size` and before `planact state delete` asks."""

from collections.abc import Mapping, Sequence
from typing import Any

from planact.model.runs.storage_usage import StorageUsage

_GOES = (
    "conversations, the journal with all that could be undone, approvals, trust, rules, questions, events",
    "and in each workspace the transcripts, the records of runs and the JSON forms below .planact/",
)
STAYS = (
    "plan documents (*.plan), and .planact/ with its config.toml, roles and templates",
    "your own settings and roles",
    "keys of providers: planact writes none to a disk; VS Code's secret storage has those that were set there",
)


def size_text(bytes_: int) -> str:
    """Return a size as people read it: `1.2 MB`."""
    value, unit = float(bytes_), "B"
    for larger in ("kB", "MB", "GB"):
        if value < 1_000:
            break
        value, unit = value / 1_000, larger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def storage_text(held: Sequence[StorageUsage], home: str) -> str:
    """Return two lines for each workspace: its size, and the size of each kind, the largest first."""
    lines = [f"{size_text(sum(each.bytes for each in held))} in {home}"]
    for each in held:
        kinds = sorted(each.kinds.items(), key=lambda kind: -kind[1])
        lines += [f"  {size_text(each.bytes):>8}  {each.workspace or each.folder.name}"]
        lines += [f"            {', '.join(f'{kind} {size_text(size)}' for kind, size in kinds)}"] if kinds else []
    return "\n".join(lines)


def deletion_text(held: Sequence[StorageUsage], home: str) -> str:
    """Return the sizes, and what a deletion of all state removes and leaves."""
    goes, stays = ("\n".join(f"  - {line}" for line in lines) for lines in (_GOES, STAYS))
    return f"{storage_text(held, home)}\n\nWhat goes:\n{goes}\nWhat stays:\n{stays}"


def storage_data(held: Sequence[StorageUsage], home: str) -> Mapping[str, Any]:
    """Return the sizes as JSON, in bytes."""
    rows = [
        {"workspace": each.workspace, "folder": str(each.folder), "bytes": each.bytes, "kinds": dict(each.kinds)}
        for each in held
    ]
    return {"folder": home, "bytes": sum(each.bytes for each in held), "workspaces": rows}
