"""Words by which a line chooses the server that a program asks with the user's keys."""

import re
from collections.abc import Sequence

from planact.shell.table import CallRefused
from planact.shell.words import ShellWord

_ADDRESS = re.compile(r"(?<!\bs3)(?<!\bgs)://|[\w.-]+@[\w.-]+:")
_HOST = r"[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*(?::\d+)?"
_OF_HOST = re.compile(rf"(?:localhost|{_HOST})/", re.IGNORECASE)
_REPOSITORY_OF_HOST = re.compile(rf"(?:.*=|-R)?{_HOST}/[^/]+/.+", re.IGNORECASE)
_OF_GITHUB = re.compile(r"(?:.*=|-R)?(?:https://)?github\.com/[^@\\]*", re.IGNORECASE)

_LOOPBACK = re.compile(r"(?P<scheme>https?://)?(?P<host>localhost|127\.0\.0\.1)(?::(?P<port>\d+))?(?:/[^@#\\]*)?\Z")

WRITTEN_OUT = re.compile(r"(?!@)(?:[^%]|%%|%\{\w+\})*\Z")
"""A format of curl's that neither is a file nor writes one."""


def loopback_server(address: str) -> str:
    """Return the host and port of an address of this machine that can lead to no other; else an empty string."""
    if (found := _LOOPBACK.match(address)) is None:
        return ""
    return f"{found['host']}:{found['port'] or ('443' if found['scheme'] == 'https://' else '80')}"


def names_server(words: Sequence[ShellWord]) -> bool:
    """Return whether one of a call's words is an address, or for `gh` a repository of another host than GitHub's."""
    texts = [word.text for word in words[1:]]
    if words[0].text.rpartition("/")[2] == "gh":
        texts = [text for text in texts if not _OF_GITHUB.fullmatch(text)]
        if any(map(_REPOSITORY_OF_HOST.fullmatch, texts)):
            return True
    return any(map(_ADDRESS.search, texts))


def is_of_host(text: str) -> bool:
    """Return whether a name begins with a host, as one of an image in a registry does."""
    return _OF_HOST.match(text) is not None


def demand_known(words: Sequence[ShellWord]) -> None:
    """Require known words where they leave the machine: a name can carry another command's output. Raises Refused."""
    for word in words:
        if not word.is_exact or not word.is_one:
            raise CallRefused("word", "a word that only running can tell would leave the machine", word)
