"""The table of the AWS CLI's operations, which `make aws` generates: facts about names, loaded when first asked for."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

OperationClass = Literal["read", "secret", "write", "other", "wait"]
"""`secret`: reads credentials. `other`: not known to only read. `wait`: the name of a waiter, which polls."""

_CLASSES: Mapping[str, OperationClass] = {name: name for name in get_args(OperationClass)}


@lru_cache(maxsize=16)
def operations(service: str) -> Mapping[str, OperationClass]:
    """Return the class of each operation of a service, and of its waiters as `wait NAME`, all as the CLI spells them;
    empty for a service that the table doesn't know.
    """
    found: dict[str, OperationClass] = {}
    for row in _rows().get(service, ()):
        head, _, rests = row.partition(": ")
        _, kind, _, verb = head.split(" ")
        for rest in rests.split(" "):
            name = verb if rest == "." else f"{verb}-{rest}"
            found[f"wait {name}" if kind == "wait" else name] = _CLASSES[kind]
    return found


@cache
def _rows() -> Mapping[str, Sequence[str]]:
    """The rows of the table by service: a line may name many that there aren't, and each is looked up."""
    rows: dict[str, list[str]] = {}
    for row in (files("planact.shell.aws") / "operations.txt").read_text("utf-8").splitlines():
        if row and not row.startswith("#"):
            rows.setdefault(row.partition(" ")[0], []).append(row)
    return rows
