"""The database of outlines, which several threads and processes may make at once."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from planact.adapters.store.symbols.kept_outlines import KeptOutlines, OutlinedFile

_AT_ONCE = 4


def test_what_is_stored_while_others_make_the_database_stays(tmp_path: Path) -> None:
    numbers = itertools.count()

    def keep(database: Path) -> str:
        path = f"file_{next(numbers)}.py"
        KeptOutlines(database).keep([(path, OutlinedFile("stamp", "hash"), "\nname\t1")], (), ())
        return path

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for number in range(20):
            database = tmp_path / f"{number}.db"
            stored = set(pool.map(keep, [database] * _AT_ONCE))
            assert KeptOutlines(database).known().keys() == stored


def test_a_question_alone_makes_no_database(tmp_path: Path) -> None:
    kept = KeptOutlines(tmp_path / "symbols.db")
    assert kept.known() == {}
    assert kept.containing("name") is None
    assert list(tmp_path.iterdir()) == []
