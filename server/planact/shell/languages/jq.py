"""jq's programs: which may read modules, or the environment. All only print."""

import re

from planact.shell.table import CommandCall, Judge

READS_MORE = re.compile(r"\b(?:import|include)\b|\$\s*(?:ENV|__prog)|(?<![.\w])env\b")


def check_jq(call: CommandCall, judge: Judge) -> None:
    """Modules are named first, so a program that begins with a dot names none."""
    words = [word for word in call.arguments if not word.is_exact or READS_MORE.search(word.text)]
    if any(word.is_exact or not word.text.startswith(".") for word in words):
        judge.open_more()
