"""The seam to another parser of bash, which is a process and so no matter of this package."""

from typing import Protocol

from planact.model.rights.classification import Reading


class SecondParser(Protocol):
    """Runs elsewhere and so may fail."""

    def read(self, line: bytes) -> Reading | None:
        """Return the reading of a line; None where the parser fails. Never raises."""
        ...
