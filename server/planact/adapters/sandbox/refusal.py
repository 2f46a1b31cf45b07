"""Whether a command that failed seems to say that its jail refused it something.

The kernel tells only the command, which may keep it to itself, or meet the same words for another reason: so this is
a hint for people and models, and nothing rests on it.
"""

import re
import signal

from planact.model.jail import JailProfile

_SIGNS = re.compile(
    r"operation not permitted|permission denied|read-only file system|not permitted|\b(?:EPERM|EACCES|EROFS)\b",
    re.IGNORECASE,
)
_SIGNS_OF_NO_NETWORK = re.compile(
    r"could not resolve|name resolution|network is unreachable|failed to connect|could not connect", re.IGNORECASE
)
_LONGEST = 500


def find_refusal(profile: JailProfile | None, exit_code: int | None, output: str) -> str:
    """The last line that says so, or empty."""
    if profile is None or not exit_code:
        return ""
    if exit_code == 128 + signal.SIGSYS:
        return "a system call of another kind of machine"
    signs = [_SIGNS, *([_SIGNS_OF_NO_NETWORK] if profile.network == "none" else [])]
    for line in reversed(output.splitlines()):
        if any(sign.search(line) for sign in signs):
            return line.strip()[:_LONGEST]
    return ""
