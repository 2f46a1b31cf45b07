"""The command line of a call, without the marks that models copy from documents."""

import re
from typing import Annotated

from pydantic import AfterValidator

_FENCED = re.compile(r"\s*```(?:bash|sh|shell|zsh|console)?[ \t]*\n(?P<line>(?:(?!```).)+)```\s*", re.DOTALL)
_PROMPT = re.compile(r"^[ \t]*\$[ \t]+(?=\S)", re.MULTILINE)


def _without_marks(command: str) -> str:
    """Return a command without the fence around it, and without a prompt before each of its lines. Bash would run the
    text in a fence, and then its output; `$` is no program.
    """
    fenced = _FENCED.fullmatch(command)
    line = (fenced and fenced["line"].strip()) or command
    rows = [row for row in line.split("\n") if row.strip()]
    return _PROMPT.sub("", line) if rows and all(_PROMPT.match(row) for row in rows) else line


UnmarkedCommand = Annotated[str, AfterValidator(_without_marks)]
