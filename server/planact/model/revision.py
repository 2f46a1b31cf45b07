"""One earlier text of a plan document."""

from dataclasses import dataclass
from typing import Literal

Author = Literal["planner", "user"]


@dataclass(frozen=True, slots=True)
class Revision:
    """`number` counts from 1 in each document; `text` has no secrets."""

    number: int
    path: str
    plan_id: str
    text: str
    author: Author
    time: str
