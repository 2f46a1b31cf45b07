"""python: versions, and one-liners that only print facts about the interpreter.

Any module that python imports may lie in the workspace, also one named like a standard module; only `sys` can't. So no
`-m` is known to only read.
"""

import re

from planact.shell.table import CallRefused, CommandCall, Judge

_TOLD = r"sys\.(?:version|version_info(?:\[:\d\])?|platform|executable|prefix|base_prefix|path|byteorder|maxsize)"
_LINE = re.compile(rf"import sys; ?print\({_TOLD}\)\Z|print\([\d+*/() .-]+\)\Z")
_ASKS = {"-V", "-VV", "--version", "-h", "--help"}


def check_python(call: CommandCall, _judge: Judge) -> None:
    """Raise Refused for a call that would run unknown code."""
    texts = [word.text if word.is_exact else "" for word in call.arguments]
    is_question = len(texts) == 1 and texts[0] in _ASKS
    is_known_line = len(texts) == 2 and texts[0] == "-c" and _LINE.match(texts[1])
    if not (is_question or is_known_line):
        shown = f"{call.name.text} -c" if texts[:1] == ["-c"] else call.name.text
        raise CallRefused("python", f"`{shown} …` may change files or run programs", call.name)
