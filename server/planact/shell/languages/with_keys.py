"""Closer looks at programs that speak with the user's keys, for all their rows: words by which they open a file that no
option of theirs is known for, or show keys. What they run in can read the user's home.
"""

import re

from planact.shell.languages.jq import READS_MORE
from planact.shell.table import CallRefused, CommandCall, Judge

_KUBERNETES_FORMAT = re.compile(
    r"(?:json|yaml|kyaml|name|wide|(?:jsonpath|jsonpath-as-json|go-template|template)(?:=.*)?|custom-columns=.*)",
    re.DOTALL,
)
_GITHUB = re.compile(r"(?:https://)?github\.com/[^@\\]*", re.IGNORECASE)
_LOCAL = re.compile(r"[./~]|[^/]*\Z|.*\.tgz\Z")


def judge_call_with_keys(call: CommandCall, judge: Judge) -> None:
    """Mark or refuse a call of one of these programs. Raises Refused."""
    match call.command.name.partition(" ")[0]:
        case "gh":
            _judge_github(call, judge)
        case "kubectl" | "oc":
            for value in call.values("-o", "--output"):
                if not _KUBERNETES_FORMAT.fullmatch(value.text):
                    raise CallRefused("kubectl", f"`{call.command.name}` with this output may open a file", value)
        case "az":
            for word in call.words:
                if word.text.startswith("@") or word.text.partition("=")[2].startswith("@"):
                    raise CallRefused("az", "an `@` in front of a word opens a file", word)
        case "helm":
            _judge_charts(call)
        case _:
            pass


def _judge_github(call: CommandCall, judge: Judge) -> None:
    if any(READS_MORE.search(value.text) for value in call.values("-q", "--jq")):
        judge.mark("secret")  # its environment, with the keys
    if call.command.name == "gh config get" and any("token" in word.text for word in call.arguments):
        judge.mark("secret")
    for value in call.values("-F", "--field"):
        if value.text.partition("=")[2].startswith("@"):
            raise CallRefused("gh", "an `@` in front of a value opens a file", value)
    named = call.arguments if call.command.name == "gh repo view" else ()
    for word in (*named, *call.values("-R", "--repo")):
        if word.text.count("/") > 1 and not _GITHUB.fullmatch(word.text):
            judge.mark("fetches")


def _judge_charts(call: CommandCall) -> None:
    """A folder or an archive is read with all that links in it lead to."""
    if call.command.name.startswith(("helm show", "helm inspect")) and not call.has("--repo"):
        for word in call.arguments:
            if "://" not in word.text and _LOCAL.match(word.text):
                raise CallRefused("helm", "a chart that is a file or a folder", word)
