"""The words of a command line that may name programs which it starts, to foretell what it needs.

A program that is started in another way, as by a script of the workspace, isn't among them.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from planact.shell.catalogue import CATALOGUE
from planact.shell.parse.bash import BashParser

_MOST_BYTES = 65_536
_BETWEEN_WORDS = re.compile(r"[\s;|&()`'\"<>{}=,$]+")
_NAME = re.compile(r"[\w.-]+")
_QUOTES = re.compile(r"['\"\\]")
_ONLY_RUNNING_TELLS = re.compile(r"[$`{*?]|.\[")
_WORDLESS = frozenset(("heredoc_body", "comment", "variable_assignment"))

_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "fish", "busybox"))
"""Programs that run text of the line, wherever it stands in it."""

_SOURCING = frozenset(("source", "."))
"""Builtins that do: elsewhere, these words name a folder."""

_BEFORE_BUILTINS = re.compile(r"(?:command|builtin|time|!|-p|--|[\d&]*[<>].*)\Z", re.DOTALL)

_HANDING_ON = frozenset(("command", "env", "find", "timeout", "wrapper", "xargs", "version"))
"""Looks at calls (`CATALOGUE`) of programs that start another one, or of which only the version is known."""

_TAKES_TEXT = re.compile(r"-\w*[cs]\Z")
"""Options of shells for text that they run, and for reading it."""

_OF_ITS_OWN = frozenset(("kill", "pkill", "killall"))
_FETCHING = frozenset(("curl", "wget"))
_COPIES_HERE = re.compile(r"[^:$`]*")
"""Words of `rsync` that name no other machine."""

_WORKS_HERE = frozenset((("kubectl", "kustomize"), ("terraform", "validate"), ("tofu", "validate")))
"""Calls that work on files of this machine alone, of programs that otherwise change others."""

_LANGUAGE = re.compile(r"(?:python|pypy|node|deno|bun|ruby|perl|php|lua|luajit|Rscript|julia)[\d.]*\Z")
_HERE = re.compile(
    r"(?:https?://)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?::[\d$\w{}]*)?(?:[/?#][^@\s]*)?\Z"
)
_ADDRESS = re.compile(r"[a-z]+://|[\w-]+(?:\.[\w-]+)+(?:[:/]|\Z)|.*[@$`]")
_WITH_TEXT = re.compile(
    r"-(?:[ILNSfgikqsv]*[AFHXbcdmow]|-(?:cookie|cookie-jar|data|data-\w+|form|header|json|max-time|output|request"
    r"|user-agent|write-out))\Z"
)
"""Options of curl whose next word is no address."""

_ELSEWHERE = re.compile(r"-(?:x|K)|--(?:proxy|preproxy|socks|resolve|connect-to|config|input-file|execute)")


def started_programs(line: str, parser: BashParser) -> tuple[str, ...]:
    """Return them without folders in front; all words of a line that can't be read, or hands its text to a shell.

    A line that starts something in the background may fetch from there and end it: such calls aren't among them, nor
    are those of programs for other machines that work on this one's files alone.
    """
    data = line.encode(errors="replace")
    root = parser.root(data) if len(data) <= _MOST_BYTES else None
    if root is None or root.has_error:
        return _all_words(line)
    nodes = list(_walk(root))
    commands = [_words(node) for node in nodes if node.type in ("command", "declaration_command")]
    counts = Counter(_NAME.findall(line))
    if not commands or any(_may_run_text(words, counts) for words in commands):
        return _all_words(line)
    goes_on = any(node.type == "&" and node.parent and node.parent.type != "binary_expression" for node in nodes)
    found = (name for words in commands if words for name in _started(words, goes_on=goes_on))
    return tuple(dict.fromkeys(found))


def _all_words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(posixpath.basename, _BETWEEN_WORDS.split(text))))


def _walk(root: Node) -> Iterator[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(node.children)


def _words(command: Node) -> list[str]:
    """Return the words of a simple command as they stand there, without quotes."""
    texts = ((child.text or b"").decode(errors="replace") for child in command.children if child.type not in _WORDLESS)
    return [_QUOTES.sub("", text) for text in texts]


def _may_run_text(words: Sequence[str], counts: Mapping[str, int]) -> bool:
    """Return True if a command runs text of the line: as a shell, or as a script that the line names elsewhere, too.
    `counts` tells how often each name stands in the line.
    """
    if not words:
        return False
    if _ONLY_RUNNING_TELLS.search(words[0]):
        return True
    if "/" in words[0] and not _is_installed(words[0]) and _is_named_twice(words[0], counts):
        return True
    if _takes_no_program(posixpath.basename(words[0])):
        return False
    shells = [at for at, word in enumerate(words) if _is_shell(word, words[:at])]
    return len(shells) > 1 or (bool(shells) and _is_fed(words[shells[0] + 1 :], counts))


def _is_shell(word: str, before: Sequence[str]) -> bool:
    return posixpath.basename(word) in _SHELLS or (word in _SOURCING and all(map(_BEFORE_BUILTINS.match, before)))


def _is_fed(arguments: Sequence[str], counts: Mapping[str, int]) -> bool:
    """Return True if a shell with these arguments may run text of the line."""
    script = next((word for word in arguments if not word.startswith("-")), "")
    return (
        not script
        or any(_TAKES_TEXT.match(word) for word in arguments)
        or bool(_ONLY_RUNNING_TELLS.search(script) or "<" in script)
        or _is_named_twice(script, counts)
    )


def _is_named_twice(path: str, counts: Mapping[str, int]) -> bool:
    parts = _NAME.findall(posixpath.basename(path))
    return not parts or counts[parts[-1]] > 1


def _is_installed(path: str) -> bool:
    return posixpath.basename(posixpath.dirname(path)) in ("bin", ".bin")


def _started(words: Sequence[str], *, goes_on: bool) -> Iterator[str]:
    name = posixpath.basename(words[0])
    is_own = goes_on and (name in _OF_ITS_OWN or (name in _FETCHING and _fetches_here(name, words[1:])))
    is_here = (name, *words[1:2]) in _WORKS_HERE or (name == "rsync" and all(map(_COPIES_HERE.fullmatch, words)))
    if not is_own and not is_here:
        yield name
    if _takes_no_program(name):
        return
    is_code = bool(_LANGUAGE.match(name))
    for word in words[1:]:
        if not re.search(r"\s", word):
            is_code = is_code or bool(_LANGUAGE.match(posixpath.basename(word)))
            if "/" not in word or word.startswith("/") or _is_installed(word):
                yield posixpath.basename(word)
        elif not is_code and name != "git":
            yield from (each for each in _all_words(word) if not (goes_on and each in _OF_ITS_OWN))


def _takes_no_program(name: str) -> bool:
    """Return True if a program is known, and starts none that its words name."""
    row = CATALOGUE.commands.get(name)
    return row is not None and row.check not in _HANDING_ON and name not in CATALOGUE.parents


def _fetches_here(name: str, arguments: Sequence[str]) -> bool:
    is_elsewhere = any(_ELSEWHERE.match(word) for word in arguments)
    before = ("", *arguments)
    named = [
        word
        for last, word in zip(before, arguments, strict=False)
        if word[:1] != "-" and not (name == "curl" and _WITH_TEXT.match(last))
    ]
    here = [word for word in named if _HERE.match(word)]
    return bool(here) and not is_elsewhere and not any(_ADDRESS.match(word) for word in named if word not in here)
