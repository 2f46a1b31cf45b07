"""The seam to another parser of bash, which is a process and so no matter of this package."""

from typing import Protocol

from planact.model.classification import Reading


class SecondParser(Protocol):
    """Runs elsewhere and so may fail."""

    def read(self, line: bytes) -> Reading | None:
        """What it found; None where it can't tell, for whatever reason. Never raises."""
        ...
