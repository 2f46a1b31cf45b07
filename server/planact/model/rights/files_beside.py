"""Files that databases keep beside their own while they are open. They are nothing by themselves: who may change the
database may change them, and one without the others loses what was written.
"""

from collections.abc import Iterable

_ENDINGS = ("-journal", "-shm", "-wal", ".wal")


def with_files_beside(paths: Iterable[str]) -> frozenset[str]:
    """Return the paths with those of the files that a database of that name may have beside it."""
    named = frozenset(paths)
    return named.union(path + ending for path in named for ending in _ENDINGS if path[-1:] not in ("", "/"))


def database_of(path: str) -> str:
    """Return the path of the database beside which a file of that name may be; empty where it has another name."""
    ending = next((each for each in _ENDINGS if path.endswith(each)), "")
    return path.removesuffix(ending) if ending else ""
