"""Rules that detect if a message asks for a small, clear fix: one deed, in one file that it names. Pure.

A message counts only when all signs are there and none speaks against it: the user is asked then, and a wrong yes costs
them a click.
"""

import re

_LONGEST = 160
_DEED = re.compile(
    r"\s*(?:(?:please|pls|just|kindly|请)\s*,?\s*)*"
    r"(?:(?:fix|correct|rename|replace|change|remove|bump|update|add|set)\b|修复|修正|改正|更正|改名|替换|修改)",
    re.IGNORECASE,
)
_FILE = re.compile(r"(?<![\w/.])@?`?((?:[\w.-]+/)*[\w-]*[\w-]\.[A-Za-z][\w]{0,9})`?(?![\w/])")
_LARGE = re.compile(
    r"\b(?:and|then|also|all|every|everywhere|each|across|whole|entire|files|tests?|refactor\w*|redesign\w*|rewrite|"
    r"migrat\w*|plan|how|why|what|if|unless|when|should|would|could|maybe|perhaps|don'?t|not|never|deploy\w*|"
    r"delete|drop|security|auth\w*|password\w*|secret\w*|token\w*|production|database|schema|api)\b"
    r"|[?？;；\n]|所有|全部|然后|计划|为什么|怎么|如果|不要|重构|并且",
    re.IGNORECASE,
)


def small_fix_file(text: str) -> str:
    """Return the path of the one file that a small, clear fix names; empty for any other message."""
    if len(text.strip()) > _LONGEST or not _DEED.match(text):
        return ""
    found = set(_FILE.findall(text))
    rest = _FILE.sub(" ", text)
    return found.pop() if len(found) == 1 and not _LARGE.search(rest.strip()) else ""
