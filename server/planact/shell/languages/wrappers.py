"""Programs that run another one, which is judged in their place."""

from dataclasses import replace

from planact.shell.environment import may_be_given
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import ANY_WORDS, ShellWord


def check_wrapper(call: CommandCall, judge: Judge) -> None:
    """The first argument is the program: `nice`, `time`, `stdbuf`, `command`."""
    if call.arguments:
        judge.run(call.arguments)


def check_timeout(call: CommandCall, judge: Judge) -> None:
    """Behind a duration."""
    if len(call.arguments) < 2 or not call.arguments[0].is_exact:
        raise CallRefused("wrapper", "`timeout` without a duration and a command", call.name)
    judge.run(call.arguments[1:])


def check_env(call: CommandCall, judge: Judge) -> None:
    """Behind assignments, each of which must be harmless."""
    words = list(call.arguments)
    while words and "=" in words[0].text:
        name, _, value = words[0].text.partition("=")
        if not words[0].is_exact or not may_be_given(name, ShellWord(value)):
            raise CallRefused("variable", f"the variable {name} may steer programs", words[0])
        words.pop(0)
    if words:
        judge.run(words)
    else:
        judge.open_more()


def check_xargs(call: CommandCall, judge: Judge) -> None:
    """With words appended that only running can tell, or put where `-I` says."""
    mark = [value.text for value in call.values("-I")]
    words = list(call.arguments) or [ShellWord("echo", start=call.name.start, end=call.name.end)]
    if mark:
        judge.run([words[0], *(_filled(word, mark[-1]) for word in words[1:])])
    else:
        judge.run([*words, replace(ANY_WORDS, start=call.name.start, end=call.name.end)])


def _filled(word: ShellWord, mark: str) -> ShellWord:
    before, found, _ = word.text.partition(mark)
    return replace(word, text=before, is_exact=False) if found and mark else word


def check_command(call: CommandCall, judge: Judge) -> None:
    """`command -v name` looks a name up, `command name` runs it."""
    if not call.has("-v", "-V"):
        check_wrapper(call, judge)
