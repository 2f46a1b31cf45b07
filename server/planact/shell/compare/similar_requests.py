"""Requests by curl to one server of this machine, for rules that cover all of them: what a call sends stands in its
line, it reads and writes no file, and asks no other server.
"""

import re
from collections.abc import Sequence

from planact.shell.servers import WRITTEN_OUT, loopback_server

_FLAGS = re.compile(
    r"-[sSfikvgGIN46]+|-X(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)"
    r"|--(?:silent|show-error|fail|fail-with-body|include|insecure|verbose|globoff|get|head|no-buffer|compressed"
    r"|no-progress-meter|http1\.1|retry-connrefused|retry-all-errors)"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_BEFORE_METHOD = re.compile(r"-[sSfikvgN46]*X|--request")
_METHOD = re.compile(r"GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS")
_TEXT = re.compile(r"[^@].*", re.DOTALL)
"""`@name` would be the content of a file."""
_ENCODED = re.compile(r"[^@=]*=.*", re.DOTALL)
_COOKIE = re.compile(r"[^@=]+=.*", re.DOTALL)
"""Without `=` it would be a file of cookies."""

_VALUES = {
    **dict.fromkeys(("-m", "--max-time", "--connect-timeout", "--retry", "--retry-delay", "--retry-max-time"), _NUMBER),
    **dict.fromkeys(("-H", "--header", "-A", "--user-agent", "-u", "--user"), _TEXT),
    **dict.fromkeys(("-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--json"), _TEXT),
    "--data-urlencode": _ENCODED,
    **dict.fromkeys(("-b", "--cookie"), _COOKIE),
    **dict.fromkeys(("-w", "--write-out"), WRITTEN_OUT),
    **dict.fromkeys(("-o", "--output"), re.compile("/dev/null")),
}


def similar_requests(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words with which all calls begin that are like the one of `words`, curl and its server; empty where an
    option isn't known, or the server isn't one of this machine alone.
    """
    left, addresses = list(words[1:]), []
    while left:
        word = left.pop(0)
        if _FLAGS.fullmatch(word):
            continue
        if form := _METHOD if _BEFORE_METHOD.fullmatch(word) else _VALUES.get(word):
            if not (left and form.fullmatch(left.pop(0))):
                return ()
        elif word.startswith("-"):
            return ()
        else:
            addresses.append(word)
    server = loopback_server(addresses[0]) if len(addresses) == 1 else ""
    return (f"curl {server}",) if server else ()
