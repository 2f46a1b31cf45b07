"""Requests by curl to one server of this machine, for rules that cover all of them: what a call sends stands in its
line, it reads and writes no file, and asks no other server.
"""

import re
from collections.abc import Sequence

from planact.shell.compare.without_filters import exact_words, is_filter
from planact.shell.languages.jq import READS_MORE
from planact.shell.parse.plain import Commands
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

_JQ_OPTION = re.compile(r"-[ceMnrSs]+|--(?:compact-output|exit-status|raw-output|slurp|sort-keys)")
_SECONDS = re.compile(r"\d{1,3}(?:\.\d+)?")


def similar_in_line(commands: Commands) -> tuple[str, ...]:
    """Return what the requests of a plain line have in common, if they are all like one call, and what stands beside
    them only waits, says something, or picks from what they print.
    """
    found = set[tuple[str, ...]]()
    for command in commands:
        words = exact_words(command)
        if words and words[0] == "curl":
            found.add(similar_requests(words))
        elif words is None or not (is_filter(command) or is_aside(words)):
            return ()
    return found.pop() if len(found) == 1 else ()


def is_aside(words: Sequence[str]) -> bool:
    """Return whether a command only waits, says something, or picks from what it reads."""
    match words:
        case ["sleep", seconds]:
            return bool(_SECONDS.fullmatch(seconds))
        case ["echo", *_] | ["true"]:
            return True
        case ["jq", *options, program]:
            reads_more = READS_MORE.search(program) or "modulemeta" in program or program.startswith("-")
            return all(map(_JQ_OPTION.fullmatch, options)) and not reads_more
        case _:
            return False


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
