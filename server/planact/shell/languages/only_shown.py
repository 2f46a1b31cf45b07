"""Closer looks at programs that mostly change something, for the forms that only show what is or would be."""

import re

from planact.base.text import word_set
from planact.model.rights.classification import CommandClass
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import ShellWord

_OF_DD = re.compile(r"(?:bs|cbs|conv|count|ibs|iflag|obs|skip|status)=")
_MORE_THAN_TRIES = word_set(
    "--apply --build-fake-ancestor --reject --3way -3 --unsafe-paths -o --output -r --reject-file"
)
"""Options by which a patch is applied, files are written, blobs are stored (`--3way`) or files outside are compared."""


def check_tries_patch(call: CommandCall, _judge: Judge) -> CommandClass | None:
    """Take a patch for a change unless an option says that it is only looked at or tried."""
    tries = call.has("--check", "--stat", "--numstat", "--summary", "--dry-run")
    return None if tries and not call.has(*_MORE_THAN_TRIES) else "mutating"


def check_clean(call: CommandCall, _judge: Judge) -> CommandClass | None:
    """Take `git clean` for a change unless it only shows what it would remove."""
    return None if call.has("-n", "--dry-run") else "mutating"


def check_prints_patch(call: CommandCall, _judge: Judge) -> CommandClass | None:
    """Take patches for files that are written unless they are printed."""
    return None if call.has("--stdout") and not call.has("-o", "--output-directory") else "mutating"


def check_dd(call: CommandCall, judge: Judge) -> CommandClass | None:
    """Take `dd` for a change unless all of its words are known, and none names an output."""
    for word in call.arguments:
        if word.is_one and re.match(r"if=.", word.text):
            judge.read(ShellWord(word.text.removeprefix("if="), word.is_exact))
        elif not (word.is_one and _OF_DD.match(word.text)):
            return "mutating"
    return None


def check_kill(call: CommandCall, _judge: Judge) -> CommandClass | None:
    """Take `kill` for a change unless it lists signals, or sends the one that only asks whether a process is there.

    bash takes a signal from any later option, too.
    """
    first, *others = (*call.arguments, ShellWord("", is_exact=False))
    is_asking = first.is_exact and first.text in ("-0", "-l", "-L")
    are_targets = all(word.is_one and word.text[:1] not in ("", "-") for word in others[:-1])
    return None if is_asking and are_targets else "mutating"


def check_own_words(call: CommandCall, _judge: Judge) -> None:
    """Refuse `@file`: the program takes the words in that file for its own, options included."""
    for word in call.words:
        if word.text.startswith("@"):
            raise CallRefused("words", f"`{call.name.text}` takes the words in this file for its own", word)
