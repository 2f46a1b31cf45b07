"""Dataclasses as the program has them are those of Python, but for when their methods are compiled."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

ALL = """
import sys
if sys.argv[1] == "late":
    from planact.app.late_methods import compile_methods_late
    compile_methods_late()
import dataclasses
import planact.cli.engine
import planact.lsp.connection

waiting, kinds = [object], {}
while waiting:
    for kind in type.__subclasses__(waiting.pop()):
        waiting.append(kind)
        package = str(kind.__module__).partition(".")[0]
        if package in ("annotated_types", "planact", "pydantic") and "__dataclass_fields__" in vars(kind):
            kinds[f"{kind.__module__}.{kind.__qualname__}"] = kind
"""

DESCRIBE = """
import inspect, json, re
METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__lt__")

def described(kind, name):
    method = getattr(kind, name)
    if not callable(method):
        return [name, method]
    signature = re.sub(" at 0x[0-9a-f]+", "", str(inspect.signature(method, follow_wrapped=False)))
    about = [getattr(method, each, None) for each in ("__qualname__", "__module__", "__doc__")]
    return [name, signature, *about, name in vars(kind)]

print(json.dumps({
    name: [
        [re.sub(" at 0x[0-9a-f]+", "", repr(field)) for field in dataclasses.fields(kind)],
        [base.__name__ for base in kind.__mro__],
        [described(kind, method) for method in METHODS],
        sorted(vars(kind)),
        re.sub(" at 0x[0-9a-f]+", "", kind.__doc__),
    ]
    for name, kind in kinds.items()
}))
"""

COUNT = """
from types import FunctionType
from planact.app.late_methods import _LateMethod
methods = [method for kind in kinds.values() for method in vars(kind).values()]
print(len(kinds), sum(isinstance(method, _LateMethod) for method in methods))
"""

USE = """
from planact.app.late_methods import compile_methods_late
for _ in range(2):
    compile_methods_late()
__name__ = "planact.test"
import copy, dataclasses, sys, types
sys.modules[__name__] = types.ModuleType(__name__)
sys.modules[__name__].__dict__.update(globals())
define = '''
@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    line: int
    words: tuple[str, ...] = ()
    names: list[str] = dataclasses.field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        if self.line < 0:
            raise ValueError(self.line)

@dataclasses.dataclass(frozen=True, slots=True)
class Named(Place):
    name: str = ""

@dataclasses.dataclass(order=True)
class Count:
    n: int = 0
'''
exec(define, vars(sys.modules[__name__]))
Place, Named, Count = (getattr(sys.modules[__name__], name) for name in ("Place", "Named", "Count"))
# The first uses, each on a value that no other use has completed.
assert hash(Named(1)) == hash(Named(1)) and {Named(1, name="a")} == {Named(1, name="a")}
assert repr(Named(1, ("a",), name="b")) == "Named(line=1, words=('a',), names=[], name='b')"
assert Place(1, names=["a"]) == Place(1) != Place(2) and Place(1) != Named(1)
assert dataclasses.replace(Place(1), line=2) == Place(2) and copy.deepcopy(Place(3)) == Place(3)
assert Count(1) < Count(2) and Place.__init__.__qualname__ == "Place.__init__"
Count(1).n = 2
refused = (
    lambda: Place(-1), lambda: Place(), lambda: setattr(Place(1), "line", 2), lambda: delattr(Named(1), "name"),
    lambda: hash(Count()), lambda: Place(1) < Place(2),
)
for act in refused:
    try:
        act()
    except Exception as error:
        print(type(error).__name__)
"""


def told(code: str, *words: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_each_class_is_what_python_makes_of_it() -> None:
    at_once = json.loads(told(ALL + DESCRIBE, "at once"))
    assert len(at_once) > 200
    assert json.loads(told(ALL + DESCRIBE, "late")) == at_once


def test_values_are_made_compared_shown_and_refused_as_ever() -> None:
    errors = ["ValueError", "TypeError", "FrozenInstanceError", "FrozenInstanceError", "TypeError", "TypeError"]
    assert told(USE).split() == errors


@pytest.mark.parametrize(("words", "share"), [("late", 3), ("at once", 0)])
def test_a_program_that_nobody_has_asked_anything_has_compiled_few(words: str, share: int) -> None:
    count, late = map(int, told(ALL + COUNT, words).split())
    assert late >= (count * share if sys.version_info < (3, 13) else 0)
