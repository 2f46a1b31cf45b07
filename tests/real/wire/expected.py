"""What an answer comes to, whole or broken, and answers that all providers give."""

from dataclasses import dataclass
from typing import Any

from tests.real.wire.server import Called, Said


@dataclass(frozen=True)
class Whole:
    """What the answer comes to."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    reasoning: str = ""
    finish_reason: str = "stop"


@dataclass(frozen=True)
class Broken:
    """The failure, and whether it is worth another try."""

    code: str
    is_transient: bool = True
    says: str = ""


CALL = Called("read_file", {"path": "a.py"})
ONE = (("read_file", {"path": "a.py"}),)
TWO = (*ONE, ("read_file", {"path": "b.py"}))
BOTH = Said("Look.", "Hm.", (CALL, Called("read_file", {"path": "b.py"})))
WORDS = Said("It is a plan.", "Hm.")
CUT = Broken("MODEL_STREAM_BROKEN")
