"""python: versions, modules that only print, and one-liners that only say what the interpreter is.

What python imports may lie in the workspace; only `sys` can't.
"""

import re

from planact.shell.table import Call, Judge, Refused
from planact.shell.words import Word

_TOLD = r"sys\.(?:version|version_info(?:\[:\d\])?|platform|executable|prefix|base_prefix|path|byteorder|maxsize)"
_LINE = re.compile(rf"import sys; ?print\({_TOLD}\)\Z|print\([\d+*/() .-]+\)\Z")
_ASKS = {"-V", "-VV", "--version", "-h", "--help"}


def check_python(call: Call, judge: Judge) -> None:
    """Raises Refused for anything that would run code which isn't known."""
    words = call.arguments
    texts = [word.text if word.is_exact else "" for word in words]
    if len(texts) == 1 and texts[0] in _ASKS:
        return
    if len(texts) == 2 and texts[0] == "-c" and _LINE.match(texts[1]):
        return
    if texts[:2] == ["-m", "pip"]:
        judge.run([Word("pip", start=words[1].start, end=words[1].end), *words[2:]])
        return
    if texts[:2] == ["-m", "json.tool"] and len(texts) <= 3 and all(not text.startswith("-") for text in texts[2:]):
        for word in words[2:]:
            judge.read(word)
        return
    raise Refused("python", "a program of python isn't known to only read", call.name)
