"""Which names a step is taken to change, and how their uses are told."""

import pytest

from planact.model.plan import Step
from planact.plan.impact import NameUses, impact_text, names_to_change


@pytest.mark.parametrize(
    ("action", "names"),
    [
        ("Rename `load` to `read_config()`", ("load", "read_config")),
        ("Change `Store.load`, `store::save` and `Käse#größe`", ("load", "save", "größe")),
        ("Say `load` twice: `load`", ("load",)),
        ("Edit `app.py` and run `make test`", ()),
        ("Mend ``load`` and load", ()),
        ("`a b`, `1x`, `x`, `--flag`, `$HOME`", ()),
    ],
)
def test_names_are_those_in_backticks(action: str, names: tuple[str, ...]) -> None:
    assert names_to_change(Step(step_number=1, action=action, files=("app.py",))) == names


def test_long_lists_are_counted() -> None:
    uses = tuple((f"{number}.py", (1, 2, 3, 4)) for number in range(7))
    told = impact_text([NameUses(f"name{number}", uses) for number in range(6)])
    assert told.startswith("`name0` in `0.py` (1, 2, 3, …), `1.py`")
    assert " and 2 more; `name1` in " in told
    assert told.endswith("; and 2 more names")
    assert impact_text([]) == ""


def test_a_file_name_makes_no_line_of_its_own() -> None:
    told = impact_text([NameUses("load", (("a.py`\n\n- Files: `none\u202e.py", (1,)),))])
    assert told == r"""`load` in ``"a.py`\n\n- Files: `none\u202e.py"`` (1)"""
