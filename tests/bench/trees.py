"""Large folders for the parts that walk them."""

from pathlib import Path

IN_A_FOLDER = 100
RARE, COMMON = "needle_in_the_tree", "return value"
"""Words: one, a function's name, in three files of all, the other in each."""

TEXT = "".join(f"def function_{number}(value: int) -> int:\n    return value + {number}\n\n\n" for number in range(12))


def grow(root: Path, files: int) -> None:
    """Small Python files, a hundred in a folder and ten folders in the one above."""
    for number in range(files):
        folder = root / f"part_{number // IN_A_FOLDER // 10}" / f"package_{number // IN_A_FOLDER % 10}"
        if number % IN_A_FOLDER == 0:
            folder.mkdir(parents=True)
        is_rare = number in (files // 3, files // 2, files - 1)
        (folder / f"module_{number}.py").write_text(f"def {RARE}() -> None: ...\n\n\n{TEXT}" if is_rare else TEXT)
